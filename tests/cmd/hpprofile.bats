# hpprofile: node lines that hpsolve takes.  No test here asserts a time, nor
# what of two took longer.

load common

# Of each size one run, and time without end: what is measured, and in which
# order, does not depend on how long it takes.
calm='--runs 1 --seconds 1e9'

holds() {
	jq -e "$1" >/dev/null || fail "not so: $1"
}

@test "the default sort at given sizes gives a node for hpsolve" {
	needs hpsort
	hpprofile -N me --sizes 1k,20k -F gensort >node
	[ "$(wc -l <node)" -eq 1 ]
	holds '.type == "node" and .node == "me" and .workload == "hpsort -Fgensort {in}" and
	    (.points | map(.n)) == [1000, 20000] and
	    all(.points[]; .low <= .seconds and .seconds <= .high and .low > 0 and .runs >= 1) and
	    .capacity == null' <node
	# By another method if the larger one took less time.
	hpsolve -n 1000 node | tail -n 1 | holds '.cost == "points" and .optimal'
}

@test "two concatenated profiles are a cluster" {
	for n in a b; do
		hpprofile -N $n --sizes 1k,2k -- true
	done >cluster
	hpsolve -n 5000 cluster | jq -s 'length == 3 and .[2].optimal' | holds .
}

@test "ordering options reach hpsort" {
	needs hpsort
	hpprofile -N me --sizes 100 -nr -k1,2 -t : --stable |
		holds '.workload == "hpsort -t: -nrs -k1,2nr {in}"'
	run_ hpprofile --sizes 100 -k0
	status_is 2
}

@test "--runs limits the runs of each size, however much they vary" {
	hpprofile -N me --sizes 5,7 --runs 2 --seconds 1e9 -- sh -c 'echo {n} >>seen' |
		holds '.points | map([.n, .runs]) == [[5, 2], [7, 2]]'
	printf '5\n5\n7\n7\n' | cmp - seen
	for runs in 0 41 x; do
		run_ hpprofile --runs $runs -- true
		status_is 2
		stderr_has "--runs: number '$runs'"
	done
}

@test "a size that misses the precision is reported with the precision reached" {
	# Every second run waits, so five runs differ by more than their mean.
	# shellcheck disable=SC2016 # the inner shell expands it
	run_ hpprofile -N me --sizes 5 --runs 5 --seconds 1e9 -- \
		sh -c 'echo >>seen; [ $(($(wc -l <seen) % 2)) = 0 ] || sleep 0.1'
	status_is 0
	stderr_has 'hpprofile: 5 items: precision '
	stderr_has '% after 5 runs, not 5%: allow more --seconds or --runs'
	holds '.points[0] | .interval_s > 0.05 * .seconds' <<<"$output"
	hpsolve -n 5 - <<<"$output" >/dev/null
	# A bound that all runs keep.
	run_ hpprofile -N me --sizes 5 --precision 99% -- sleep 0.05
	status_is 0
	stderr_is ''
	holds '.points[0] | .interval_s >= 0 and .interval_s < .seconds' <<<"$output"
	# One run has no interval.
	run_ hpprofile -N me --sizes 5 --runs 1 -- true
	status_is 0
	stderr_is ''
	holds '.points[0] | has("interval_s") | not' <<<"$output"
	run_ hpprofile -N me --sizes 5 --seconds 1 -- sleep 1.1
	status_is 0
	stderr_is 'hpprofile: 5 items: precision unknown after a single run: allow more --seconds or --runs'
	# Of many that miss it, the worst is named, and the others are counted.
	run_ hpprofile -N me --sizes 1,2,3,4,5,6,7 --precision 1e-9% --runs 2 -- true
	status_is 0
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
	# Neighbouring sizes whose times would fall share one time.
	named=$(sed -nE 's/^hpprofile: ([0-9]+) items?: .*/\1/p' <<<"$stderr")
	holds '.points | map({n, part: (.interval_s / .seconds)}) |
		(map(.part) | max) as $most |
		any(.n == '"$named"' and .part == $most)' <<<"$output"
	stderr_has ' after 2 runs, not 1e-09%: allow more --seconds or --runs (6 other sizes miss it, too)'
	for bad in -1 true 1e300; do
		echo '{"type":"node","node":"a","points":[{"n":1,"seconds":1,"interval_s":'"$bad"'}]}' >bad
		run_ hpsolve -n 5 bad
		status_is 2
		stderr_has "bad: line 1: point 0: 'interval_s' must be from 0 to 1e+290"
	done
}

