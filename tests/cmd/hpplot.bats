# shellcheck shell=bash disable=SC2154
load common

# The documents that most tests draw.
documents() {
	hpsolve -n 1M -k 8,5,3,1 >plan
	hpsolve -n 1M -k 8,5,3,1 --compare >compare
	cat >power <<-'end'
		{"type":"node","node":"fast","speed":2,"power_w":{"idle":20,"busy":200}}
		{"type":"node","node":"slow","speed":1,"power_w":{"idle":5,"busy":30}}
	end
	hpsolve -n 6 -c 'n^2' --pareto power >pareto
	cat >cluster <<-'end'
		{"type":"node","node":"old","points":[{"n":1000,"seconds":0.01,"low":0.009,"high":0.02},{"n":90000,"seconds":1}]}
		{"type":"node","node":"new","points":[{"n":1000,"seconds":0.004},{"n":90000,"seconds":0.4}],"beyond":"stop"}
		{"type":"node","node":"flat","points":[{"n":1000,"seconds":0.02}],"latency_s":0.1,"capacity":5000}
	end
	cat >trace <<-'end'
		{"type":"step","node":"launcher","rank":null,"step":"plan","start_s":100,"end_s":101}
		{"type":"step","node":"node0","rank":0,"step":"sort","start_s":101,"end_s":104.5}
		{"type":"step","node":"node1","rank":1,"step":"sort","start_s":101,"end_s":105}
		{"type":"step","node":"node1","rank":1,"step":"merge","start_s":103,"end_s":107}
		{"type":"step","node":"node0","rank":0,"step":"merge","start_s":105,"end_s":108}
	end
	# a b c | d d d | e f g: shares of 5, 3 and 1 records.
	cat >sublists <<-'end'
		{"type":"sublist","sublist":0,"rank":0,"node":"one","until":{"key":"64","text":"d","rank":1,"index":1}}
		{"type":"sublist","sublist":1,"rank":1,"node":"two","until":{"key":"67","rank":2,"index":2}}
		{"type":"sublist","sublist":2,"rank":2,"node":"tri"}
	end
	{
		cat sublists
		printf '{"type":"extent","rank":%d,"sublist":%d,"offset":0,"bytes":9,"records":%d}\n' \
			0 0 3 0 1 0 0 2 0 1 0 1 1 1 2 1 2 0 2 0 0 2 1 2 2 2 1
	} >flow
	{
		cat sublists
		printf '{"type":"candidate","key":"%s","text":"%s","rank":%d,"index":%d,"records":3}\n' \
			61 a 0 0 63 c 0 2 64 d 1 1 65 e 2 0 67 g 2 2
	} >pivots
}

# draws KIND FILE: to SVG, well formed, without a word on standard error.
draws() {
	run_ hpplot "$1" -o "$1.svg" "$2"
	status_is 0
	stdout_is ''
	stderr_is ''
	xmllint --noout "$1.svg"
}

# count N PATTERN FILE: as many matches.
count() {
	local n

	n=$(grep -oE -- "$2" "$3" | wc -l)
	[ "$n" -eq "$1" ] || fail "$n times '$2' in $3, expected $1"
}

@test "every kind of picture is drawn, as SVG, as PNG and on the terminal" {
	documents
	for kind in speed cost plan compare pareto trace balance flow pivots; do
		case $kind in
		speed | cost) file=cluster ;;
		balance) file=trace ;;
		*) file=$kind ;;
		esac
		draws $kind $file
		run_ hpplot $kind --output $kind.png $file
		status_is 0
		stderr_is ''
		[ "$(head -c 8 $kind.png | od -An -tx1)" = ' 89 50 4e 47 0d 0a 1a 0a' ]
		run_ hpplot $kind - <$file
		status_is 0
		stderr_is ''
		case $kind in
		speed) stdout_has 'size (items)' ;;
		cost) stdout_has 'size (items)' ;;
		plan)
			stdout_has 'share (items)'
			stdout_has 'done at (units of n*log(n))'
			;;
		compare) stdout_has 'above the optimum (%)' ;;
		pareto) stdout_has 'makespan' ;;
		trace) stdout_has 'time (s)' ;;
		balance) stdout_has 'time since the first step of a node (s)' ;;
		flow) stdout_has 'records' ;;
		pivots) stdout_has 'estimated position among all records' ;;
		esac
		! grep -E '.{80}' <<<"$output" || fail 'too wide'
	done
}

