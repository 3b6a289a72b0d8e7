# The runner of the tests must see what it is there to see.

load common

setup() {
	begin
	mkdir -p tests build/bin
	cp "$TOP/tests/run" tests/
	suite good 'echo "ok 1 - one"; echo "ok 2 - two"; echo 1..2'
}

suite() {
	printf '#!/bin/bash\n%s\n' "$2" >"tests/$1.sh"
	chmod +x "tests/$1.sh"
}

tests_run() {
	run_ env -u HP_SANITIZER HPBIN=build/bin HP_TIMEOUT="${limit-60}" \
		tests/run "$@"
}

last_line_is() {
	[ "${output##*$'\n'}" = "$1" ] || fail "$output" "expected last: $1"
}

@test "if all tests pass, the status is 0" {
	tests_run
	status_is 0
	last_line_is "2 passed, 0 failed"
}

@test "suites do not see that they run inside a job of Slurm" {
	suite job 'echo "ok 1 - x"; env | grep -E "^(SLURM|PMI)" && exit 1; echo 1..1'
	SLURM_JOB_ID=7 SLURM_JOB_NODELIST=a SLURMD_NODENAME=a PMIX_RANK=0 tests_run
	status_is 0
	last_line_is "3 passed, 0 failed"
}

@test "skipped tests are counted separately" {
	suite skips 'echo "ok 1 - one # skip no such thing"; echo 1..1'
	tests_run
	status_is 0
	stdout_has "skipped: skips.sh one # skip no such thing"
	last_line_is "2 passed, 0 failed, 1 skipped"
}

@test "HP_SKIPS: a skipped test fails unless its reason is listed" {
	suite skips 'echo "ok 1 - one # skip no such thing"
		echo "ok 2 - two # SKIP no room"
		echo "ok 3 - three # skip no"; echo 1..3'
	printf '# why\nno such thing\nno room\n' >tests/skips
	HP_SKIPS=tests/skips tests_run
	status_is 1
	stdout_has "skipped: skips.sh one # skip no such thing"
	stdout_has "unexpectedly skipped: skips.sh three # skip no"
	last_line_is "2 passed, 1 failed, 2 skipped"
	echo no >>tests/skips
	HP_SKIPS=tests/skips tests_run
	status_is 0
	last_line_is "2 passed, 0 failed, 3 skipped"
}

@test "if a test fails, its output is shown, and the status is 1" {
	suite bad 'echo "ok 1 - x"; echo "not ok 2 - y"; echo "# why"; echo 1..2'
	tests_run
	status_is 1
	stdout_has "# why"
	last_line_is "3 passed, 1 failed"
}

@test "a suite that ends early, with an error, or without a plan fails" {
	suite few 'echo "ok 1 - x"; echo 1..2'
	suite error 'echo "ok 1 - x"; echo 1..1; exit 3'
	suite none 'echo hello'
	suite crash 'echo 1..1; kill -SEGV $$'
	tests_run
	status_is 1
	last_line_is "4 passed, 4 failed"
}

@test "a suite that does not end is killed, and fails" {
	# Without a child, which might end later than within a second.
	suite long 'exec sleep 600'
	# No other, which a slow machine might not end in time either.
	limit=1 tests_run long
	status_is 1
	stdout_has "no end within 1 s"
	last_line_is "0 passed, 1 failed"
}

@test "a process left behind is found and ended" {
	suite leaves 'sleep 600.125 &
		until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.01; done
		echo "ok 1 - x"; echo 1..1'
	tests_run
	status_is 1
	stdout_has "processes left behind"
	stdout_has "sleep 600.125"
	last_line_is "3 passed, 1 failed"
}

@test "files left behind are failures, in the tree and outside of it" {
	suite tree 'touch tests/left; echo "ok 1 - x"; echo 1..1'
	suite tmp 'touch "$TMPDIR/gone"; echo "ok 1 - x"; echo 1..1'
	tests_run
	status_is 1
	stdout_has tests/left
	stdout_has /gone
	last_line_is "4 passed, 2 failed"
	[ ! -e /tmp/gone ]
}

@test "words choose suites, and a word that no suite has is an error" {
	suite other 'echo "not ok 1 - x"; echo 1..1'
	tests_run goo
	status_is 0
	last_line_is "2 passed, 0 failed"
	tests_run nosuch
	status_is 2
}

# gone DIRECTORY: it is, and so are all that work there.
gone() {
	[ ! -e "$1" ] && ! grep -lzsx "TMPDIR=$1/.*" /proc/[0-9]*/environ
}

@test "a run that is interrupted or killed ends its suites and leaves nothing" {
	local s whom ignored pid place

	while read -r s whom ignored; do
		rm -f place
		suite long "trap exit INT; trap '' $ignored"'
			echo "${TMPDIR%/*}" >place.new && mv place.new place
			while :; do mkdir -p "$TMPDIR/more" && sleep 0.01; done'
		setsid env -u HP_SANITIZER -u TMPDIR --default-signal \
			HPBIN=build/bin tests/run long 3>&- &
		pid=$!
		until [ -e place ]; do sleep 0.05; done
		place=$(cat place)
		[ $whom = it ] && kill -s $s $pid || kill -s $s -- -$pid
		wait $pid && false
		[ $s = KILL ] || gone "$place"
		until gone "$place"; do sleep 0.05; done
	done <<-'END'
		INT all HUP
		TERM it HUP
		HUP it TERM
		KILL it TERM
		KILL all INT TERM
	END
}