@test "a command gets the size, the records and the parameters" {
	# shellcheck disable=SC2016 # the inner shell expands it
	hpprofile -N me --sizes 5,7 --param width=9000 --param x=0.5 -- \
		sh -c 'echo {n} {width} {x} "$(wc -l <{in})" >>seen' |
		holds '.params == {width: 9000, x: 0.5} and (.points | map(.n)) == [5, 7]'
	sort -u seen >unique
	printf '5 9000 0.5 5\n7 9000 0.5 7\n' >expected
	same unique expected
}

@test "records have the requested format" {
	hpprofile -N me --sizes 12 -F gensort -- sh -c 'wc -c <{in} >seen' >node
	[ "$(cat seen)" -eq 1200 ]
}

@test "a failure at some size sets the capacity, and a message says so" {
	run_ hpprofile -N me --sizes 10,100,1000,10000 -- sh -c '[ {n} -lt 500 ]'
	status_is 0
	stderr_has 'hpprofile: fails with 1000 items (exit status 1): capacity 100'
	holds '.capacity == 100 and (.points | map(.n)) == [10, 100]' <<<"$output"
	# shellcheck disable=SC2086 # words
	run_ hpprofile -N me $calm --from 1000 --to 9000 -- sh -c '[ {n} -lt 5000 ]'
	status_is 0
	holds '.capacity >= 4760 and .capacity < 5000' <<<"$output"
}

@test "a command that always fails, or is missing, exits 2" {
	run_ hpprofile --sizes 10,20 -- false
	status_is 2
	stdout_is ''
	stderr_is 'hpprofile: the work fails at the first size, 10: exit status 1'
	run_ hpprofile --sizes 10,20 -- sh -c 'kill -9 $$'
	status_is 2
	stderr_is 'hpprofile: the work fails at the first size, 10: killed by signal 9'
	run_ hpprofile --sizes 10,20 -- ./nothing
	status_is 2
	stdout_is ''
	stderr_is 'hpprofile: ./nothing: No such file or directory'
}

@test "a size without disk space ends the measurement and sets no capacity" {
	# Files of up to 128 KiB; lines of some 70 bytes.
	run_ bash -c "ulimit -f 128; hpprofile -N me $calm -- sh -c 'wc -l <{in}'"
	status_is 0
	stderr_has 'hpprofile: cannot make 4000 records: measured up to 1000'
	holds '.capacity == null and (.points | map(.n)) == [1000]' <<<"$output"
	run_ bash -c 'ulimit -f 128; hpprofile -N me --sizes 10,20,5k -- test -s {in}'
	status_is 0
	holds '.capacity == null and (.points | map(.n)) == [10, 20]' <<<"$output"
	run_ bash -c 'ulimit -f 128; hpprofile --sizes 5k -- test -s {in}'
	status_is 2
	stdout_is ''
	stderr_has 'cannot make 5000 records'
}

@test "if the second size fails, the first size is the capacity" {
	# shellcheck disable=SC2086 # words
	run_ hpprofile -N me $calm -- sh -c '[ {n} -lt 1040 ]'
	status_is 0
	holds '.capacity >= 1000 and .capacity < 1040' <<<"$output"
}

@test "an interrupted command ends hpprofile; timeout(1) ends one that hangs" {
	# shellcheck disable=SC2016 # for that shell
	run_ hpprofile --sizes 5 -- sh -c 'kill -INT $$'
	status_is 2
	stdout_is ''
	stderr_is 'hpprofile: sh: interrupted'
	run_ hpprofile -N me --sizes 1,2 -- sh -c '[ {n} -lt 2 ] || exec timeout 0.1 sleep 1000'
	status_is 0
	holds '.capacity == 1' <<<"$output"
}