@test "each node has its row or its curve, and its points" {
	documents
	draws plan plan
	for i in 0 1 2 3; do
		count 1 ">node$i<" plan.svg
	done
	for n in $(jq 'select(.type == "share").n' plan); do
		count 1 ">$n " plan.svg
	done
	draws speed cluster
	for node in old new flat; do
		count 1 ">$node<" speed.svg
	done
	cp speed.svg one.svg
	# Another node is another curve.
	echo '{"type":"node","node":"more","points":[{"n":2000,"seconds":0.3}]}' \
		>>cluster
	draws speed cluster
	count 1 '>more<' speed.svg
	[ "$(grep -c '<path' speed.svg)" -gt "$(grep -c '<path' one.svg)" ]
	hpsolve -n 2 -k 100,1 --compare >nothing
	hpplot compare nothing | grep 'proportional.*the optimum takes no time'
	draws compare compare
	for method in $(jq -r .method compare); do
		count 1 ">$method<" compare.svg
	done
	draws trace trace
	for row in launcher node0 node1; do
		count 1 ">$row<" trace.svg
	done
	for step in plan sort merge; do
		grep -q ">$step<" trace.svg
	done
}

@test "with a plan: the line through the origin cuts the curves at the shares" {
	documents
	hpsolve -n 50000 cluster >measured
	cat cluster measured >both
	for kind in speed cost; do
		draws $kind both
		count 1 '>the plan<' $kind.svg
		count 1 '>shares<' $kind.svg
		run_ hpplot $kind both
		stdout_has 'the plan  .'
		# One mark for each share, one in the key.
		[ "$(tr -cd @ <<<"$output" | wc -c)" -eq 4 ]
	done
	cat measured cluster | hpplot speed -o other.svg
	same other.svg speed.svg || fail 'the order of documents matters'
}

@test "a name of wide letters has room on the page" {
	local x

	echo '{"type":"node","node":"WWWWWWWWWWWWWWWWW","speed":2}' | hpsolve -n 9 |
		hpplot plan -o plan.svg
	# A W has 12 pixels, and the name ends at x.
	x=$(grep -B1 '>WW*<' plan.svg | grep -o 'translate([0-9]*' | tr -cd 0-9)
	[ "$x" -ge $((17 * 12)) ]
}

@test "pareto: each plan is a point, and the bound is drawn if it differs" {
	documents
	draws pareto pareto
	count 1 '>energy = bound<' pareto.svg
	count 1 '>makespan<' pareto.svg
	grep -q '>Makespan and energy of 3 plans: 33.3 % less energy in 2 times' pareto.svg
	count 3 'use xlink:href=.#gpPt6' pareto.svg
	hpplot pareto pareto | grep 'energy = bound  *e'
	# The plans of blocks are a band above their bounds.
	hpsolve -n 100k --pareto power >blocks
	draws pareto blocks
	count 2 '>energy<' pareto.svg # the axis, and the line
	count 1 '>bound<' pareto.svg
	hpplot pareto blocks | grep 'bound  *b  *energy  *e'
	# Makespans of different magnitudes have a logarithmic scale.
	for t in 1 1000 100000; do
		echo "{\"type\":\"pareto\",\"makespan\":$t,\"energy\":$((200000 - t)),\"bound\":0}"
	done >wide
	draws pareto wide
	for tic in 1 100 10k; do
		count 1 ">$tic<" pareto.svg
	done
	# Two fronts are not one.
	run_ hpplot pareto - < <(cat pareto pareto)
	status_is 2
	stderr_is 'hpplot: standard input: the makespans do not rise'
}

@test "nodes by relative speed: level without a plan, by the cost with one" {
	printf '{"type":"node","node":"n%d","speed":%d}\n' 0 1 1 3 >cluster
	run_ hpplot speed cluster
	status_is 0
	stdout_has 'relative speed'
	for cost in n 'n*log(n)' 'n^1.5'; do
		hpsolve -n 1000 -c "$cost" cluster | cat cluster - >both
		run_ hpplot cost both
		status_is 0
		stdout_has "time (units of $cost)"
		[ "$(tr -cd @ <<<"$output" | wc -c)" -eq 3 ]
	done
	# Another cost: the shares alone.
	hpsolve -n 1000 -c 'n+sqrt(n)' cluster | cat cluster - >both
	draws cost both
}

