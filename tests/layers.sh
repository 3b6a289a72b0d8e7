#!/bin/bash
# Checks the layers.  An area of lib/ includes only areas of lower levels.  Only
# lib/doc uses JSON.  The Makefile's line of each program names every area that
# the program uses, directly or through another area.  Files within an area
# or a program do not call each other in a cycle, judged by the symbols of their
# objects.  The functions that a header declares are in the C file of its name.
# The unit tests of an area use no header that is private to another area.
#
#	tests/layers.sh [TREE]
#
# HPBUILD: the directory of the objects (TREE/build).

set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
self=$OLDPWD/$0
[ "${0#/}" = "$0" ] || self=$0
build=${HPBUILD:-build}

# Each line is an area and the areas that it may include.
levels='base
record base
cost base
kernel record base
input kernel record base
run kernel record base
numbers input run kernel record base
bucket input run kernel record base
sort bucket numbers input run kernel record base
link base
check cost record base
gen cost record base
share cost record base
profile cost record base
split share cost record base
net link record base
doc check gen net link sort bucket numbers input run kernel split profile share cost record base
job doc link record base
cmd job doc check gen net link sort bucket numbers input run kernel split profile share cost record base'

# Prints "FILE AREA" for each include of another area's header.
includes() {
	grep -oE '^[ 	]*#[ 	]*include[ 	]*"[^"]+"' -r --include '*.[ch]' \
		"$@" 2>/dev/null | sed -nE 's|^([^:]*):.*"([^"/]+)/[^"]*"|\1 \2|p' | sort -u
}

included=$(includes lib cmd)

upward() {
	awk 'NR == FNR { for (i = 2; i <= NF; i++) may[$1, $i] = 1; next }
		NF == 2 {
			split($1, part, "/")
			own = part[1] == "lib" ? part[2] : "cmd"
			if (own != $2 && !((own, $2) in may))
				print $1 ": " own " may not include " $2
		}' <(echo "$levels") - <<<"$included"
}

# Finds includes that name no area or no existing file: the rule misses them.
strangers() {
	local file area

	while read -r file area; do
		[ -d "lib/$area" ] || echo "$file: no area is called $area"
	done <<<"$included"
	grep -nE '#[ 	]*include[ 	]*"(\.\./|lib/)' -r lib cmd
	for area in lib/*/; do
		area=${area#lib/} area=${area%/}
		[[ $levels$'\n' == *$'\n'"$area "* || $area = base ]] ||
			echo "lib/$area: has no level in tests/layers.sh"
		grep -q "^$area " lib/README ||
			echo "lib/$area: is not told of in lib/README"
	done
}

json_outside_doc() {
	grep -nE '#[ 	]*include[ 	]*[<"]jansson' -r lib cmd |
		grep -v '^lib/doc/'
}

# Prints the programs in C: cmd/NAME.c, or the directories cmd/NAME/.
programs() {
	find cmd -name '*.c' | sed -E 's|cmd/([^/.]+).*|\1|' | grep ^hp | sort -u
}

# Each program uses only some of the documents in lib/doc.  So the areas that
# doc includes are not required; the linker finds missing ones.
areas_of_programs() {
	awk '
	# Requires the area, and all areas that it includes, directly or not.
	function need(area,    i, n, other) {
		if (area in needed)
			return
		needed[area]
		n = split(uses[area], other, " ")
		for (i = 1; i <= n; i++)
			need(other[i])
	}
	FILENAME == "Makefile" {
		if (sub(/_AREAS *= */, " "))
			for (i = 2; i <= NF; i++)
				listed[$1, $i]
		next
	}
	NF == 1 { program[$1]; next }
	{
		split($1, part, "/")
		sub(/[.].*/, "", part[2])
		user = part[1] == "lib" ? part[2] : part[1] "/" part[2]
		uses[user] = uses[user] " " $2
	}
	END {
		for (p in program) {
			split("", needed)
			n = split(uses["cmd/cmd"] uses["cmd/" p], used, " ")
			for (i = 1; i <= n; i++)
				if (used[i] != "doc")
					need(used[i])
			for (i = 1; i <= n; i++)
				needed[used[i]]
			for (area in needed)
				if (!((p, area) in listed))
					print "Makefile: " p "_AREAS lacks " area
		}
	}' Makefile <(programs) - <<<"$included"
}