@test "--from and --to limit the sizes" {
	hpprofile -N me --from 100 --to 3000 -- true |
		holds '.points | map(.n) | .[0] == 100 and .[-1] == 3000 and length >= 4'
	# Not more than asked for, where it is less than what is tried first.
	hpprofile -N me --to 5 -- true | holds '.points | map(.n) == [5]'
}

@test "an invalid node name is refused before measuring" {
	for name in '' "$(printf '%256s' '')" $'a\nb' $'\xff'; do
		run_ hpprofile -N "$name" --sizes 1 -- touch ran
		status_is 2
		stdout_is ''
		[ -n "$stderr" ]
	done
	run_ hpprofile --sizes 1 -- touch ran $'\xff'
	status_is 2
	[ ! -e ran ]
}

@test "the name of the machine is the node's, unless given" {
	hpprofile --sizes 1 -- true | holds ".node == \"$(uname -n)\""
}

# sorts_from START: the steps of node a, of a number of records and the seconds
# that they took a line, which began then.
sorts_from() {
	awk -v start="$1" '{ printf "{\"type\":\"step\",\"node\":\"a\",\"step\":\"sort\"," \
		"\"start_s\":%s,\"end_s\":%s,\"records\":%s}\n", start, start + $2, $1 }'
}

@test "learn: runs become points, in any order, and other members stay" {
	printf '%s\n' '{"type":"node","node":"a","speed":2,"host":"h","more":[1]}' \
		'{"type":"node","node":"b","speed":1,"points":[{"n":50,"seconds":4,"own":1},{"n":100,"seconds":9,"low":8,"high":10,"runs":3}]}' >c
	cat >t1 <<-'END'
		{"type":"step","node":"a","rank":0,"step":"sort","start_s":10,"end_s":13,"records":100,"bytes":1}
		{"type":"step","node":"b","rank":1,"step":"sort","start_s":10,"end_s":20,"records":100,"bytes":1}
		{"type":"step","node":"b","rank":1,"step":"cut","start_s":10,"end_s":19,"records":100,"bytes":1}
		{"type":"step","node":"launcher","rank":null,"step":"sort","start_s":10,"end_s":99,"records":100,"bytes":1}
		{"type":"step","node":"a","rank":0,"step":"sort","start_s":10,"end_s":14,"records":0,"bytes":0}
	END
	echo '{"type":"step","node":"a","rank":0,"step":"sort","start_s":20,"end_s":21,"records":60,"bytes":1}' >t2
	hpprofile learn c t1 t2 >learned
	jq -s '(.[0] | del(.learned)) == {type: "node", node: "a", speed: 2, host: "h", more: [1], points: [
		{n: 60, seconds: 1, low: 1, high: 1, runs: 1},
		{n: 100, seconds: 3, low: 3, high: 3, runs: 1}]} and
	    .[0].learned == {runs: [{start_s: 20, n: 60, seconds: 1},
		{start_s: 10, n: 100, seconds: 3}]} and
	    .[1].points[0] == {n: 50, seconds: 4, own: 1} and
	    (.[1].points[1] | [.n, (.seconds * 1000 | round), .low, .high, .runs] ==
		[100, 9283, 8, 10, 4]) and
	    (.[1].learned.measured | map(.seconds)) == [4, 9] and
	    length == 2' learned | holds .
	hpprofile learn c t2 t1 | same - learned
	hpprofile learn - t2 <<<"$(hpprofile learn c t1)" | same - learned
	hpsolve -n 100 -m learned learned | tail -n 1 | holds '.method == "learned" and .optimal'
	hpprofile learn --step cut c t1 | jq -s '.[0].points == null and .[1].points[1].runs == 4' | holds .
}