@test "simultaneous steps are drawn apart, and time starts at the first step" {
	documents
	run_ hpplot trace trace
	stdout_has 'ppp'
	[[ $output != *[ms]p* ]]
	# node1 sorts and merges at once: two rows of letters.
	[ "$(grep -c 'sss' <<<"$output")" -eq 2 ]
	[ "$(grep -c 'mmm' <<<"$output")" -eq 2 ]
	[ "$(grep -c 'sss *mmm' <<<"$output")" -eq 1 ]
}

@test "balance: finish times, waiting times and the plan" {
	documents
	run_ hpplot balance trace
	stdout_has ' 6 s'
	stdout_has ' 7 s'
	stdout_has '#...#'
	[[ $output != *plan* ]]
	hpsolve -n 100 -k 1,2 | cat - trace >both
	run_ hpplot balance both
	status_is 0
	stdout_has 'plan (units of n*log(n), scaled to the mean)'
	# Measured nodes have a plan in seconds.
	hpsolve -n 100 cluster | cat trace - >both
	run_ hpplot balance both
	status_is 0
	[[ $output != *scaled* ]]
	# A node that has no step yet.
	stdout_has 'flat'
}

@test "balance: the shares of the sort over time, if the input came in batches" {
	cat >batches <<-'end'
		{"type":"step","node":"a","rank":0,"step":"sort","start_s":1,"end_s":2,"records":100}
		{"type":"step","node":"a","rank":0,"step":"sort","start_s":2,"end_s":3,"records":100}
		{"type":"step","node":"b","rank":1,"step":"sort","start_s":1,"end_s":2,"records":300}
		{"type":"step","node":"b","rank":1,"step":"sort","start_s":2,"end_s":3,"records":100}
		{"type":"step","node":"b","rank":1,"step":"merge","start_s":3,"end_s":4,"records":300}
	end
	run_ hpplot balance batches
	status_is 0
	stdout_has 'tenths of the sort'
	stdout_has 'When each node is done, and its share of the sort'
	grep -qE "a .#+ 2 s .*[|]2{10,}5{10,} 33.3 %" <<<"$output"
	grep -qE "b .#+ 3 s .*[|]7{10,}5{10,} 66.7 %" <<<"$output"
	draws balance batches
	grep -q 'full height: 75 %' balance.svg
	count 2 '>(33.3|66.7) %<' balance.svg
	# With a plan, its mark stays in the first picture.
	hpsolve -n 600 -k 1,2 | cat - batches >both
	run_ hpplot balance both
	stdout_has 'scaled to the mean'
	draws balance both
	# One batch for each node: no second picture.
	grep -v '"start_s":2' batches >once
	run_ hpplot balance once
	[[ $output != *'share of the sort'* ]]
}

@test "flow: a band for each pair, with its records, and the sums of each node" {
	documents
	draws flow flow
	for text in one two tri; do
		count 2 ">$text<" flow.svg
	done
	# 3 and 1 stay; 1, 2, 2 move.  Sums: 3, 3, 3 sent; 4, 4, 1 received.
	xmllint --xpath '//*[local-name() = "text"]/text()' flow.svg |
		grep -x '[0-9]*' | sort | tr '\n' ' ' | grep -x '1 1 1 2 2 3 3 3 3 4 4 '
	run_ hpplot flow flow
	stdout_has 'to one'
	# More nodes than bands can show are rows of boxes.
	jq -nc 'range(20) as $i | range(20) as $j |
		{type: "extent", rank: $i, sublist: $j, records: (1 + $i)}' >many
	draws flow many
	count 1 '>node 19<' flow.svg
	# A sublist may belong to another node than the one of its number.
	sed -i '2s/"rank":1/"rank":2/; 3s/"rank":2/"rank":1/' flow
	draws flow flow
	xmllint --xpath '//*[local-name() = "text"]/text()' flow.svg |
		grep -x '[0-9]*' | sort | tr '\n' ' ' | grep -x '1 1 1 2 2 3 3 3 3 4 4 '
	# Extents of cut -o name the receivers; an unknown sublist is refused.
	grep -v '"sublist","sublist":0' flow >part
	run_ hpplot flow part
	status_is 2
	stderr_is 'hpplot: part: sublist 0 of an extent has no rank, or is missing'
	grep extent flow >part
	hpplot flow part | grep 'to node 0'
}

