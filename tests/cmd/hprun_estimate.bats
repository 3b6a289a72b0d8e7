# hprun --estimate and --use-fewer: the advice of the plan before a run.
# shellcheck shell=bash disable=SC2154
load common
load hprun
load advice

# by_hand RATE A B C: tries all shares that are multiples of 1/50, for 10,000
# records of 100 bytes.  Prints the least time of a run in seconds: with all
# three hosts, with two of them, and with one.  Computes the times as the manual
# describes, without a program of hptools.
by_hand() {
	awk -v rate="$1" -v a="$2" -v b="$3" -v c="$4" '
	function max(x, y) { return x > y ? x : y }
	BEGIN {
		# Two rounds for 10,000 records on 3 nodes: 512 candidates, then all of
		# the 79 records that are left.  A share has 130 bytes, a count 53, a
		# candidate or pivot 272.
		to = 3 * 130 + 512 * 272 + 3 * 272 + 79 * 272 + 3 * 272
		from = (512 + 79) * 53
		from_all = (512 + 79) * 272
		N = 10000; bytes = 100 * N
		sort[1] = a * 10; sort[2] = b * 10; sort[3] = c * 10
		link[1] = link[2] = rate; link[3] = rate / 10
		merge[1] = 0.1; merge[2] = 0.2; merge[3] = 0.3
		for (k = 1; k <= 3; k++)
			least[k] = 1e9
		for (i = 0; i <= 50; i++)
			for (j = 0; i + j <= 50; j++) {
				x[1] = i / 50; x[2] = j / 50; x[3] = 1 - x[1] - x[2]
				send = bytes / rate
				s = e = m = used = p = 0
				for (k = 1; k <= 3; k++) {
					if (x[k] < 1e-9)
						continue
					used++
					p = max(p, (to + from + x[k] * from_all) / link[k])
					send = max(send, x[k] * bytes / link[k])
					s = max(s, x[k] * sort[k])
					e = max(e, x[k] * (1 - x[k]) * bytes / link[k])
					m = max(m, x[k] * merge[k])
				}
				p = max(p, (used * (to + from) + from_all) / rate)
				t = 2 * send + s + p + e + m
				if (t < least[used])
					least[used] = t
			}
		print least[3], least[2], least[1]
	}'
}

@test "estimate: ten clusters, from 10 Mbit/s to 10 Gbit/s, are advised as by hand" {
	local rate alone a b c all two one seconds advised=0

	yes "$(printf '%099d' 5)" | head -n 10000 >in
	while read -r rate alone a b c; do
		cluster "$rate" "$alone" "$a" "$b" "$c"
		run_ hprun -C cluster --estimate in
		status_is 0
		read -r all two one <<<"$(by_hand "$rate" "$a" "$b" "$c")"
		seconds=$(jq -s '.[-1].makespan' <<<"$output")
		# The plan is as good as the best one by hand, but for its steps.
		awk "BEGIN { m = $all < $two ? $all : $two; m = m < $one ? m : $one
			exit !($seconds < m * 1.001 && $seconds > m * 0.9) }" ||
			fail "$rate: $seconds, by hand $all $two $one"
		case $(awk "BEGIN { m = $seconds; s = $alone * 10
			print (s < m * 0.9 ? \"alone\" : (s > m * 1.1 ? \"nodes\" : \"any\")) }") in
		alone)
			stderr_has "this machine alone needs"
			advised=$((advised + 1))
			;;
		nodes) [[ $stderr != *alone* ]] || fail "$rate: $stderr" ;;
		esac
		# Where two hosts are clearly faster than three, one gets nothing.
		if awk "BEGIN { exit !($two < $all * 0.9 || $one < $all * 0.9) }"; then
			[ "$(jq -s 'any(.[]; .n == 0)' <<<"$output")" = true ]
		fi
	done < <(ten)
	[ "$advised" -ge 4 ] && [ "$advised" -le 8 ] || fail "alone $advised times"
}

