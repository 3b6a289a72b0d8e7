# Curves over the number of items: speed, cost.
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

draw_curves='
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

	def sizes($grid; $to): $grid + [.points // [] | .[].n | select(. <= $to)] |
		unique;

	def draw_curves($kind):
		(.plan // [null])[0] as $plan | (.share // []) as $shares |
		(if $plan then $plan.cost else "n" end) as $cost |
		(.node | map(if .points == [] then del(.points) else . end)) as $nodes |
		($nodes | map(.points // empty | .[])) as $points |
		($points | max_of(.n)) as $measured |
		($shares | max_of(.n)) as $share |
		($plan == null and $points != []) as $log |
		(if $share > 0 then [[$share * 1.15, $measured] | max, 2.5 * $share] | min
			elif $measured > 0 then $measured * if $log then 1 else 1.1 end
			else 1000 end) as $to |
		(if $log then $points | map(.n) | min | if . >= $to then . / 2 else . end
			else 0 end) as $from |
		{$from, $to, $log, name: "size (items)"} as $x |
		(if $how == "dumb" then $columns * 2
			elif ($nodes | length) > 60 then 40 else 200 end) as $samples |
		([range(1; $samples + 1) | (. / $samples) as $part | back($x; $part)]) as $grid |
		($nodes | map(. as $node | {name: full_name,
			measured: [.points // [] | .[] | select(.n <= $to) |
				(rest($node; .n)) as $r |
				[.n, value($kind; .n; .seconds + $r)]],
			band: [if ($node.points | length) > 1 then
				($node | .points |= map(.seconds = (.low // .seconds))) as $low |
				($node | .points |= map(.seconds = (.high // .seconds))) as $high |
				sizes($grid; $to)[] as $n |
				select($n >= $node.points[0].n and $n <= $node.points[-1].n) |
				[$n, ($low, $high | seconds_at($cost; $n) |
					numbers | value($kind; $n; .))] | select(length == 3)
				else empty end],
			curve: [sizes($grid; $to)[] as $n | $node | seconds_at($cost; $n) |
				numbers | select(. > 0) | [$n, value($kind; $n; .),
					if $node.points and ($n < $node.points[0].n or
						$n > $node.points[-1].n) then 0 else 1 end]]}))
			as $curves |
		($shares | map(select(.n > 0 and .seconds > 0 and .n <= $to) |
			[.n, value($kind; .n; .seconds)])) as $cuts |
		([$curves[] | (.curve[] | .[1]), (.band[] | .[1:][])] +
			($cuts | map(.[1])) | map(select(. > 0))) as $values |
		($kind == "cost" and $log) as $ylog |
		(($points | length) == 0) as $relative |
		(if $relative | not then "s" elif $plan then "units of " +
			($cost | clip(30)) else "relative" end) as $unit |
		{log: $ylog, from: (if $ylog then $values | min // 1 else 0 end),
			to: ($values | max // 1 | . * if $ylog then 1.2 else 1.08 end),
			name: (if $kind == "cost" then "time (\($unit))"
				elif $unit == "s" then "speed (items/s)"
				elif $plan then "speed (items per unit of \($cost | clip(30)))"
				else "relative speed" end)} as $y |
		(if $plan == null or $plan.makespan <= 0 then []
			elif $kind == "cost" then [[0, $plan.makespan],
				[$to, $plan.makespan]]
			else [range(0; 101) | . * $to / 100 | [., . / $plan.makespan]]
			end) as $line |
		($curves | map(.name) | letters) as $letters |
		($curves | max_of(.name | length)) as $longest |
		page(($nodes | length) * if $how == "dumb"
			then ($longest + 8) / $columns else 0.9 end; $longest) as $page |
		begin($page),
		"set title \((if $kind == "cost" then "Time by size"
			else "Speed by size" end) + (if $plan then
			", and the plan for \($plan.n) items (\($plan.method | clip(20)))"
			else "" end) | quoted)" +
			if $how == "dumb" then " offset 0, 1" else "" end,
		(if $how == "dumb" then "set key bmargin center horizontal samplen 1",
			"set tmargin 3",
			"set label \($y.name | quoted) at graph 0, graph 1 offset 0, 1"
			else "set key outside right top vertical Left reverse samplen 5 " +
				"spacing 1.2 width 1" end),
		($x | axis("x"; 7)), ($y | axis("y"; 6)),
		(range($curves | length) as $i | $curves[$i] |
			(.curve | map(select(.[2] == 1)) | block("curve\($i)")),
			(.curve | block("whole\($i)")),
			(.measured | block("measured\($i)")),
			(.band | block("band\($i)"))),
		($line | block("line")), ($cuts | block("cuts")),
		"plot " + ([
			if $how == "dumb" then
				(range($curves | length) as $i |
					"$whole\($i) using 1:2 with points pt " +
					"\($letters[$i] | quoted) title \($curves[$i].name | quoted)"),
				if $line == [] then empty else
					"$line using 1:2 with points pt \".\" title \("the plan" |
						quoted)",
					"$cuts using 1:2 with points pt \"@\" title \("shares" |
						quoted)" end
			else
				(range($curves | length) as $i |
					select($curves[$i].band != []) |
					"$band\($i) using 1:2:3 with filledcurves fc rgb \"#808080\" " +
						"fs transparent solid 0.25 noborder notitle"),
				(range($curves | length) as $i |
					"$whole\($i) using 1:2 with lines lw 0.7 dt 3 " +
						"\(colour($i)) notitle",
					"$curve\($i) using 1:2 with lines lw 1.5 \(dash($i)) " +
						"\(colour($i)) notitle",
					"$measured\($i) using 1:2 with points \(point($i)) ps 0.7 " +
						"\(colour($i)) notitle",
					"NaN with " + (if $curves[$i].measured == [] then "lines"
						else "linespoints \(point($i)) ps 0.7" end) +
						" lw 1.5 \(dash($i)) \(colour($i)) " +
						"title \($curves[$i].name | quoted)"),
				if $line == [] then empty else
					"$line using 1:2 with lines lw 2.5 dt 1 lc rgb \"#606060\" " +
						"title \("the plan" | quoted)",
					"$cuts using 1:2 with points pt 6 ps 1.8 lw 2 " +
						"lc rgb \"#000000\" title \("shares" | quoted)" end
			end] | join(", \\\n"));'