@test "learn: a run that appears twice counts once" {
	local bad

	echo '{"type":"node","node":"a","points":[{"n":1000,"seconds":2}]}' >c
	sorts_from 7 >t1 <<<'1000 2.1'
	sorts_from 8.25 >t2 <<<'1000 2.5'
	hpprofile learn c t1 t2 >learned
	holds '.points[0].runs == 3' <learned
	hpprofile learn c t1 t1 t2 t1 | same - learned
	cat t1 t2 | hpprofile learn learned - t1 | same - learned
	# What a node's line has kept of its runs is checked.
	for bad in '.learned = 1' '.learned.runs = 1' '.learned.runs[0].n = 0' \
		'.learned.runs[0].seconds = 0' 'del(.learned.runs[0].start_s)' \
		'.learned.runs[0].start_s = 1e300' '.learned.measured = []' \
		'.learned.measured[0].seconds = 0'; do
		jq -c "$bad" learned >bad
		run_ hpprofile learn bad t1
		status_is 2
		stdout_is ''
		stderr_has 'hpprofile: bad: line 1: '
	done
}

@test "learn: runs of similar sizes form one point" {
	echo '{"type":"node","node":"a","points":[{"n":1000,"seconds":2,"runs":2}]}' >c
	sorts_from 7 >t <<-'END'
		2800 6.4
		1020 2.5
		3300 31
		2080 6
		2000 4
		3400 30
		3500 20
	END
	hpprofile learn c t >learned
	# Up to half as large again.
	jq '.points | (.[0] | [.n, (.seconds * 1000 | round), .low, .high, .runs] ==
			[1007, 2181, 2, 2.5, 3]) and
		.[1:] == [{n: 2293, seconds: 5.466666666666666, low: 4, high: 6.4, runs: 3},
		{n: 3400, seconds: 27, low: 20, high: 31, runs: 3}]' learned | holds .
	tac t | hpprofile learn c - | same - learned
	# Points that were measured close to each other are a cliff, and stay.
	echo '{"type":"node","node":"a","points":[{"n":1000,"seconds":2},{"n":1030,"seconds":9}]}' >c
	sorts_from 7 <<<'980 2' | hpprofile learn c - |
		holds '.points | map([.n, .seconds]) == [[990, 2], [1030, 9]]'
}

@test "learn: a single run shows neither a cliff nor a falling time" {
	echo '{"type":"node","node":"a","points":[{"n":100,"seconds":2,"runs":4},
		{"n":240,"seconds":6,"runs":15}]}' | tr -d '\n' >c
	sorts_from 0 >t <<-'END'
		212 1.6
		330 50
		70 7
		700 200
	END
	hpprofile learn c t >learned
	holds '.points == [{n: 100, seconds: 2, runs: 4}, {n: 240, seconds: 6, runs: 15}]' <learned
	tac t | hpprofile learn c - | same - learned
	# Two are a cliff.
	sorts_from 9 <<-'END' >two
		331 50
		710 201
	END
	hpprofile learn learned two >both
	holds '.points | map(.n) == [100, 240, 331, 705]' <both
	hpprofile learn c two t | same - both
}

# run_of ID N START: a run in which node a is 1 s + 2 ms an item beside its sort, and
# is done before b.
run_of() {
	jq -nc --arg run "$1" --argjson n "$2" --argjson s "$3" '
		{$run, type: "step", bytes: 1, rank: 0, node: "a", records: $n} as $a |
		$a + {step: "send", start_s: ($s + 0.5), end_s: ($s + 0.6)},
		$a + {step: "sort", start_s: ($s + 1), end_s: ($s + 1 + $n / 100)},
		$a + {step: "gather", start_s: $s, end_s: ($s + 1 + $n * 0.012)},
		$a + {step: "sort", node: "b", start_s: $s, end_s: ($s + 90)}'
}