@test "estimate: all stages are printed, and those of the launcher alone, without a login" {
	printf '%s\n' {1..1000} >in
	cluster 1e6 2 1 1 1
	run_ hprun -C cluster --estimate --rsh false in
	status_is 0
	[ "$(jq -cs 'map(select(.stage) | [.stage, (.by_rank | length)])' <<<"$output")" = \
		'[["start",3],["send",3],["sort",3],["pivots",3],["exchange",3],["merge",3],["gather",3]]' ]
	[ "$(jq -s '.[-1] | .alone == 2 and .n == 1000 and .bytes_per_item == 3.893' \
		<<<"$output")" = true ]
	[ "$(ls)" = $'cluster\nin\ntmp' ]
	run_ hprun -C cluster --estimate --without b in in
	[ "$(jq -cs 'map(select(.rank != null).node), .[-1].n' <<<"$output")" = \
		$'["a","c"]\n2000' ]
}

@test "estimate: with -a range, the plan is that of a run without an exchange" {
	yes "$(printf '%099d' 5)" | head -n 10000 >in
	cluster 1e6 2 1 1 1
	run_ hprun -C cluster -a range --estimate in
	status_is 0
	jq -se '.[-1].by_key and (map(select(.stage == "exchange").seconds) == [0])' \
		<<<"$output"
	hpsolve -n 10000 --bytes-per-item 100 --by-key cluster | same - <(echo "$output")
	mkdir work
	jq -c --arg dir "$PWD/work" 'if .host then .dir = $dir else . end' cluster >placed
	hprun -C placed -a range --launch local --keep kept -o out in
	same out in
	jq -c 'select(.type == "share") | [.node, .n]' <<<"$output" |
		same - <(jq -c 'select(.type == "share") | [.node, .n]' kept/plan.jsonl)
}

# dividing SECONDS: a cluster of two hosts with slow links, whose launcher needs
# this time to divide a record by key.
dividing() {
	printf '{"type":"node","node":"%s","host":"127.0.0.%d","dir":"%s","link":{"send":1e5,"receive":1e5},"points":[{"n":1000,"seconds":0.1}]}\n' \
		a 1 "$PWD" b 2 "$PWD" >cluster
	echo "{\"type\":\"launcher\",\"link\":{\"send\":1e6,\"receive\":1e6}${1:+,\"divide_seconds_per_item\":$1}}" >>cluster
}

# steps FILE: the steps of a trace that tell the methods apart.
steps() {
	jq -r '.step | select(. == "exchange" or . == "merge" or . == "sort")' "$1" |
		sort -u | paste -sd ' '
}

@test "the method is range where its plan is faster, unless -a names another" {
	local divide words want

	seq 30000 | sort -R --random-source=/dev/zero >in
	sort in >sorted
	while read -r divide want words; do
		dividing "${divide/none/}"
		# shellcheck disable=SC2086 # words
		run_ hprun -C cluster --launch local --trace trace $words -o out in
		status_is 0
		stderr_is ''
		same out sorted
		[ "$(steps trace)" = "${want/-/exchange merge sort}" ] ||
			fail "$divide $words: $(steps trace)"
		# The estimate is that of the method that runs.
		# shellcheck disable=SC2086 # words
		run_ hprun -C cluster --estimate $words -o out in
		status_is 0
		jq -se --arg want "$want" '(.[-1].by_key // false) == ($want == "sort")' \
			<<<"$output" >/dev/null
		[[ $want != sort || $words == -a* ]] ||
			stderr_has 'the method is range, which needs about'
		rm out trace
	done <<-'end'
		1e-9 sort
		1e-9 sort -s
		1e-9 - -a exact
		1e-9 - -u
		1 -
		1 sort -a range
		none -
	end
	# The plan that is smaller has been chosen.
	dividing 1e-9
	[ "$(hprun -C cluster --estimate -o out in | jq -s '.[-1].makespan')" \
		= "$(hpsolve -n 30000 --bytes-per-item 5.62980 --by-key cluster |
			jq -s '.[-1].makespan')" ]
}