@test "pivots: candidates at their estimated positions, pivots, plan and sublists" {
	documents
	draws pivots pivots
	for text in a c e; do
		count 1 ">$text<" pivots.svg
	done
	# A pivot is a candidate, too; without a text its key is shown.
	count 2 '>d<' pivots.svg
	count 1 '>67<' pivots.svg
	# d is known to be record 1 of node two, and behind c, the last of node one;
	# on node tri it is before e.  So 3 + 1 + 0 records are before it.
	count 1 '>one: about 4<' pivots.svg
	# g: all of one; of two, 2 or 3, for which 2.5 is taken; 2 of tri.
	count 1 '>two: about 3.5<' pivots.svg
	hpsolve -n 9 -c n -k 5,3,1 | cat pivots - >both
	draws pivots both
	count 1 '>node0: 5<' pivots.svg
	count 1 '>plan<' pivots.svg
	# Random candidates are at equal distances.
	printf '{"type":"candidate","key":"6%d","rank":0,"index":%d,"records":40}\n' \
		1 30 2 10 3 20 >random
	echo '{"type":"sublist","sublist":0,"rank":0,"until":{"key":"62","rank":0,"index":10}}' >>random
	echo '{"type":"sublist","sublist":1,"rank":0}' >>random
	draws pivots random
	count 2 '>node 0: about 20<' pivots.svg
	# Without sublists, and with one candidate.
	head -n 1 random >one
	draws pivots one
	run_ hpplot pivots one
	status_is 0
}

@test "the colours of eleven steps can be told apart without colour vision" {
	jq -nc '["count", "plan", "deal", "sort", "sample", "pivots", "cut", "exchange",
		"merge", "gather", "prove"] | to_entries[] | {type: "step", node: "a",
		rank: 0, step: .value, start_s: .key, end_s: (.key + 1)}' >trace
	hpplot trace -o trace.svg trace
	# As many as there are steps, besides black text and white paper.
	grep -oiE "fill = 'rgb\([ 0-9,]+\)'" trace.svg | sort -u |
		tr -dc '0-9,\n' | while IFS=, read -r r g b; do
		printf '#%02x%02x%02x\n' "$r" "$g" "$b"
	done | grep -v '^#000000$' | sort -u >fills
	[ "$(wc -l <fills)" = 11 ] || fail "$(cat fills)"
	awk -v least=15 -f "$TOP/tests/cmd/colours.awk" fills
	jq -nc 'range(6) | {type: "node", node: "n\(.)", points: [
		{n: 10, seconds: 1}, {n: 90, seconds: (9 + .)}]}' >cluster
	hpplot speed -o speed.svg cluster
	grep -oE 'stroke="rgb\([ 0-9,]+\)"|stroke=.rgb\([ 0-9,]+\)' speed.svg |
		sort -u | tr -dc '0-9,\n' | while IFS=, read -r r g b; do
		[ "$r$g$b" = 221221221 ] || [ "$r$g$b" = 128128128 ] ||
			printf '#%02x%02x%02x\n' "$r" "$g" "$b"
	done | sort -u >lines
	[ "$(wc -l <lines)" -ge 6 ] || fail "$(cat lines)"
	awk -v least=10 -f "$TOP/tests/cmd/colours.awk" lines
	# The check can fail.
	printf '%s\n' '#ff0000' '#8f7a00' >alike
	! awk -v least=15 -f "$TOP/tests/cmd/colours.awk" alike
}

@test "an SVG has the title of the picture" {
	documents
	for kind in plan trace flow pivots; do
		draws $kind $kind
		title=$(xmllint --xpath 'string(//*[local-name() = "title"])' $kind.svg)
		[[ $title != *[Gg]nuplot* ]]
		count 1 "<title>" $kind.svg
		case $kind in
		plan) [[ $title == 'Plan for 1000000 items on 4 nodes: nlogn, cost n*log(n)' ]] ;;
		trace) [ "$title" = 'Who did what when' ] ;;
		esac
	done
	sed '$s/"method":"[^"]*"/"method":"<b>\\"\\\\"/' plan >odd
	draws plan odd
	xmllint --xpath 'string(//*[local-name() = "title"])' plan.svg |
		grep -F '<b>"\'
}