@test "learn --whole: the time outside the step becomes latency and time per item" {
	printf '{"type":"node","node":"%s","points":[{"n":100,"seconds":1}]}\n' a b >c
	# One size tells nothing of a latency: 3 s for 1000 items.
	run_of one 1000 0 >t1
	hpprofile learn --whole c t1 >learned
	jq -s '.[0].latency_s == 0 and (.[0].seconds_per_item * 1e6 | round) == 3000 and
		.[0].points[1].seconds == 10 and .[1].seconds_per_item == 0' learned | holds .
	# Two sizes, in any order; lines of no run tell nothing.
	{
		run_of two 3000 70
		cat t1
		jq -c 'del(.run) | .end_s += 500' t1
	} >t2
	hpprofile learn --whole c t2 >learned
	jq -s '(.[0].latency_s * 1e6 | round) == 1000000 and
		(.[0].seconds_per_item * 1e6 | round) == 2000' learned | holds .
	hpsolve -n 2000 learned | tail -n 1 | holds .optimal
	# Less time for more items is no time below 0.
	{
		cat t1
		run_of two 3000 70 | jq -c 'if .step == "gather" then .end_s -= 4.5 else . end'
	} >t3
	hpprofile learn --whole c t3 | jq -s '(.[0].latency_s - 2.75 | fabs) < 0.01 and
		.[0].seconds_per_item == 0' | holds .
	jq -c 'del(.run)' t1 >t4
	run_ hpprofile learn --whole c t4
	status_is 2
	stderr_has 'no whole run of a node of c'
	run_ hpprofile learn --whole - t4 <c
	status_is 2
	stderr_has 'no whole run of a node of standard input'
	# Nor is there less than nothing beside steps that overlap.
	(cat t1 && jq -c 'select(.step == "sort") | .start_s += 1 | .end_s += 1' t1) >t5
	hpprofile learn --whole c t5 | jq -s '.[0].seconds_per_item == 0' | holds .
}

@test "learn: the cluster is checked as by hpsolve" {
	local bad good='{"type":"node","node":"a"}'

	echo '{"type":"step","node":"a","step":"sort","start_s":1,"end_s":2,"records":10}' >trace
	for bad in '{"type":"node","node":"b","speed":"1"}' "$good" \
		'{"type":"node","node":"b","points":[1]}' \
		'{"type":"node","node":"b","points":[{"n":5,"seconds":-1}]}' \
		'{"type":"node","node":"b","points":[{"n":5,"seconds":1,"low":0}]}' \
		'{"type":"node","node":"b","points":[{"n":5,"seconds":1,"runs":"2"}]}' \
		'{"type":"node","node":"b","points":[{"n":5,"seconds":1},{"n":4,"seconds":2}]}'; do
		printf '%s\n\n%s\n' "$good" "$bad" >c
		run_ hpprofile learn c trace
		status_is 2
		stdout_is ''
		stderr_has 'hpprofile: c: line 3: '
	done
	# Of several sections through a node's speeds a trace tells none.
	printf '{"type":"node","node":"a","params":{"w":%d},"points":[{"n":5,"seconds":1}]}\n' 1 2 >c
	run_ hpprofile learn c trace
	status_is 2
	stderr_has 'hpprofile: c: line 2: a second line of a node'
	run_ hpprofile learn - trace <<<'{"type":"node","node":"a","points":null}'
	status_is 0
	holds '.points[0].n == 10' <<<"$output"
}

@test "learn: an unusable trace is an error with file and line" {
	echo '{"type":"node","node":"a"}' >c
	echo '{"type":"step","node":"a","step":"sort","start_s":2,"end_s":1,"records":5}' >bad
	run_ hpprofile learn c bad
	status_is 2
	stdout_is ''
	stderr_is 'hpprofile: bad: line 1: the step ends before it starts'
	run_ hpprofile learn c c
	status_is 2
	stderr_has "expected a step, this is a 'node'"
	run_ hpprofile learn bad c
	status_is 2
	stderr_has "expected a node, this is a 'step'"
	run_ hpprofile learn c /dev/null
	status_is 2
	stderr_is "hpprofile: no step 'sort' of a node of c in the traces"
	# Nor are steps below the resolution of the trace none.
	echo '{"type":"step","node":"a","step":"sort","start_s":2,"end_s":2,"records":5}' >short
	run_ hpprofile learn c short
	status_is 2
	stderr_is "hpprofile: every step 'sort' of a node of c took 0 s, too short to learn from: run more records"
	sorts_from 9 <<<'100 2' | hpprofile learn c short - | holds '.points | map(.n) == [100]'
	for args in '' 'c' '--what c c'; do
		# shellcheck disable=SC2086 # words
		run_ hpprofile learn $args
		status_is 2
		stderr_has usage
	done
}

