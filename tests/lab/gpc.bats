#!/usr/bin/env bats
# The main experiment of the papers with few records: what it prints, and that
# it verifies its results.

load ../cmd/common

setup() {
	[ -z "${HP_SANITIZER-}" ] || skip 'too slow'
	why=$("$TOP/tests/lab/lab" check 2>&1) || skip "$why"
	begin
	export TMPDIR=$PWD HP_GPC_RECORDS=40000 HP_GPC_PROFILE=2 HP_GPC_SEED=1
	chrt -f 1 true 2>/dev/null || export HP_GPC_PARTS='figure speeds memory unknown'
}

# row TEXT: the only row of a table that begins with it.
row() {
	[ "$(grep -c "^| $1" out)" = 1 ] || fail "rows of '$1'" "$(cat out)"
	grep "^| $1" out
}

@test "every experiment prints targets next to what it measured" {
	run_ "$TOP/examples/papers/gpc.sh" 1 3>&-
	status_is 0
	printf '%s\n' "$output" >out
	time='[0-9.]+ s'
	for label in 'A.1: ' 'A.2: planned' 'as A.3'; do
		row "$label" | grep -Eq "\| $time \| [0-9.]+ to $time \| $time \| $time \| \
a $time, b $time, c $time, d $time \|\$" || fail "$(row "$label")"
	done
	[[ $(row 'A.1: ') == *'| 125.4 s |'* ]]
	[[ $(row 'A.2: planned') == *'| 112.7 s |'* ]]
	[ ! -d /sys/fs/cgroup/cpu ] || [[ $(row 'A.3: ') == *'| 69.4 s |'* ]]
	grep -q '^1.2486 times the optimum' out
	grep -q '1.0106 times' out
	for label in 'A.1 / A.2, sort' 'A.2: finish' 'equal / planned, sort and merge (' \
		'planned: finish times differ | at most' 'single speed / '; do
		row "$label" | grep -Eq "\| at (least|most) [0-9.]+ [a-z%]+ \| \
[0-9.]+ [a-z%]+ \| (met|missed) \|\$" || fail "$(row "$label")"
	done
	[ -n "${HP_GPC_PARTS-}" ] || row 'burning / quotas' >/dev/null
	grep -q '^## GPC: unknown speeds' out
	[ "$(find . -name 'hpgpc.*')" = '' ]
}

@test "a result with wrong records is not accepted" {
	mkdir bin
	cp "$HPBIN"/* bin
	cat >bin/hpgen <<-EOF
		#!/bin/sh
		"$HPBIN/hpgen" "\$@" 2>/dev/null
		echo 1 >&2
	EOF
	HPBIN=$PWD/bin HP_GPC_PARTS=speeds run_ "$TOP/examples/papers/gpc.sh" 1 3>&-
	status_is 1
	stderr_has 'WRONG RESULT'
	[ "$(find . -name 'hpgpc.*')" = '' ]
}

@test "new sections on GPC replace the old ones in RESULTS.md" {
	printf '%s\n' '# Results' '' '## OOC' 'a' '' '## GPC: old' 'b' '' \
		'## GPC: older' 'c' '' '## SBAC' '' 'd' >old
	printf '%s\n' '## GPC: new' 'e' >new
	awk -f "$TOP/examples/papers/gpc.awk" old new >first
	awk -f "$TOP/examples/papers/gpc.awk" first new >got
	same got first
	printf '%s\n' '# Results' '' '## OOC' 'a' '' '## SBAC' '' 'd' '' \
		'## GPC: new' 'e' >want
	same got want
}
