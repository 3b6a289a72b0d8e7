# What all tests of programs share; each begins with `load common`.
# shellcheck shell=bash disable=SC2034,SC2154 # status, stderr are of bats

bats_require_minimum_version 1.5.0

HPBIN=${HPBIN:-$BATS_TEST_DIRNAME/../../build/bin}
HPBIN=$(cd "$HPBIN" && pwd)
TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
PATH=$HPBIN:$PATH
LC_ALL=C
export HPBIN TOP PATH LC_ALL

# Each test begins in an empty directory of its own.
setup() {
	begin
}

begin() {
	cd "$BATS_TEST_TMPDIR" || return
	# Before each command, bats records the place of the command, in case it
	# fails.  This often takes longer than the command.  So switch it off,
	# and record the place only after a failure.
	trap - DEBUG
	trap 'failed_here $?' ERR
}

# failed_here STATUS: bats will tell of the place from which this is called.
failed_here() {
	[[ $- == *e* && -z $BATS_DEBUG_LAST_STACK_TRACE_IS_VALID ]] || return 0
	BATS_ERROR_STATUS=$1
	bats_capture_stack_trace
	BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
}

# on_terminal COMMAND: prints what it prints on a terminal that is at its end.
on_terminal() {
	script -qec "$1" /dev/null </dev/null | tr -d '\r'
}

# needs_terminal: skips the test where script(1) cannot make a terminal.
needs_terminal() {
	local code=0

	script -qec 'exit 3' /dev/null </dev/null >/dev/null 2>&1 || code=$?
	[ "$code" -eq 3 ] || skip 'no pseudo-terminal by script(1) with -e'
}

# run_ COMMAND...: like `run --separate-stderr`, which stores standard error in
# $stderr.  But run_ starts no other program, and does not set $lines.
run_() {
	local flags=$- errors=$BATS_TEST_TMPDIR.stderr.$((++runs_so_far))

	set +eET
	output=$("$@" 2>"$errors") && status=0 || status=$?
	read -d '' -r stderr <"$errors" || :
	set -"$flags"
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

# jq: takes the place of the program.  With -e it fails if there is no output.
# jq 1.6 itself succeeds in that case if its input is empty.
jq() {
	local word out='' rc=0

	for word; do
		[[ $word =~ ^-[a-zA-Z]*e[a-zA-Z]*$ ]] || continue
		out=$(command jq "$@") || rc=$?
		[ -n "$out" ] || return $((rc == 0 ? 4 : rc))
		printf '%s\n' "$out"
		return "$rc"
	done
	command jq "$@"
}

# needs COMMAND: skips the test where it is not installed.
needs() {
	command -v "$1" >/dev/null || skip "no $1"
}

# with WORD: for a test, or the setup of a suite, which needs what `make deps WITH=WORD`
# installs.  Without the word in WITH its tests skip.
with() {
	local lacks

	lacks=$(env -u WITH "$TOP/tests/deps" --with "$1")
	[[ " ${WITH-} " == *" $1 "* ]] ||
		skip "only with WITH=$1${lacks:+, which installs $lacks}"
	[ -z "$lacks" ] || fail "missing: $lacks: run \`make deps WITH=$1\`"
}

# small_disk MIB: a file system on small/, unmounted by `umount small`; skips
# the test where there is no right to it.
small_disk() {
	mkdir -p small
	mount -t tmpfs -o size="$1m" none small 2>/dev/null ||
		skip "no right to mount"
}

# cut_while_read FILE COMMAND...: runs a command that writes the records of FILE
# to standard output, here a pipe.  Truncates FILE when the first bytes have
# come through the pipe, and only then reads the rest.
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
