# What the rows and boxes are of each kind of plot that has them.
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

kinds_of_rows='
	def unit: .plan[0].cost | if test("points") then "s" else "units of " +
		clip(30) end;
	def room: if . > 0 then . else 1 end;
	def plan_picture: .plan[0] as $plan | unit as $unit | {
		title: ("Plan for \($plan.n) items on \(.share | length) nodes: " +
			"\($plan.method | clip(20)), cost \($plan.cost | clip(30))"),
		rows: (.share | map(.node)), kinds: [""], patterns: [2],
		letters: ["#"],
		panels: [
			{axis: {from: 0, to: (.share | max_of(.n) * 1.8 | room), log: false,
				name: "share (items)"},
			boxes: [.share | to_entries[] | {row: .key, kind: 0, from: 0,
				to: .value.n, text: ("\(.value.n)" + if $how == "dumb" then ""
					else " (\(.value.n * 100 / ($plan.n | room) |
						short) %)" end)}]},
			{axis: {from: 0, to: ([$plan.makespan, (.share | max_of(.seconds))] |
				max * 1.3 | room), log: false, name: "done at (\($unit))"},
			boxes: [.share | to_entries[] | {row: .key, kind: 0, from: 0,
				to: .value.seconds, text: (.value.seconds | short)}],
			marks: [(.share | length) as $p |
				{name: "makespan", dash: 1, letter: "|",
				points: [range(0; $p * 2 + 1) | [$plan.makespan, 0.5 - . / 2]]},
				{name: "bound", dash: 2, letter: ":",
				points: [range(0; $p * 2 + 1) | [$plan.bound, 0.5 - . / 2]]}]}]};
	def compare_picture: (.compare | map(select(.over > 1e-9).over)) as $over |
		(if $over == [] then 0.01
			else pow(10; $over | min * 100 | log10 - 0.1 | floor) end) as $from |
		(if $over == [] then 1 else $over | max * 100 end) as $most | {
		title: "Makespan above the optimum, by method",
		rows: (.compare | map(.method)), kinds: [""], patterns: [2],
		letters: ["#"],
		panels: [{axis: {from: $from, log: true, name: "above the optimum (%)",
				to: ($from * pow($most / $from * 2; 1.2))},
			boxes: [.compare | to_entries[] | {row: .key, kind: 0, from: $from,
				to: ([(.value.over // 0) * 100, $from] | max),
				text: (if .value.over == null then "the optimum takes no time"
					elif .value.over > 1e-9 then "\(.value.over * 100 | short) %"
					else "0 (the optimum)" end)}]}]};
	def by_node: group_by([.rank, .node]);
	# Steps at the same time are beside each other, in lanes.
	def lanes: sort_by(.start_s, -.end_s) |
		reduce .[] as $step ([[], []]; . as [$ends, $done] |
			(first(range($ends | length) | select($ends[.] <= $step.start_s)) //
				($ends | length)) as $lane |
			[($ends | .[$lane] = $step.end_s), $done + [$step + {$lane}]]) |
		(.[0] | length) as $lanes | .[1] | map(. + {$lanes});
	def trace_picture:
		(.step | map(.start_s) | min) as $zero |
		(.step | sort_by(.start_s) | map(.step) |
			reduce .[] as $s ([]; if index([$s]) then . else . + [$s] end))
			as $steps |
		(.step | by_node | map(lanes)) as $nodes | {
		title: "Who did what when",
		rows: ($nodes | map(.[0].node)), kinds: $steps,
		lanes: ($nodes | max_of(.[0].lanes)),
		panels: [{axis: {from: 0, log: false, name: "time (s)",
				to: (.step | max_of(.end_s) - $zero | room)},
			boxes: [$nodes | to_entries[] | .key as $row | .value[] | .step as $s |
				{$row, kind: ($steps | index([$s])), from: (.start_s - $zero),
				to: (.end_s - $zero), lane, lanes, text: (.step | clip(20)),
				inside: true}]}]};
	# Times at which at least one of the steps ran: [[from, to]].
	def busy: sort_by(.start_s) | reduce .[] as $s ([];
		if . == [] or $s.start_s > .[-1][1] then . + [[$s.start_s, $s.end_s]]
		else .[-1][1] = ([.[-1][1], $s.end_s] | max) end);
	def balance_picture:
		(.step | map(select(.rank != null))) as $steps |
		(if $steps == [] then error({text: ": no step of a node in it"})
			else . end) |
		($steps | map(.start_s) | min) as $zero |
		([.share // [] | .[] | {rank, node}] + ($steps | map({rank, node})) |
			unique_by(.rank)) as $nodes |
		($steps | group_by(.rank) | map({"\(.[0].rank)": .}) | add) as $by_rank |
		[$nodes[] | $by_rank["\(.rank)"] // []] as $of |
		(.share // [] | map({key: "\(.rank)", value: .seconds}) | from_entries)
			as $planned |
		($of | map(select(. != []) | {rank: .[0].rank,
			done: (max_of(.end_s) - $zero)} |
			.planned = $planned["\(.rank)"] | select(.planned))) as $both |
		(if .plan == null or (unit == "s") then 1 else
			($both | map(.planned) | add) as $sum |
			if ($sum // 0) > 0 then ($both | map(.done) | add) / $sum else 0 end
			end) as $scale |
		([$planned[] * $scale] | max) as $last | {
		title: ("When each node is done" +
			if .plan then ", and when it should be" else "" end),
		rows: ($nodes | map(.node)), kinds: ["waiting", "working"],
		patterns: [0, 2], letters: [".", "#"],
		panels: [{axis: {from: 0, log: false,
				name: "time since the first step of a node (s)",
				to: ([$last // 0, ($steps | max_of(.end_s) - $zero)] |
					max * 1.15 | room)},
			boxes: [range($nodes | length) as $row | $of[$row] |
				select(. != []) | (max_of(.end_s) - $zero) as $last_s |
				{$row, kind: 0, from: 0, to: $last_s, text: "\($last_s | short) s"},
				(busy[] | {$row, kind: 1, from: (.[0] - $zero),
					to: (.[1] - $zero)})],
			marks: (if .plan == null then [] else [{dash: 1, letter: "|",
				name: ("plan" + if unit == "s" then "" else
					" (\(unit), scaled to the mean)" end),
				points: [range($nodes | length) as $row |
					$planned["\($nodes[$row].rank)"] | numbers | . * $scale |
					[., -$row - 0.45], [., -$row + 0.45], []]}] end)}]};'