@test "wide characters take two columns of a terminal" {
	printf '{"type":"share","rank":%d,"node":"%s","n":5,"offset":0,"seconds":1}\n' \
		0 計算機 1 abcdef 2 🙂 >plan
	echo '{"type":"plan","n":15,"method":"x","cost":"n","makespan":1,"bound":1}' >>plan
	hpplot plan plan >out
	! grep $'\356\200\200' out
	# The axis is in the same column in all lines with names.
	[ "$(grep -c '^  計算機 |#' out)" = 1 ] || fail "$(<out)"
	[ "$(grep -c '^  abcdef |#' out)" = 1 ]
}

@test "a PNG contains no character that no font has" {
	mkdir bin
	printf '#!/bin/sh\nexit 1\n' >bin/fc-list
	chmod +x bin/fc-list
	for name in '計算' Ωé "$(printf '\357\277\275\357\277\275')"; do
		printf '{"type":"share","rank":%d,"node":"%s","n":5,"offset":0,"seconds":1}\n' \
			0 "$name" 1 longest >plan
		echo '{"type":"plan","n":10,"method":"x","cost":"n","makespan":1,"bound":1}' >>plan
		PATH=$PWD/bin:$PATH run_ hpplot plan -o "$name.png" plan
		status_is 0
		stderr_is ''
	done
	same '計算.png' "$(printf '\357\277\275\357\277\275').png"
	same Ωé.png "$(printf '\357\277\275\357\277\275').png"
}

@test "trace: steps have the same lane on all nodes, and runs are apart" {
	cat >trace <<-'end'
		{"type":"step","node":"a","rank":0,"step":"cut","start_s":1,"end_s":5}
		{"type":"step","node":"a","rank":0,"step":"merge","start_s":2,"end_s":6}
		{"type":"step","node":"b","rank":1,"step":"merge","start_s":1,"end_s":5}
		{"type":"step","node":"b","rank":1,"step":"cut","start_s":2,"end_s":6}
	end
	hpplot trace trace >out
	[ "$(grep -oE 'c{5,}|m{5,}' out | cut -c 1 | tr -d '\n')" = cmcm ]
	jq -c '.run = "x"' trace >two
	jq -c '.run = "y" | .start_s += 1000 | .end_s += 1001' trace >>two
	run_ hpplot trace two
	stdout_has 'run 1: time (s)'
	stdout_has 'run 2: time (s)'
	[[ $output != *1000* ]]
	[ "$(grep -cE '\|.*c{5,}.*\|.*c{5,}' <<<"$output")" = 2 ]
	draws trace two
	jq -c '.run = "z" | .start_s += 2000 | .end_s += 2000' trace >>two
	jq -c '.run = "w" | .start_s += 3000 | .end_s += 3000' trace >>two
	hpplot trace two | grep 'the last 3 of 4 runs'
	hpplot balance two | grep 'the last of 4 runs'
	hpplot balance two | grep '5 s'
	# Two steps of a kind at once.
	sed 's/cut/merge/' trace >same
	draws trace same
}

@test "balance: the label of a node is behind the mark of its plan" {
	documents
	cat >both <<-'end'
		{"type":"share","rank":0,"node":"a","n":5,"offset":0,"seconds":7.5}
		{"type":"plan","n":5,"method":"fpm","cost":"points","makespan":7.5,"bound":7.5}
		{"type":"step","node":"a","rank":0,"step":"sort","start_s":1,"end_s":8}
	end
	hpplot balance both | awk '
		/7 s$/ { label = index($0, "7 s") }
		/\|$/ && length > 20 { mark = length }
		END { print mark, label; exit !(mark && label > mark) }'
}

@test "plan: one line if makespan and bound are the same, two if not" {
	documents
	hpplot plan plan | grep 'makespan, which is the bound'
	sed 's/"bound":[0-9.e+]*/"bound":500000/' plan >other
	hpplot plan other | grep ':   bound'
	draws plan other
	count 1 '>bound<' plan.svg
}

