# What bash, zsh and fish complete, against what --help lists.

load common

# words PROGRAM: the options that --help lists.
words() {
	"$1" --help | sed '1,/^$/d' | grep -oE '^ +(-[A-Za-z])?(, )?(--[a-z0-9-]+)?' |
		tr -d ' ' | tr , '\n' | grep . | sort -u
}

# values PROGRAM: the options with a list of words as value, as "--launch= a b",
# and "--launch a b" where a blank may stand before the value.
values() {
	"$1" --help | sed '1,/^$/d' | sed -nE \
		-e 's/^.*(--[a-z-]+) ([a-z0-9]+(\|[a-z0-9]+)+) .*/\1 \2\n\1= \2/p' \
		-e 's/^.*(--[a-z-]+)\[=([a-z0-9]+(\|[a-z0-9]+)*)\] .*/\1= \2/p' \
		-e 's/^  (-[A-Za-z]) ([a-z0-9]+(\|[a-z0-9]+)+) .*/\1 \2/p' | tr '|' ' '
}

programs() {
	(cd "$HPBIN" && ls)
}

# by_bash WORD...: what bash replies when the last word is to be completed.
by_bash() {
	local COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()

	# shellcheck source=/dev/null
	. "$HPBIN/../completions/bash/$1"
	"_$1" "$1" "${*: -1}" "${*: -2:1}"
	[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

@test "bash completes every option that --help lists, and no other" {
	for p in $(programs); do
		words "$p" >want
		by_bash "$p" - >got
		same got want
		[ "$(by_bash "$p" --hel)" = --help ]
		[ -z "$(by_bash "$p" -- -)" ]
	done
}

@test "bash completes values, behind a blank and behind =" {
	local option list

	for p in $(programs); do
		while read -r option list; do
			tr ' ' '\n' <<<"$list" | sort >want
			case $option in
			*=) by_bash "$p" "${option%=}" = >got ;;
			*) by_bash "$p" "$option" '' >got ;;
			esac
			same got want
		done < <(values "$p")
	done
	[ "$(by_bash hprun --transport = s)" = ssh ]
	[ "$(by_bash hprun --launch lo)" = local ]
	mkdir dir
	: >file
	[ "$(by_bash hprun -T '')" = dir ]
	[ -z "$(by_bash hprun -o '')" ]
	by_bash hpsplit '' >got
	hpsplit --help | sed -nE 's/^(usage:|      ) hpsplit ([a-z]+) .*/\2/p' |
		sort -u >want
	grep -x pivots want
	same got want
}

@test "shellcheck accepts the completions for bash" {
	needs shellcheck
	shellcheck -s bash "$HPBIN"/../completions/bash/*
}

@test "zsh parses its completions, which have every option that --help lists" {
	needs zsh
	for p in $(programs); do
		f=$HPBIN/../completions/zsh/_$p
		[ "$(head -n 1 "$f")" = "#compdef $p" ]
		zsh -fn "$f"
		zsh -fc '_arguments() { print -rl -- "$@" }; . $1' zsh "$f" |
			sed -nE 's/^\*(--?[A-Za-z0-9-]*[A-Za-z0-9]).*/\1/p' |
			sort -u >got
		words "$p" >want
		same got want
	done
}

@test "zsh completes options and values at a prompt" {
	needs zsh
	needs_terminal
	cat >at-prompt <<-'END'
		zmodload zsh/zpty
		zpty shell 'TERM=dumb PS1= zsh -fi'
		zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -uD"
		zpty -w shell 'bindkey "^I" complete-word'
		# The terminal echoes these lines, without < and >.
		zpty -w shell 'show() { print -r -- $'"'\x3c'"'$BUFFER$'"'\x3e'"'; BUFFER= }'
		zpty -w shell 'zle -N show; bindkey "^X" show; print $'"'\x3cready\x3e'"
		zpty -r -m shell out '*<ready>*'
		for line in ${@:2}; do
			zpty -w -n shell "$line"$'\t\C-x'
			zpty -r -m shell out '*<*>*'
			print -r -- ${${out##*<}%%>*}
		done
		zpty -d shell
	END
	timeout 60 zsh -f at-prompt "$HPBIN/../completions/zsh" \
		'hprun --transp' 'hprun --transport=s' 'hprun --launch l' \
		'hprun -n 5 --dry' 'hprun -a e' 'hpsplit piv' 'hpsort --compress=z' \
		>got </dev/null
	cat >want <<-'END'
		hprun --transport=
		hprun --transport=ssh 
		hprun --launch local 
		hprun -n 5 --dry-run 
		hprun -a exact 
		hpsplit pivots 
		hpsort --compress=zstd 
	END
	same got want
}

@test "fish completes options and values" {
	needs fish
	export HOME=$PWD
	for p in $(programs); do
		fish --no-execute "$HPBIN/../completions/fish/$p.fish"
		words "$p" | grep -e -- >want
		fish -c "source '$HPBIN/../completions/fish/$p.fish'
			complete -C '$p --'" | sed 's/[=	].*//' | sort -u >got
		same got want
	done
	fish -c "source '$HPBIN/../completions/fish/hprun.fish'
		complete -C 'hprun --launch '" | cut -f 1 | sort >got
	values hprun | sed -n 's/^--launch //p' | tr ' ' '\n' | sort >want
	grep -x ssh want
	same got want
}
