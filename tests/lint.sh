#!/bin/bash
# Checks style and warnings: clang-format, shellcheck, mandoc -Tlint, the
# warnings of the build's compiler, and those of clang for all sources.
#
# A file that passed is not read again until something changes: the file, a file
# that it may include, the command, or any package of the system.  The directory
# HPBUILD/lint has the checksums of the files that passed.

# shellcheck disable=SC2317 # point calls its words
set -u
cd "$(dirname "$0")/.." || exit 2
: "${HPBUILD:=build}"
n=0
failed=0

# point NAME TOOL COMMAND...: runs one test and shows its output if it fails.
point() {
	local name=$1 tool=$2 out

	shift 2
	n=$((n + 1))
	if ! command -v "$tool" >/dev/null; then
		echo "ok $n - $name # skip no $tool"
	elif out=$("$@" 2>&1); then
		echo "ok $n - $name"
	else
		failed=1
		echo "not ok $n - $name"
		printf '%s\n' "$out"
	fi
}

# Prints the project's scripts, found by their names or first lines.  A script
# that is built from parts is checked as a whole.
scripts() {
	find "${HPBIN:-build/bin}/hpplot"
	find tests examples .ci -type f \( -name '*.sh' -o -name '*.bash' \
		-o -name '*.bats' \) -print
	find cmd tests examples .ci -type f ! -name '*.*' \
		-exec grep -lE -m 1 '^#!/(usr/)?bin/(ba|da)?sh' {} +
}

passed=$HPBUILD/lint
packages=/var/lib/dpkg/status

# each NAME DEPENDS COMMAND...: passes the files on standard input, one a line, to
# the command, except files that have passed it before.  DEPENDS are more files
# on which the verdict on each file depends.  Without a list of packages, all
# files are passed.
each() {
	local name=$1 depends=$2 key sums new

	shift 2
	if [ ! -r "$packages" ]; then
		xargs -rd '\n' "$@"
		return
	fi
	# shellcheck disable=SC2086 # names of files are words
	key=$({ echo "$PATH $*" && cat tests/lint.sh "$packages" $depends; } |
		sha256sum)
	sums=$(xargs -rd '\n' sha256sum | sed "s/^/${key%% *} /" | sort -u)
	mkdir -p "$passed" && touch "$passed/$name" || return
	new=$(comm -23 <(echo "$sums") "$passed/$name" | sed -E 's/^[^ ]* [^ ]* .//')
	[ -z "$new" ] || xargs -d '\n' "$@" <<<"$new" || return
	echo "$sums" >"$passed/$name.$$" &&
		mv "$passed/$name.$$" "$passed/$name"
}

headers() {
	find lib cmd tests examples -name '*.h'
}

format() {
	find lib cmd tests examples -name '*.[ch]' |
		each format .clang-format clang-format --dry-run -Werror
}

# built: compiles what is not compiled yet; no warning may appear.
built() {
	local said

	said=$(make -sk BUILD="$HPBUILD" said) && printf %s "$said" && [ -z "$said" ]
}

# clang reads the sources in one process.
by_clang() {
	make -s BUILD="$HPBUILD" CLANG=clang sources |
		each clang "Makefile tests/check.mk $(headers)" tests/lint.sh --clang
}

# those OPTION CHECK...: runs shellcheck on the bats scripts (grep OPTION -e) or
# on all others (-v), which may include each other.
those() {
	local others=''

	[ "$1" = -e ] || others=$(scripts | grep -v '\.bats$')
	scripts | grep "$1" '\.bats$' |
		each "scripts$1" "$others" shellcheck -x -P SCRIPTDIR "${@:2}"
}

if [ "${1-}" = --clang ]; then
	exec make -s BUILD="$HPBUILD" CLANG=clang by-clang sources="${*:2}"
fi
point 'C is formatted' clang-format format
# SC2317: functions that are called by name seem unreachable.
point 'scripts' shellcheck those -v -e SC2317
# bats sets variables, and each test is a subshell.
point 'tests by bats' shellcheck those -e \
	-e SC2030,SC2031,SC2154,SC2314,SC2315 -S warning
for f in man/*.[157]; do
	[ ! -f "$f" ] || point "mandoc $f" mandoc mandoc -Tlint -Wwarning "$f"
done
if [ -z "${HP_SANITIZER-}" ]; then
	point 'no warnings from the compiler' make built
	point 'no warnings from clang' clang by_clang
fi
echo "1..$n"
exit $failed