@test "the method range is not chosen if the launcher has no room for its copy" {
	local size

	unshare -m true 2>/dev/null || skip 'no right to mount'
	seq 300000 | sort -R --random-source=/dev/zero >in
	sort in >sorted
	dividing 1e-9
	mkdir small
	for size in 1m 9m; do
		# shellcheck disable=SC2016 # $1 is of the inner shell
		run_ unshare -m bash -c 'mount -t tmpfs -o size="$1" none small &&
			hprun -C cluster --launch local -T small --trace "trace.$1" -o out in' \
			- $size
		status_is 0
		same out sorted
		rm out
	done
	[ "$(steps trace.1m)" = 'exchange merge sort' ]
	[ "$(steps trace.9m)" = sort ]
}

@test "estimate: of pss and psop only the sort is estimated, with links too" {
	lines 1000 >in
	cluster 1.25e8 1 1 1 1
	for a in pss psop; do
		run_ hprun -C cluster --estimate -a $a in
		status_is 0
		stderr_is "hprun: -a $a: only the sort is estimated"
	done
}

@test "estimate: without links only the sort is estimated, and a pipe is refused" {
	seq 100 >in
	run_ hprun -j 2 --estimate in
	status_is 0
	stderr_is 'hprun: the cluster has no links: only the sort is estimated'
	[ "$(jq -s length <<<"$output")" = 3 ]
	run_ hprun -j 2 --estimate < <(seq 3)
	status_is 2
	stderr_has 'need files as input'
	for o in '--in-place x' '--leave x'; do
		# shellcheck disable=SC2086 # words
		run_ hprun -j 2 --estimate $o
		status_is 2
		stderr_has exclude
	done
	run_ hprun -j 2 --estimate --use-fewer
	status_is 2
	stderr_has 'cannot be combined'
}

# inputs_of_jobs: 1000 records, a list of files, and a cluster of hosts.
inputs_of_jobs() {
	printf '%s\n' {1..1000} >in
	printf 'in\ncluster\n' >list
	cluster 1e6 2 1 2 4
}

@test "estimate: a job prints its shares, a stage and the plan, and runs nothing" {
	local words

	inputs_of_jobs
	while read -r n words; do
		# shellcheck disable=SC2086 # words
		run_ hprun --rsh false --estimate $words -- touch "$PWD/ran" <in
		status_is 0
		stderr_is ''
		echo "$output" >plan
		[ "$(jq -cs 'map(.type)' plan)" = \
			'["share","share","share","stage","plan"]' ]
		jq -es --argjson n "$n" '.[3].stage == "run" and .[3].seconds == .[4].makespan
			and .[3].by_rank == map(select(.type == "share").seconds)
			and .[3].launcher == 0 and .[4].n == $n' plan >/dev/null
	done <<-'EOF'
		500 -C cluster -n 500
		500 --speeds 3,2,1 -n 500 -c n^2
		500 --speeds 3,2,1 -n 500 --method equal
		1000 -C cluster --weights in
		1000 -C cluster --weights - -n 1000
		0 -C cluster -n 0
		1000 -C cluster --map in
		2000 --speeds 3,2,1 --map in in
		2 --speeds 3,2,1 --files list
	EOF
	[ ! -e ran ]
	[ "$(ls)" = $'cluster\nin\nlist\nplan\ntmp' ]
}

@test "estimate: the plan of a job is that of hpsolve" {
	inputs_of_jobs
	hprun --estimate --speeds 3,2,1 -n 500 -c 'n^2' -- true >plan
	jq -c 'select(.type != "stage")' plan |
		cmp - <(hpsolve -n 500 -k 3,2,1 -c 'n^2' | jq -c .)
	hpsolve --check plan -k 3,2,1 -c 'n^2' >/dev/null
	sed '4s/"by_rank":\[[0-9]*/"by_rank":[1/' plan >wrong
	run_ hpsolve --check wrong -k 3,2,1 -c 'n^2'
	status_is 1
	stderr_has "should be 'run'"
	hprun --estimate --speeds 1,1 --files list -- true | jq -se '.[0].weight == 3893'
}

