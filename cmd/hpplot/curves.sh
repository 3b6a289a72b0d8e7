# What the lines are of the kinds of plots that have them, speed and cost: curves
# over the number of items.
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

kinds_of_lines='
	# What so many items cost, where the cost is one of the usual ones.
	def cost_of($cost; $n): $cost | gsub(" "; "") |
		if . == "n" then $n
		elif . == "n*log(n)" then $n * ([$n, 1] | max | log)
		elif test("^n\\^[0-9]+([.][0-9]+)?$") then pow($n; .[2:] | tonumber)
		else null end;
	# Seconds for n items by the nodes measured times, or null: hp-cluster(5).
	def speed_at($n): .points as $p | ($p | map(.n / .seconds)) as $s |
		if $n <= $p[0].n then $s[0]
		elif $n > $p[-1].n then
			if .beyond == "stop" then null
			elif .beyond == "linear" and ($p | length) > 1 then
				$s[-1] + ($n - $p[-1].n) * ($s[-1] - $s[-2]) /
					($p[-1].n - $p[-2].n) | if . > 0 then . else null end
			else $s[-1] end
		else first(range(1; $p | length) | select($p[.].n >= $n)) as $i |
			$s[$i - 1] + ($n - $p[$i - 1].n) * ($s[$i] - $s[$i - 1]) /
				($p[$i].n - $p[$i - 1].n)
		end;
	def rest($node; $n): $node |
		(.latency_s // 0) + $n * (.seconds_per_item // 0);
	def seconds_at($cost; $n):
		(if .points then speed_at($n) | if . then $n / . else null end
		else (.speed // 1) as $speed |
			cost_of($cost; $n) | if . then . / $speed else null end end) as $t |
		if $t == null or (.capacity != null and $n > .capacity) then null
		else $t + rest(.; $n) end;
	def value($kind; $n; $t): if $kind == "cost" then $t else $n / $t end;
	def full_name: .node + if .params then " (\(.params | tojson |
		gsub("[\"{}]"; "")))" else "" end | clip($most_name);

	# The axis of sizes: as far as the shares or the points go.
	def sizes_axis($points; $shares; $log):
		($points | max_of(.n)) as $measured |
		($shares | max_of(.n)) as $share |
		(if $share > 0 then [[$share * 1.15, $measured] | max, 2.5 * $share] | min
			elif $measured > 0 then $measured * if $log then 1 else 1.1 end
			else 1000 end) as $to |
		(if $log then $points | map(.n) | min | if . >= $to then . / 2 else . end
			else 0 end) as $from |
		{$from, $to, $log, name: "size (items)"};
	# The axis of what is drawn over them, with all values on it.
	def values_axis($kind; $plan; $unit; $log; $values):
		{$log, from: (if $log then $values | min // 1 else 0 end),
			to: ($values | max // 1 | . * if $log then 1.2 else 1.08 end),
			name: (if $kind == "cost" then "time (\($unit))"
				elif $unit == "s" then "speed (items/s)"
				elif $plan then "speed (items per unit of " +
					"\($plan.cost | clip(30)))"
				else "relative speed" end)};

	# A node as lines, at these sizes and at those of its points.
	def curve($kind; $cost; $sizes): . as $node |
		($sizes[-1]) as $to |
		($sizes + [.points // [] | .[].n | select(. <= $to)] | unique) as $sizes |
		def time($member): .points |= map(.seconds = (.[$member] // .seconds));
		{name: full_name,
			measured: [.points // [] | .[] | select(.n <= $to) |
				rest($node; .n) as $r |
				[.n, value($kind; .n; .seconds + $r)]],
			band: [if (.points | length) > 1 then
				time("low") as $low | time("high") as $high |
				$sizes[] as $n |
				select($n >= $node.points[0].n and $n <= $node.points[-1].n) |
				[$n, ($low, $high | seconds_at($cost; $n) |
					numbers | value($kind; $n; .))] | select(length == 3)
				else empty end],
			curve: [$sizes[] as $n | $node | seconds_at($cost; $n) |
				numbers | select(. > 0) | [$n, value($kind; $n; .),
					if $node.points and ($n < $node.points[0].n or
						$n > $node.points[-1].n) then 0 else 1 end]]};
	# Where all nodes take the time of the plan.
	def plan_line($kind; $plan; $to):
		if $plan == null or $plan.makespan <= 0 then []
		elif $kind == "cost" then [[0, $plan.makespan], [$to, $plan.makespan]]
		else [range(0; 101) | . * $to / 100 | [., . / $plan.makespan]] end;

	def curves_picture($kind):
		(.plan // [null])[0] as $plan | (.share // []) as $shares |
		(if $plan then $plan.cost else "n" end) as $cost |
		(.node | map(if .points == [] then del(.points) else . end)) as $nodes |
		($nodes | map(.points // empty | .[])) as $points |
		($plan == null and $points != []) as $log |
		sizes_axis($points; $shares; $log) as $x |
		(if $how == "dumb" then $columns * 2
			elif ($nodes | length) > 60 then 40 else 200 end) as $samples |
		[range(1; $samples + 1) | (. / $samples) as $part | back($x; $part)]
			as $sizes |
		($nodes | map(curve($kind; $cost; $sizes))) as $curves |
		($shares | map(select(.n > 0 and .seconds > 0 and .n <= $x.to) |
			[.n, value($kind; .n; .seconds)])) as $cuts |
		([$curves[] | (.curve[] | .[1]), (.band[] | .[1:][])] +
			($cuts | map(.[1])) | map(select(. > 0))) as $values |
		(if $points != [] then "s" elif $plan then "units of " +
			($cost | clip(30)) else "relative" end) as $unit |
		{title: ((if $kind == "cost" then "Time by size"
			else "Speed by size" end) + if $plan then
			", and the plan for \($plan.n) items (\($plan.method | clip(20)))"
			else "" end),
		$curves, $x, $cuts, line: plan_line($kind; $plan; $x.to),
		y: values_axis($kind; $plan; $unit; $kind == "cost" and $log;
			$values)};'
