# hprun when nodes are on other hosts: reached by a command that stands for ssh,
# or by ssh itself.
# shellcheck shell=bash disable=SC2154
load common
load hprun
load secure

lines() {
	seq "$1" | awk -v OFS='\t' '{ print $1 * 7919 % 1009, $1 * 31 % 7, $1 % 3 "x" }'
}

# hosts NAME...: ./far is as ssh to hosts of these names, on each of which the
# login begins in a directory of its own; the cluster has a node on each.
hosts() {
	local host i=0

	cat >far <<-'EOF'
		#!/bin/sh
		[ ! -e "${0%/*}/dead $1" ] || exit 255
		cd "${0%/*}/home/$1" || exit 255
		HOME=$PWD
		export HOME
		echo "$2" >>"$HOME/../../logins"
		shift
		exec sh -c "$*"
	EOF
	chmod +x far
	: >cluster
	for host; do
		mkdir -p "home/$host/work; \"x' y"
		jq -nc --arg host "$host" --arg dir "$PWD/home/$host/work; \"x' y" \
			'{type: "node", node: "on \($host)", host: $host, dir: $dir}' |
			jq -c ". + {speed: $((i + 1))}" >>cluster
		i=$((i + 1))
	done
}

# clean: nothing is left on any host.
clean() {
	local left

	nothing_left
	left=$(find home -mindepth 3)
	[ -z "$left" ] || fail 'left on a host:' "$left"
}

@test "every method sorts over hosts, and leaves nothing there" {
	lines 3000 >in
	hosts a b 'c $(touch pwned) "; touch pwned'
	for a in exact psrs pss psop; do
		for words in '' '-s -k 2,2n' '-u -k 1,1nr'; do
			# shellcheck disable=SC2086 # words
			run_ hprun -C cluster --rsh "$PWD/far" -a $a $words -o out in
			status_is 0
			stderr_is ''
			# shellcheck disable=SC2086
			sort $words in >want
			same out want
			rm out
		done
	done
	clean
	[ -z "$(find . -name pwned)" ]
}

@test "by tcp, with a key of the run that nobody sees" {
	lines 3000 >in
	sort in >want
	hosts 127.0.0.1 127.0.0.2 127.0.0.3
	for a in exact pss; do
		run_ hprun -C cluster --rsh "$PWD/far" --transport tcp -a $a -o out in
		status_is 0
		stderr_is ''
		same out want
		rm out
	done
	clean
	hprun -j 3 --transport tcp --keep kept in >out
	same out want
	[ -z "$(find kept -name key)" ]
	[ "$(jq -s 'map(.port) | unique | length' kept/cluster.jsonl)" = 3 ]
}

@test "the input and the result in their place on the hosts" {
	lines 3000 >in
	hosts a b c
	split -n l/3 --numeric-suffixes=0 -a 1 in part
	i=0
	for h in a b c; do
		mv part$i "home/$h/work; \"x' y/in 'p\"ut"
		i=$((i + 1))
	done
	run_ hprun -C cluster --rsh "$PWD/far" --in-place "in 'p\"ut" \
		--leave "o'ut"
	status_is 0
	[ "$(jq .records <<<"$output")" = 3000 ]
	for h in a b c; do
		cat "home/$h/work; \"x' y/o'ut"
		rm "home/$h/work; \"x' y/o'ut" "home/$h/work; \"x' y/in 'p\"ut"
	done >out
	sort in | cmp - out
	rm out
	clean
	run_ hprun -C cluster --rsh "$PWD/far" -a psop --leave "o'ut" in
	status_is 0
	jq -r '.parts[] | "tail -c +\(.offset + 1) \(.path | @sh) | head -c \(.bytes)"' \
		<<<"$output" | bash | cmp - <(sort in)
	rm home/*/work*/*
	clean
}

@test "the header is that of the file on the first host" {
	hosts a b
	printf '%s\n' title 5 3 >"home/a/work; \"x' y/in"
	printf '%s\n' 4 2 1 >"home/b/work; \"x' y/in"
	for a in exact psop; do
		run_ hprun -C cluster --rsh "$PWD/far" -a $a --in-place in --header 1
		status_is 0
		stdout_is "$(printf '%s\n' title 1 2 3 4 5)"
	done
	rm home/*/work*/in
	clean
}

@test "nodes here and on hosts, standard input to standard output" {
	lines 3000 >in
	sort in >want
	hosts a b
	echo '{"type":"node","node":"here","speed":2}' >>cluster
	for a in exact psop; do
		hprun -C cluster --rsh "$PWD/far" -a $a <in >out
		same out want
	done
	rm out
	clean
}

@test "a random order is the same on all hosts" {
	seq 300 | sed p >in
	hosts a b
	head -c 16 /dev/urandom >source
	hpsort -R --random-source=source in >want
	hprun -R --random-source source -C cluster --rsh "$PWD/far" in >out
	same out want
}

