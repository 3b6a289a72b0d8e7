# hpsolve: plans, their proofs, and what is refused.

load common

plan() {
	hpsolve "$@" | jq -c 'select(.type == "plan")'
}

shares() {
	hpsolve "$@" | jq -cs 'map(select(.type == "share") | .n)'
}

# holds PROGRAM: of jq, for each line of standard input.
holds() {
	jq -e "$1" >/dev/null || fail "not so: $1"
}

@test "a plan has the members of hp-plan(5), and offsets that add up" {
	hpsolve -n 1000 -k 8,5,3,1 >plan
	jq -cs 'map(keys_unsorted) | unique' plan >members
	printf '%s\n' '[["type","rank","node","n","offset","seconds"],["type","n","nodes","method","cost","makespan","bound","optimal","unique","digest"]]' >expected
	same members <(jq -c sort expected)
	jq -s '.[:-1] as $s | .[-1] as $p |
	    ($s | map(.rank) == [range(4)]) and
	    ([range(4)] | all(. as $i | $s[$i].offset == ([$s[:$i][].n] | add // 0))) and
	    ($s | map(.n) | add) == $p.n and ($s | map(.seconds) | max) == $p.makespan and
	    $p.nodes == 4 and $p.bound == $p.makespan and $p.optimal' plan | holds .
}

@test "the shares are those of the papers: OOC Tables 1 and 6, two nodes of SBAC" {
	[ "$(shares -n 2088960 -c n -k 1,3,5,8)" = '[122880,368640,614400,983040]' ]
	[ "$(shares -n 16777215 -c n -k 8,5,3,1)" = '[7895160,4934475,2960685,986895]' ]
	[ "$(shares -n 321 -k 1,6)" = '[59,262]' ]
	[ "$(shares -n 321 -k 1,6 -m proportional)" = '[46,275]' ]
}

@test "a plan may have no item, fewer items than nodes, or 2^53 items" {
	plan -n 0 -k 1,2 | holds '.n == 0 and .makespan == 0 and .optimal and .unique'
	[ "$(shares -n 3 -k 1,2,3,4,5)" = '[1,1,1,0,0]' ]
	plan -n 3 -k 1,2,3,4,5 | holds '.optimal and (.unique | not)'
	plan -n 5 -k 1,2,3,4,5 | holds '.optimal and .unique'
	[ "$(shares -n 9007199254740992 -k 1)" = '[9007199254740992]' ]
	for m in equal proportional taylor newton nlogn asymptotic asymptotic-printed exact; do
		for n in 0 1 2 3 9007199254740992; do
			hpsolve -m $m -n $n -k 8,5,0.003,1e9 |
				sed "s/^{/&\"asked\":$n,/"
		done
	done | jq -s '[range(0; length; 5) as $i | .[$i:$i + 5]] | length == 40 and
		all(.[-1].type == "plan" and .[-1].n == .[-1].asked and
			(.[-1].n as $n | .[:-1] | map(.n) | add == $n and min >= 0))' |
		holds .
}

@test "the optimum is no worse than any method's plan" {
	for m in equal proportional taylor newton asymptotic asymptotic-printed; do
		plan -n 10k -k 1,6 -m $m |
			holds ".method == \"$m\" and .makespan >= .bound and .optimal == (.makespan == .bound)"
	done
	plan -n 10k -k 1,6 | holds '.makespan == .bound and .optimal and .method == "nlogn"'
	plan -n 10k -k 1,6 -m taylor | holds '.makespan < 1.003 * .bound'
	plan -n 10k -k 1,6 -m asymptotic-printed | holds '.makespan > 1.05 * .bound'
}

@test "power: the paper's counterexample to its rule" {
	[ "$(shares -n 4 -c 'n^2' -k 1,1,5 -m power)" = '[1,1,2]' ]
	[ "$(shares -n 8 -c 'sqrt(n)' -k 1,8 -m power)" = '[0,8]' ]
	[ "$(shares -n 8 -c 'n^(1/2)' -k 1,8 -m power)" = '[0,8]' ]
	[ "$(shares -n 4 -c 'n^(2)' -k 1,1,5 -m power)" = '[1,1,2]' ]
	for c in 'n^(1/2)*2' 'n^(2/0)' 'n^(0/2)' 'n^()'; do
		run_ hpsolve -n 4 -c "$c" -k 1,1,5 -m power
		status_is 2
	done
}

@test "newton: the shares of equations 6 and 8, and one tangent below one item" {
	# N (k_i/L_i) / sum_j (k_j/L_j) with L_i = 1 + ln(k_i N/K), rounded down;
	# the remaining items go where they finish first.
	[ "$(shares -n 321 -k 1,6 -m newton)" = '[59,262]' ]
	[ "$(shares -n 1048576 -k 1,3 -m newton)" = '[277851,770725]' ]
	[ "$(shares -n 1M -k 8,5,3,1 -m newton)" = '[455285,294395,183533,66787]' ]
	plan -n 1M -k 8,5,3,1 -m newton | holds '.makespan < 1.0007 * .bound'
	# With a node of a thousandth of the speed, the step is too long.
	plan -n 1M -k 1,1000 -m newton | holds '.makespan > 1.02 * .bound'
	# Proportional shares are 10 and 0.01 items.
	[ "$(shares -n 10 -k 1000,1 -m newton)" = '[9,1]' ]
}

@test "taylor: negative shares become 0, with a message" {
	run_ hpsolve -n 20 -k "100$(printf ',1%.0s' {1..1000})" -m taylor
	status_is 0
	stderr_is 'hpsolve: method taylor: 1 of the shares is negative and counts as 0'
	jq -s '(map(select(.type == "share") | .n) | add == 20 and min >= 0)' <<<"$output" | holds .
	run_ hpsolve -n 100k -k 1,6 -m taylor
	stderr_is ''
}

@test "capacities: too many items exit 1, and the message has the capacity" {
	printf '%s\n' '{"type":"node","node":"a","speed":9,"capacity":400}' \
		'{"type":"node","node":"b","capacity":500,"speed":1}' >c
	[ "$(shares -n 900 c)" = '[400,500]' ]
	[ "$(shares -n 410 -m proportional c)" = '[369,41]' ]
	[ "$(shares -n 899 -m proportional c)" = '[400,499]' ]
	[ "$(shares -n 899 -m equal c)" = '[400,499]' ]
	run_ hpsolve -n 901 c
	status_is 1
	stdout_is ''
	stderr_is 'hpsolve: 901 items: the nodes together can take 900'
}

@test "capacities: the items that a full node cannot take go to other nodes" {
	printf '%s\n' '{"type":"node","node":"slow","speed":1,"capacity":1000}' \
		'{"type":"node","node":"full","speed":1,"capacity":1}' \
		'{"type":"node","node":"fast","speed":5}' >c
	# Every share of a node takes equally long: slow has more than it can do
	# in the time of fast, and keeps it.
	[ "$(shares -n 2000 -c 1 -m equal c)" = '[666,1,1333]' ]
	plan -n 2000 -c 1 c | holds '.makespan == 0.2 and .optimal'
}

@test "capacities: a launcher that can take all items may sort them alone" {
	printf '%s\n' '{"type":"launcher","link":{"send":1e3,"receive":1e3},"speed":1,"capacity":1000}' \
		'{"type":"node","node":"a","host":"x","speed":1,"link":{"send":1e3,"receive":1e3}}' >c
	plan -n 1000 --bytes-per-item 100 -c 'n*1e-6' c | holds '.alone == 0.001'
	plan -n 1001 --bytes-per-item 100 -c 'n*1e-6' c | holds 'has("alone") | not'
}

@test "latency and seconds_per_item: far nodes get less, or nothing" {
	printf '%s\n' '{"type":"node","node":"a","speed":1}' \
		'{"type":"node","node":"b","speed":1,"latency_s":10}' \
		'{"type":"node","node":"c","speed":1,"seconds_per_item":1}' >c
	[ "$(shares -n 9 -c n c)" = '[6,0,3]' ]
	[ "$(shares -n 40 -c n c)" = '[20,10,10]' ]
}

@test "measured nodes: the speed between points, and beyond them" {
	printf '%s\n' '{"type":"node","node":"a","points":[{"n":100,"seconds":2},{"n":1000,"seconds":25}]}' \
		'{"type":"node","node":"b","points":[{"n":100,"seconds":5},{"n":1000,"seconds":40}]}' >c
	plan -n 1100 c | holds '.method == "fpm" and .cost == "points" and .optimal'
	# Speeds 50 and 40 at 100 and 1000 items: 45 halfway.
	hpsolve -n 550 <(head -n 1 c) | jq -s '.[0].seconds - 550 / 45 | fabs < 1e-12' | holds .
	hpsolve -n 3000 c | jq -s 'map(.extrapolated) == [true, true, null]' | holds .
	[ "$(shares -n 2000 --beyond stop c)" = '[1000,1000]' ]
	run_ hpsolve -n 2001 --beyond stop c
	status_is 1
	# The first speed falls by 1/90 an item, and is 0 at 4600.
	run_ hpsolve -n 5000 --beyond linear <(head -n 1 c)
	status_is 1
	stderr_has 'together can take 4599'
	# In proportion to the speeds at 900: 370/9 and 220/9; and at 1500, 40,
	# and where b ends, 25, but b takes no more than 1000.
	[ "$(shares -n 1800 -m proportional c)" = '[1129,671]' ]
	sed 's/"b",/"b","beyond":"stop",/' c >ends
	[ "$(shares -n 3000 -m proportional ends)" = '[2000,1000]' ]
	# One by points and one by speed.
	(head -n 1 c && echo '{"type":"node","node":"s","speed":100}') >mixed
	plan -n 1000 -c n mixed | holds '.cost == "points, n" and .method == "exact" and .optimal'
}

@test "measured nodes: times are exact also where the speed is close to 0" {
	# Numbers of 64 bits give 556514466216.8 there.
	echo '{"type":"node","node":"a","beyond":"linear","points":[{"n":187204267044,"seconds":2.5},{"n":220013810357,"seconds":5.5}]}' >c
	plan -n 257642662877 c | holds '.makespan == 556514468020.87146'
	run_ hpsolve -n 257642662878 c
	status_is 1
	stderr_has 'together can take 257642662877'
}

@test "a cluster without a model counts as equally fast nodes" {
	printf '{"type":"node","node":"%s","host":"h"}\n' a b c | hpsolve -n 10 |
		jq -cs 'map(.n)' >n
	[ "$(cat n)" = '[4,3,3,10]' ]
	printf '%s\n' '{"type":"node","node":"a"}' '{"type":"node","node":"b","speed":2}' >c
	run_ hpsolve -n 10 c
	status_is 2
	stderr_is "hpsolve: c: node 'a' has neither speed nor points"
}

@test "a hint names a misspelt member of a cluster or plan once" {
	local name

	printf '{"type":"node","node":"%s","spede":%d}\n' a 8 b 1 >c
	run_ hpsolve -n 900 c
	status_is 0
	stderr_is "hpsolve: c: line 1: the member 'spede' is ignored; did you mean 'speed'?
hpsolve: no node has a speed or points: all count as equally fast"
	for name in sped speeed Speed SPEED capcity capasity point latency latencys \
		second_per_item beyound prams hst; do
		echo "{\"type\":\"node\",\"node\":\"a\",\"$name\":1}" >c
		run_ hpsolve -n 1 c
		status_is 0
		stderr_has "the member '$name' is ignored; did you mean '"
	done
	# What resembles nothing, or only what is there, is for others to read.
	for name in note comment cores ram x N s name rack label gpu 'spe ed!!' \
		ssspppeeeddd speed_of_the_machine_in_records_per_second; do
		echo "{\"type\":\"node\",\"node\":\"a\",\"speed\":2,\"n\":1,\"$name\":1}" |
			jq -c 'del(.n)' >c
		run_ hpsolve -n 1 c
		status_is 0
		stderr_is ''
	done
	echo '{"type":"node","node":"a","speed":1,"capacit\u001b":1}' >c
	run_ hpsolve -n 1 c
	stderr_is "hpsolve: c: line 1: the member 'capacit?' is ignored; did you mean 'capacity'?"
	hpsolve -n 10 -k 1,2 | sed 's/"cost"/"costs"/' >plan
	run_ hpsolve -k 1,2 --check plan
	status_is 0
	stderr_is "hpsolve: plan: line 3: the member 'costs' is ignored; did you mean 'cost'?"
}

@test "a message says that no node has a model" {
	local told='hpsolve: no node has a speed or points: all count as equally fast'

	printf '{"type":"node","node":"%s"}\n' a b >c
	for m in auto exact proportional learned; do
		run_ hpsolve -n 10 -m $m c
		status_is 0
		stderr_is "$told"
	done
	# Where it makes no difference.
	run_ hpsolve -n 10 -m equal c
	stderr_is ''
	run_ hpsolve -n 0 c
	stderr_is ''
	run_ hpsolve -n 10 <(head -n 1 c)
	stderr_is ''
	# One without a model among others is an error.
	run_ hpsolve -n 10 < <(cat c && echo '{"type":"node","node":"c","speed":1}')
	status_is 2
	stderr_is "hpsolve: standard input: node 'a' has neither speed nor points"
}

@test "cost expressions are accepted, and refused if they decrease" {
	[ "$(shares -n 1k -c 'n * log2( n )' -k 1,2)" = "$(shares -n 1k -k 1,2)" ]
	[ "$(shares -n 1k -c 'n^2+0*n' -k 1,4)" = "$(shares -n 1k -c 'n^2' -k 1,4)" ]
	[ "$(shares -n 1k -c 'max(n, pow(n, 2), sqrt(n))' -k 1,4)" = "$(shares -n 1k -c 'n^2' -k 1,4)" ]
	# What costs nothing is done at once, wherever it is.
	timeout 60 "$HPBIN"/hpsolve -n 1k -c 0 -k 1,2 | tail -n 1 |
		holds '.makespan == 0 and .optimal and (.unique | not)'
	run_ hpsolve -n 1k -c 'abs(n-100)' -k 1,2
	status_is 2
	stderr_is "hpsolve: cost 'abs(n-100)': falls from 99 at n = 1 to 98 at n = 2"
	# Between sizes that are looked at beforehand, but where a share is cut.
	for n in 10M 11M 12M 13M; do
		run_ hpsolve -n $n -c 'n+2000*sin(n/100)*(n>1000000)' -k 1,2
		status_is 2
		stderr_has 'falls '
	done
	run_ hpsolve -n 1k -c 'n-5' -k 1,2
	status_is 2
	stderr_has 'is -4 at n = 1'
	[ "$(shares -n 1k -c 'n>=100?2*n:n' -k 1,4)" = "$(shares -n 1k -c '(n!=5)*(n<100)*n+(n==5)*n+(n>=100)*2*n' -k 1,4)" ]
	for c in '' 'n+' 'm' 'n=5' 'n+(n=5)' 'n+=2' 'n,n' 'n;n' 'system(1)' '"x"' "$(printf '(%.0s' $(seq 5000))"; do
		run_ hpsolve -n 10 -c "$c" -k 1,2
		status_is 2
		stderr_has "hpsolve: -c: cost '"
	done
}

@test "a cost that decreases at a single size is refused" {
	run_ hpsolve -n 6000 -c 'n==4096?n:4*n' -k 1,1
	status_is 2
	stderr_is "hpsolve: cost 'n==4096?n:4*n': falls from 16380 at n = 4095 to 4096 at n = 4096"
	run_ hpsolve -n 9007199254740992 -c 'n==1234567890123?n:4*n' -k 1,1
	status_is 2
	stderr_has 'at n = 1234567890123'
	# A node by speed takes no more than 4000: what is beyond does not matter.
	printf '%s\n' '{"type":"node","node":"a","speed":1,"capacity":4000}' \
		'{"type":"node","node":"b","points":[{"n":10,"seconds":10}]}' >c
	plan -n 6000 -c 'n==4096?n:4*n' c | holds .optimal
}

@test "if a cost is not known to increase, no plan is called optimal" {
	# Where the cosine is near -1, the slope is 0 but for rounding.
	run_ hpsolve -n 1T -c 'n+sin(n)' -k 1,2
	status_is 0
	stderr_is "hpsolve: cost 'n+sin(n)': not known to rise up to n = 1000000000000: no plan is proven optimal"
	tail -n 1 <<<"$output" | holds '(.optimal or .unique) | not'
	printf '%s\n' "$output" >unproven
	run_ hpsolve -c 'n+sin(n)' -k 1,2 --check unproven
	status_is 1
	stderr_is "hpsolve: not proven optimal: the cost 'n+sin(n)' is not known to rise up to n = 1000000000000"
	run_ hpsolve -n 1T -c 'n+sin(n)' -k 1,2 --compare
	status_is 0
	holds '.optimal | not' <<<"$output"
	# Few sizes are all looked at.
	plan -n 1k -c 'n+sin(n)' -k 1,2 | holds .optimal
}

@test "if a cost is known to increase, plans of up to 2^53 items are called optimal" {
	local c n=9007199254740992

	for c in n+5 'n*n+3*n' 'n*log(n)+5*n' 'n/log(n+2)' 'n-log(n)' 'max(n,40)' \
		'n>=100?2*n:n' 'n^2.5-n' '(n<30)*n^2+(n>=30)*n*1e5' 7; do
		timeout 20 "$HPBIN"/hpsolve -n $n -c "$c" -k 1,2 >plan
		tail -n 1 plan | holds .optimal
		timeout 20 "$HPBIN"/hpsolve -c "$c" -k 1,2 --check plan | cmp - plan
	done
	timeout 20 "$HPBIN"/hpsolve -n $n -c n+5 -k 1 | tail -n 1 | holds '.optimal and .unique'
}

@test "a method that the nodes do not fit is refused" {
	run_ hpsolve -n 10 -k 1,2 -m fpm
	status_is 2
	stderr_is "hpsolve: method fpm: the method needs points, and node 'node0' has none"
	run_ hpsolve -n 10 -k 1,2 -m taylor -c n
	status_is 2
	run_ hpsolve -n 10 -k 1,2 -m power
	status_is 2
	run_ hpsolve -n 10 -m nlogn - <<<'{"type":"node","node":"a","points":[{"n":1,"seconds":1}]}'
	status_is 2
	stderr_has "has no speed"
}

@test "points where more items take less time: the optimum is found" {
	printf '{"type":"node","node":"%s","points":[{"n":1,"seconds":2},{"n":5,"seconds":1}]}\n' a b >c
	run_ hpsolve -n 10 -m exact c
	status_is 2
	stderr_is "hpsolve: method exact: node 'a' needs less time at points[1] than at points[0]; use method dp"
	[ "$(shares -n 10 c)" = '[5,5]' ]
	plan -n 10 c | holds '.method == "dp" and .makespan == 1 and .optimal and .unique'
	# The speeds at 1 and 5 are 0.5 and 5, so at 3 it is 2.75.
	[ "$(shares -n 6 c)" = '[3,3]' ]
	plan -n 6 c | holds '(.makespan - 3 / 2.75 | fabs) < 1e-12 and .optimal and .unique'
	plan -n 5 c | holds '.makespan == 1 and .optimal'
	# The same at a size that no table holds.
	sed 's/"n":1/"n":1000000000000/; s/"n":5/"n":5000000000000/' c >large
	[ "$(shares -n 10T large)" = '[5000000000000,5000000000000]' ]
	plan -n 10T large | holds '.method == "dp" and .makespan == 1 and .optimal and .unique'
}

@test "points whose time falls steeply: no method is slow" {
	printf '%s\n' '{"type":"node","node":"a","points":[{"n":5,"seconds":8},{"n":46,"seconds":0.4}],"latency_s":10}' \
		'{"type":"node","node":"b","points":[{"n":3000000,"seconds":10000},{"n":5000000000,"seconds":0.0001}]}' >c
	timeout 60 "$HPBIN"/hpsolve -n 400G --compare c |
		jq -cs 'map(.method) == ["equal","proportional","dp","learned"] and (.[2].over == 0)' | holds .
}

@test "dp: no table is computed if a search by time finds the optimum" {
	printf '{"type":"node","node":"%s","points":[{"n":10,"seconds":%d},{"n":50000,"seconds":1}]}\n' \
		a 2 b 3 c 4 >c
	# A table of 80k items takes minutes, and 0.5 GB.
	for m in auto dp; do
		timeout 5 "$HPBIN"/hpsolve -n 80k -m $m --stats c >plan 2>stats
		tail -n 1 plan | holds '.method == "dp" and .optimal'
		[ "$(sed 's/.*memory //; s/ KiB//' stats)" -lt 100000 ]
	done
	# With blocks there is the table, and it agrees.
	[ "$(plan -n 3k -m dp c | jq .makespan)" = "$(plan -n 3k -m dp --block 1 c | jq .makespan)" ]
}

@test "dp in blocks: all shares but one are multiples, and bound tells the loss" {
	[ "$(shares -n 1000 -k 8,5,3,1 -m dp)" = "$(shares -n 1000 -k 8,5,3,1)" ]
	shares -n 1007 -k 8,5,3,1 -m dp --block 10 | holds '(map(. % 10 > 0) | map(select(.)) | length) <= 1 and add == 1007'
	plan -n 1007 -k 8,5,3,1 -m dp --block 10 | holds '.makespan > .bound and .makespan < 1.1 * .bound and (.optimal | not)'
	run_ hpsolve -n 1T -k 1,2 -m dp --block 10
	status_is 2
	stderr_has 'too many for the table'
}

@test "at: a surface of speeds is cut, between the sections too" {
	printf '%s\n' \
		'{"type":"node","node":"a","params":{"width":1000},"points":[{"n":100,"seconds":1},{"n":1000,"seconds":10}]}' \
		'{"type":"node","node":"b","params":{"width":1000},"points":[{"n":100,"seconds":2},{"n":1000,"seconds":20}]}' \
		'{"type":"node","node":"a","params":{"width":2000},"points":[{"n":100,"seconds":2},{"n":500,"seconds":12}]}' \
		'{"type":"node","node":"b","params":{"width":2000},"points":[{"n":100,"seconds":3},{"n":1000,"seconds":30}]}' >c
	[ "$(shares -n 300 --at width=1000 c)" = '[200,100]' ]
	[ "$(shares -n 160 --at width=2000 c)" = '[96,64]' ]
	# Halfway the speeds of a are 75 at 100 and 425/6 at 500.
	hpsolve -n 300 --at width=1500 c | jq -s '.[0] | .n == 192 and
	    (.seconds - 192 / (75 - (75 - 425 / 6) * 92 / 400) | fabs) < 1e-12' | holds .
	hpsolve -n 300 --at width=1500 c >plan
	hpsolve --check plan --at width=1500 c >/dev/null
	run_ hpsolve --check plan --at width=1000 c
	status_is 1
	[ "$(shares -n 1500 --at width=2000 --beyond stop c)" = '[500,1000]' ]
	run_ hpsolve -n 300 c
	status_is 2
	stderr_is "hpsolve: c: node 'a' was measured at several values of 'width': say at which, --at width=VALUE"
	run_ hpsolve -n 300 --at width=2001 c
	status_is 2
	stderr_is "hpsolve: node 'a': width = 2001: must be in the measured range, 1000 to 2000"
	run_ hpsolve -n 300 --at depth=1 c
	status_is 2
	for at in width = =1 width= width=x width=nan; do
		run_ hpsolve -n 300 --at $at c
		status_is 2
	done
	# One section is a node like others; the same one twice is not.
	[ "$(shares -n 300 <(head -n 2 c))" = '[200,100]' ]
	[ "$(shares -n 300 --at width=1000 <(head -n 2 c))" = '[200,100]' ]
	run_ hpsolve -n 300 <(head -n 2 c | cat - c)
	status_is 2
	stderr_has "line 3: node 'a' appears twice, with the same params"
}

@test "at: two parameters, one after the other" {
	for w in 1 2; do
		for h in 10 20; do
			# The speed is w + h.
			jq -nc --argjson w $w --argjson h $h '{type: "node", node: "a",
			    params: {w: $w, h: $h}, points: [{n: 6, seconds: (6 / ($w + $h))}]}'
		done
	done >c
	run_ hpsolve -n 33 --at w=1.5 c
	status_is 2
	stderr_has "--at h=VALUE"
	for at in '--at w=1.5 --at h=15' '--at h=15 --at w=1.5'; do
		# shellcheck disable=SC2086 # words
		plan -n 33 $at c | holds '(.makespan - 2 | fabs) < 1e-12'
	done
}

@test "learned: one cost function is made from the measurements of all nodes" {
	printf '%s\n' '{"type":"node","node":"a","speed":1,"points":[{"n":100,"seconds":18},{"n":500,"seconds":90}]}' \
		'{"type":"node","node":"b","speed":2}' >c
	[ "$(shares -n 700 -m learned c)" = '[233,467]' ]
	plan -n 700 -m learned c | holds '.method == "learned" and .cost == "learned" and .optimal'
	[ "$(shares -n 100 -m learned -k 1,3)" = '[25,75]' ]
}

@test "learned: a plan is optimal for the learned cost, and --check finds the same" {
	# By the points, all 500 items of b take 1 s; by the learned cost 10 s.
	printf '%s\n' '{"type":"node","node":"a","speed":1,"points":[{"n":100,"seconds":2},{"n":500,"seconds":20}]}' \
		'{"type":"node","node":"b","speed":1,"points":[{"n":500,"seconds":1}]}' >c
	hpsolve -n 900 -m learned c >plan
	tail -n 1 plan | holds '.cost == "learned" and .optimal'
	run_ hpsolve --check plan c
	status_is 0
	stdout_is "$(cat plan)"
	# By the points it is not.
	jq -c 'del(.digest) | if .cost then .cost = "points" else . end' plan >points
	run_ hpsolve --check points c
	status_is 1
	stderr_has 'not optimal'
	# Nor does a cost say what it does not.
	hpsolve -n 900 c | jq -c 'if .cost then .cost = "learned" else . end' >other
	run_ hpsolve --check other c
	status_is 1
}

@test "learned: the cost is extrapolated if a node gets more than was measured" {
	printf '%s\n' '{"type":"node","node":"a","speed":1,"points":[{"n":100,"seconds":10}]}' \
		'{"type":"node","node":"b","speed":1,"points":[{"n":300,"seconds":30}]}' \
		'{"type":"node","node":"c","speed":1}' >c
	hpsolve -n 900 -m learned c | jq -cs 'map([.n, .extrapolated])' >got
	[ "$(cat got)" = '[[300,true],[300,null],[300,null],[900,null]]' ]
	hpsolve -n 903 -m learned c | jq -cs 'map(.extrapolated)' >got
	[ "$(cat got)" = '[true,true,true,null]' ]
	hpsolve -n 300 -m learned c | jq -cs 'map(.extrapolated)' >got
	[ "$(cat got)" = '[null,null,null,null]' ]
	# Without any point there is nothing to go beyond.
	hpsolve -n 900 -m learned -k 1,2 | jq -cs 'map(.extrapolated) | unique' >got
	[ "$(cat got)" = '[null]' ]
}

@test "learned: a node that stops at its last point gets no more" {
	printf '%s\n' '{"type":"node","node":"a","points":[{"n":100,"seconds":1}],"beyond":"stop"}' \
		'{"type":"node","node":"b","points":[{"n":500,"seconds":5}]}' >c
	[ "$(shares -n 700 -m learned c)" = '[100,600]' ]
	head -n 1 c >alone
	run_ hpsolve -n 101 -m learned alone
	status_is 1
	stderr_has 'take 100'
}

@test "learned: the cost does not fall by rounding where a piece ends" {
	# 0.2 + (0.8 - 0.2) / 44 * 44 is above 0.8 in doubles.
	printf '%s\n' '{"type":"node","node":"a","speed":1,"points":[{"n":37,"seconds":0.2},{"n":81,"seconds":0.8},{"n":129,"seconds":0.8}]}' >c
	for n in 81 82 129; do
		plan -n $n -m learned c | holds '.makespan == 0.8'
	done
}

@test "learned: without speeds, those of the first batch are used" {
	# At 100 items, the most that both have done: 10 and 20 items a second.
	printf '%s\n' '{"type":"node","node":"a","points":[{"n":100,"seconds":10}]}' \
		'{"type":"node","node":"b","points":[{"n":50,"seconds":2.5},{"n":200,"seconds":10}]}' >c
	[ "$(shares -n 300 -m learned c)" = '[100,200]' ]
	# A node that did nothing yet is as fast as the others in the mean: 15.
	(cat c && echo '{"type":"node","node":"c"}') >all
	[ "$(shares -n 450 -m learned all)" = '[100,200,150]' ]
	# With a speed given the others have 1: costs 7.5, 10 and 30, and 0.2 an
	# item from 100 on.
	sed 's/"b",/"b","speed":3,/' c >given
	[ "$(shares -n 400 -m learned given)" = '[125,275]' ]
}

@test "compare: a line for each method that applies" {
	hpsolve -n 10k -k 8,5,3,1 --compare >lines
	jq -cs 'map(.method)' lines >methods
	[ "$(cat methods)" = '["equal","proportional","taylor","newton","nlogn","asymptotic","asymptotic-printed","exact","dp"]' ]
	jq -s 'all(.type == "compare" and (.over - (.makespan / .bound - 1) | fabs) < 1e-12 and .optimal == (.over == 0))' lines | holds .
	jq -s 'map(.bound) | unique | length == 1' lines | holds .
	hpsolve -n 10k -k 8,5 -c n --compare | jq -cs 'map(.method) | index("power") != null and index("taylor") == null' | holds .
	# Learned from points, and judged by them: 12 and 4 items a second, but at
	# 100 items 4 and 4.
	printf '%s\n' '{"type":"node","node":"a","points":[{"n":100,"seconds":25},{"n":900,"seconds":75}]}' \
		'{"type":"node","node":"b","points":[{"n":100,"seconds":25}]}' >c
	hpsolve -n 1200 --compare c >lines
	[ "$(jq -cs 'map(.method)' lines)" = '["equal","proportional","exact","fpm","dp","learned"]' ]
	jq -s '.[-1] | .cost == "points" and .over == 1 and (.optimal | not)' lines | holds .
	# An item costs nothing, two on one node do: 0 is no measure.
	hpsolve -n 2 -k 100,1 --compare | jq -cs 'map(.over)' >over
	[ "$(cat over)" = '[0,null,0,0,0,0,0,0,0]' ]
	# Node 1 would never finish the share that some methods give it.
	hpsolve -n 1400 -k 1,1000 -c 'exp(n)' --compare | jq -cs 'map(.method)' >methods
	[ "$(cat methods)" = '["equal","exact","dp"]' ]
	run_ hpsolve -n 1400 -k 1,1000 -c 'exp(n)' -m proportional
	status_is 1
	stderr_has "node 'node1' would never finish 1399 items"
	run_ hpsolve -n 10k -k 8,5 -c 'sin(n)' --compare
	status_is 2
	stdout_is ''
}

@test "check: any plan, with the proof, and exit 1 with one better share" {
	hpsolve -n 321 -k 1,6 >best
	run_ hpsolve -k 1,6 --check best
	status_is 0
	stdout_is "$(cat best)"
	hpsolve -n 321 -k 1,6 -m proportional >worse
	run_ hpsolve -k 1,6 --check worse
	status_is 1
	stdout_is "$(cat worse)"
	stderr_has 'is 5.87 % above the least'
	stderr_has "node 'node1', done last, gets 275 items and should get 262"
	# The figures in the plan do not matter, the shares do.
	jq -c 'del(.seconds, .makespan, .bound, .method, .cost) | if .type == "plan" then .optimal = false else . end' best >bare
	run_ hpsolve -k 1,6 --check bare
	status_is 0
	run_ hpsolve -n 320 -k 1,6 --check best
	status_is 1
	stderr_is 'hpsolve: the plan is for 321 items, not 320'
	run_ hpsolve -k 1,6,7 --check best
	status_is 1
	run_ hpsolve --check best <<<'{"type":"node","node":"a","speed":1,"capacity":300}
{"type":"node","node":"b","speed":6,"capacity":261}'
	status_is 1
	stderr_is "hpsolve: node 'b' gets 262 items and can take 261"
}

@test "check: the times are those that the plan names" {
	local c

	for c in n 'n^2' 'n*n + 3*n' 'n*log2(n)'; do
		hpsolve -n 1k -c "$c" -k 1,6 >plan
		run_ hpsolve -k 1,6 --check plan
		status_is 0
		stdout_is "$(cat plan)"
	done
	printf '%s\n' '{"type":"node","node":"a","points":[{"n":100,"seconds":1}]}' \
		'{"type":"node","node":"b","speed":2}' >c
	hpsolve -n 10k -c 'n^2' c >plan
	tail -n 1 plan | holds '.cost == "points, n^2"'
	run_ hpsolve --check plan c
	status_is 0
	stdout_is "$(cat plan)"
	printf '{"type":"node","node":"a","params":{"w":%d},"points":[{"n":100,"seconds":%d},{"n":200,"seconds":%d}]}\n' \
		1 1 3 2 2 6 >c
	hpsolve -n 150 --at w=1.5 --beyond stop c >plan
	tail -n 1 plan | holds '.at == {w: 1.5} and .beyond == "stop"'
	run_ hpsolve --check plan c
	status_is 0
	stdout_is "$(cat plan)"
	run_ hpsolve --check plan --at w=1 c
	status_is 1
	run_ hpsolve --check plan --beyond const c
	status_is 1
}

@test "check: the digest tells a plan for other times" {
	printf '{"type":"node","node":"%s","speed":%d}\n' a 1 b 6 >c
	hpsolve -n 321 c >plan
	tail -n 1 plan | holds '.digest | test("^[0-9a-f]{64}$")'
	run_ hpsolve --check plan c
	status_is 0
	# The shares are the optimum of both.
	sed 's/6}/6.001}/' c >near
	[ "$(shares -n 321 near)" = "$(shares -n 321 c)" ]
	run_ hpsolve --check plan near
	status_is 1
	stderr_has 'the plan is for other nodes or another cost'
	jq -c 'del(.digest)' plan >bare
	run_ hpsolve --check bare near
	status_is 0
	jq -c 'if .digest then .cost = "n*ln(n)" else . end' plan >forged
	run_ hpsolve --check forged c
	status_is 1
	stderr_has 'the plan is for other nodes or another cost'
	# Not how numbers are written, nor what the times do not depend on.
	jq -c '.speed *= 1.0 | .capacity = 9007199254740992 | .host = "h" | .latency_s = null' c |
		sed 's/6\([,}]\)/6.0e0\1/' >same
	run_ hpsolve --check plan same
	status_is 0
}

@test "check: the digest tells a plan for other times of the stages" {
	local change

	digest() {
		plan -n 1000 --bytes-per-item 100 -c 'n*1e-6' "$1" | jq -re .digest
	}
	{
		echo '{"type":"launcher","link":{"send":1e8,"receive":1e8},"batch_begin_s":1,"batch_finish_s":2,"divide_seconds_per_item":1e-9}'
		printf '{"type":"node","node":"%s","host":"%s","speed":1,"link":{"send":1e8,"receive":1e8},"batch_seconds_per_item":1e-6}\n' \
			a x b y
	} >c
	digest c >want
	for change in 'if .batch_begin_s then .batch_begin_s = 2 | .batch_finish_s = 1 else . end' \
		'if .node == "b" then .batch_seconds_per_item = 2e-6 else . end' \
		'if .type == "launcher" then .divide_seconds_per_item = 2e-9 else . end'; do
		jq -c "$change" c >other
		digest other >got
		! cmp -s want got || fail "$change"
	done
}

@test "check: a plan for other nodes is refused" {
	printf '{"type":"node","node":"%s","speed":%d}\n' a 3 b 1 >c
	hpsolve -n 100 c >plan
	run_ hpsolve --check plan c
	status_is 0
	run_ hpsolve --check plan <(tac c)
	status_is 1
	stdout_is ''
	stderr_is "hpsolve: the plan has node 'a' as rank 0, not 'b'"
	# Speeds alone have no names.
	run_ hpsolve --check plan -k 3,1
	status_is 0
}

@test "check: no single better move does not mean optimal" {
	printf '%s\n' '{"type":"share","rank":0,"node":"a","n":2,"offset":0}' \
		'{"type":"share","rank":1,"node":"b","n":2,"offset":2}' \
		'{"type":"share","rank":2,"node":"c","n":0,"offset":4}' \
		'{"type":"share","rank":3,"node":"d","n":0,"offset":4}' \
		'{"type":"plan","n":4,"nodes":4}' >stuck
	run_ hpsolve -k 1,1,1,1 -c n --check stuck
	status_is 1
	stderr_has 'gets 2 items and should get 1'
}

@test "an invalid plan is refused with file and line" {
	local n bad

	hpsolve -n 10 -k 1,2 >good
	run_ hpsolve -k 1,2 --check <(head -n 2 good)
	status_is 2
	stderr_has 'line 2: the plan is cut short'
	# A change of the jq program on line N is found on that line.
	while read -r n bad; do
		jq -c "if input_line_number == $n then $bad else . end" good >bad.jsonl
		run_ hpsolve -k 1,2 --check bad.jsonl
		status_is 2
		stdout_is ''
		stderr_has "hpsolve: bad.jsonl: line $n: "
	done <<-'END'
		1 .rank = 1
		1 .n = -1
		1 .n = 1.5
		1 .offset = 1
		1 del(.node)
		1 .node = ""
		1 .type = "node"
		2 .rank = 0
		2 .offset = 0
		2 .n = 9007199254740992
		2 .seconds = -1
		3 .n = 11
		3 .nodes = 3
		3 .type = "share"
		3 .optimal = 1
	END
	run_ hpsolve -k 1,2 --check <(cat good good)
	status_is 2
	stderr_has "line 4: a 'share' after the end of the plan"
	run_ hpsolve -k 1,2 --check /dev/null
	status_is 2
	stderr_is 'hpsolve: /dev/null: contains no plan'
}

@test "CR, blank lines and a byte order mark are accepted" {
	printf '\xef\xbb\xbf%s\r\n \r\n%s\r\n%s' \
		'{"type":"node","node":"a","speed":2e0,"capacity":2.0}' \
		'{"type":"node","node":"b","speed":1,"capacity":3,"serial":99999999999999999999}' \
		' { "node" : "c" , "type" : "node" , "speed" : 1 , "host" : null } ' >cluster
	run_ shares -n 6 cluster
	stdout_is '[2,2,2]'
	sed -i '1s/{/\r\n&/' cluster
	run_ shares -n 6 cluster
	stdout_is '[2,2,2]'
}

@test "an invalid cluster is refused with file and line" {
	local good='{"type":"node","node":"a","speed":1}' bad

	for bad in 'nonsense' '[]' '{}' '{"type":"share"}' '{"type":"node"}' \
		'{"type":"node","node":""}' '{"type":"node","node":7}' \
		'{"type":"node","node":"a"}' '{"type":"node","node":"b\n"}' \
		'{"type":"node","node":"b","port":0}' \
		'{"type":"node","node":"b","port":65536}' \
		'{"type":"node","node":"b","speed":0}' \
		'{"type":"node","node":"b","speed":-1}' \
		'{"type":"node","node":"b","speed":"1"}' \
		'{"type":"node","node":"b","capacity":1.5}' \
		'{"type":"node","node":"b","capacity":-1}' \
		'{"type":"node","node":"b","capacity":9007199254740993}' \
		'{"type":"node","node":"b","capacity":99999999999999999999}' \
		'{"type":"node","node":"b","latency_s":-1}' \
		'{"type":"node","node":"b","host":"-oProxyCommand=x"}' \
		'{"type":"node","node":"b","beyond":"more"}' \
		'{"type":"node","node":"b","points":[]}' \
		'{"type":"node","node":"b","points":{}}' \
		'{"type":"node","node":"b","points":[1]}' \
		'{"type":"node","node":"b","points":[{"n":0,"seconds":1}]}' \
		'{"type":"node","node":"b","points":[{"n":1,"seconds":0}]}' \
		'{"type":"node","node":"b","points":[{"n":1.5,"seconds":1}]}' \
		'{"type":"node","node":"b","points":[{"n":9007199254740993,"seconds":1}]}' \
		'{"type":"node","node":"b","points":[{"n":2,"seconds":1},{"n":2,"seconds":2}]}'; do
		printf '%s\n\n%s\n' "$good" "$bad" >bad.jsonl
		run_ hpsolve -n 10 bad.jsonl
		status_is 2
		stdout_is ''
		stderr_has 'hpsolve: bad.jsonl: line 3: '
	done
}

@test "an invalid cluster: the message shows no control character" {
	printf '{"type":"node","node":"a\\u0000b"}\n' >bad.jsonl
	run_ hpsolve -n 10 bad.jsonl
	status_is 2
	stderr_is 'hpsolve: bad.jsonl: line 1: column 32: a NUL character in a string'
	echo '{"type":"\u001b[31m\u00e4"}' >bad.jsonl
	run_ hpsolve -n 10 bad.jsonl
	status_is 2
	stderr_is "hpsolve: bad.jsonl: line 1: expected a node, this is a '?[31mä'"
}

@test "a missing or an empty cluster is refused" {
	run_ hpsolve -n 10 /dev/null
	status_is 2
	stderr_is 'hpsolve: /dev/null: contains no node'
	run_ hpsolve -n 10 nowhere
	status_is 2
	stderr_is 'hpsolve: nowhere: No such file or directory'
}

@test "--stats go to standard error" {
	run_ hpsolve -n 10 -k 1,2 --stats
	status_is 0
	[[ $stderr =~ ^read\ [0-9.]+\ s,\ solve\ [0-9.]+\ s,\ write\ [0-9.]+\ s,\ peak\ memory\ [0-9]+\ KiB,\ [0-9]+\ steps?$ ]]
	[ "$(wc -l <<<"$output")" -eq 3 ]
	# A closed formula takes no steps.
	run_ hpsolve -n 10 -k 1,2 -m taylor --stats
	[[ $stderr =~ KiB$ ]]
	run_ bash -c 'hpsolve -n 10 -k 1,2 --stats 2>/dev/full'
	status_is 2
	hpsolve -n 10 -k 1,2 >plan
	for args in '--compare -n 10' '--pareto -n 10' '--check plan'; do
		# shellcheck disable=SC2086 # words
		run_ hpsolve $args -k 1,2 --stats
		status_is 2
		stderr_has '--stats tells of a plan only'
	done
}

@test "--check and --compare: -m learned selects the cost, and --by-key needs --bytes-per-item" {
	hpsolve -n 10 -k 1,2 >plan
	hpsolve --check plan -k 1,2 -m exact | cmp - plan
	hpsolve -n 10 -k 1,2 --compare -m learned >/dev/null
	hpsolve -n 10 -k 1,2 -m learned | hpsolve --check - -k 1,2 -m learned >/dev/null
	run_ hpsolve --check plan --by-key -k 1,2
	status_is 2
	stdout_is ''
	stderr_has '--by-key needs --bytes-per-item'
}

@test "a missing, repeated or malformed argument exits 2" {
	for args in '' '-k 1,2' '-n 5 -k 1,2 cluster' '-n 5 a b' '-n -5 -k 1' \
		'-n 1.5 -k 1' '-n 9007199254740993 -k 1' '-n 5 -k 1,' \
		'-n 5 -k ,' '-n 5 -k 0' '-n 5 -k x' '-n 5 -k nan' '-n 5 -k inf' \
		'-n 5 -k 1 -m best' '-n 5 -k 1 --beyond more' '-n 5 -k 1 -x' \
		'-n 5 -k 1 --compare --check p' '-k 1 --compare' '-n 5 -k 1 --block x' \
		'-n 5 -k 1 --block 2' '-n 5 -k 1 -m exact --block 2' '-n 5 -k 1 -m dp --block 0'; do
		# shellcheck disable=SC2086 # words
		run_ hpsolve $args </dev/null
		status_is 2
		stdout_is ''
		stderr_has 'hpsolve: '
	done
}

@test "speeds: a wrong speed is named" {
	run_ hpsolve -n 5 -k 0
	stderr_is "hpsolve: -k: speed '0': must be above 0"
	run_ hpsolve -n 5 -k inf
	stderr_is "hpsolve: -k: speed 'inf': must be above 0 and finite"
}

@test "muparser is loaded only for expressions" {
	local name

	name=$(grep -aom1 'libmuparser\.so[.0-9]*' "$HPBIN/hpsolve")
	ldd "$HPBIN/hpsolve" | grep -F "$name" && skip 'linked with muparser'
	mkdir lib
	: >"lib/$name"
	export LD_LIBRARY_PATH=$PWD/lib
	run_ hpsolve -n 10 -k 1,2 -c 'n*log(n)'
	status_is 0
	run_ hpsolve -n 10 -k 1,2 -c 'n+1'
	status_is 2
	stderr_has "hpsolve: expressions: $PWD/lib/$name: "
}

@test "--help and --version go to standard output, and a full device is an error" {
	run_ hpsolve --help
	status_is 0
	stdout_has 'usage: hpsolve'
	run_ hpsolve --version
	status_is 0
	run_ sh -c 'hpsolve -n 10 -k 1,2 >/dev/full'
	status_is 2
	stderr_is 'hpsolve: standard output: No space left on device'
}

# hosts: nodes with hosts, two on one of them, one here.
hosts() {
	jq -nc '{type: "node"} + ({node: "a", host: "h1", speed: 4},
		{node: "b", host: "h2", speed: 3}, {node: "c", host: "h1", speed: 2},
		{node: "d 1", speed: 1}, {node: "e", host: "h3", speed: 1, capacity: 0})' >cluster
}

@test "--format prints the plan as other launchers read it" {
	hosts
	run_ hpsolve -n 10 -c n --format tsv cluster
	status_is 0
	stdout_is $'0\ta\t4\t0\t1\n1\tb\t3\t4\t1\n2\tc\t2\t7\t1\n3\td 1\t1\t9\t1\n4\te\t0\t10\t0'
	run_ hpsolve -n 10 -c n --format hostfile cluster
	stdout_is $'h1 slots=6\nh2 slots=3\nlocalhost slots=1'
	run_ hpsolve -n 10 -c n --format parallel cluster
	stdout_is $'6/h1\n3/h2\n1/:'
	run_ hpsolve -n 10 -c n --format rankfile cluster
	stdout_is "$(printf 'rank %s slot=%s\n' 0=h1 0 1=h1 1 2=h1 2 3=h1 3 4=h2 0 5=h2 1 \
		6=h2 2 7=h1 4 8=h1 5 9=localhost 0)"
	run_ hpsolve -n 10 -c n --format xargs cluster
	stdout_is $'a h1 0 4\nb h2 4 3\nc h1 7 2\nd\\ 1 localhost 9 1'
}

@test "--format refuses names that the format cannot contain, and options without effect" {
	jq -nc '{type: "node", node: "it'\''s \"\\ one", host: "h slots=9"}' >cluster
	for f in hostfile parallel rankfile; do
		run_ hpsolve -n 2 --format "$f" cluster
		status_is 2
		stderr_has "host 'h slots=9' cannot be written in the format $f"
	done
	hpsolve -n 2 --format xargs cluster | xargs -L 1 printf '%s|' >out
	[ "$(<out)" = "it's \"\\ one|h slots=9|0|2|" ]
	run_ hpsolve -n 2 -k 1,2 --format csv
	status_is 2
	stderr_has 'none of hostfile'
	run_ hpsolve -n 2 -k 1,2 --format tsv --compare
	status_is 2
	run_ sh -c 'hpsolve -n 1k -k 1,2 --format rankfile >/dev/full'
	status_is 2
}

