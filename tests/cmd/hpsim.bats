# hpsim: simulated runs against times that can be computed by hand, and against
# hprun --estimate.

load common

setup() {
	with simgrid
	[ -z "${HP_SANITIZER-}" ] || skip 'SimGrid switches stacks by itself'
	begin
}

# node NAME SECONDS [MEMBERS]: a host with a link of 1 MB/s that sorts 1000
# items in that time.
node() {
	local members=',"link":{"send":1e6,"receive":1e6}'

	printf '{"type":"node","node":"%s","host":"%s"%s,%s}\n' "$1" "$1" \
		"${3-$members}" "\"points\":[{\"n\":1000,\"seconds\":$2}]"
}

launcher() {
	echo '{"type":"launcher","link":{"send":1e6,"receive":1e6}}'
}

# seconds STAGE, makespan: of the last run.
seconds() {
	jq --arg s "$1" 'select(.stage == $s).seconds' <<<"$output"
}

makespan() {
	jq 'select(.type == "simulation").makespan' <<<"$output"
}

# near A B [ERROR]: the relative difference is at most ERROR (1e-6).
near() {
	awk -v a="$1" -v b="$2" -v e="${3-1e-6}" 'BEGIN {
		d = a - b
		exit !((d < 0 ? -d : d) <= e * (b < 0 ? -b : b))
	}' || fail "$1 is not near $2"
}

# many N: N equal hosts, every other one slower.
many() {
	launcher
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "{\"type\":\"node\"," \
		"\"node\":\"n%d\",\"host\":\"h%d\",\"link\":{\"send\":1e6," \
		"\"receive\":1e6},\"points\":[{\"n\":1000,\"seconds\":%d}]}\n", \
		i, i, 1 + i % 2 }'
}

@test "one node without a host needs the time of its sort" {
	node a 10 '' | jq -c 'del(.host)' >cluster
	for a in exact psrs pss psop; do
		run_ hpsim -a $a -C cluster -n 5000 --bytes-per-item 100
		status_is 0
		near "$(seconds sort)" 50
		near "$(makespan)" 50
	done
}

@test "two equal nodes sort half each and exchange half of it" {
	{ node a 10; node b 10; } >cluster
	run_ hpsim -C cluster -n 100000 --bytes-per-item 100 --in-place --leave
	status_is 0
	near "$(seconds sort)" 500
	near "$(seconds exchange)" 2.5
	[[ $output != *'"send"'* && $output != *'"gather"'* ]]
}

@test "without overlap of sending and receiving the exchange takes twice as long" {
	many 6 >cluster
	run_ hpsim -C cluster -n 100000 --bytes-per-item 100
	once=$(seconds exchange)
	run_ hpsim -C cluster -n 100000 --bytes-per-item 100 --half-duplex
	near "$(seconds exchange)" "$(awk "BEGIN { print 2 * $once }")"
}

@test "a slow link determines the send, the exchange and the gather" {
	{
		launcher
		node a 10
		node b 10 ',"link":{"send":2e4,"receive":1e4}'
	} >cluster
	hpsolve -n 10000 -m equal cluster >plan
	run_ hpsim -C cluster -P plan --bytes-per-item 100
	status_is 0
	near "$(seconds send)" 50
	near "$(seconds exchange)" 25
	near "$(seconds gather)" 25
	near "$(makespan)" "$(jq -n "150 + $(seconds pivots)")"
}

@test "the launcher's link serves all nodes together" {
	{ launcher; for i in a b c d; do node $i 1 \
		',"link":{"send":1e9,"receive":1e9}'; done; } >cluster
	run_ hpsim -C cluster -n 100000 --bytes-per-item 100 -m equal
	near "$(seconds send)" 10
	near "$(seconds gather)" 10
}

@test "the latencies of both ends are added to each transfer" {
	{
		echo '{"type":"launcher","link":{"send":1e6,"latency_s":3}}'
		node a 1 ',"link":{"receive":1e6,"latency_s":4}'
	} >cluster
	run_ hpsim -C cluster -n 10000 --bytes-per-item 100
	near "$(seconds send)" 8
	near "$(seconds gather)" 7
}

