# The suites of the lab share this; each loads it after ../cmd/common.
# shellcheck shell=bash

lab() {
	"$TOP/tests/lab/lab" "$@" 3>&-
}

# lab_up SPEC...: for setup_file.  On a machine that cannot have a lab, each test
# skips in setup: bats 1.8 counts a skip in setup_file as a failed teardown_file.
lab_up() {
	export LAB=hpt$$ NO_LAB=
	export LAB_DIR=$BATS_FILE_TMPDIR/$LAB
	NO_LAB=$(lab check 2>&1) || return 0
	lab up "$@"
}

# For teardown_file.
lab_down() {
	[ -n "$NO_LAB" ] || lab down
}

setup() {
	[ -z "$NO_LAB" ] || skip "$NO_LAB"
	begin
}
