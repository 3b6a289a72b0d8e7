#!/usr/bin/env bats
# A short campaign of faults in the lab; `make faults` is a long one.

load ../cmd/common

@test "whatever breaks, the result is correct or missing" {
	why=$("$TOP/tests/lab/lab" check 2>&1) || skip "$why"
	[ -z "${HP_SANITIZER-}" ] || skip 'too slow for the time it has'
	# What ends soon, and each time something else; the seed is printed.  How
	# long it takes is for the campaign on an idle machine to say.
	GRACE=40 FAULTS=4 LABS=2 SEED=${HP_SEED:-$(date +%s)} JOBS=exchange TIMEOUT=10 \
		KINDS='pause blink flip drop loss kill full truncate' \
		run "$TOP/tests/lab/faults"
	printf '%s\n' "$output" | sed 's/^/# /' >&3
	status_is 0
	stdout_has '4 faults ('
	stdout_has '; 0 wrong, 0 hangs, 0 leftovers, 0 without a message, 0 not'
}
