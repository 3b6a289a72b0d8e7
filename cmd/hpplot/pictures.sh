# What the rows and boxes are of each kind of plot that has them.
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

kinds_of_rows='
	def unit: .plan[0].cost | if test("points") then "s" else "units of " +
		clip(30) end;
	def plan_picture: .plan[0] as $plan | unit as $unit | {
		title: ("Plan for \($plan.n) items on \(.share | length) nodes: " +
			"\($plan.method | clip(20)), cost \($plan.cost | clip(30))"),
		rows: (.share | map(.node)), kinds: [""], fills: [3],
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
			# Two lines that cannot be told apart are one.
			marks: [(.share | length) as $p |
				def down($x): [range(0; $p * 2 + 1) | [$x, 0.5 - . / 2]];
				if $plan.makespan - $plan.bound < $plan.makespan * 0.004 then
					{name: "makespan, which is the bound", dash: 1, letter: "|",
						points: down($plan.makespan)}
				else {name: "makespan", dash: 1, letter: "|",
						points: down($plan.makespan)},
					{name: "bound", dash: "(6,4)", letter: ":",
						points: down($plan.bound)} end]}]};
	def compare_picture: (.compare | map(select(.over > 1e-9).over)) as $over |
		(if $over == [] then 0.01
			else pow(10; $over | min * 100 | log10 - 0.1 | floor) end) as $from |
		(if $over == [] then 1 else $over | max * 100 end) as $most | {
		title: "Makespan above the optimum, by method",
		rows: (.compare | map(.method)), kinds: [""], fills: [3],
		letters: ["#"],
		panels: [{axis: {from: $from, log: true, name: "above the optimum (%)",
				to: ($from * pow($most / $from * 2; 1.2))},
			boxes: [.compare | to_entries[] | {row: .key, kind: 0, from: $from,
				to: ([(.value.over // 0) * 100, $from] | max),
				text: (if .value.over == null then "the optimum takes no time"
					elif .value.over > 1e-9 then "\(.value.over * 100 | short) %"
					else "0 (the optimum)" end)}]}]};
	# The fill of each step: hprun names the first ones; others get the rest.
	def fills_of_steps: {sort: 0, cut: 1, exchange: 2, sample: 3, plan: 4, merge: 5,
			count: 6, prove: 7, pivots: 8, deal: 9, gather: 10} as $known |
		reduce .[] as $step ([map($known[.] // empty), []];
			(.[0] as $taken | $known[$step] //
				first(range(infinite) | select(. as $i | $taken | index($i) | not)))
				as $fill |
			[.[0] + [$fill], .[1] + [$fill]]) | .[1];
	# The runs of a trace, each with its first second; and how many there are.
	def runs($most): group_by(.run) | map({zero: (map(.start_s) | min), step: .}) |
		sort_by(.zero) | {n: length, last: .[-$most:]};
	# Steps of a node that ran at the same time are drawn in lanes.  A kind of
	# step has the same lane on all nodes.  Each step has an id: its kind, and a
	# number if a node ran several steps of a kind at once.
	def ids: group_by(.kind) | map(sort_by(.start_s) | reduce .[] as $step ([[], []];
			. as [$ends, $done] | (first(range($ends | length) |
				select($ends[.] <= $step.start_s)) // ($ends | length)) as $i |
			[($ends | .[$i] = $step.end_s),
				$done + [$step + {id: [$step.kind, $i]}]]) | .[1]) | add;
	def overlaps: foreach (sort_by(.start_s) | .[]) as $step ([];
		map(select(.end_s > $step.start_s)) + [$step];
		.[:-1][] | [.id, $step.id] | ., reverse);
	# For an array of nodes, each with the steps of all runs shown: the boxes.
	def lanes_of_nodes: map(group_by(.panel) | map(ids) | add) |
		. as $nodes |
		[.[] | [group_by(.panel)[] | overlaps] | unique[]] as $pairs |
		($pairs | group_by(.[0]) |
			map({key: (.[0][0] | tojson), value: map(.[1] | tojson)}) | from_entries)
			as $beside |
		(reduce ([.[][].id] | unique | map(tojson))[] as $id ({};
			[.[($beside[$id] // [])[]] | numbers] as $taken |
			.[$id] = first(range(infinite) |
				select(. as $i | $taken | index($i) | not)))) as $lane |
		$nodes | map(
			if any(group_by(.panel)[]; first(overlaps) // false) then
				(map($lane[.id | tojson]) | unique) as $used |
				map(.lane = ($lane[.id | tojson] as $l | $used | index($l)) |
					.lanes = ($used | length))
			else map(.lane = 0 | .lanes = 1) end);
	def trace_picture:
		(.step | runs(3)) as $runs |
		($runs.last | to_entries | map(.key as $panel | .value.zero as $zero |
			.value.step[] | .start_s -= $zero | .end_s -= $zero |
			. + {$panel})) as $all |
		($all | sort_by(.start_s) | map(.step) |
			reduce .[] as $s ([]; if index([$s]) then . else . + [$s] end))
			as $steps |
		($all | map(.step as $s | .kind = ($steps | index([$s]))) |
			group_by([.rank, .node]) | lanes_of_nodes) as $nodes |
		($all | max_of(.end_s) | room) as $to | {
		title: ("Who did what when" + if $runs.n > 3 then
			": the last 3 of \($runs.n) runs" else "" end),
		rows: ($nodes | map(.[0].node)), kinds: $steps,
		fills: ($steps | fills_of_steps),
		lanes: ($nodes | max_of(.[0].lanes)),
		panels: [range($runs.last | length) as $panel |
			{axis: {from: 0, log: false, $to, name: (if $runs.n == 1 then
				"time (s)" else
				"run \($runs.n - ($runs.last | length) + $panel + 1): time (s)" end)},
			boxes: [$nodes | to_entries[] | .key as $row | .value[] |
				select(.panel == $panel) |
				{$row, kind, from: .start_s, to: .end_s, lane, lanes,
				text: (.step | clip(20)), inside: true}]}]};
	# Times at which at least one of the steps ran: [[from, to]].
	def busy: sort_by(.start_s) | reduce .[] as $s ([];
		if . == [] or $s.start_s > .[-1][1] then . + [[$s.start_s, $s.end_s]]
		else .[-1][1] = ([.[-1][1], $s.end_s] | max) end);
	# What each node sorts of all that is sorted at a time, if the steps have
	# several batches of a node: [{row, kind, from, to, height, part}].
	def batches: map(select(.step == "sort" and .end_s > .start_s and .records > 0));
	def shares_over_time($zero; $nodes; $kind): 24 as $parts |
		(batches | if any(group_by(.rank)[]; length > 1) then . else [] end) as $sorts |
		($sorts | map(.start_s) | min // 0) as $from |
		((($sorts | max_of(.end_s)) - $from) / $parts) as $width |
		[range(if $sorts == [] then 0 else $parts end) | ($from + . * $width) as $a |
			($a + $width) as $b |
			[$nodes[] | .rank as $rank | [$sorts[] | select(.rank == $rank) |
				(([.end_s, $b] | min) - ([.start_s, $a] | max)) as $both |
				select($both > 0) |
				.records * $both / (.end_s - .start_s)] | add // 0] as $of |
			($of | add) as $all | range($of | length) | select($of[.] > 0) |
			{row: ., $kind, from: ($a - $zero), to: ($b - $zero),
				part: ($of[.] / $all)}] |
		(map(.part) | max) as $most | map(.height = .part / $most);
	def shares_panel($boxes; $sorts; $nodes):
		(reduce $sorts[] as $s ({}; .["\($s.rank)"] += $s.records)) as $records |
		([$records[]] | add) as $all | ($boxes | max_of(.to)) as $last_s | {
		axis: {from: 0, log: false, to: ($last_s * 1.25 | room),
			name: ("time (s)" + if $how == "dumb" then ""
				else "; full height: \($boxes | map(.part) | max * 100 | short) %"
				end)},
		boxes: [($boxes[] | if $how == "dumb"
				then .kind += ([.part * 10, 9] | min | floor) else . end),
			(range($nodes | length) | . as $row |
				$records["\($nodes[.].rank)"] // 0 | {$row, kind: $boxes[0].kind,
					from: 0, to: 0, height: 0, at: $last_s,
					text: "\(. * 100 / $all | short) %"})]};
	def balance_picture:
		(.step | map(select(.rank != null))) as $all |
		($all | runs(1)) as $runs | ($runs.last[-1].step // []) as $steps |
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
		([$planned[] * $scale] | max) as $last |
		([$last // 0, ($steps | max_of(.end_s) - $zero)] | max * 1.15 | room)
			as $until_s |
		($steps | shares_over_time($zero; $nodes; 2)) as $shares | {
		title: ("When each node is done" +
			if $shares == [] then "" else ", and its share of the sort" end +
			if .plan then ", and when it should be" else "" end +
			if $runs.n > 1 then " (the last of \($runs.n) runs)" else "" end),
		rows: ($nodes | map(.node)),
		kinds: (["waiting", "working"] + if $shares == [] then []
			elif $how == "dumb" then ["tenths of the sort", (range(9) | "")]
			else ["share of the sort"] end),
		fills: [9, 3, 0], letters: [".", "#", (range(10) | tostring)],
		panels: [{axis: {from: 0, log: false,
				name: "time since the first step of a node (s)",
				to: $until_s},
			boxes: [range($nodes | length) as $row | $of[$row] |
				select(. != []) | (max_of(.end_s) - $zero) as $last_s |
				{$row, kind: 0, from: 0, to: $last_s, text: "\($last_s | short) s",
					# before the mark of the plan if there is room, else behind
					at: (($planned["\($nodes[$row].rank)"] // 0) * $scale |
						if . < $last_s or . - $last_s > $until_s * 0.2 then $last_s
						else . end)},
				(busy[] | {$row, kind: 1, from: (.[0] - $zero),
					to: (.[1] - $zero)})],
			marks: (if .plan == null then [] else [{dash: 1, letter: "|",
				name: ("plan" + if unit == "s" then "" else
					" (\(unit), scaled to the mean)" end),
				points: [range($nodes | length) as $row |
					$planned["\($nodes[$row].rank)"] | numbers | . * $scale |
					[., -$row - 0.45], [., -$row + 0.45], []]}] end)},
			if $shares == [] then empty
			else shares_panel($shares; $steps | batches; $nodes) end]};'