# mpi_run WORD...: mpirun with as many processes as it likes.
mpi_run() {
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		timeout 60 mpirun --oversubscribe "$@"
}

@test "--format: mpirun, parallel and xargs start as many processes as the plan says" {
	hpsolve -n 10 -c n -k 3,2 --format xargs |
		xargs -L 1 -P 0 sh -c 'seq "$2" $(($2 + $3 - 1))' >out
	same <(sort -n out) <(seq 0 9)
	if command -v parallel >/dev/null; then
		hpsolve -n 3 -c n -k 2,1 --format parallel >logins
		seq 9 | parallel --sshloginfile logins -k echo >out
		same out <(seq 9)
	fi
	command -v mpirun >/dev/null || skip 'no mpirun'
	hpsolve -n 3 -c n -k 2,1 --format hostfile >hosts
	mpi_run --hostfile hosts sh -c 'echo $OMPI_COMM_WORLD_RANK' >out
	same <(sort out) <(seq 0 2)
	[ "$(nproc)" -ge 2 ] || skip 'one processor'
	hpsolve -n 2 -c n -k 1,1 --format rankfile >ranks
	mpi_run --rankfile ranks -np 2 sh -c 'echo $OMPI_COMM_WORLD_RANK' >out
	same <(sort out) <(seq 0 1)
}