@test "estimate: a job without files as input, or with --resume, is refused" {
	local words

	for words in '--resume kept -n 5' '--map --resume kept'; do
		# shellcheck disable=SC2086 # words
		run_ hprun -j 2 --estimate $words -- true
		status_is 2
		stderr_has 'cannot be combined'
	done
	run_ hprun -j 2 --estimate --map -- true < <(seq 3)
	status_is 2
	stderr_has 'need files as input'
	run_ hprun -j 2 --estimate --weights none -- true
	status_is 2
	stderr_has none
	echo '{"type":"node","node":"a","capacity":3}' >cluster
	run_ hprun -C cluster --estimate -n 4 -- true
	status_is 1
}

@test "use-fewer: this machine alone sorts what the hosts would sort later" {
	seq 3000 | sort -R --random-source=/dev/zero >in
	sort in >want
	cluster 1e3 0.1 0.1 0.1 0.1
	run_ hprun -C cluster --rsh false --use-fewer -o out in
	status_is 0
	stderr_has 'sorting on this machine alone'
	same out want
}

@test "a node that would get no records is left out, with or without --use-fewer" {
	local o

	seq 3000 | sort -R --random-source=/dev/zero >in
	sort in >want
	# Node b has a host, and a link that is too slow to be used.
	cat >cluster <<-end
	{"type":"node","node":"a","points":[{"n":1000,"seconds":1}]}
	{"type":"node","node":"b","host":"b","link":{"send":1,"receive":1},"points":[{"n":1000,"seconds":1}]}
	end
	for o in '' --use-fewer; do
		# shellcheck disable=SC2086 # words
		run_ hprun -C cluster --rsh false $o -o out in
		status_is 0
		stderr_is 'hprun: 1 of 2 nodes would get no records and are left out'
		same out want
		rm out
	done
	run_ hprun -C cluster --estimate in
	status_is 0
	stderr_is 'hprun: 1 of 2 nodes get no records; a run leaves them out'
	# The records of a pipe cannot be counted before the logins.
	run_ hprun -C cluster --rsh false -o out <in
	[ "$status" -ne 0 ]
	[[ $stderr != *'left out'* ]]
	# Nothing is left out if the cluster has no links.
	jq -c 'del(.link)' cluster >plain
	mv plain cluster
	run_ hprun -C cluster --rsh false -o out in
	[ "$status" -ne 0 ]
	[[ $stderr != *'left out'* ]]
}

@test "a run with links says in one line that fewer machines would be faster" {
	seq 3000 >in
	sort in >want
	printf '{"type":"node","node":"%s","host":"127.0.0.%d","dir":"%s","link":{"send":1e6,"receive":1e6},"points":[{"n":1000,"seconds":1}]}\n' \
		a 1 "$PWD" b 2 "$PWD" >cluster
	echo '{"type":"launcher","points":[{"n":1000,"seconds":0.1}]}' >>cluster
	run_ hprun -C cluster --launch local -o out in
	status_is 0
	[[ $stderr == 'hprun: fewer machines would be faster: this machine alone needs about 0.3 s, the 2 nodes '*' s (see --use-fewer)' ]] ||
		fail "$stderr"
	same out want
	# The commands of a dry run make the same plan.
	hprun -C cluster --launch local --dry-run -o out in >commands
	grep -q 'hpsolve .*--bytes-per-item' commands
}

@test "links and speeds, without points, are planned as a whole, too" {
	seq 1000 >in
	sort in >want
	printf '{"type":"node","node":"%s","host":"127.0.0.%d","dir":"%s","link":{"send":1e6,"receive":1e6},"speed":1000}\n' \
		a 1 "$PWD" b 2 "$PWD" >cluster
	echo '{"type":"launcher","link":{"send":1e6,"receive":1e6},"divide_seconds_per_item":1e-9,"speed":1}' >>cluster
	run_ hprun -C cluster --launch local --estimate -a pss in
	status_is 0
	stderr_is 'hprun: -a pss: only the sort is estimated'
	run_ hprun -C cluster --launch local --estimate -o out in
	status_is 0
	stderr_has 'the method is range, which needs about'
	hprun -C cluster --launch local --trace trace -o out in
	same out want
	jq -r .step trace | grep -qx deal
	# A node that would get no records is left out.
	sed -i '2s/1e6/1/g; 2s/1000/1e-3/' cluster
	run_ hprun -C cluster --launch local -o out in
	status_is 0
	stderr_has '1 of 2 nodes would get no records and are left out'
	same out want
}