@test "speed: only what was not measured is dotted, and names are at the curves" {
	documents
	hpplot speed -o speed.svg cluster
	# Node new is measured over the whole axis, from 1000 to 90000: its colour has
	# one line and no dots.  Node flat has one point: all of it is dotted.
	dots="stroke-dasharray='1[.0-9]*,2[.0-9]*'"
	grep "<path stroke='rgb(  0, 114, 178)'" speed.svg >/dev/null
	! grep "<path stroke='rgb(  0, 114, 178)' $dots" speed.svg
	grep "<path stroke='rgb(213,  94,   0)' $dots" speed.svg >/dev/null
	for name in old new flat; do
		count 1 ">$name<" speed.svg
	done
	jq -nc 'range(30) | {type: "node", node: "n\(.)", points: [
		{n: 10, seconds: 1}, {n: 90, seconds: (9 + .)}]}' >many
	draws speed many
	count 1 '>n29<' speed.svg
}

@test "an axis has at least two tics" {
	for to in 1 1.2 3.3 7 82 450000 999 1000 1100; do
		jq -nc --argjson to "$to" '{type: "share", rank: 0, node: "a", n: 5,
			offset: 0, seconds: $to}, {type: "plan", n: 5, method: "x", cost: "n",
			makespan: $to, bound: $to}' >plan
		hpplot plan plan >picture
		grep 'makespan' picture >/dev/null
		[ "$(grep -A 1 '^ *+-' picture | tail -n 1 | wc -w)" -ge 6 ] ||
			fail "$(<picture)"
	done
	jq -nc '{type: "node", node: "a", points: [{n: 1100, seconds: 1},
		{n: 1300, seconds: 1.1}]}' >cluster
	hpplot speed cluster | grep -B 1 'size (items)' | head -n 1 | wc -w |
		grep '[2-9]'
}

# Names that would be commands to a shell or to gnuplot, or tags, or neither.
hostile() {
	jq -nc '["\"; system(\"touch pwned\") #", "a`touch pwned`", "!touch pwned",
		"x\n!touch pwned\n", "\u0027; system(\u0027touch pwned\u0027)",
		"%s %d @x {/Symbol a} _1 ^2 ~b", "$(touch pwned) ${HOME}", "\\",
		"\\042; !touch pwned", "<b>&amp;", "]]>", "end", "\u001b[31m\u0000\u009b",
		"-o", "é漢🙂\ufffe", "", ("x" * 255)] | .[]'
}

@test "names reach neither gnuplot, nor a shell, nor the terminal as commands" {
	hostile | jq -c '{type: "node", node: ., points: [{n: 10, seconds: 1},
		{n: 90, seconds: 20}], params: {(.): 1}}' >cluster
	hostile | jq -c '[., input_line_number] | {type: "share", node: .[0],
		rank: .[1], n: 10, offset: 0, seconds: 1}' >plan
	hostile | jq -sc '{type: "plan", n: 170, nodes: 17, method: .[0],
		cost: .[1], makespan: 1, bound: 1}' >>plan
	hostile | jq -c '{type: "compare", method: ., over: 1}' >compare
	hostile | jq -c '{type: "step", node: ., rank: input_line_number, step: .,
		start_s: 1, end_s: 20}' >trace
	cat cluster plan >speed
	cat cluster plan >cost
	cat plan trace >balance
	hostile | jq -c '{type: "extent", rank: input_line_number, records: 3,
		sublist: (17 - input_line_number)}' | cat plan - >flow
	hostile | jq -c '{type: "candidate", key: "61", text: ., index: 1, records: 3,
		rank: input_line_number}' | cat plan - >pivots
	hostile | jq -c '{type: "pareto", makespan: input_line_number, energy: 1,
		bound: 1, node: .}' >pareto
	for kind in speed cost plan compare pareto trace balance flow pivots; do
		draws $kind $kind
		run_ hpplot $kind -o $kind.png $kind
		status_is 0
		run_ hpplot $kind $kind
		status_is 0
		stderr_is ''
		[[ $output != *$'\e'* ]]
		[ ! -e pwned ] || fail "$kind ran a command"
	done
	xmllint --xpath '//*[local-name() = "text"]/text()' plan.svg >texts
	grep -F '&lt;b&gt;&amp;amp;' texts
	grep -F '"; system("touch pwned") #' texts
	grep -F '%s %d @x {/Symbol a} _1 ^2 ~b' texts
}

