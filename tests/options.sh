#!/bin/bash
# Checks that the options of each program agree in four places: the parser,
# --help, its synopsis and the manual.

set -u
cd "$(dirname "$0")/.." || exit 2
TOP=$PWD
HPBIN=$(cd "${HPBIN:-build/bin}" && pwd) || exit 2
PATH=$HPBIN:$PATH
export HPBIN PATH LC_ALL=C
n=0
failed=0

point() {
	local name=$1 out

	shift
	n=$((n + 1))
	if out=$("$@" 2>&1) && [ -z "$out" ]; then
		echo "ok $n - $name"
	else
		failed=1
		echo "not ok $n - $name"
		printf '%s\n' "$out" | sed 's/^/# /'
	fi
}

# Prints the options of a synopsis, one per line: -bdf is -b, -d and -f.
of_usage() {
	grep -oE -- '(^|[][ |(,])--?[A-Za-z0-9][A-Za-z0-9-]*' | tr -d '][ |(,' |
		sed -E '/^--/!{s/^-//; s/./-&\n/g}' | grep . | sort -u
}

# synopsis PROG: prints the lines of --help before the list.
synopsis() {
	"$1" --help | sed '/^$/,$d'
}

# list PROG: prints the options listed by --help, one per line: "-a --all".  A
# program without a list has each option of its synopsis on a line.
list() {
	"$1" --help | sed -nE 's/^  +((-[A-Za-z]),? ?)?(--[a-z0-9-]+)?.*/\2 \3/p' |
		sed 's/ *$//; s/^ *//' | grep '^-' || synopsis "$1" | of_usage
}

words() {
	list "$1" | tr ' ' '\n' | sort -u
}

# Prints the options of a page, the flags that are list items: "-a --all".
items() {
	awk '/^\.It Fl/ {
		line = dashes = ""
		for (i = 2; i <= NF; i++)
			if ($i == "Fl")
				dashes = dashes "-"
			else if (dashes != "") {
				line = line " " dashes $i
				dashes = ""
			}
		print line " "
	}' "man/$1.1" | sed 's/\\-/-/g'
}

# missing WHAT: reports the options on standard input, if any, as missing.
missing() {
	sed "s/^/$1 /"
}

synopsis_and_list() {
	comm -23 <(synopsis "$1" | of_usage) <(words "$1") |
		missing "in the synopsis only:"
	# The synopsis of hpsplit has one word for all ordering options.
	[ "$1" = hpsplit ] || comm -13 <(synopsis "$1" | of_usage) \
		<(list "$1" | cut -d ' ' -f 1 | sort -u) |
		grep -vxe --help -e --version | missing "not in the synopsis:"
	"$1" --help | awk 'length > 79 { print "too long: " $0 }'
	words "$1" | grep -qx -e --help || echo 'no --help in the list'
}

manual() {
	local line o items usage

	items=$(items "$1")
	# A letter and its long name belong to one item.
	list "$1" | while read -r line; do
		while read -r o; do
			o=" $o "
			for word in $line; do
				[[ $o == *" $word "* ]] || continue 2
			done
			continue 2
		done <<<"$items"
		echo "the manual lacks: $line"
	done
	comm -13 <(words "$1") <(tr ' ' '\n' <<<"$items" | grep . | sort -u) |
		grep -vxe --help -e --version | missing "in the manual only:"
	usage=$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESC/p' "man/$1.1" |
		sed -E 's/^\.//; s/\\-/-/g; s/Fl Fl /--/g; s/Fl -( |$)/-- /g; s/Fl /-/g' | of_usage)
	comm -3 <(synopsis "$1" | of_usage) \
		<(grep -vxe --help -e --version <<<"$usage") |
		missing "in one synopsis only:"
}

# say OPTION...: puts the parser's message about them into $said.  The first --help
# may be an argument of the option.  The second ends the program before it does
# any work.
say() {
	said=$("$prog" "$@" --help --help 2>&1 </dev/null)
}

unknown="invalid option|unrecognized option|unknown option"

# Checks that the parser knows the options of the list and no other letters.  If
# it lists the names that begin with a letter, the list must have them.
parser() {
	local prog=$1 words word scratch said name

	scratch=$(mktemp -d) && cd "$scratch" || return
	words=$(cd "$TOP" && words "$prog")
	for word in $words; do
		say "$word"
		[[ $said =~ $unknown ]] || continue
		# Some are options of `hpprofile learn` only.
		[ "$prog" != hpprofile ] || say learn "$word"
		[[ ! $said =~ $unknown ]] || echo "unknown to the parser: $word"
	done
	for word in {a..z} {A..Z} {0..9}; do
		[[ $'\n'$words$'\n' != *$'\n'"-$word"$'\n'* ]] || continue
		say "-$word"
		[[ $said =~ $unknown ]] ||
			[ "$prog-$word" = hpsort-y ] || # of no effect, as in sort(1)
			echo "not in the list: -$word"
	done
	for word in {a..z}; do
		say "--$word"
		[[ $said == *possibilities:* ]] || continue
		for name in $(sed -n 's/.*possibilities://p' <<<"$said" | tr -d "'"); do
			grep -qe "^$name" <<<"$words" ||
				echo "not in the list: $name"
		done
	done
	rm -rf "$scratch"
}

for prog in "$HPBIN"/*; do
	prog=${prog##*/}
	[ -f "man/$prog.1" ] || continue
	point "$prog: synopsis and list" synopsis_and_list "$prog"
	point "$prog: manual" manual "$prog"
	point "$prog: parser" parser "$prog"
done
echo "1..$n"
exit $failed
