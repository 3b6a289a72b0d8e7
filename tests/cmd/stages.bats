# Plans of whole runs: hpsolve --bytes-per-item.

load common

# linked LAUNCHER A B: three machines with links of these rates, a and b sort.
linked() {
	cat >cluster <<-end
	{"type":"launcher","link":{"send":$1,"receive":$1},"points":[{"n":1000,"seconds":0.4},{"n":100000,"seconds":50}]}
	{"type":"node","node":"a","host":"a","link":{"send":$2,"receive":$2},"points":[{"n":1000,"seconds":1},{"n":100000,"seconds":120}],"merge_seconds_per_item":1e-4}
	{"type":"node","node":"b","host":"b","link":{"send":$3,"receive":$3,"latency_s":0.01},"points":[{"n":1000,"seconds":2},{"n":100000,"seconds":230}],"merge_seconds_per_item":2e-4}
	end
}

# whole FILTER [OPTION...]: jq's view of the plan for 100000 items of 100 bytes.
whole() {
	hpsolve -n 100k --bytes-per-item 100 "${@:2}" cluster >plan
	jq -cs "$1" plan
}

# proven TRUE-OR-FALSE PLAN
proven() {
	[ "$(jq -s -f "$TOP/examples/certificate.jq" "$2" cluster)" = "$1" ] ||
		fail "not $1:" "$(cat "$2")"
}

@test "stages: without links or without the size of an item, plans are those of the sort" {
	linked 1e7 1e7 1e7
	grep -v launcher cluster | jq -c 'del(.link)' >plain
	hpsolve -n 100k plain >want
	jq -c 'del(.digest, .merge_seconds_per_item)' want >want.most
	hpsolve -n 100k cluster | jq -c 'del(.digest)' | cmp - want.most
	hpsolve -n 100k --bytes-per-item 100 plain | cmp - want
	hpsolve -n 100k -k 1,2 >want
	hpsolve -n 100k -k 1,2 --bytes-per-item 100 | cmp - want
}

