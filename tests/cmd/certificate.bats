# examples/certificate.jq: plans judged with jq alone.

load common

# is TRUE-OR-FALSE PLAN CLUSTER
is() {
	local judged

	judged=$(jq -s -f "$TOP/examples/certificate.jq" "${@:2}")
	[ "$judged" = "$1" ] || fail "not $1:" "$(cat "${@:2}")"
}

# digest_is TRUE-OR-FALSE PLAN CLUSTER: the same with the digest.
digest_is() {
	local digest judged

	digest=$(jq -rs --arg print times -f "$TOP/examples/certificate.jq" \
		"${@:2}" | sha256sum)
	judged=$(jq -s --arg digest "$digest" \
		-f "$TOP/examples/certificate.jq" "${@:2}")
	[ "$judged" = "$1" ] || fail "not $1, digest $digest:" "$(cat "${@:2}")"
}

# told FILTER: plan, changed by jq where it is the last line.
told() {
	jq -c "if .type == \"plan\" then $1 else . end" plan >forged
}

# shares N...: plan, but for the shares.
shares() {
	jq -cs '($ARGS.positional | map(tonumber)) as $n | .[-1] as $plan | .[:-1] |
	    [range(length) as $i | .[$i] | .n = $n[$i] |
		.offset = ($n[:$i] | add // 0) | del(.seconds)] + [$plan] |
	    .[]' --args "$@" <plan >forged
}

by_speed() {
	printf '{"type":"node","node":"node%d","speed":%s}\n' 0 1 1 6 >cluster
}

@test "certificate: plans by formula are accepted" {
	local c n

	by_speed
	for c in n 'n*log(n)' 'n*log2(n)' 'n^1.5' 'sqrt(n)' 'n+5' 'n*n + 3*n' 7 \
		'n<1000 ? n : 2*n' 'max(n, 2^3^2/4) - -1' 'pow(n,.5)+1e-3*n' \
		'(n>100 && n!=5 || n==3) * n + n*n' 'abs(-n)/3 - 5. + 1e1'; do
		hpsolve -n 32101 -c "$c" cluster >plan
		is true plan cluster
	done
	# A cost that falls only beyond the items of the plan.
	hpsolve -n 20 -k 1,2 -c 'n>3&&n<1e9' >plan
	[ "$(jq 'select(.type == "plan").optimal' plan)" = true ]
	printf '{"type":"node","node":"node%d","speed":%d}\n' 0 1 1 2 >other
	is true plan other
	for n in 0 1 321 1T 9007199254740992; do
		hpsolve -n $n -k 1,6 >plan
		is true plan cluster
	done
	digest_is true plan cluster
	hpsolve -n 321 -m proportional -k 1,6 >plan
	is true plan cluster
}

@test "certificate: plans for measured nodes, capacities and transport are accepted" {
	local n o

	printf '%s\n' '{"type":"node","node":"a","points":[{"n":100,"seconds":2},{"n":1000,"seconds":25}],"beyond":"linear"}' \
		'{"type":"node","node":"b","points":[{"n":100,"seconds":5},{"n":1000,"seconds":40}],"capacity":900,"latency_s":0.3}' \
		'{"type":"node","node":"c","points":[{"n":50,"seconds":9},{"n":400,"seconds":4},{"n":900,"seconds":30}],"seconds_per_item":0.001}' >cluster
	for n in 10 1000 5000; do
		for o in '' '-m learned' '-m equal'; do
			# shellcheck disable=SC2086 # words
			hpsolve -n $n $o cluster >plan
			is true plan cluster
		done
	done
	hpsolve -n 2000 --beyond stop cluster >plan
	digest_is true plan cluster
	(sed 2q cluster && echo '{"type":"node","node":"s","speed":3,"capacity":77}') >mixed
	hpsolve -n 1000 -c 'n^1.1' mixed >plan
	is true plan mixed
}

@test "certificate: plans for times of batches are accepted, also with capacities" {
	{
		echo '{"type":"launcher","link":{"send":1e8,"receive":1e8},"batch_begin_s":1,"batch_finish_s":2}'
		echo '{"type":"node","node":"a","host":"x","speed":1,"link":{"send":1e8,"receive":1e8},"batch_seconds_per_item":1e-6}'
		# A node of this machine may have a link.
		echo '{"type":"node","node":"b","speed":1,"link":{"send":1e9,"receive":1e9},"batch_seconds_per_item":2e-6}'
	} >cluster
	hpsolve -n 1000 --bytes-per-item 100 -c 'n*1e-6' cluster >plan
	digest_is true plan cluster
	# Nodes with a capacity get no batches.
	{
		echo '{"type":"launcher","link":{"send":1e8,"receive":1e8},"begin_s":1,"batch_begin_s":5}'
		printf '{"type":"node","node":"%s","host":"x","speed":1,"link":{"send":1e8,"receive":1e8},"batch_seconds_per_item":1e-6,"capacity":%d}\n' \
			a 700 b 900
	} >cluster
	hpsolve -n 1000 --bytes-per-item 100 --by-key -c 'n*1e-6' cluster >plan
	is true plan cluster
}

@test "certificate: forged plans are rejected" {
	local f

	by_speed
	hpsolve -n 321 cluster >plan
	is true plan cluster
	digest_is true plan cluster
	for f in '.makespan = 1' '.bound = 1' '.makespan = 1 | .bound = 1' \
		'.bound *= 0.999' '.bound *= 1.001' '.cost = "n"' '.n = 320' \
		'.cost = "n*log(n)+1"' '.cost = "points"' '.cost = "learned"' '.nodes = 3'; do
		told "$f"
		is false forged cluster
	done
	for f in '.digest = "0"' 'del(.digest)' '.beyond = "stop"'; do
		told "$f"
		digest_is false forged cluster
	done
	shares 0 321
	is false forged cluster
	shares 59 261
	is false forged cluster
	shares -1 322
	is false forged cluster
	jq -c 'if .rank == 0 then .seconds = 1 else . end' plan >forged
	is false forged cluster
	# Shares that are not the optimum, with their true makespan.
	hpsolve -n 321 -m proportional cluster >plan
	is true plan cluster
	told '.optimal = true'
	is false forged cluster
	told '.optimal = true | .bound = .makespan'
	is false forged cluster
}

@test "certificate: a plan for another cluster is rejected" {
	by_speed
	hpsolve -n 321 cluster >plan
	sed 's/6}/6.0000000000001}/' cluster >other
	is true plan other
	digest_is false plan other
	sed 's/6}/6.0001}/' cluster >other
	is false plan other
	sed 's/6}/6,"capacity":261}/' cluster >other
	is false plan other
	tac cluster >other
	is false plan other
	(cat cluster && echo '{"type":"node","node":"c","speed":1}') >other
	is false plan other
	head -n 1 cluster >other
	is false plan other
	# Names do not change times, and are told apart all the same.
	sed 's/node1/node2/' cluster >other
	is false plan other
	sed 's/6}/6,"points":[{"n":262,"seconds":243}]}/' cluster >other
	is false plan other
}

@test "certificate: a cluster that it does not support is an error" {
	local n='{"type":"node","node":"a","params":{"w":1},"points":[{"n":1,"seconds":1}]}'

	printf '%s\n' "$n" "${n/:1/:2}" >cluster
	hpsolve -n 5 --at w=1.5 cluster >plan
	run_ jq -s -f "$TOP/examples/certificate.jq" plan cluster
	[ "$status" -ne 0 ]
	stdout_is ''
	stderr_has 'use hpsolve --check'
	run_ jq -s -f "$TOP/examples/certificate.jq" cluster
	[ "$status" -ne 0 ]
	run_ jq -s -f "$TOP/examples/certificate.jq" plan plan cluster
	[ "$status" -ne 0 ]
	by_speed
	hpsolve -n 321 cluster >plan
	told '.cost = "n+(n"'
	run_ jq -s -f "$TOP/examples/certificate.jq" forged cluster
	[ "$status" -ne 0 ]
	stdout_is ''
}