@test "--weights: the parts are contiguous, and no other cuts are better" {
	printf '%s\n' 5 1 1 1 1 1 2.5 .5 >weights
	hpsolve --weights weights -k 2,1 -c n >plan
	jq -c 'select(.type == "share") | [.n, .offset, .weight, .seconds]' plan >got
	same got <(printf '%s\n' '[5,0,9,4.5]' '[3,5,4,4]')
	jq -e 'select(.type == "plan") | .method == "contiguous" and .optimal and
		.unique and .n == 8 and .weight == 13 and .makespan == 4.5' plan
	run_ hpsolve -n 8 --weights - -k 2,1 -c n <weights
	status_is 0
	stdout_is "$(<plan)"
	run_ hpsolve --weights weights -k 2,1 -c n --format tsv
	stdout_is $'0\tnode0\t5\t0\t4.5\n1\tnode1\t3\t5\t4'
	# Measured nodes, one of which holds a weight of 3 only.
	jq -nc '{type: "node", node: "a", capacity: 3, points: [{n: 10, seconds: 10}]},
		{type: "node", node: "b", points: [{n: 10, seconds: 10}]}' >cluster
	printf '%s\n' 2 2 2 >weights
	hpsolve --weights weights cluster | jq -c 'select(.type == "share").n' >got
	same got <(printf '%s\n' 1 2)
	printf '%s\n' 0 0 >weights
	run_ hpsolve --weights weights -k 2,1
	status_is 0
}