@test "nothing is left behind, and --progress goes to standard error" {
	mkdir scratch
	run_ env TMPDIR="$PWD/scratch" hpprofile --progress --sizes 10 -- cat '{in}'
	status_is 0
	stderr_has '10 items, run 1'
	case $stderr in *$'\r'*) false ;; esac
	NO_COLOR=1 run_ hpprofile --progress --runs 1 --sizes 10 -- true
	stderr_is ''
	holds '.points | length == 1' <<<"$output"
	empty_dir scratch
}

@test "generated input goes to TMPDIR, or else hpprofile fails" {
	run_ env TMPDIR=/nonexistent hpprofile --sizes 10 -- cat '{in}'
	status_is 2
	stdout_is ''
	stderr_is 'hpprofile: temporary file: /nonexistent: No such file or directory'
	run_ env TMPDIR=/nonexistent hpprofile --sizes 10 -F u32
	status_is 2
	# Without input, no directory is needed.
	run_ env TMPDIR=/nonexistent hpprofile --sizes 10 -- true
	status_is 0
	run_ env TMPDIR= hpprofile --sizes 10 -- cat '{in}'
	status_is 0
}

@test "on a terminal the progress line is erased before the answer" {
	needs_terminal
	on_terminal 'hpprofile --sizes 10 --runs 2 -- true' >seen
	grep -q $'10 items, run 2, [0-9]* s\e\\[K\e\\[K{"type"' seen
	NO_COLOR=1 on_terminal 'hpprofile --sizes 10 --runs 2 -- true' >seen
	run ! grep -q $'\e' seen
}

# hosts SPEC...: at-speed's; skips the test where there is no right to it, or no
# disk, since what is in memory counts as such.
hosts() {
	PATH=$TOP/examples/one-machine:$PATH
	[ -z "${HP_SANITIZER-}" ] || skip 'a sanitizer needs memory of its own'
	for TMPDIR in "$BATS_TEST_TMPDIR" /var/tmp; do
		case $(stat -f -c %T "$TMPDIR") in
		tmpfs | ramfs) ;;
		*) break ;;
		esac
	done
	case $(stat -f -c %T "$TMPDIR") in
	tmpfs | ramfs) skip 'no temporary directory on a disk' ;;
	esac
	AT_SPEED=$(at-speed --up "$@" 2>why) || skip "$(cat why)"
	export AT_SPEED TMPDIR
}

teardown() {
	[ -z "${AT_SPEED-}" ] || at-speed --down
}

@test "with little memory, the curve shows where temporary files begin" {
	needs hpsort
	hosts small=1,64M
	# The sort itself, also where temporary files must not go beside the output.
	for n in 100k 400k; do
		run_ env -u TMPDIR "$(command -v at-speed)" small \
			hpsort -F gensort --stats -o /dev/null <(hpgen $n)
		status_is 0
		echo "$stderr" >>stats
	done
	jq -s 'map(.runs > 1) == [false, true]' stats | holds .
	# How much longer it takes with them is the machine's affair.
	at-speed small hpprofile -N small -F gensort --sizes 50k,100k,400k >small
	holds '.capacity == null and (.points | map(.n)) == [50000, 100000, 400000]' <small
	jq -c '.node = "large" | .points |= .[:2]' small >large
	cat small large | hpsolve -n 1M | jq -s '.[2].n == 1e6 and .[2].optimal' | holds .
}