# Prints the symbols of all objects.
symbols() {
	local source objects=()

	for source in lib/*/*.c cmd/*.c cmd/*/*.c; do
		[ ! -f "$build/${source%.c}.o" ] ||
			objects+=("$build/${source%.c}.o")
	done
	[ ${#objects[@]} -eq 0 ] ||
		printf '%s\0' "${objects[@]}" | xargs -0 nm -gA
}

# Prints "FILE FILE" for each file of a directory that uses a symbol of another
# file there.
calls() {
	symbols | awk -v skip=$((${#build} + 2)) '{
			source = substr($0, skip)
			sub(/[.]o:.*/, ".c", source)
			symbol = source
			sub(/[^\/]*$/, $NF, symbol)
			if ($(NF - 1) == "U")
				user[symbol] = user[symbol] " " source
			else
				owner[symbol] = source
		}
		END {
			for (s in user) {
				n = s in owner ? split(user[s], file, " ") : 0
				for (i = 1; i <= n; i++)
					if (file[i] != owner[s])
						print file[i], owner[s]
			}
		}'
}

# tsort names the files of each cycle on its standard error.
cycles() {
	calls | tsort 2>&1 >/dev/null | sed -nE 's|^tsort: ([^ ]*/)([^/ ]*[.]c)$|\1 \2|p' |
		sort -u | awk '{ found[$1] = found[$1] " " $2 }
			END {
				for (dir in found) {
					files = found[dir]
					sub("/$", "", dir)
					print dir ": files call each other in a cycle:" files
				}
			}'
}

# These headers declare the rows of a table, each of which has its own file.
tables='cmd/hprun/methods.h cmd/hpsplit/actions.h lib/kernel/kernel.h lib/numbers/loops.h'

# Prints the functions that a header declares, but that a file of another name in
# its directory defines.
elsewhere() {
	# shellcheck disable=SC2046 # names of files are words
	symbols | awk -v skip=$((${#build} + 2)) -v tables="$tables" '
		FILENAME == "-" {
			file = substr($0, skip)
			sub(/[.]o:.*/, "", file)
			symbol = file
			sub(/[^\/]*$/, $NF, symbol)
			if ($(NF - 1) == "T")
				owner[symbol] = file
			next
		}
		FNR == 1 {
			header = FILENAME
			sub(/[.]h$/, "", header)
			dir = FILENAME
			sub(/[^\/]*$/, "", dir)
			checked = index(" " tables " ", " " FILENAME " ") == 0
		}
		# Declarations begin in the first column; comments and bodies do not.
		checked && /^[A-Za-z_]/ {
			for (rest = $0; match(rest, /[A-Za-z0-9_]+\(/); ) {
				name = substr(rest, RSTART, RLENGTH - 1)
				rest = substr(rest, RSTART + RLENGTH)
				symbol = dir name
				if (symbol in owner && owner[symbol] != header)
					print FILENAME ": " name " is in " owner[symbol] ".c"
			}
		}' - $(find lib cmd -name '*.h')
}

# Prints the unit tests that include a private header of another area.  A header of
# lib/ is private if neither other areas nor programs include it, nor a header that
# they include.
private_to_others() {
	grep -oE '^[ 	]*#[ 	]*include[ 	]*"[a-z]+/[^"]+"' -r --include '*.[ch]' \
		lib cmd tests/unit 2>/dev/null | awk -F '[:"]' '
		{
			split($1, part, "/")
			split($3, header, "/")
			if (part[1] == "tests") {
				if (part[3] != header[1])
					test[$1, $3]
			} else if (part[1] == "cmd" || part[2] != header[1])
				public["lib/" $3]
			else
				includes[$1, "lib/" $3]
		}
		END {
			do {
				found = 0
				for (i in includes) {
					split(i, file, SUBSEP)
					if (file[1] in public && !(file[2] in public)) {
						public[file[2]]
						found = 1
					}
				}
			} while (found)
			for (t in test) {
				split(t, file, SUBSEP)
				if (!("lib/" file[2] in public))
					print file[1] ": " file[2] " is private"
			}
		}'
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
	echo 'void b(void);' >"$tree/lib/gen/a.h"
	for word in a b; do
		# shellcheck disable=SC2086 # CC may be several words
		${CC:-cc} -c -o "$tree/build/lib/gen/$word.o" \
			"$tree/lib/gen/$word.c" || return
	done
	echo 'hpx_AREAS = base' >"$tree/Makefile"
	mkdir -p "$tree/tests/unit/gen"
	echo '#include "net/own.h"' >"$tree/tests/unit/gen/a_test.c"
	out=$(HPBUILD=$tree/build "$self" "$tree")
	for word in 'base may not include sort' 'sort may not include net' \
		'lib/net/peer.c:1:#include <jansson.h>' \
		'peer.h:1:#include "../base' 'hpx_AREAS lacks sort' \
		'lib/net: is not told of' 'lib/gen: files call each other' \
		'lib/gen/a.h: b is in lib/gen/b.c' \
		'gen/a_test.c: net/own.h is private'; do
		[[ $out == *"$word"* ]] || echo "not seen: $word"
	done
	rm -rf "$tree"
}

point 'areas include downward only' upward
point 'includes name areas' strangers
point 'only lib/doc knows JSON' json_outside_doc
point 'the Makefile names the areas of each program' areas_of_programs
point 'unit tests use no private header of another area' private_to_others
if command -v nm >/dev/null && command -v tsort >/dev/null; then
	point 'files of a directory do not call each other in a cycle' cycles
	point 'functions are in the file of their header' elsewhere
fi
[ $# -gt 0 ] || point 'this test can fail' can_fail
echo "1..$n"
exit $failed
