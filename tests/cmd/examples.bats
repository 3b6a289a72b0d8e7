# The scripts of examples/ that a test can wait for.

load common

@test "hpsolve solves every published problem that a command line can express" {
	run_ "$TOP/examples/vectors.sh"
	status_is 0
	stdout_has '60 of 60 ok'
}

@test "the check of solved problems detects a wrong plan" {
	jq '.vectors |= map(select(.id == "fpm-2-10" or .id == "taylor-321"))' \
		"$TOP/examples/vectors.json" >two
	jq '.vectors[0].expect.n = [4, 6]' two >wrong
	run_ "$TOP/examples/vectors.sh" wrong
	status_is 1
	stdout_has 'NOT OK'
	stdout_has '1 of 2 ok'
	jq '.vectors[1].expect.n_real[0] += 3' two >wrong
	run_ "$TOP/examples/vectors.sh" wrong
	status_is 1
	run_ "$TOP/examples/vectors.sh" two
	status_is 0
}

@test "demo: the nodes together sort all records, and so says each table" {
	HP_DEMO_RECORDS=20000 HP_DEMO_TREE=$TOP/tests run_ "$TOP/examples/one-machine/demo.sh"
	status_is 0
	awk '/^node / { planned = sorted = 0 }
		/^[a-d] / { planned += $2; sorted += $3 }
		/^launcher: / { print (planned > 0 && planned == sorted) }' <<<"$output" >got
	[ "$(cat got)" = $'1\n1' ] || fail "$output"
	stdout_has 'hpcheck: 20000 records, in order'
	# Only shares of batches may differ from the plan.
	awk '/^node / { differ = 0 } /^[a-d] / && $2 != $3 { differ = 1 }
		/^launcher: / { planned = !differ; next }
		planned && /^hprun sent batches/ { print "as planned, but: " $0 }
		{ planned = 0 }' <<<"$output" >got
	[ ! -s got ] || fail "$output"
}

@test "any-job: each file is processed once, and the output is in the order of find" {
	mkdir tree scratch
	for i in {1..30}; do
		head -c $((i * 1000)) /dev/zero >"tree/file $i"
	done
	export TMPDIR=$PWD/scratch
	find "$PWD/tree" -type f -print0 | xargs -0 cksum >want
	JOB='cksum' "$TOP/examples/any-job.sh" tree --speeds 3,1 --trace trace >out
	same out want
	"$TOP/examples/any-job.sh" tree -j 2 | gzip -dc >out
	[ "$(stat -c %s out)" = 465000 ]
	empty_dir scratch
}

@test "any-job: a missing tree is an error, and a tree without files is not" {
	run_ "$TOP/examples/any-job.sh"
	[ "$status" != 0 ]
	stderr_has 'TREE is missing'
	mkdir tree
	run_ env TMPDIR="$PWD" "$TOP/examples/any-job.sh" tree -j 2
	status_is 0
	stdout_is ''
	stderr_is ''
}

@test "burn: the status is that of the command, and no process is left" {
	chrt -f 1 true 2>/dev/null || skip 'no right to use SCHED_FIFO'
	run_ "$TOP/examples/papers/burn" 0=0.2 -- sh -c 'exit 7'
	status_is 7
	# The burner ends, too, if the command ends at once.
	for ((i = 0; i < 5; i++)); do
		run_ "$TOP/examples/papers/burn" 0=0.2 -- true
		status_is 0
	done
	while pgrep -f "^bash $TOP/examples/papers/burn --burner"; do sleep 0.1; done
	for words in '' '0=0.2' '0=1 -- true' '0=0.99 -- true' 'x -- true' '0=0.2 --'; do
		# shellcheck disable=SC2086 # words
		run_ "$TOP/examples/papers/burn" $words
		status_is 2
		stderr_has 'burn: '
	done
}

@test "pictures: the trace that is recorded contains the steps of an exchange" {
	AT_SPEED=$("$TOP/examples/one-machine/at-speed" --up a=0.5) ||
		skip 'control groups cannot be made here'
	AT_SPEED=$AT_SPEED "$TOP/examples/one-machine/at-speed" --down
	"$TOP/examples/pictures/record-trace.sh" "$PWD"
	jq -r .step trace.jsonl | grep -xE 'send|sort|exchange|merge|gather' | sort |
		uniq -c | sed 's/^ *//' >got
	printf '4 %s\n' exchange gather merge send sort >want
	same got want
	jq -e 'select(.type == "plan").n == 3000000' plan.jsonl
}

@test "pictures: drawn again from their data, they have the same texts" {
	words() { xmllint --xpath '//*[local-name() = "text"]' "$1" |
		sed 's/<[^>]*>//g'; }
	mkdir drawn
	"$TOP/examples/pictures/draw.sh" drawn
	for file in flow speed trace balance experiment; do
		xmllint --noout drawn/$file.svg
		grep -q "examples/pictures/$file.svg" "$TOP/README"
		words drawn/$file.svg >new
		words "$TOP/examples/pictures/$file.svg" >old
		[ -s old ]
		same old new || fail "make pictures draws another $file.svg"
	done
	# speed.txt says how to measure it again.
	grep -x '#	PEERS=DIR make bench-sort' "$TOP/examples/pictures/speed.txt"
}
