# The front of makespan and energy as lines: see lines.sh.
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

front_of_plans='
	# An axis with all values on it, and some room on both sides.
	def front_axis($name; $log): (min) as $least | (max) as $most |
		(($most - $least) * 0.06 |
			if . > $most * 1e-12 then . else ($most * 0.1 | room) end) as $margin |
		if $log then {from: ($least * 0.94), to: ($most * 1.06), $log, name: $name}
		else {from: ([$least - $margin, 0] | max), to: ($most + $margin), $log,
			name: $name} end;
	# Between two plans of the front, a time limit allows only the plan on the left.
	# The bound of a plan holds for all limits up to its makespan.
	def steps($to): . as $plans | range(length) as $i | $plans[$i] |
		[.makespan, .bound, .energy],
		if $i + 1 < ($plans | length) then
			[.makespan, $plans[$i + 1].bound, .energy],
			[$plans[$i + 1].makespan, $plans[$i + 1].bound, .energy]
		else [$to, .bound, .energy] end;
	# A terminal has no lines, but a letter in each column.
	def sampled($x): . as $steps | [range($columns * 2) |
		back($x; . / ($columns * 2 - 1)) | select(. > $steps[0][0])] as $at |
		[foreach ($steps + ($at | map([.])) | sort_by(.[0], length) | .[]) as $s (null;
			if ($s | length) == 3 then $s else [$s[0]] + .[1:] end)];
	def times: if . < 1.1 then "\((. - 1) * 100 | short) % more time"
		else "\(short) times the makespan" end;
	def pareto_picture: .pareto as $plans |
		if any(range(1; $plans | length); $plans[.].makespan <= $plans[. - 1].makespan)
		then error({text: ": the makespans do not rise"}) else . end |
		$plans[0] as $first | $plans[-1] as $last | ($plans | length) as $n |
		($first.makespan > 0 and $last.makespan > 20 * $first.makespan) as $log |
		($plans | map(.makespan) | front_axis("makespan"; $log)) as $x |
		($plans | map(.energy, .bound) | front_axis("energy"; false)) as $y |
		([$plans | steps($x.to)] |
			if $how == "dumb" then sampled($x) else . end) as $steps |
		($plans | all(.bound >= .energy * 0.999999)) as $exact |
		{title: ("Makespan and energy of \($n) plan\(if $n == 1 then "" else "s" end)" +
			if $n > 1 and $first.makespan > 0 and $first.energy > 0 then
				": \((1 - $last.energy / $first.energy) * 100 | short) % less energy in " +
				($last.makespan / $first.makespan | times)
			else "" end),
		$x, $y, line: [], cuts: [],
		curves: [
			# On a terminal, the later curve covers the earlier one.
			(if $exact then empty else {name: "bound", measured: [], band: [],
				curve: ($steps | map([.[0], .[1], 1]))} end),
			{name: ("energy" + if $exact then " = bound" else "" end),
				measured: [if $n <= 100 then $plans[] else $first, $last end |
					[.makespan, .energy]],
				band: (if $exact or $how == "dumb" then [] else $steps end),
				curve: ($steps | map([.[0], .[2], 1]))}]};'
