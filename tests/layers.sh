#!/bin/bash
# Checks the layers.  An area of lib/ includes only areas of lower levels.  Only
# lib/doc uses JSON.  The Makefile's line of each program names every area that
# the program uses, directly or through another area.  Files within an area
# or a program do not call each other in a cycle, judged by the symbols of their
# objects.
#
#	tests/layers.sh [TREE]
#
# HPBUILD: the directory of the objects (TREE/build).

set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
self=$OLDPWD/$0
[ "${0#/}" = "$0" ] || self=$0
build=${HPBUILD:-build}

# Lists the areas that an area may include.
may_include() {
	case $1 in
	base) ;;
	record | cost) echo base ;;
	kernel) echo record base ;;
	input | run) echo kernel record base ;;
	numbers | bucket) echo input run kernel record base ;;
	sort) echo bucket numbers input run kernel record base ;;
	link) echo base ;;
	check | gen | share | profile | split) echo cost record base ;;
	net) echo link record base ;;
	doc) echo check gen net link sort bucket numbers input run kernel split profile share cost record base ;;
	job) echo doc record base ;;
	cmd) echo job doc check gen net link sort bucket numbers input run kernel split profile share cost record base ;;
	esac
}

# Prints "FILE AREA" for each include of another area's header.
includes() {
	grep -oE '^[ 	]*#[ 	]*include[ 	]*"[^"]+"' -r --include '*.[ch]' \
		"$@" 2>/dev/null | sed -nE 's|^([^:]*):.*"([^"/]+)/[^"]*"|\1 \2|p' | sort -u
}