@test "all that is wrong with hosts is said at once, by the name of the node" {
	seq 10 >in
	hosts a b c d
	rm -r home/b
	mv home/c/work* home/c/gone
	mkdir bin
	printf '#!/bin/sh\necho "hpexchange (hptools) 0.0"\n' >bin/hpexchange
	chmod +x bin/hpexchange
	sed "s|^shift|[ \"\$1\" != d ] \|\| PATH=$PWD/bin:\$PATH; shift|" far >near
	chmod +x near
	cp "$HPBIN/hprun" .
	PATH=$PWD:$PATH
	run_ ./hprun -C cluster --rsh "$PWD/near" -o out in
	status_is 3
	stderr_has 'on b: cannot be reached'
	stderr_has 'on c: mkdir: cannot create directory'
	stderr_has 'on d: hptools: hpexchange (hptools) 0.0, not'
	[[ $stderr != *'on a'* ]]
	clean
	sed -i 2d cluster
	run_ ./hprun -C cluster --rsh "$PWD/near" -o out in
	status_is 2
	stderr_has 'on c:'
	stderr_has 'on d:'
}

# dies STEP: that program ends everything on host b, and that is the end of b.
dies() {
	instead "$1" <<-EOF
		case \$PWD in
		*/home/b/*)
			: >"$PWD/dead b"
			for p in /proc/[0-9]*; do
				[[ \$(readlink "\$p/cwd") != "$PWD/home/b"* ]] ||
					[ "\${p#/proc/}" = \$\$ ] || kill -KILL "\${p#/proc/}"
			done
			kill -KILL \$\$
			;;
		esac
		exec "\$real" "\$@"
	EOF
}

@test "a host that dies: its share goes to the others, of a file" {
	lines 3000 >in
	sort in >want
	for program in hpsort hpsplit hpexchange; do
		for words in '-a exact' '-a pss'; do
			rm -rf home bin dead*
			hosts a b c
			dies $program
			# shellcheck disable=SC2086 # words
			HP_RUN=$HP_MARK run_ timeout 60 hprun -C cluster --timeout 4 \
				--rsh "$PWD/far" $words -o out in
			status_is 0
			stderr_has 'on b: lost; its share goes to the others'
			same out want
			rm -r out home/b
			clean
		done
	done
}

@test "a host that dies: named, where its share is nowhere else" {
	lines 3000 >in
	hosts a b c
	dies hpmerge
	HP_RUN=$HP_MARK run_ timeout 60 hprun -C cluster --timeout 4 \
		--rsh "$PWD/far" -o out <in
	status_is 3
	stderr_has 'on b: lost'
	rm -r home/b
	clean
}

@test "a step of a host that is killed is started once more" {
	lines 3000 >in
	sort in >want
	for program in hpsort hpmerge hpexchange; do
		for words in '-a exact' '-a pss'; do
			rm -rf home bin once
			hosts a b c
			instead $program <<-EOF
				case \$PWD/\$1 in
				*/home/b/*--version) ;;
				*/home/b/*) [ -e "$PWD/once" ] || {
					: >"$PWD/once"
					kill -KILL \$\$
				} ;;
				esac
				exec "\$real" "\$@"
			EOF
			# shellcheck disable=SC2086 # words
			HP_RUN=$HP_MARK run_ timeout 60 hprun -C cluster --timeout 4 \
				--rsh "$PWD/far" $words -o out <in
			status_is 0
			[ $program = hpexchange ] || [ ! -e once ] ||
				stderr_has 'killed by signal 9; once more'
			same out want
			rm out
			clean
		done
	done
}

@test "--resume goes on from the steps that are done, on hosts too" {
	lines 3000 >in
	sort in >want
	hosts a b c
	instead hpmerge <<-EOF
		[ -e "$PWD/go" ] || exit 2
		exec "\$real" "\$@"
	EOF
	rm bin/hpsort
	printf '#!/bin/sh\necho >>"%s"\nexec %s "$@"\n' "$PWD/sorts" \
		"$HPBIN/hpsort" >bin/hpsort
	chmod +x bin/hpsort
	run_ hprun -C cluster --rsh "$PWD/far" --keep kept -o out in
	status_is 2
	stderr_has 'what is done is kept: --resume kept'
	[ ! -e out ]
	[ "$(wc -l <sorts)" = 3 ]
	touch go
	run_ hprun -C cluster --rsh "$PWD/far" --resume kept -r -o out in
	status_is 2
	stderr_has 'other options, nodes or input'
	run_ hprun -C cluster --rsh "$PWD/far" --resume kept --trace trace -o out in
	status_is 0
	same out want
	[ "$(wc -l <sorts)" = 3 ]
	jq -se 'map(.step) | contains(["send", "sort", "merge", "gather"])' trace
	echo more >>in
	run_ hprun -C cluster --rsh "$PWD/far" --resume kept -o out in
	status_is 2
	stderr_has 'other options, nodes or input'
	run_ hprun --resume nothing -o out in
	status_is 2
}

@test "--without leaves out nodes, by name" {
	lines 3000 >in
	hosts a 'b; c' d
	rm -r 'home/b; c'
	run_ hprun -C cluster --rsh "$PWD/far" --without 'on b; c' --trace trace \
		-o out in
	status_is 0
	sort in | cmp - out
	[ "$(jq -r 'select(.step == "sort").node' trace | sort | tr '\n' ,)" = \
		'on a,on d,' ]
	sed 's/on b; c/-n/' cluster >dashed
	run_ hprun -C dashed --rsh "$PWD/far" --without -n in
	status_is 0
	stdout_is "$(sort in)"
	run_ hprun -C cluster --rsh "$PWD/far" --without 'on a' --without 'on b' in
	status_is 2
	stderr_has "no node is named 'on b'"
}

@test "a host that does not answer at first is tried until the timeout" {
	lines 300 >in
	hosts a b
	sed -i '2i [ -e "$0.once" ] || { : >"$0.once"; sleep 2; exit 255; }' far
	run_ hprun -C cluster --rsh "$PWD/far" --timeout 8 -o out in
	status_is 0
	sort in | cmp - out
}

# far_run WORD...: hprun on hosts a, b and c, with steps that do not end.
far_run() {
	hosts a b c
	instead hpsort <<-'EOF'
		echo >>ready
		sleep 600
	EOF
	HP_RUN=$HP_MARK setsid env --default-signal=INT,TERM,HUP,PIPE \
		hprun -C cluster --rsh "$PWD/far" -a psrs --timeout 4 -o out in \
		3>&- >stdout 2>stderr &
	pid=$!
	for _ in {1..100}; do
		[ "$(cat home/*/*/*/ready 2>/dev/null | wc -l)" = 3 ] && return
		sleep 0.1
	done
	fail 'the steps did not start' "$(cat stderr)"
}

@test "hprun interrupted or killed: nothing is left on any host" {
	seq 2000 >in
	for s in INT TERM KILL; do
		rm -rf home bin
		far_run
		kill -s $s "$pid"
		run wait "$pid"
		clean
	done
}

@test "a host that nobody hears any more cleans up" {
	seq 10 >in
	hosts a b
	# Its second line is for nobody.
	sed -i '2i [ "$1" != b ] || {\
			shift\
			cd "${0%/*}/home/b" \&\& sh -c "$*" </dev/null 2>/dev/null |\
				head -n 1 >/dev/null\
			exit 255\
		}' far
	run_ hprun -C cluster --rsh "$PWD/far" --timeout 2 -o out in
	status_is 3
	stderr_has 'on b: cannot be reached'
	clean
}

@test "a host that hears nothing more ends its steps" {
	seq 2000 >in
	far_run
	# All that belongs to hprun, but nothing of what the hosts run.
	for p in $(grep -lzsx "HP_RUN=$HP_MARK" /proc/[0-9]*/environ |
		cut -d / -f 3); do
		[[ $(readlink "/proc/$p/cwd") == "$PWD"/home/* ]] ||
			kill -STOP "$p" 2>/dev/null || :
	done
	for _ in {1..150}; do
		[ -n "$(find home -mindepth 3)" ] || break
		sleep 0.1
	done
	[ -z "$(find home -mindepth 3)" ]
	for p in $(grep -lzsx "HP_RUN=$HP_MARK" /proc/[0-9]*/environ |
		cut -d / -f 3); do
		kill -KILL "$p" 2>/dev/null || :
	done
	rm -rf tmp/*
}

@test "by ssh itself, over one connection a node" {
	secure
	hosts a b c
	lines 20000 >in
	sort in >want
	run_ hprun -C cluster --rsh "ssh -T -F $PWD/ssh_config" -o out in
	status_is 0
	same out want
	rm out
	clean
	# One of hprun at each node, and one of each node at each other.
	[ "$(wc -l <served)" -lt 15 ]
}

@test "by ssh itself: a server that is killed is named, nothing is left" {
	secure
	seq 2000 >in
	hosts a b c
	instead hpsort <<-'EOF'
		echo >>ready
		case $PWD in
		*.1) kill -KILL "$(cut -d ' ' -f 4 "/proc/$(cut -d ' ' -f 4 \
			/proc/$PPID/stat)/stat")" ;;
		esac
		sleep 600
	EOF
	sed -i "s|SetEnv PATH=\"|&$PWD/bin:|" sshd_config
	HP_RUN=$HP_MARK run_ timeout 60 hprun -C cluster -a psrs --timeout 4 \
		--rsh "ssh -T -F $PWD/ssh_config" -o out <in
	status_is 3
	stderr_has 'on b: lost'
	clean
}