@test "--weights: the weight of a part does not depend on the items before it" {
	local c

	cluster() {
		printf '{"type":"node","node":"%s","speed":1%s}\n' a "$1" b "$2" >cluster
	}
	printf '%s\n' 1.2 1 >weights
	for c in '' ',"capacity":2'; do
		cluster "$c" ',"capacity":1'
		hpsolve --weights weights -c n cluster | jq -c '.n, .makespan // empty' >got
		same got <(printf '%s\n' 1 1 2 1.2)
	done
	cluster '' ',"points":[{"n":1,"seconds":1}],"beyond":"stop"'
	hpsolve --weights weights -c n cluster | jq -c .n >got
	same got <(printf '%s\n' 1 1 2)
	# A sum of many weights has rounding errors of its own.
	(yes 0.1 | head -n 100000 && echo 1) >weights
	cluster '' ',"capacity":1'
	hpsolve --weights weights -c n cluster | jq -c 'select(.node == "b") | .weight' >got
	same got <(echo 1)
}

@test "a time that is too large for a double is status 1; a negative one is 0" {
	run_ hpsolve -n 10 -k 1,2 -c 'n^1e308'
	status_is 1
	stderr_has 'would never finish'
	printf '{"type":"node","node":"a","speed":1,"seconds_per_item":1e308}\n' >cluster
	run_ hpsolve -n 10 cluster
	status_is 1
	stderr_has 'would never finish'
	printf '%s\n' .5 .5 >weights
	hpsolve --weights weights -k 1,2,3 | jq -s 'map(.seconds // 0) | max == 0' | holds .
}