upward() {
	local file area own

	includes lib cmd | while read -r file area; do
		case $file in
		lib/*) own=${file#lib/} own=${own%%/*} ;;
		*) own=cmd ;;
		esac
		[ "$own" = "$area" ] ||
			[[ " $(may_include "$own") " == *" $area "* ]] ||
			echo "$file: $own may not include $area"
	done
}

# Finds includes that name no area or no existing file: the rule misses them.
strangers() {
	local file area

	includes lib cmd | while read -r file area; do
		[ -d "lib/$area" ] || echo "$file: no area is called $area"
	done
	grep -nE '#[ 	]*include[ 	]*"(\.\./|lib/)' -r lib cmd
	find lib -mindepth 1 -maxdepth 1 -type d | while read -r area; do
		[[ " base $(may_include cmd) " == *" ${area#lib/} "* ]] ||
			echo "$area: has no level in tests/layers.sh"
		grep -q "^${area#lib/} " lib/README ||
			echo "$area: is not told of in lib/README"
	done
}

json_outside_doc() {
	grep -nE '#[ 	]*include[ 	]*[<"]jansson' -r lib cmd |
		grep -v '^lib/doc/'
}

# Prints all areas that the areas in "$@" include, directly or not.
closure() {
	local seen=" " area

	while [ $# -gt 0 ]; do
		area=$1
		shift
		[[ $seen == *" $area "* ]] && continue
		seen="$seen$area "
		# shellcheck disable=SC2046 # names are words
		set -- "$@" $(uses "lib/$area")
	done
	echo "$seen"
}

uses() {
	includes "$@" | sed 's/.* //' | sort -u
}

# Prints the programs in C: cmd/NAME.c, or the directories cmd/NAME/.
programs() {
	find cmd -name '*.c' | sed -E 's|cmd/([^/.]+).*|\1|' | grep ^hp | sort -u
}

# Each program uses only some of the documents in lib/doc.  So the areas that
# doc includes are not required; the linker finds missing ones.
areas_of_programs() {
	local prog listed used area

	for prog in $(programs); do
		listed=" $(sed -nE "s/^${prog}_AREAS *= *//p" Makefile) "
		used=$(uses cmd/"$prog".c cmd/"$prog"/*.c cmd/cmd.h)
		# shellcheck disable=SC2046 # names are words
		for area in $(closure $(grep -vx doc <<<"$used")) \
			$(grep -x doc <<<"$used"); do
			[[ $listed == *" $area "* ]] ||
				echo "Makefile: ${prog}_AREAS lacks $area"
		done
	done
}

# Prints "FILE FILE" for each file of a directory that uses a symbol of another
# one.
calls_within() {
	local source object

	for source in "$1"/*.c; do
		object=$build/${source%.c}.o
		[ ! -f "$object" ] || nm -g "$object" | sed "s|\$| $source|"
	done | awk '{ type = $(NF - 2); symbol = $(NF - 1) }
		type == "U" { user[symbol] = user[symbol] " " $NF; next }
		{ owner[symbol] = $NF }
		END {
			for (s in user)
				if (s in owner && n = split(user[s], file, " "))
					for (i = 1; i <= n; i++)
						if (file[i] != owner[s])
							print file[i], owner[s]
		}'
}

cycles() {
	local dir found

	for dir in lib/*/ cmd/*/; do
		dir=${dir%/}
		found=$(calls_within "$dir" | tsort 2>&1 >/dev/null |
			sed -n "s|^tsort: $dir|$dir|p" | sort -u | tr '\n' ' ')
		[ -z "$found" ] ||
			echo "$dir: files call each other in a cycle: $found"
	done
}

n=0
failed=0
point() {
	local name=$1 found

	shift
	n=$((n + 1))
	found=$("$@")
	if [ -z "$found" ]; then
		echo "ok $n - $name"
	else
		failed=1
		echo "not ok $n - $name"
		printf '%s\n' "$found" | sed 's/^/# /'
	fi
}

# Makes a tree that breaks each rule once, and checks that each is detected.
can_fail() {
	local tree out word

	tree=$(mktemp -d) || return
	mkdir -p "$tree/lib/base" "$tree/lib/sort" "$tree/lib/net" "$tree/cmd/hpx"
	echo '#include "sort/run.h"' >"$tree/lib/base/io.c"
	echo '# include "net/peer.h"' >"$tree/lib/sort/run.c"
	echo '#include <jansson.h>' >"$tree/lib/net/peer.c"
	echo '#include "../base/io.h"' >"$tree/lib/net/peer.h"
	echo '#include "sort/run.h"' >"$tree/cmd/hpx/part.c"
	touch "$tree/cmd/cmd.h" "$tree/lib/README"
	mkdir -p "$tree/lib/gen" "$tree/build/lib/gen"
	echo 'void b(void); void a(void) { b(); }' >"$tree/lib/gen/a.c"
	echo 'void a(void); void b(void) { a(); }' >"$tree/lib/gen/b.c"
	for word in a b; do
		# shellcheck disable=SC2086 # CC may be several words
		${CC:-cc} -c -o "$tree/build/lib/gen/$word.o" \
			"$tree/lib/gen/$word.c" || return
	done
	echo 'hpx_AREAS = base' >"$tree/Makefile"
	out=$(HPBUILD=$tree/build "$self" "$tree")
	for word in 'base may not include sort' 'sort may not include net' \
		'lib/net/peer.c:1:#include <jansson.h>' \
		'peer.h:1:#include "../base' 'hpx_AREAS lacks sort' \
		'lib/net: is not told of' 'lib/gen: files call each other'; do
		[[ $out == *"$word"* ]] || echo "not seen: $word"
	done
	rm -rf "$tree"
}

point 'areas include downward only' upward
point 'includes name areas' strangers
point 'only lib/doc knows JSON' json_outside_doc
point 'the Makefile names the areas of each program' areas_of_programs
if command -v nm >/dev/null && command -v tsort >/dev/null; then
	point 'files of a directory do not call each other in a cycle' cycles
fi
[ $# -gt 0 ] || point 'this test can fail' can_fail
echo "1..$n"
exit $failed
