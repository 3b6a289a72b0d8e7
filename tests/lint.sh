#!/bin/bash
# Checks style and warnings: clang-format, shellcheck, mandoc -Tlint, the
# warnings of the build's compiler, and those of clang for all sources.

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

format() {
	find lib cmd tests examples -name '*.[ch]' -exec \
		clang-format --dry-run -Werror {} +
}

# built: compiles what is not compiled yet; no warning may appear.
built() {
	local said

	said=$(make -sk BUILD="$HPBUILD" said) && printf %s "$said" && [ -z "$said" ]
}

by_clang() {
	make -s BUILD="$HPBUILD" CLANG=clang by-clang
}

# those OPTION CHECK...: runs shellcheck on the bats scripts (grep OPTION -e) or
# on all others (-v).
those() {
	scripts | grep "$1" '\.bats$' | xargs -d '\n' shellcheck -x -P SCRIPTDIR "${@:2}"
}

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
