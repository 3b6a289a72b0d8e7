#!/bin/bash
# The manual pages: their examples run, and each option that a program has is
# documented and the other way round.

set -u
cd "$(dirname "$0")/.." || exit 2
HPBIN=$(cd "${HPBIN:-build/bin}" && pwd) || exit 2
PATH=$HPBIN:$PATH
export HPBIN PATH LC_ALL=C
n=0
failed=0

point() {
	local name=$1 out

	shift
	n=$((n + 1))
	if out=$("$@" 2>&1); then
		echo "ok $n - $name"
	else
		failed=1
		echo "not ok $n - $name"
		printf '%s\n' "$out" | sed 's/^/# /'
	fi
}

# The options of a synopsis, one a line: -bdf is -b, -d and -f.
of_usage() {
	grep -oE -- '(^|[][ |(,])--?[A-Za-z0-9][A-Za-z0-9-]*' | tr -d '][ |(,' |
		sed -E '/^--/!{s/^-//; s/./-&\n/g}' | grep . | sort -u
}

# The options of a page, the items of a list that are flags: "-a --all".
of_items() {
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
	}' "$1" | sed 's/\\-/-/g'
}

options() {
	local prog=$1 page=man/$1.1 bad=0 usage items o

	usage=$("$prog" --help | of_usage) || return
	items=$(of_items "$page")
	for o in $usage; do
		[[ " $items " =~ [[:space:]]"$o"[[:space:]] ]] || {
			echo "$page lacks $o"
			bad=1
		}
	done
	while read -r line; do
		for o in $line; do
			case "
$usage
--help
--version
" in *"
$o
"*) continue 2 ;; esac
		done
		[ -z "$line" ] || {
			echo "the usage of $prog lacks $line"
			bad=1
		}
	done <<<"$items"
	# Of abbreviations that are spelled out only what they stand for.
	# shellcheck disable=SC2013 # words
	for o in $(sed -nE 's/^.*[{] *"([a-z0-9-]+)", *[a-z]+_argument.*/--\1/p' \
		"cmd/$prog.c" "cmd/$prog"/*.c 2>/dev/null); do
		[[ " $items " =~ [[:space:]]"$o" ]] || {
			echo "$page lacks $o"
			bad=1
		}
	done
	return "$bad"
}

# What a page must have, by its section.
sections() {
	local s bad=0 want='NAME DESCRIPTION EXAMPLES'

	[[ $1 != *.1 ]] || want="$want SYNOPSIS EXIT.STATUS"
	for s in $want; do
		grep -q "^.Sh $s" "$1" || {
			echo "$1 has no $s"
			bad=1
		}
	done
	return "$bad"
}

point 'README: examples' tests/man-examples README
for page in man/*.[157]; do
	[ -f "$page" ] || continue
	point "$page: sections" sections "$page"
	point "$page: examples" tests/man-examples "$page"
done
for prog in "$HPBIN"/*; do
	[ -f "$prog" ] || continue
	prog=${prog##*/}
	point "$prog has a manual" test -f "man/$prog.1"
	[ ! -f "man/$prog.1" ] || point "$prog: options" options "$prog"
done
echo "1..$n"
exit $failed