@test "a wrong document is rejected with its line number" {
	documents
	while IFS='|' read -r kind file message; do
		run_ hpplot "$kind" -o new.svg "$file"
		status_is 2
		stdout_is ''
		stderr_is "hpplot: $file: $message"
		[ ! -e new.svg ]
	done <<-'end'
		plan|cluster|line 1: expected a plan, this is a 'node'
		trace|plan|line 1: expected a step, this is a 'share'
		speed|compare|line 1: expected a node, this is a 'compare'
		cost|trace|line 1: expected a node, this is a 'step'
		compare|plan|line 1: expected a compare, this is a 'share'
		balance|compare|line 1: expected a step, this is a 'compare'
		pareto|compare|line 1: expected a pareto, this is a 'compare'
		plan|pareto|line 1: expected a plan, this is a 'pareto'
		balance|plan|contains no step
		flow|trace|line 1: expected an extent, this is a 'step'
		pivots|plan|contains no candidate
		speed|plan|contains no node
	end
	echo >>plan
	head -n 1 cluster >>plan
	run_ hpplot plan plan
	stderr_is "hpplot: plan: line 7: expected a plan, this is a 'node'"
	for kind in speed cost plan compare pareto trace balance; do
		run_ hpplot $kind -o new.svg </dev/null
		status_is 2
		stderr_has 'hpplot: standard input: is empty, expected a '
	done
	[ ! -e new.svg ]
}

@test "CR, blank lines and a byte order mark are accepted" {
	documents
	hpplot plan plan >expected
	sed 's/$/\r\n \r/' plan | sed '1s/^/\xef\xbb\xbf\r\n/' | hpplot plan | same - expected
}

