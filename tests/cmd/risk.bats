# Plans for disturbed runs: hpsolve --risk.

load common

# Node a is fast and often disturbed, node b is slow and steady.
setup() {
	begin
	cat >cluster <<-'end'
	{"type":"node","node":"a","points":[{"n":10,"seconds":1,"low":0.9,"high":3},{"n":40,"seconds":5,"low":4,"high":14}]}
	{"type":"node","node":"b","points":[{"n":10,"seconds":2,"low":1.9,"high":2.2},{"n":40,"seconds":9,"low":8.9,"high":9.5}]}
	end
}

# shares OPTION...
shares() {
	hpsolve -n 40 "$@" cluster | jq -cs 'map(select(.rank != null).n)'
}

@test "risk: the higher the quantile, the less gets a node with varying times" {
	local last=40 a P

	for P in 0.05 0.3 0.6 0.95; do
		a=$(shares --risk $P | jq '.[0]')
		[ "$a" -lt "$last" ]
		last=$a
	done
}

@test "risk: all divisions of few items have no smaller quantile" {
	local P

	for P in 0.1 0.5 0.9 0.99; do
		hpsolve -n 40 --risk $P cluster >plan
		# The quantile of 1,000 runs by hand, for each division: the makespan at
		# 1,000 degrees of disturbance, sorted, at the place of P.
		jq -es --argjson P "$P" --slurpfile c cluster '
			def time($points; $n; $u):
				($points | map(.s = .low + $u * (.high - .low))) as [$p, $q] |
				($p.n / $p.s) as $x | ($q.n / $q.s) as $y |
				if $n == 0 then 0
				elif $n <= $p.n then $n / $x
				else $n / ($x + ($y - $x) * ($n - $p.n) / ($q.n - $p.n)) end;
			([range(41) as $a | [range(0; 200) as $i | ($i / 200) as $u |
				[time($c[0].points; $a; $u), time($c[1].points; 40 - $a; $u)] | max] |
				sort | .[$P * 200 | floor]] | min) as $least |
			.[-1] | .optimal and .risk == $P and
			(.makespan / $least - 1 | fabs < 1e-9 )' plan
		hpsolve --check plan cluster | cmp - plan
		[ "$(jq -s -f "$TOP/examples/certificate.jq" plan cluster)" = true ]
		[ "$(jq -rs --arg print times -f "$TOP/examples/certificate.jq" plan cluster |
			sha256sum)" = "$(jq -r 'select(.digest).digest' plan)  -" ]
		jq -c 'if .risk then .risk -= 0.05 else . end' plan >forged
		[ "$(jq -s -f "$TOP/examples/certificate.jq" forged cluster)" = false ]
		run_ hpsolve --check forged cluster
		[ "$status" -eq 1 ]
	done
}

@test "risk: without --risk, or without ranges at the points, the plan is the same" {
	hpsolve -n 40 cluster >want
	jq -c 'del(.points[].low, .points[].high)' cluster >plain
	hpsolve -n 40 plain | cmp - want
	run_ hpsolve -n 40 --risk 0.5 plain
	[ "$status" -eq 2 ]
	stderr_has "no point of a node has both 'low' and 'high'"
	echo '{"type":"node","node":"a","points":[{"n":5,"seconds":1,"low":2,"high":0.5}]}' >falls
	run_ hpsolve -n 5 --risk .5 falls
	status_is 2
	stderr_is "hpsolve: falls: line 1: point 0: 'low' must not exceed 'high'"
	sed '2s/"low":1.9,//' cluster >half
	hpsolve -n 40 --risk 0.5 half >/dev/null
	for P in 0 1 1.5 -1 x; do
		run_ hpsolve -n 40 --risk $P cluster
		[ "$status" -eq 2 ]
	done
}

@test "risk: the sort of a whole run is planned for its quantile" {
	jq -c '.host = "h" | .link = {send: 1e3, receive: 1e3}' cluster >linked
	hpsolve -n 40 --bytes-per-item 10 --risk 0.9 linked >plan
	jq -es '.[-1] | .risk == 0.9 and .optimal and .method == "stages"' plan
	[ "$(jq -s -f "$TOP/examples/certificate.jq" plan linked)" = true ]
	hpsolve --check plan linked | cmp - plan
}

# by_hand P FILE: the cluster whose times are those of the quantile.
by_hand() {
	jq -c --argjson P "$1" '(.points[]? | select(.low and .high)) |=
		(.seconds = .low + $P * (.high - .low))' "$2"
}

# same_plan FILE OPTION...: with --risk, the plan is that of by_hand.
same_plan() {
	by_hand 0.3 "$1" >hand
	hpsolve --risk 0.3 "${@:2}" "$1" | jq -c 'del(.risk, .digest)' >got
	hpsolve "${@:2}" hand | jq -c 'del(.risk, .digest)' | cmp - got
	hpsolve "${@:2}" "$1" | jq -c 'del(.risk, .digest)' >without
	if cmp -s without got; then fail "$(cat got)"; fi
}

@test "risk: the times are those of the quantile, whoever has ranges" {
	# Only the first node, and only the last one.
	sed '2s/,"low":[0-9.]*,"high":[0-9.]*//g' cluster >one
	same_plan one -n 40
	sed '1s/,"low":[0-9.]*,"high":[0-9.]*//g' cluster >one
	same_plan one -n 40
	# The launcher, which sorts alone.
	jq -c '.host = "h" | .link = {send: 1e3, receive: 1e3}' cluster >linked
	echo '{"type":"launcher","points":[{"n":50,"seconds":6,"low":5,"high":9}]}' \
		>>linked
	same_plan linked -n 40 --bytes-per-item 10
	# Times that depend on a parameter.
	for w in 1 2; do
		jq -c --argjson w $w '.params = {w: $w} |
			.points[] |= with_entries(if .key == "n" then .
				else .value *= $w end)' cluster
	done >surface
	same_plan surface -n 40 --at w=1.5
}

@test "risk: a range of one value is a range" {
	jq -c '.points[] |= (.low = .seconds | .high = .seconds)' cluster >steady
	hpsolve -n 40 --risk 0.9 steady | jq -c 'del(.risk, .digest)' >got
	hpsolve -n 40 steady | jq -c 'del(.risk, .digest)' | cmp - got
}

@test "risk: a plan for a quantile of 1 is refused" {
	hpsolve -n 40 --risk 0.9 cluster |
		jq -c 'if .risk then .risk = 1 else . end' >plan
	run_ hpsolve --check plan cluster
	status_is 2
	stderr_has "'risk' must be above 0 and below 1"
}
