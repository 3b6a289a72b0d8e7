#!/bin/bash
# Checks the manual pages: their sections, and that their examples run.
# tests/options.sh compares the options.

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

# The headings that a page must have, by its section.
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

# Outside of its examples, a page is read at 80 columns: 75 and the indentation.
displays_fit() {
	awk '
		/^\.Sh / { examples = /EXAMPLES/ }
		/^\.Bd.*-literal/ { inside = 1; most = /-offset/ ? 69 : 75; next }
		/^\.Ed/ { inside = 0 }
		inside && !examples && length($0) > most {
			print FILENAME ":" FNR ": " length($0) " columns, at most " most
			bad = 1
		}
		END { exit bad }' "$1"
}

point 'README: examples' tests/man-examples README
for page in man/*.[157]; do
	[ -f "$page" ] || continue
	point "$page: sections" sections "$page"
	point "$page: displays" displays_fit "$page"
	point "$page: examples" tests/man-examples "$page"
done
for prog in "$HPBIN"/*; do
	[ -f "$prog" ] || continue
	prog=${prog##*/}
	point "$prog has a manual" test -f "man/$prog.1"
done
echo "1..$n"
exit $failed