@test "missing members, members of a wrong type and lines that are not JSON are rejected" {
	while IFS='|' read -r kind line; do
		run_ hpplot "$kind" <<<"$line"
		status_is 2
		stdout_is ''
		stderr_has 'hpplot: standard input: line 1'
		[[ $stderr != *$'\n'* ]]
	done <<-'end'
		plan|{
		plan|[]
		plan|"plan"
		plan|{"a":1}
		plan|{"type":1}
		plan|{"type":"share"}
		plan|{"type":"share","node":"a","rank":0,"n":"1","seconds":1}
		plan|{"type":"share","node":"a","rank":0,"n":-1,"seconds":1}
		plan|{"type":"share","node":"a","rank":0,"n":1e999,"seconds":1}
		plan|{"type":"share","node":["a"],"rank":0,"n":1,"seconds":1}
		speed|{"type":"node"}
		speed|{"type":"node","node":"a","speed":0}
		speed|{"type":"node","node":"a","points":{}}
		speed|{"type":"node","node":"a","points":[1]}
		speed|{"type":"node","node":"a","points":[{"n":1}]}
		speed|{"type":"node","node":"a","points":[{"n":1,"seconds":0}]}
		speed|{"type":"node","node":"a","points":[{"n":2,"seconds":1},{"n":2,"seconds":1}]}
		compare|{"type":"compare","method":"x"}
		pareto|{"type":"pareto","makespan":1,"energy":1}
		pareto|{"type":"pareto","makespan":"1","energy":1,"bound":1}
		pareto|{"type":"pareto","makespan":1,"energy":-1,"bound":1}
		flow|{"type":"extent","rank":0,"sublist":0}
		flow|{"type":"extent","rank":-1,"sublist":0,"records":1}
		pivots|{"type":"candidate","key":"6","rank":0,"index":0}
		pivots|{"type":"candidate","key":"61","rank":0}
		pivots|{"type":"sublist","sublist":0,"until":{"key":"61","rank":"x","index":0}}
		trace|{"type":"step","node":"a","step":"x","start_s":1}
		trace|{"type":"step","node":"a","step":"x","start_s":2,"end_s":1}
	end
	run_ hpplot plan < <(hpsolve -n 9 -k 1,2 | head -n 2)
	status_is 2
	stderr_has 'cut short'
	run_ hpplot plan < <(hpsolve -n 9 -k 1; hpsolve -n 9 -k 1)
	status_is 2
	stderr_has 'line 3: a share after the end of the plan'
}

@test "documents without items or times, with one point or with many nodes are drawn" {
	hpsolve -n 0 -k 1,2 >plan
	draws plan plan
	echo '{"type":"pareto","makespan":0,"energy":0,"bound":0}' >nothing
	draws pareto nothing
	echo '{"type":"pareto","makespan":1e299,"energy":1e299,"bound":1e-300}' \
		>>nothing
	draws pareto nothing
	echo '{"type":"node","node":"a","points":[{"n":5,"seconds":2}]}' >one
	draws speed one
	draws cost one
	echo '{"type":"node","node":"a","points":[]}' >none
	draws speed none
	echo '{"type":"step","node":"a","rank":0,"step":"x","start_s":1,"end_s":1}' \
		>instant
	draws trace instant
	draws balance instant
	hpsolve -n 9007199254740992 -k 1,1e9 >plan
	draws plan plan
	hpsolve -n 1M -k "$(seq -s , 300)" >plan
	draws plan plan
	run_ hpplot plan plan
	status_is 0
	stderr_is ''
}

@test "the picture appears complete or not at all" {
	documents
	run_ hpplot plan -o nowhere/new.svg plan
	status_is 2
	stderr_is 'hpplot: nowhere/new.svg: No such file or directory'
	mkdir dir.svg
	run_ hpplot plan -o dir.svg plan
	status_is 2
	rmdir dir.svg
	run_ bash -c 'hpplot plan plan >/dev/full'
	status_is 2
	stderr_is 'hpplot: standard output: No space left on device'
	run_ bash -c 'hpplot plan plan >&-'
	status_is 2
	stderr_is 'hpplot: standard output: Bad file descriptor'
	run_ bash -c 'ulimit -f 1; trap "" XFSZ; hpplot plan -o new.svg plan'
	status_is 2
	stderr_is 'hpplot: new.svg: File too large'
	mkdir bin
	printf '#!/bin/sh\necho half; exit 1\n' >bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH run_ hpplot plan -o new.svg plan
	status_is 2
	rm -r bin
	[ -z "$(find . -name '.hpplot*' -o -name 'new*')" ]
	# Over another, through a link, which stays a link.
	echo old >picture.svg
	chmod 600 picture.svg
	ln -s picture.svg link.svg
	run_ hpplot plan -o link.svg plan
	status_is 0
	[ -L link.svg ]
	xmllint --noout picture.svg
	[ "$(stat -c %a picture.svg)" = 600 ]
	# Or to what is not there yet.
	ln -s made.svg to.svg
	run_ hpplot plan -o to.svg plan
	status_is 0
	[ -L to.svg ]
	xmllint --noout made.svg
}

@test "a killed hpplot leaves no file" {
	documents
	mkdir bin out
	printf '#!/bin/sh\necho half; echo $$ >started; exec sleep 1000\n' \
		>bin/gnuplot
	chmod +x bin/gnuplot
	mkdir tmp
	TMPDIR=$PWD/tmp PATH=$PWD/bin:$PATH hpplot plan -o out/new.svg plan 3>&- &
	until [ -s started ]; do sleep 0.02; done
	kill -9 $!
	wait $! || true
	empty_dir out
	empty_dir tmp
	kill "$(cat started)"
}

@test "a reader that exits ends hpplot without a message" {
	documents
	run_ bash -c 'hpplot plan plan | true'
	status_is 0
	stderr_is ''
}

@test "a message says that gnuplot is missing" {
	documents
	mkdir bin
	for tool in jq getopt cat; do
		ln -s "$(type -P $tool)" bin
	done
	run_ env PATH="$PWD/bin" "$HPBIN/hpplot" plan plan
	status_is 2
	stderr_is 'hpplot: gnuplot is not installed'
}

@test "wrong usage is refused" {
	for args in '' pie 'plan a b' 'plan -x' 'plan -o'; do
		# shellcheck disable=SC2086 # words
		run_ hpplot $args
		status_is 2
		stdout_is ''
		stderr_has 'usage: hpplot '
	done
	for file in x.gif svg; do
		run_ hpplot plan -o $file
		status_is 2
		stderr_is "hpplot: -o: '$file' ends in neither .svg nor .png"
	done
	run_ hpplot plan nowhere
	status_is 2
	stderr_is 'hpplot: nowhere: No such file or directory'
	run_ hpplot plan .
	status_is 2
	stderr_is 'hpplot: .: Is a directory'
	run_ hpplot --help
	status_is 0
	stdout_has 'usage: hpplot '
	run_ hpplot --version
	status_is 0
	stdout_is "$(hpsolve --version | sed 's/hpsolve/hpplot/')"
	run_ bash -c 'hpplot --help >/dev/full'
	status_is 2
	stderr_is 'hpplot: standard output: not written'
}