@test "hosts with latencies share the ports equally" {
	local latency want

	# 400 KB for each host: first alone, then together, at 5 MB/s.
	while read -r latency want; do
		{
			echo '{"type":"launcher","link":{"send":5e6}}'
			node a 1 ',"link":{"latency_s":'"$latency"'}'
			node b 1 ',"link":{"latency_s":0.002}'
		} >cluster
		run_ hpsim -C cluster -m equal -n 8000 --bytes-per-item 100 -a psrs
		status_is 0
		[ "$(jq -c 'select(.stage == "send").by_rank |
			map(. * 1e5 | round / 1e5)' <<<"$output")" = "$want" ] ||
			fail "$latency" "$output"
	done <<-END
		0.002 [0.162,0.162]
		0.001 [0.16,0.161]
		0 [0.158,0.16]
	END
	# Each host exchanges 100 KB with each other one, at 1 MB/s.  The messages of
	# a and b to c begin last, at the same time.
	while read -r latency want; do
		{
			for host in a b; do
				node $host 1 ',"link":{"send":1e9,"receive":1e6,"latency_s":'"$latency}"
			done
			node c 1 ',"link":{"send":1e9,"receive":1e6,"latency_s":0.2}'
		} >cluster
		run_ hpsim -C cluster -m equal -n 9000 --bytes-per-item 100 -a psrs \
			--in-place --leave
		status_is 0
		near "$(seconds exchange)" "$want"
	done <<-END
		0 0.4
		0.1 0.5
		0.2 0.6
	END
}

@test "with the shares of the optimum all nodes end the sort at the same time" {
	{ node a 1; node b 3; } | jq -c 'del(.points) + {speed: .points[0].seconds}' >cluster
	run_ hpsim -C cluster -c n -n 400 --bytes-per-item 1 --in-place --leave
	status_is 0
	[ "$(jq -c 'select(.stage == "sort").by_rank | map(round)' <<<"$output")" = \
		'[100,100]' ]
	run_ hpsim -C cluster -c n -m equal -n 400 --bytes-per-item 1 --in-place --leave
	near "$(seconds sort)" 200
}

@test "the stages are those of hprun --estimate" {
	{
		launcher
		node a 2
		node b 3 ',"link":{"send":2e6,"receive":3e5},"merge_seconds_per_item":1e-5'
		node c 1
	} | jq -c 'if .node then .login_s = 0.5 | .step_s = 0.02 else . end |
		if .node == "b" then .login_s = 0.7 else . end' >cluster
	hpgen -F gensort 9000 in
	hprun -F gensort -C cluster --estimate -o out in >plan
	for a in exact psrs; do
		run_ hpsim -a $a -C cluster -P plan
		status_is 0
		for s in start send sort exchange merge gather; do
			jq -c --arg s $s 'select(.stage == $s).by_rank[]' plan >want
			jq -c --arg s $s 'select(.stage == $s).by_rank[]' <<<"$output" \
				>got
			paste got want | while read -r x y; do
				# Ports are shared, so a node can wait for others.
				case $s in
				start | sort | merge) near "$x" "$y" ;;
				*) awk -v x="$x" -v y="$y" \
					'BEGIN { exit !(x >= y * (1 - 1e-5)) }' ;;
				esac
			done
		done
		for s in send exchange gather; do
			near "$(jq --arg s $s 'select(.stage == $s).by_rank | max' \
				<<<"$output")" "$(jq --arg s $s \
				'select(.stage == $s) | [.seconds, .launcher] | max' \
				plan)" 1e-3
		done
		near "$(jq 'select(.stage == "start").by_rank | max' \
			<<<"$output")" 0.7
		# The simulated documents wait for each other.
		[ $a = psrs ] || near "$(seconds pivots)" \
			"$(jq 'select(.stage == "pivots").seconds' plan)" 0.25
	done
}

@test "exact has the rounds of hprun, and at most five on many nodes" {
	many 3 >cluster
	hpgen -F gensort 100000 in
	hprun -F gensort -j 3 --trace real -o out in
	run_ hpsim -C cluster -n 100000 --bytes-per-item 100 -m equal --trace trace
	for t in real trace; do grep -c '"pivots"' $t; done | uniq >rounds
	[ "$(wc -l <rounds)" -eq 1 ] || fail "$(cat rounds)"
	for n in 50 1000; do
		rm -f trace
		many $n >cluster
		run_ hpsim -C cluster -n 500M --bytes-per-item 100 --in-place \
			--leave --trace trace
		[ "$(grep -c '"pivots"' trace)" -le 5 ]
	done
}

@test "the stages add up to the makespan" {
	many 5 >cluster
	for a in exact psrs pss psop; do
		run_ hpsim -a $a -C cluster -n 1M --bytes-per-item 100 --step-seconds 0.5
		status_is 0
		near "$(jq -s 'map(select(.stage).seconds) | add' <<<"$output")" \
			"$(makespan)"
	done
}

@test "each step takes --step-seconds longer" {
	{ node a 10; node b 10; } >cluster
	run_ hpsim -a psrs -C cluster -n 1000 --bytes-per-item 100 --in-place --leave
	before=$(makespan)
	# sort, sample, pivots, cut, exchange, merge
	run_ hpsim -a psrs -C cluster -n 1000 --bytes-per-item 100 --in-place --leave \
		--step-seconds 7
	near "$(makespan)" "$(awk "BEGIN { print $before + 6 * 7 }")"
}

@test "groups of equal nodes exchange in the same time as the nodes" {
	for i in 1 2 3 4 5 6 7 8; do node n$i 10; done >cluster
	run_ hpsim -C cluster -n 80000 --bytes-per-item 100 --in-place --leave
	[[ $output == *'"groups":8'* ]]
	all=$(seconds exchange)
	for g in 1 2 4; do
		run_ hpsim -C cluster -n 80000 --bytes-per-item 100 --in-place --leave \
			--groups $g
		[[ $output == *'"groups":'$g,* ]]
		near "$(seconds exchange)" "$all"
	done
}