@test "--profile measures the links of hosts, and the plan then covers all stages" {
	hosts a b
	# On b, a block of at most 8 KiB, then a pause, in each direction.
	cat >slow <<-'end'
	#!/bin/bash
	pace() {
		while dd bs=8192 count=1 status=none >"$1" && [ -s "$1" ]; do
			cat "$1" || break
			sleep 0.02
		done
	}
	[ "$1" = b ] || exec far "$@"
	cd "${0%/*}/tmp" || exit
	pace up.$$ | far "$@" | pace down.$$
	rm -f up.$$ down.$$
	end
	chmod +x slow
	jq -nc '{type: "node", node: "here"}' >>cluster
	jq -c 'del(.speed)' cluster >without
	mv without cluster
	seq 3000 | sort -R --random-source=/dev/zero >in
	sort -n in >want
	run_ hprun -C cluster --transport ssh --rsh slow --profile=1 -n -o out in
	status_is 0
	same out want
	jq -se 'map(select(.host).link | .send > 0 and .receive > 0 and .latency_s >= 0) ==
			[true, true] and
		(map(select(.host) | .login_s > 0 and .step_s > 0) == [true, true]) and
		(.[1].link | .send < 4e6 and .receive < 4e6) and
		(.[2] | .node == "here" and .link == null) and
		(.[3] | .type == "launcher" and .link.send > 0 and .link.receive > 0 and
			(.points | length > 0))' cluster
	# The time of this machine alone is known.
	hprun -C cluster --estimate -n in | jq -se '.[-1].alone > 0'
	# The estimate has all stages, and a plan by hand as well.
	hprun -C cluster --estimate -n in |
		jq -se 'map(select(.stage).stage) == ["start", "send", "sort", "pivots",
			"exchange", "merge", "gather"]'
	hpsolve -n 3000 --bytes-per-item 5 cluster |
		jq -e 'select(.type == "plan") | .method == "stages"'
	# What is known is not measured again.
	cp cluster before
	hprun -C cluster --transport ssh --rsh far --profile=1 -n -o out in
	same cluster before
	rm out
	clean
}

# unmeasured: two hosts of which nothing is known.
unmeasured() {
	rm -f cluster
	hosts a b
	jq -c 'del(.speed)' cluster >without
	mv without cluster
}

# tried FILTER: whether the members that a trial adds to the hosts are in this list.
tried() {
	jq -se "map(select(.host) | keys) | $1" cluster >/dev/null
}

@test "--profile does a trial, from which the times of all stages follow" {
	seq 30000 | sort -R --random-source=/dev/zero >in
	sort in >want
	# A sort waits 0.3 s before it reads its input, and as long again at its end.
	instead hpsort <<-'end'
		sleep 0.3
		"$real" "$@" || exit
		sleep 0.3
	end
	instead hpmerge <<-'end'
		sleep 0.3
		exec "$real" "$@"
	end
	unmeasured
	run_ hprun -C cluster --transport ssh --rsh far --profile=4 \
		--trace trace -o out in
	status_is 0
	same out want
	tried 'all(contains(["sort_rest", "merge_seconds_per_item",
		"return_seconds_per_item"]))'
	jq -se 'map(select(.host).sort_rest | . > 0 and . <= 1) == [true, true] and
		(.[2] | .type == "launcher" and .begin_s > 0 and .finish_s > 0 and
		.divide_seconds_per_item > 0 and
		.link.send > 0 and .link.receive > 0)' cluster || fail "$(cat cluster)"
	# The trace has each step of the run once, and none of the trial.
	jq -se '[.[] | select(.step == "sort" or .step == "send" or .step == "merge") |
		[.step, .rank]] | length == 6 and (unique | length == 6)' trace
	# The plan with these members is proven.
	hprun -C cluster --estimate in >plan 2>advice
	hpsolve --check plan cluster | cmp - plan
	hprun -C cluster -a range --estimate in >plan 2>advice
	hpsolve --check plan cluster | cmp - plan
	rm out
	clean
}

