# What all tests of programs share; each begins with `load common`.
# shellcheck shell=bash disable=SC2154 # status, output, stderr are of bats

bats_require_minimum_version 1.5.0

HPBIN=${HPBIN:-$BATS_TEST_DIRNAME/../../build/bin}
HPBIN=$(cd "$HPBIN" && pwd)
TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
PATH=$HPBIN:$PATH
LC_ALL=C
export HPBIN TOP PATH LC_ALL

# Each test begins in an empty directory of its own.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# run_ COMMAND...: `run` with the errors apart, in $stderr.
run_() {
	run --separate-stderr "$@"
}

fail() {
	printf '%s\n' "$@" >&2
	return 1
}

# status_is N: of the last run.
status_is() {
	[ "$status" -eq "$1" ] ||
		fail "status $status, expected $1" "stdout: ${output:0:2000}" \
			"stderr: ${stderr-}"
}

# stdout_is TEXT, stdout_has TEXT, stderr_is, stderr_has: of the last run.
stdout_is() {
	[ "$output" = "$1" ] ||
		fail "stdout: ${output:0:2000}" "expected: ${1:0:2000}" \
			"stderr: ${stderr-}"
}

stdout_has() {
	[[ $output == *"$1"* ]] ||
		fail "stdout: ${output:0:2000}" "expected in it: $1"
}

stderr_is() {
	[ "${stderr-}" = "$1" ] || fail "stderr: ${stderr-}" "expected: $1"
}

stderr_has() {
	[[ ${stderr-} == *"$1"* ]] ||
		fail "stderr: ${stderr-}" "expected in it: $1"
}

# same ACTUAL EXPECTED: two files hold the same bytes; else the first that
# differ are shown.
same() {
	cmp -- "$1" "$2" >&2 || {
		printf '%s bytes, expected %s\n' "$(stat -c %s -- "$1")" \
			"$(stat -c %s -- "$2")"
		diff -a -- "$1" "$2" | head -n 10 | cut -c 1-200
		return 1
	} >&2
}

# empty_dir [DIR]: nothing was left there.
empty_dir() {
	local left

	left=$(find "${1:-.}" -mindepth 1)
	[ -z "$left" ] || fail "left in ${1:-.}:" "$left"
}

# needs COMMAND: skips the test where it is not installed.
needs() {
	command -v "$1" >/dev/null || skip "no $1"
}

# cut_while_read FILE COMMAND...: runs what writes FILE's records out, and when
# the pipe behind it is full cuts the file short; then reads on.
cut_while_read() {
	local file=$1

	shift
	mkfifo p
	(
		exec <p
		head -c 100 >/dev/null
		truncate -s 100 "$file"
		cat >/dev/null
	) &
	run_ bash -c 'exec "$@" >p' bash "$@"
	wait $!
}