@test "--weights: the message says what is wrong with a file of weights" {
	for bad in -1 x '' nan inf '1 2' 1e300; do
		printf '%s\n' 1 "$bad" >weights
		run_ hpsolve --weights weights -k 2,1
		status_is 2
		stderr_has 'hpsolve: weights:2: '
	done
	: >weights
	run_ hpsolve --weights weights -k 2,1
	status_is 2
	stderr_is 'hpsolve: weights: contains no weight'
	hpsolve --weights weights -n 0 -k 1,2 | holds '.n == 0 and .makespan == 0'
	run_ hpsolve --weights none -k 2,1
	status_is 2
	stderr_has 'none: No such file'
	printf '%s\n' 1 2 >weights
	run_ hpsolve -n 3 --weights weights -k 2,1
	status_is 2
	stderr_is 'hpsolve: weights: has 2 weights, but there are 3 items'
	for words in '-m equal' '--compare'; do
		# shellcheck disable=SC2086 # words
		run_ hpsolve --weights weights -k 2,1 $words
		status_is 2
		stderr_has '--weights excludes'
	done
	run_ hpsolve --weights - - </dev/null
	status_is 2
	hpsolve --weights weights -k 2,1 >plan
	run_ hpsolve --check plan -k 2,1
	status_is 2
	stderr_has 'a plan by weights cannot be checked'
	jq -nc '{type: "node", node: "a", points: [{n: 1, seconds: 2}, {n: 2, seconds: 1}]}' >cluster
	run_ hpsolve --weights weights cluster
	status_is 2
	stderr_is "hpsolve: --weights: node 'a' needs less time at points[1] than at points[0]"
	jq -nc '{type: "node", node: "a", capacity: 3, speed: 1}' >cluster
	printf '%s\n' 2 2 >weights
	run_ hpsolve --weights weights cluster
	status_is 1
	stderr_is 'hpsolve: a total weight of 4: the nodes together can take 3'
	printf '%s\n' 2 0 1 0 >weights
	[ "$(hpsolve --weights weights cluster | jq -r 'select(.type == "share").n')" = 4 ]
}