@test "groups of different nodes exchange in about the time of the nodes" {
	awk 'BEGIN { srand(1); for (i = 0; i < 16; i++) printf "{\"type\":\"node\"," \
		"\"node\":\"n%d\",\"host\":\"h%d\",\"link\":{\"send\":%d," \
		"\"receive\":%d},\"points\":[{\"n\":1000,\"seconds\":%.3f}]}\n", \
		i, i, 5e5 + rand() * 1e6, 5e5 + rand() * 1e6, 1 + rand() }' >cluster
	run_ hpsim -C cluster -n 1M --bytes-per-item 100 --in-place --leave
	all=$(seconds exchange)
	for g in 2 4 8; do
		run_ hpsim -C cluster -n 1M --bytes-per-item 100 --in-place --leave \
			--groups $g
		near "$(seconds exchange)" "$all" 0.05
	done
}

@test "the trace has the steps of each method, and hpplot draws it" {
	many 3 >cluster
	for a in exact psrs pss psop; do
		rm -f trace
		run_ hpsim -a $a -C cluster -n 100k --bytes-per-item 100 --trace trace
		status_is 0
		case $a in
		exact) want='count cut exchange gather merge pivots sample send sort' ;;
		psrs) want='cut exchange gather merge pivots sample send sort' ;;
		pss) want='cut exchange gather pivots sample send sort' ;;
		psop) want='assign count cut deal exchange gather pivots sample send sort' ;;
		esac
		[ "$(jq -r .step trace | sort -u | xargs)" = "$want" ]
		[ "$(jq -s 'map(.end_s) | max' trace)" = "$(makespan)" ]
		[ "$(jq -s 'map(select(.step == "exchange").records) | add' \
			trace)" = 100000 ]
		hpplot trace trace >/dev/null
		hpplot balance trace >/dev/null
	done
	hpsim -C cluster -n 100k --bytes-per-item 100 --run second --trace trace >/dev/null
	[ "$(jq -r .run trace | sort -u | xargs)" = 'second simulated' ]
}

@test "the shares are those of hprun also where a measured time falls" {
	{
		launcher
		node a 10 | jq -c '.points += [{n: 2000, seconds: 9}, {n: 9000, seconds: 90}]'
		node b 20
	} >falling
	jq -c 'if .node == "a" then .points[1].seconds = 10 else . end' falling >level
	for c in falling level; do
		hpsolve -n 5000 --bytes-per-item 100 "$c" >"plan.$c"
		hpsim -C "$c" -n 5000 --bytes-per-item 100 >"got.$c"
		hpsim -C level -P "plan.$c" >"want.$c"
		same "got.$c" "want.$c"
	done
	same got.falling got.level
}

@test "two simulations of the same run print the same" {
	many 40 >cluster
	run_ hpsim -C cluster -n 10M --bytes-per-item 100
	first=$output
	run_ hpsim -C cluster -n 10M --bytes-per-item 100
	stdout_is "$first"
}

@test "10,000 nodes can be simulated" {
	many 10000 >cluster
	run_ hpsim -a psrs -C cluster -n 1G --bytes-per-item 100 --in-place --leave
	status_is 0
	[[ $output == *'"nodes":10000'*'"groups":64'* ]]
}

@test "a plan for other nodes is refused" {
	{ node a 10; node b 10; } >cluster
	hpsolve -n 100 -k 1,1 >plan
	run_ hpsim -C cluster -P plan --bytes-per-item 100
	status_is 2
	stderr_is "hpsim: the plan has node 'node0' as rank 0, not 'a'"
	node a 10 >d
	run_ hpsim -C d -P plan --bytes-per-item 100
	status_is 2
	stderr_is 'hpsim: the plan has 2 nodes, the cluster 1'
}

@test "wrong usage is refused" {
	node a 10 >cluster
	for words in '' '-C cluster' '-C cluster -n 5' '-C cluster -n 0 --bytes-per-item 1' \
		'-C cluster -n 5 --bytes-per-item 0' '-C cluster -n 5 -P plan' \
		'-C cluster -n 5 --bytes-per-item 1 x' '-C - -P -' \
		'-a quick -C cluster -n 5 --bytes-per-item 1' \
		'-a range -C cluster -n 5 --bytes-per-item 1' \
		'-C cluster -n 5 --bytes-per-item 1 --groups 0' \
		'-C cluster -n 1T --bytes-per-item 1e9' '-C none -n 5 --bytes-per-item 1'; do
		# shellcheck disable=SC2086 # words
		run_ hpsim $words
		status_is 2
		stdout_is ''
	done
	hpsolve -n 5 cluster >plan
	run_ hpsim -C cluster -P plan
	status_is 2
	stderr_is 'hpsim: plan: has no bytes_per_item: give --bytes-per-item'
	run_ hpsim -C cluster -n 5 --bytes-per-item 1 --trace none/trace
	status_is 2
	stderr_is 'hpsim: none/trace: No such file or directory'
}