@test "--profile: a trial of a part of the input, with a header, and a result to a pipe" {
	{ echo header; seq 200000 | sort -R --random-source=/dev/zero; } >in
	{ echo header; seq 200000 | sort; } >want
	unmeasured
	hprun -C cluster --transport ssh --rsh far --profile=1 --header=1 in | cmp - want
	tried 'all(index("return_seconds_per_item") == null)'
	# Short steps do not make the link slow for larger inputs.
	jq -se '.[2].link | .send > 1e6 and .receive > 1e6' cluster
	clean
	# Fewer records than nodes, and none.
	for n in 0 1; do
		unmeasured
		seq $n >in
		run_ hprun -C cluster --transport ssh --rsh far --profile=1 -o out in
		status_is 0
		same in out
		rm out
		clean
	done
}

@test "--profile: the trial measures hosts that get batches by key" {
	seq -f %012.0f 700000 | sort -R --random-source=/dev/zero >in
	sort in >want
	unmeasured
	# A tenth of the time is for the trial, which needs 2 MiB for each node.
	run_ hprun -C cluster --transport ssh --rsh far --profile=8 -o out in
	status_is 0
	same out want
	jq -se 'map(select(.host).batch_seconds_per_item | . > 0 and . < 1e-3) == [true, true]' \
		cluster || fail "$(cat cluster)"
	jq -e 'select(.type == "launcher") | .batch_begin_s > 0 and .batch_finish_s > 0' cluster
	hprun -C cluster -a range --estimate -o out in >plan 2>advice
	# The end of a run in batches has its own time.
	jq -se --slurpfile l <(jq -c 'select(.type == "launcher")' cluster) \
		'map(select(.stage == "gather").seconds)[0] == $l[0].batch_finish_s' plan
	jq -se '(map(select(.stage == "send").seconds)[0]) as $all |
		.[-1].by_key and (map(select(.stage == "gather").seconds)[0]) < $all' plan
	hpsolve --check plan cluster | cmp - plan
	rm out
	clean
	# A node of this machine sorts batches, too, but uses no link.
	unmeasured
	jq -nc '{type: "node", node: "here"}' >>cluster
	hprun -C cluster --transport ssh --rsh far --profile=8 -o out in
	same out want
	jq -se 'map(select(.node).batch_seconds_per_item | . > 0 and . < 1e-3) ==
		[true, true, true]' cluster || fail "$(cat cluster)"
	hprun -C cluster -a range --estimate -o out in >plan 2>advice
	jq -se --slurpfile here <(jq -c 'select(.node == "here")' cluster) '(map(select(.node == "here").n)[0]) as $n |
		(map(select(.stage == "send").by_rank[2])[0]) as $seconds |
		$here[0].batch_seconds_per_item * $n - $seconds | fabs < 1e-9' plan
	hpsolve --check plan cluster | cmp - plan
	rm out
	clean
}

@test "--profile does no trial if the run keeps its files" {
	seq 3000 | sort -R --random-source=/dev/zero >in
	sort in >want
	unmeasured
	run_ hprun -C cluster --transport ssh --rsh far --profile=1 --keep kept -o out in
	status_is 0
	same out want
	tried 'all(index("sort_rest", "candidate_s", "begin_s") == null)'
	jq -se 'map(select(.host).link.send > 0) == [true, true]' cluster
}

@test "--profile also tries fewer of three hosts, and the run sorts on those of the plan" {
	seq 30000 | sort -R --random-source=/dev/zero >in
	sort in >want
	hosts a b c
	jq -c 'del(.speed)' cluster >without
	mv without cluster
	run_ hprun -C cluster --transport ssh --rsh far --profile=1 --trace trace -o out in
	status_is 0
	same out want
	hprun -C cluster --estimate in >plan 2>advice
	hpsolve --check plan cluster | cmp - plan
	jq -se 'map(select(.step == "sort").records) | add == 30000' trace
	rm out
	clean
}