powered() {
	cat <<-end
	{"type":"node","node":"fast","speed":2,"power_w":{"idle":20,"busy":200}}
	{"type":"node","node":"slow","speed":1,"power_w":{"idle":5,"busy":30}}
	end
}

@test "--pareto: the front of a small problem is that computed by hand" {
	powered >cluster
	run_ hpsolve -n 6 -c n^2 --pareto cluster
	status_is 0
	# 25 W idle; 180 W and 25 W more while the nodes work.
	stdout_is '{"type":"pareto","makespan":8,"energy":1740,"bound":1740,"block":1,"by_rank":[4,2]}
{"type":"pareto","makespan":9,"energy":1260,"bound":1260,"block":1,"by_rank":[3,3]}
{"type":"pareto","makespan":16,"energy":1160,"bound":1160,"block":1,"by_rank":[2,4]}'
	run_ hpsolve -n 0 --pareto cluster
	status_is 0
	stdout_is '{"type":"pareto","makespan":0,"energy":0,"bound":0,"block":1,"by_rank":[0,0]}'
	# If all energy is idle power, the fastest plan needs the least.
	sed 's/"busy":200/"busy":20/; s/"busy":30/"busy":5/' cluster >idle
	hpsolve -n 600 --pareto idle >front
	jq -s 'length == 1' front | holds .
}

