# shellcheck shell=bash
# Peak memory of hpsort(1) and hpmerge(1); tests/bench/memory.sh has many more
# cases.
load common

@test "memory is within -S, as the kernel counts it" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	DISK=$PWD "$TOP/tests/bench/memory.sh" few
	empty_dir
}