@test "stages: the makespan is the sum of the stages, each that of its slowest machine" {
	linked 1e7 2e7 1e7
	[ "$(whole 'map(select(.stage).stage)')" = '["start","send","sort","pivots","exchange","merge","gather"]' ]
	[ "$(whole 'map(select(.stage).seconds) as $s | .[-1].makespan - ($s | add) |
		fabs < 1e-9')" = true ]
	[ "$(whole 'map(select(.stage)) | all(.[]; .seconds == (.by_rank + [.launcher] | max))')" = true ]
	[ "$(whole '.[-1] | [.method, .optimal, .unique, .bytes_per_item, .alone]')" = \
		'["stages",true,false,100,50]' ]
	# Each stage by hand, from the shares.
	[ "$(whole '[.[0].n, .[1].n] as [$a, $b] |
		($a * $b / 1e5 * 100) as $swap |
		([$swap / 2e7, $swap / 1e7 + 0.01] | max) as $exchange |
		(map(select(.stage)) | map({(.stage): .by_rank}) | add) as $stage |
		[$stage.send[0] - $a * 100 / 2e7, $stage.send[1] - 0.01 - $b * 100 / 1e7,
		 $stage.exchange[1] - $exchange, $stage.merge[1] - $b * 2e-4,
		 $stage.gather[0] - $a * 100 / 2e7] | all(.[]; fabs < 1e-9)')" = true ]
	proven true plan
}

@test "stages: the times of logins, of starting programs and of pivots are included" {
	linked 1e7 2e7 1e7
	jq -c 'if .node == "a" then .login_s = 0.5 | .step_s = 0.02 elif .node == "b" then
		.login_s = 0.3 else . end' cluster >slow
	mv slow cluster
	# Two rounds: 512 candidates, then all of the 391 records that are left.
	[ "$(whole '[.[0].n, .[1].n] as [$a, $b] | (map(select(.stage)) |
			map({(.stage): .}) | add) as $stage |
		(2 * 130 + 512 * 272 + 2 * 272 + 391 * 272 + 2 * 272) as $to |
		((512 + 391) * 53) as $from | ((512 + 391) * 272) as $all |
		($a * $b / 1e5 * 100) as $swap |
		($stage.start.by_rank == [0.5, 0.3]) and
		([$stage.pivots.by_rank[0] - (5 * 0.02 + ($to + $from + $all * $a / 1e5) / 2e7),
		  $stage.pivots.by_rank[1] -
			(10 * 0.01 + ($to + $from + $all * $b / 1e5) / 1e7),
		  $stage.pivots.launcher - (2 * $to + 2 * $from + $all) / 1e7,
		  $stage.exchange.by_rank[0] - 0.02 - $swap / 2e7,
		  $stage.merge.by_rank[0] - 0.02 - $a * 1e-4] | all(.[]; fabs < 1e-9))')" = true ]
	proven true plan
	hpsolve --check plan cluster | cmp - plan
	# Few records are candidates without a count.
	hpsolve -n 900 --bytes-per-item 100 cluster >plan
	[ "$(jq -s 'map(select(.stage == "pivots"))[0].launcher - ([.[:2][] | .n] |
		map(select(. > 0)) | length) * (2 * 130 + 2 * 272) / 1e7 -
		900 * 272 / 1e7 | fabs < 1e-9' plan)" = true ]
	proven true plan
	# A login that takes longer than the whole run is not worth it.
	sed -i 's/"login_s":0.5/"login_s":1000/' cluster
	[ "$(whole 'map(select(.rank != null).n)')" = '[0,100000]' ]
	proven true plan
}

# overlapping: a cluster whose nodes work on their items while these are moved.
overlapping() {
	linked 1e7 2e7 1e7
	jq -c 'if .type == "launcher" then .begin_s = 0.3 | .finish_s = 0.2
		elif .node == "a" then .sort_rest = 0.4 | .arrive_seconds_per_item = 7e-5 |
			.return_seconds_per_item = 8e-5
		else .exchange_seconds_per_item = 9e-5 | .candidate_s = 1e-3 end' \
		cluster >changed
	mv changed cluster
}

@test "stages: work on items that are moved, and the begin and the end of a run" {
	overlapping
	# Each stage by hand, from the shares.  The first of two rounds counts 512
	# candidates, the second 391.
	[ "$(whole '[.[0].n, .[1].n] as [$a, $b] | ($a * $b / 1e5) as $away |
		(map(select(.stage)) | map({(.stage): .}) | add) as $stage |
		[$stage.start.launcher - 0.3, $stage.start.by_rank[1] - 0.3,
		 $stage.send.by_rank[0] - 7e-5 * $a,
		 $stage.send.by_rank[1] - 0.01 - 1e-5 * $b,
		 $stage.pivots.by_rank[1] - 0.903 - 10 * 0.01 - (2 * 130 + 903 * 272 +
			4 * 272 + 903 * 53 + 903 * 272 * $b / 1e5) / 1e7,
		 $stage.exchange.by_rank[0] - $away * 5e-6,
		 $stage.exchange.by_rank[1] - 0.01 - $away * 9e-5,
		 $stage.merge.by_rank[0], $stage.merge.by_rank[1] - $b * 2e-4,
		 $stage.gather.by_rank[0] - 0.2 - 8e-5 * $a,
		 $stage.gather.by_rank[1] - 0.21 - 1e-5 * $b,
		 $stage.gather.launcher - 1.2] | all(.[]; fabs < 1e-9)')" = true ]
	proven true plan
	hpsolve --check plan cluster >again
	cmp plan again
	[ "$(jq -rs --arg print times -f "$TOP/examples/certificate.jq" plan cluster |
		sha256sum)" = "$(jq -r 'select(.digest).digest' plan)  -" ]
	# Only the rest of the sort is left when the part has arrived.
	hpsolve -n 100k --bytes-per-item 100 <(jq -c 'del(.sort_rest)' cluster) >all
	[ "$(jq -s --slurpfile some plan 'map(select(.stage == "sort").by_rank[0]) as [$t] |
		$t > ($some | map(select(.stage == "sort").by_rank[0]))[0]' all)" = true ]
	# Each of the new members counts in the digest.
	jq -r 'select(.digest).digest' plan >digests
	for m in begin_s finish_s sort_rest arrive_seconds_per_item candidate_s \
		exchange_seconds_per_item return_seconds_per_item; do
		jq -c "if has(\"$m\") then .$m *= 0.5 else . end" cluster >other
		hpsolve -n 100k --bytes-per-item 100 other |
			jq -r 'select(.digest).digest' >>digests
	done
	[ "$(sort -u digests | wc -l)" -eq 8 ]
}

@test "stages: a host that returns its result while merging has no time of its own for it" {
	overlapping
	whole 'map(select(.stage == "merge").by_rank[0])' >streamed
	jq -c 'del(.host)' cluster >here
	hpsolve -n 100k --bytes-per-item 100 here >plan
	# A node of this machine stores its part, and sorts it at once.
	[ "$(jq -s '.[0].n as $a | map(select(.stage)) | map({(.stage): .by_rank[0]}) | add |
		(.merge - $a * 1e-4 | fabs < 1e-9) and .send == 0 and .gather == 0.2' plan)" = true ]
	[ "$(cat streamed)" = '[0]' ]
}

@test "stages: a plan for a cluster without the newer members keeps its digest" {
	linked 1e7 2e7 1e7
	[ "$(whole '.[-1].digest')" = \
		'"668161ccc10d615e4ec70e1c833bbbf3dc47ff04934d63a85651b192b068e526"' ]
}

@test "stages: a link that is too slow gets no items, and one machine may do all" {
	linked 1e7 1e7 1e4
	[ "$(whole 'map(select(.rank != null).n)')" = '[100000,0]' ]
	linked 1e7 1e7 2e5
	whole 'map(select(.rank != null).n)' >slow
	linked 1e7 1e7 1e7
	whole 'map(select(.rank != null).n)' >fast
	jq -es '.[0][1] < .[1][1] and .[0][1] > 0' slow fast
}

@test "stages: other methods have the makespan of the whole run, and are no better" {
	local m

	linked 1e7 1e7 1e5
	for m in equal proportional exact fpm; do
		[ "$(whole '.[-1] | .makespan > .bound * 1.01 and (.optimal | not) and
			.bytes_per_item == 100' -m $m)" = true ]
	done
	[ "$(hpsolve -n 100k --bytes-per-item 100 --compare cluster |
		jq -s 'min_by(.makespan).method')" = '"stages"' ]
	run_ hpsolve -n 5 -m stages -k 1,2
	[ "$status" -eq 2 ]
	stderr_has 'the method needs links'
}

@test "stages: --check and the certificate accept plans, and refuse forged ones" {
	local f

	linked 1e7 2e7 5e6
	whole . >/dev/null
	hpsolve --check plan cluster >again
	cmp plan again
	proven true plan
	for f in 'if .stage == "sort" then .seconds += 1 else . end' \
		'if .stage == "send" then .by_rank[1] += 1 else . end' \
		'if .stage == "gather" then .launcher = 0 else . end' \
		'if .stage == "merge" then .stage = "mix" else . end' \
		'select(.stage != "exchange")'; do
		jq -c "$f" plan >forged
		run_ hpsolve --check forged cluster
		[ "$status" -eq 1 ]
		stderr_has 'stage'
		proven false forged
	done
	for f in '.bound *= 1.01' '.makespan *= 0.99' '.optimal = true | .bound *= 0.9' \
		'del(.bytes_per_item)'; do
		jq -c "if .type == \"plan\" then $f else . end" plan >forged
		proven false forged
	done
	hpsolve -n 100k --bytes-per-item 100 -m equal cluster >equal
	run_ hpsolve --check equal cluster
	[ "$status" -eq 1 ]
	stderr_has 'above the bound'
	proven true equal
	# For other links it is another plan.
	sed 's/"send":1e7/"send":1.1e7/' cluster >other
	run_ hpsolve --check plan other
	[ "$status" -eq 1 ]
	stderr_has 'digest'
}

@test "stages: the certificate computes the digest of a whole run" {
	linked 1e7 2e7 5e6
	whole . >/dev/null
	[ "$(jq -rs --arg print times -f "$TOP/examples/certificate.jq" plan cluster |
		sha256sum)" = "$(jq -r 'select(.digest).digest' plan)  -" ]
}

@test "stages: nodes of this machine are not sent their part" {
	linked 1e7 1e7 1e7
	sed -i 's/"host":"a",//' cluster
	[ "$(whole 'map(select(.stage == "send" or .stage == "gather").by_rank[0])')" = '[0,0]' ]
	[ "$(whole 'map(select(.stage == "exchange").by_rank[0] > 0)')" = '[true]' ]
	[ "$(whole 'map(select(.stage == "pivots").by_rank[0])')" = '[0]' ]
	proven true plan
	# One machine alone: nothing is exchanged.
	sed -i /\"b\"/d cluster
	[ "$(whole '.[-1].makespan')" = 130 ]
	proven true plan
}

@test "stages: a malformed link and a second launcher are refused" {
	local l

	linked 1e7 1e7 1e7
	for l in 5 '{"send":0}' '{"receive":-1}' '{"send":"x"}' '{"latency_s":-1}' '[]'; do
		jq -c --argjson l "$l" '.link = $l' cluster >bad
		run_ hpsolve -n 5 bad
		[ "$status" -eq 2 ]
		stderr_has link
	done
	for l in 'sort_rest:0' 'sort_rest:1.1' 'arrive_seconds_per_item:-1' \
		'exchange_seconds_per_item:"x"' 'return_seconds_per_item:-1' \
		'candidate_s:[]' 'step_s:-1'; do
		jq -c "if .node then . + {${l%%:*}: ${l#*:}} else . end" cluster >bad
		run_ hpsolve -n 5 bad
		[ "$status" -eq 2 ]
		stderr_has "${l%%:*}"
	done
	for l in begin_s finish_s batch_begin_s batch_finish_s; do
		jq -c "if .node then . else .$l = -1 end" cluster >bad
		run_ hpsolve -n 5 bad
		[ "$status" -eq 2 ]
		stderr_has $l
	done
	sed -n 1p cluster >>cluster
	run_ hpsolve -n 5 cluster
	[ "$status" -eq 2 ]
	stderr_has 'a second line of type launcher'
	run_ hpsolve -n 5 --bytes-per-item 0 -k 1
	[ "$status" -eq 2 ]
	run_ hpsolve --weights /dev/null --bytes-per-item 1 -k 1
	[ "$status" -eq 2 ]
	stderr_has 'excludes --bytes-per-item'
}

@test "stages: a measured time below that of fewer items counts as that time" {
	linked 1e7 1e7 1e7
	sed -i 's/"seconds":120/"seconds":0.5/' cluster
	first=$(jq 'select(.node == "a").points[0].seconds' cluster)
	[ "$(jq -n "$first > 0.5")" = true ]
	run_ hpsolve -n 100k --bytes-per-item 100 cluster
	status_is 0
	stderr_is ''
	printf '%s\n' "$output" >falling
	sed "s/\"seconds\":0.5/\"seconds\":$first/" cluster >level
	hpsolve -n 100k --bytes-per-item 100 level >plan
	same falling plan
	hpsolve --check falling cluster
	proven true falling
	digest=$(jq -rs --arg print times -f "$TOP/examples/certificate.jq" falling cluster |
		sha256sum)
	[ "$(jq -s --arg digest "$digest" -f "$TOP/examples/certificate.jq" falling cluster)" = true ]
}

@test "stages: readers of plans and clusters skip stages and the launcher" {
	linked 1e7 1e7 1e7
	whole . >/dev/null
	seq 100000 >in
	hpsplit deal -P plan in | jq -s 'map(.records) | add == 100000'
	hpplot plan plan >/dev/null
	hpplot speed cluster >/dev/null
	printf '{"type":"sublist","sublist":0,"rank":0}\n' >/dev/null
	printf '{"type":"step","node":"%s","rank":%d,"step":"sort","start_s":1,"end_s":3,"records":50000,"bytes":1}\n' \
		a 0 b 1 >trace
	hpprofile learn cluster trace >learned
	[ "$(grep -c launcher learned)" -eq 1 ]
	hpsolve -n 100k --bytes-per-item 100 learned >/dev/null
}

@test "stages: --by-key leaves out the exchange, and each node returns what it has sorted" {
	linked 1e7 2e7 1e7
	jq -c 'del(.points) | if .node == "a" then .speed = 1000 | .sort_rest = 0.5
		elif .node == "b" then .speed = 500 else . end' cluster >by_speed
	jq -c 'if .type == "launcher" then .divide_seconds_per_item = 2e-5 | .begin_s = 0.5
		else . end' by_speed >cluster
	whole . --by-key -c n >/dev/null
	[ "$(jq -cs '.[-1] | [.method, .optimal, .by_key]' plan)" = '["stages",true,true]' ]
	# Each stage by hand, from the shares.
	[ "$(jq -cs '[.[0].n, .[1].n] as [$a, $b] |
		(map(select(.stage)) | map({(.stage): .by_rank}) | add) as $stage |
		[$stage.start[] - 2.5,
		 $stage.send[0] - $a * 100 / 2e7, $stage.send[1] - 0.01 - $b * 100 / 1e7,
		 $stage.gather[0] - $a * 100 / 2e7 - $a / 1000 * 0.5,
		 $stage.gather[1] - 0.01 - $b * 100 / 1e7 - $b / 500,
		 $stage.sort[], $stage.pivots[], $stage.exchange[], $stage.merge[]] |
		all(.[]; fabs < 1e-9)' plan)" = true ] || fail "$(cat plan)"
	[ "$(jq -s '.[-1].makespan - (map(select(.stage).seconds) | add) | fabs < 1e-9' plan)" = true ]
	hpsolve --check plan cluster | cmp - plan
	proven true plan
	[ "$(jq -rs --arg print times -f "$TOP/examples/certificate.jq" plan cluster |
		sha256sum)" = "$(jq -r 'select(.digest).digest' plan)  -" ]
	jq -c 'del(.by_key)' plan >forged
	proven false forged
	run_ hpsolve --check forged cluster
	status_is 1
	# Without an exchange, the run is no slower.
	jq -s .[-1].makespan plan >by_key
	[ "$(hpsolve -n 100k --bytes-per-item 100 -c n cluster |
		jq -cs --argjson less "$(cat by_key)" '.[-1] | [.makespan > $less, .by_key]')" = \
		'[true,null]' ]
	run_ hpsolve -n 5 --by-key cluster
	status_is 2
	stderr_has '--by-key needs --bytes-per-item'
	grep -v launcher cluster | jq -c 'del(.link)' >plain
	hpsolve -n 100k --bytes-per-item 100 --by-key plain | cmp - <(hpsolve -n 100k plain)
}

@test "stages: with --by-key, a node with more than half of the items is like others" {
	linked 1e7 1e7 1e4
	# The launcher sends for a second, in which b can have 99 items.
	[ "$(whole 'map(select(.rank != null).n)' --by-key)" = '[99901,99]' ]
	proven true plan
	linked 1e7 1e7 2e5
	whole 'map(select(.rank != null).n)' --by-key >slow
	proven true plan
	jq -es '.[0] | .[1] > 0 and .[1] < 50000' slow
	jq -c 'if .node == "a" then .capacity = 70000 else . end' cluster >small
	mv small cluster
	whole 'map(select(.rank != null).n)' --by-key >small
	jq -es '.[0] | .[0] <= 70000 and add == 100000' small
	proven true plan
}

@test "stages: with --by-key and known times of batches, all work is done while batches move" {
	local who way change

	linked 1e7 2e7 1e7
	jq -c 'if .type == "launcher" then .divide_seconds_per_item = 2e-5 | .finish_s = 0.25
		elif .node == "a" then .batch_seconds_per_item = 1e-3
		else .batch_seconds_per_item = 3e-3 end' cluster >batched
	cp batched cluster
	whole . --by-key >/dev/null
	# The nodes work for 75 s, b a hundredth of a second more; the launcher only 1.
	[ "$(jq -cs '[.[-1] | .optimal, .makespan - 2 - 75 - 0.25 | . == true or (. > 0 and . < 0.01)] +
		[map(select(.stage) | {(.stage): (.seconds * 10 | round)}) | add]' plan)" = \
		'[true,true,{"start":20,"send":750,"sort":0,"pivots":0,"exchange":0,"merge":0,"gather":3}]' ] ||
		fail "$(cat plan)"
	jq -es '.[0].n - 75000 | fabs < 10' plan >/dev/null
	hpsolve --check plan cluster | cmp - plan
	proven true plan
	[ "$(jq -rs --arg print times -f "$TOP/examples/certificate.jq" plan cluster |
		sha256sum)" = "$(jq -r 'select(.digest).digest' plan)  -" ]
	# Batches may have their own times before and after them, instead of the others.
	jq -c 'if .type == "launcher" then .begin_s = 7 | .batch_begin_s = 0.5 | .batch_finish_s = 0.125
		else . end' batched >cluster
	[ "$(whole '[map(select(.stage == ("start", "gather")).seconds)[]]' --by-key)" = '[2.5,0.125]' ]
	hpsolve --check plan cluster | cmp - plan
	proven true plan
	[ "$(jq -rs --arg print times -f "$TOP/examples/certificate.jq" plan cluster |
		sha256sum)" = "$(jq -r 'select(.digest).digest' plan)  -" ]
	whole 'map(select(.stage == ("start", "gather")).seconds)' >/dev/null
	jq -es 'map(select(.stage == "start").seconds)[0] == 7' plan
	jq -r 'select(.digest).digest' plan >digests
	for l in batch_begin_s batch_finish_s; do
		jq -c "if has(\"$l\") then .$l *= 2 else . end" cluster >other
		hpsolve -n 100k --bytes-per-item 100 other | jq -r 'select(.digest).digest' >>digests
	done
	# The same times, of a run that does not get batches.
	jq -c 'if .type == "launcher" then .begin_s = .batch_begin_s | .finish_s = .batch_finish_s |
		del(.batch_begin_s, .batch_finish_s) else . end' cluster >other
	hpsolve -n 100k --bytes-per-item 100 other | jq -r 'select(.digest).digest' >>digests
	jq -c 'if .type == "launcher" then del(.begin_s, .finish_s) else . end' cluster >other
	hpsolve -n 100k --bytes-per-item 100 other | jq -r 'select(.digest).digest' >>digests
	[ "$(sort -u digests | wc -l)" -eq 5 ]
	# The launcher divides the items while it logs in.
	jq -c 'if .node == "b" then .login_s = 1.5 else . end' batched >cluster
	[ "$(whole 'map(select(.stage == "start").by_rank)[0]' --by-key)" = '[2,2]' ]
	proven true plan
	jq -c 'if .node == "b" then .login_s = 2.5 else . end' batched >cluster
	[ "$(whole 'map(select(.stage == "start").by_rank)[0]' --by-key)" = '[2,2.5]' ]
	proven true plan
	# The slower direction of a link counts, of a node and of the launcher: 1 kB/s
	# for 100 bytes each of the items of b, or of all.
	for who in '.node == "b"' '.type == "launcher"'; do
		for way in send receive; do
			jq -c "if $who then .link.$way = 1000 else . end" batched >cluster
			whole . --by-key >/dev/null
			jq -es --arg who "$who" '(map(select(.stage == "send"))[0].seconds -
				if $who == ".node == \"b\"" then .[1].n * 0.1 + 0.01 else 10000 end |
				fabs) < 0.2' plan >/dev/null || fail "$who $way: $(cat plan)"
			proven true plan
		done
	done
	# A node of this machine uses no link: b needs 3 ms for each item, and no latency.
	jq -c 'if .node == "b" then del(.host) | .link.send = 1 else . end' batched >cluster
	[ "$(whole '[.[0, 1].n]' --by-key)" = '[75000,25000]' ]
	jq -es 'map(select(.stage == "send"))[0].by_rank == [75, 75]' plan >/dev/null
	proven true plan
	# No host, a node of limited capacity, and one of unknown time.
	for change in 'del(.host)' 'if .node == "b" then .capacity = 90000 else . end' \
		'if .node == "b" then del(.batch_seconds_per_item) else . end'; do
		jq -c "$change" batched >cluster
		whole . --by-key >/dev/null
		jq -es 'any(.[]; .stage == "gather" and .seconds > 1)' plan >/dev/null ||
			fail "$change: $(cat plan)"
		proven true plan
	done
}

@test "stages: a plan without items, or without any time, is proven" {
	local o

	jq -nc '{type: "launcher", begin_s: 5, finish_s: 2, link: {send: 1e6, receive: 1e6}},
		{type: "node", node: "a", host: "h"}' >cluster
	for o in '' --by-key; do
		# shellcheck disable=SC2086 # words
		hpsolve -n 0 --bytes-per-item 100 $o cluster >plan
		[ "$(jq -c 'select(.type == "plan") | [.makespan, .bound, .optimal]' plan)" = \
			'[7,7,true]' ]
		hpsolve --check plan cluster
		proven true plan
		jq -c 'if .bound then .bound = 9 | .makespan = 9 else . end' plan >forged
		proven false forged
	done
	jq -nc '{type: "launcher", link: {send: 100}}, {type: "node", node: "a"}' >cluster
	hpsolve -n 1 --bytes-per-item 10 cluster >plan
	[ "$(jq -c 'select(.type == "plan") | [.makespan, .bound]' plan)" = '[0,0]' ]
	proven true plan
}