@test "--pareto: large problems have the proven makespan first, and bounds" {
	powered >cluster
	hpsolve -n 10M --pareto cluster >front
	least=$(plan -n 10M cluster | jq .makespan)
	jq -s --argjson least "$least" '.[0].makespan == $least and length > 50 and
	    all(.block > 1 and (.by_rank | add) == 10000000 and
		.bound <= .energy and .bound > .energy * 0.98) and
	    ([.[1:], .[:-1]] | transpose |
		all(.[0].makespan > .[1].makespan and .[0].energy < .[1].energy))' front | holds .
	hpsolve -n 100 --block 7 --pareto cluster >front
	jq -s 'all(.block == 7)' front | holds .
}

@test "--pareto: the message names the option that is missing or does not fit" {
	powered >cluster
	run_ hpsolve -n 6 --pareto -k 2,1
	status_is 2
	stderr_is "hpsolve: --pareto: node 'node0' has no 'power_w'"
	for words in '-m equal' --compare '--format tsv' '--bytes-per-item 9'; do
		# shellcheck disable=SC2086 # words
		run_ hpsolve -n 6 --pareto cluster $words
		status_is 2
		stderr_has '--pareto excludes'
	done
	run_ hpsolve -n 1M --block 1 --pareto cluster
	status_is 2
	stderr_has '1000000 items in blocks of 1 are too many'
	jq -c '.points = [{n: 10, seconds: 3}, {n: 20, seconds: 1}]' cluster >falls
	run_ hpsolve -n 30 --pareto falls
	status_is 0
	run_ hpsolve -n 30 --block 2 --pareto falls
	status_is 2
	stderr_has "the time of node 'fast' decreases; that needs --block 1"
	# Plans of whole blocks give too many items to the node without capacity.
	jq -nc '{type: "node", node: ("x0", "x1", "x2"), speed: 1, power_w: {idle: 1, busy: 2}} |
		if .node == "x0" then .capacity = 0 | .points =
		[{n: 7, seconds: 1}, {n: 12, seconds: 3.5}, {n: 15, seconds: 0.6}] else . end' >falls
	run_ hpsolve -n 7 --block 2 --pareto falls
	status_is 2
	stderr_has "the time of node 'x0' decreases; that needs --block 1"
	hpsolve -n 7 --block 1 --pareto falls >front
	jq -s 'length > 0' front | holds .
	jq -c '.capacity = 2' cluster >full
	run_ hpsolve -n 6 --pareto full
	status_is 1
	stderr_has 'take 4'
	run_ hpsolve -n 6 --block 2 cluster
	status_is 2
	stderr_has '--block: needs -m dp or --pareto'
}

@test "power_w: must have idle and busy power, in this order" {
	for bad in '{}' '{"idle":1}' '{"idle":-1,"busy":2}' '{"idle":3,"busy":2}' \
	    '{"idle":1,"busy":2e9}' '{"idle":"1","busy":2}' 7; do
		printf '{"type":"node","node":"a","speed":1,"power_w":%s}\n' "$bad" >cluster
		run_ hpsolve -n 6 cluster
		status_is 2
		stderr_has 'cluster: line 1: '
	done
	printf '{"type":"node","node":"a","speed":1,"power_w":null}\n' >cluster
	run_ hpsolve -n 6 cluster
	status_is 0
}