@test "wrong usage and a full device exit 2, --help and --version exit 0" {
	run_ hpprofile learn -x
	status_is 2
	stderr_has "hpprofile: learn: invalid option -- 'x'"
	for args in 'true' '--sizes 0 -- true' '--sizes 5,5 -- true' \
		'--sizes x -- true' '--precision 0 -- true' \
		'--precision x% -- true' '--precision 5 -- true' '--seconds -1 -- true' \
		'--from 10 --to 5 -- true' '--param x -- true' \
		'--param =1 -- true' '--param x=y -- true' '--what -- true' \
		'--param n=1 -- true' '--param x=1 --param x=2 -- true' \
		'--sizes 5 --to 10 -- true' '--sizes 5 --from 2 -- true' \
		'--from 0 -- true' '--to 0 -- true' 'learn' 'learn cluster'; do
		# shellcheck disable=SC2086 # words
		run_ hpprofile $args
		status_is 2
		stdout_is ''
		stderr_has 'hpprofile: '
	done
	run_ hpprofile --help
	status_is 0
	stdout_has 'usage: hpprofile'
	run_ hpprofile --version
	status_is 0
	run_ sh -c 'hpprofile --sizes 1 --runs 1 -- true >/dev/full'
	status_is 2
	stderr_is 'hpprofile: standard output: No space left on device'
}

@test "the time is 60 s unless --seconds is given" {
	local said

	needs_terminal
	# There is no room for any records, so the work ends at once.
	for said in 60 7; do
		on_terminal "ulimit -f 1; hpprofile $([ $said = 60 ] || echo "--seconds $said")" \
			>out || :
		grep -F "measuring hpsort {in} for about $said s" out
	done
}

@test "--profile-key adds the key that hpprofile key prints" {
	hpprofile --profile-key --sizes 10 -- true >line
	[ "$(jq -r .key line)" = "$(hpprofile key)" ]
	[[ "$(hpprofile key)" =~ ^..*,\ [1-9][0-9]*\ processors?$ ]]
	[[ "$(taskset -c 0 hpprofile key)" == *', 1 processor' ]]
	hpprofile --sizes 10 -- true >line
	[ "$(jq -r .key line)" = null ]
}

# far: stands for ssh; the host has the delay in the file `delay`.
far() {
	cat >far <<-'end'
	#!/bin/sh
	echo welcome to link
	echo "$1" >>hosts
	exec sh -c "$2"
	end
	chmod +x far
}

@test "link: a node line with the rates of both directions and the round trip" {
	far
	run_ hpprofile --link there --rsh "$PWD/far" --seconds 0.2
	status_is 0
	stderr_is ''
	jq -e 'keys == ["host", "link", "node", "type"] and .node == "there" and
		.host == "there" and .link.send > 1e6 and .link.receive > 1e6 and
		.link.latency_s > 0 and .link.latency_s < 1' <<<"$output"
	[ "$(sort -u hosts)" = there ]
	# It is a part of a cluster.
	hpprofile --link there -N b --rsh "$PWD/far" --seconds 0.1 |
		jq -c '.speed = 1' >cluster
	hpsolve -n 1000 --bytes-per-item 100 cluster |
		jq -e 'select(.type == "plan") | .method == "stages"'
}

@test "link: a reader that exits ends the program without a message" {
	far
	run_ bash -c 'hpprofile --link there --rsh "$PWD/far" --seconds 0.1 | true
		echo "${PIPESTATUS[0]}"'
	stdout_is 141
	stderr_is ''
}

@test "link: the rate that a slow login has is measured" {
	cat >slow <<-'end'
	#!/bin/bash
	# A block of at most 8 KiB, then a pause, in each direction.
	pace() {
		while dd bs=8192 count=1 status=none >"$1" && [ -s "$1" ]; do
			cat "$1" || break
			sleep 0.02
		done
	}
	pace up.$$ | sh -c "$2" | pace down.$$
	end
	chmod +x slow
	run_ hpprofile --link there --rsh "$PWD/slow" --seconds 2
	status_is 0
	jq -e '.link | .send < 1e6 and .receive < 1e6' <<<"$output"
}

@test "link: a login that fails or ends early is an error, and a host is never an option" {
	far
	run_ hpprofile --link there --rsh /bin/false
	status_is 2
	stderr_is 'hpprofile: there: the login ended early'
	run_ hpprofile --link there --rsh /does/not/exist
	status_is 2
	run_ hpprofile --link -oProxyCommand=x --rsh "$PWD/far"
	status_is 2
	[ ! -e hosts ]
	run_ hpprofile --link there --rsh "$PWD/far" -- true
	status_is 2
	run_ hpprofile --rsh x
	status_is 2
	stderr_has '--rsh needs --link'
}
