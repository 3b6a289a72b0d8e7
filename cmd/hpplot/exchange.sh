# Pictures of dividing records between nodes: pivots, and who sends to whom.
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

draw_exchange='
	# The names of nodes by rank: from the plan, the sublists, or their numbers.
	def names_of_nodes($ranks):
		([.share // [], .sublist // [] | .[] | select(.rank and (.node | strings)) |
			{"\(.rank)": .node}] | add // {}) as $names |
		[range($ranks) | $names["\(.)"] // "node \(.)"];
	# The nodes get the first colours; beyond these all look alike.
	def fill_of_node: . % 9;

	# How many records each node has for each: {names, n: [[records]]}.
	def flows:
		(.sublist // [] | map({"\(.sublist)": .rank}) | add) as $to |
		(.extent | map(select(.records > 0))) as $extents |
		[$extents[] | .sublist as $s |
			{from: .rank, records, to: (if $to == null then $s
				else $to["\($s)"] // error({text:
				": sublist \($s) of an extent has no rank, or is missing"}) end)}]
			as $all |
		([$all[] | .from, .to] | max // 0 | . + 1) as $ranks |
		if $ranks > 512 then error({text: ": rank \($ranks - 1) is above 511"})
		else . end |
		{names: (names_of_nodes($ranks) | map(clip($most_name))),
		n: (reduce $all[] as $f ([range($ranks) | [range($ranks) | 0]];
			.[$f.from][$f.to] += $f.records))};

	# On a terminal, and for many nodes: a row for each sender, with a box for
	# each receiver.
	def flow_picture: .names as $names | .n as $n | {
		title: "How many records each node sends to each",
		rows: $names, kinds: ($names | map("to " + .)),
		letters: ($names | letters), fills: [range($names | length) | fill_of_node],
		panels: [{axis: {from: 0, log: false, name: "records",
				to: ($n | max_of(add) * 1.02 | room)},
			boxes: [range($n | length) as $i | foreach range($n | length) as $j
				({to: 0}; {from: .to, to: (.to + $n[$i][$j])};
				select(.to > .from) + {row: $i, kind: $j, inside: true,
					text: "\($n[$i][$j])"})]}]};

	# Bands from the senders on the left to the receivers on the right.
	def draw_bands: .names as $names | .n as $n | ($n | length) as $p |
		([$n[][]] | add | room) as $total |
		($total * 0.06) as $gap |
		($total + ($p - 1) * $gap) as $high |
		([$names[], "received by"] | max_of(extent)) as $longest |
		{w: (720 + 14 * $longest | ceiling), h: ([$p * 70 + 160, 400] | max), cw: 8, ch: 20}
			as $page |
		"How many records each node sends to each" as $title |
		[range($p) as $i | $n[$i] | add] as $sent |
		[range($p) as $j | $n | map(.[$j]) | add] as $received |
		# Where the boxes begin, from the top.
		def tops($sizes): [foreach range($p) as $i ({at: $high};
			.top = .at | .at -= $sizes[$i] + $gap; .top)];
		tops($sent) as $left | tops($received) as $right |
		# A band: the place of its upper edge at both ends.
		[range($p) as $i | range($p) as $j | select($n[$i][$j] > 0) |
			{$i, $j, n: $n[$i][$j],
				a: ($left[$i] - ($n[$i][:$j] | add // 0)),
				b: ($right[$j] - ([range($i) | $n[.][$j]] | add // 0))} |
			# Records that stay on their node are grey.
			.fill = if $i == $j then 10 else $i | fill_of_node end] |
			sort_by(.fill != 10, -.n) as $bands |
		begin($page; $title),
		"set title \($title | quoted) offset 0, 1",
		"unset key", "unset border", "unset xtics", "unset ytics", "unset grid",
		"set lmargin at screen \((($longest + 3) * 8) / $page.w)",
		"set rmargin at screen \(1 - (($longest + 3) * 8) / $page.w)",
		"set tmargin 4.5", "set bmargin 1.5",
		"set xrange [-0.012:1.012]", "set yrange [0:\($high)]",
		"set label \("sent by" | quoted) at graph 0, graph 1 right offset -1.2, 1.2",
		"set label \("received by" | quoted) at graph 1, graph 1 left offset 1.8, 1.2",
		(range($p) as $i |
			("set label \($names[$i] | quoted) at 0, \($left[$i] - $sent[$i] / 2) " +
				"right offset -1.8, 0.5",
			"set label \("\($sent[$i])" | quoted) at 0, \($left[$i] - $sent[$i] / 2) " +
				"right offset -1.8, -0.5",
			"set label \($names[$i] | quoted) at 1, " +
				"\($right[$i] - $received[$i] / 2) left offset 1.8, 0.5",
			"set label \("\($received[$i])" | quoted) at 1, " +
				"\($right[$i] - $received[$i] / 2) left offset 1.8, -0.5")),
		# A number on each band that is high enough, where bands hardly cross.
		($bands[] | select(.n / $high * ($page.h - 120) > 20) |
			"set label \("\(.n)" | quoted) at 0.02, \(.a - .n / 2) left front " +
				ink(.fill)),
		([range($p) as $i | [-0.012, 0, $left[$i] - $sent[$i], $left[$i]],
			[1, 1.012, $right[$i] - $received[$i], $right[$i]] |
			[.[0], .[2], .[0], .[1], .[2], .[3]]] | block("nodes")),
		(range($bands | length) as $k | $bands[$k] |
			[range(0; 33) | . / 32 | [., (3 - 2 * .) * . * .]] as $way |
			[$way[] as [$x, $s] | (.a + (.b - .a) * $s) as $y |
				[$x, $y, ($y - .n)]] |
			block("band\($k)")),
		"set clip one",
		"plot " + ([(range($bands | length) as $k | $bands[$k] |
			"$band\($k) using 1:2:3 with filledcurves fs solid 1 border " +
				"lc rgb \"#ffffff\" lw 0.5 fc rgb \"\(fill_of(.fill))\""),
			"$nodes using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder " +
				"fc rgb \"#222222\""] | joined(", \\\n"));
	def draw_flow: flows |
		if $how == "dumb" or (.names | length) > 12 then flow_picture | draw_rows
		else draw_bands end;

	# The estimated position of each candidate among all records, as hpsplit
	# computes it: candidates of sorted inputs have rising positions at their
	# nodes, and bound each other; others are at equal distances.
	def estimates($records): ($records | length) as $p |
		(group_by(.rank) | all(.[]; . == sort_by(.index))) as $sorted |
		if $sorted | not then
			length as $c | ($records | add) as $total |
			[to_entries[] | .key as $i | .value |
				.at = ($i + 1) / ($c + 1) * $total]
		else
			. as $all |
			([range($p) as $r | [$all[] | select(.rank == $r) | .index]]) as $of |
			[foreach $all[] as $c ({seen: [range($p) | 0]};
				.seen as $seen |
				.at = ([range($p) as $r | if $r == $c.rank then $c.index else
					((if $seen[$r] == 0 then 0 else $of[$r][$seen[$r] - 1] + 1 end) +
					($of[$r][$seen[$r]] // $records[$r])) / 2 end] | add) |
				.seen[$c.rank] += 1; .at as $at | $c | .at = $at)]
		end;
	def place: [.key, .rank, .index];
	def shown: .text | if type == "string" then . else null end;
	def pivots_picture:
		([(.candidate[].rank), (.share // [] | .[].rank)] | max + 1) as $p |
		if $p > 4096 then error({text: ": rank \($p - 1) is above 4095"})
		else . end |
		(.share // []) as $shares |
		(.candidate | sort_by(place)) as $sorted |
		([range($p) as $r | [($sorted[] | select(.rank == $r) |
			.records // .index + 1), ($shares[] | select(.rank == $r) | .n), 0] |
			first]) as $records |
		($records | add | room) as $total |
		($sorted | estimates($records)) as $all |
		names_of_nodes($p) as $names |
		(.sublist // []) as $sublists |
		(if $how == "dumb" then $columns - 20 else 68 end) as $cells |
		# A pivot that is no candidate lies between two of them.
		[$sublists[] | .until // empty | place as $place |
			([$all[] | select(place < $place)] | length) as $i |
			{text: (shown // .key), at: (
				if ($all[$i] // {} | place) == $place then $all[$i].at
				else (($all[$i - 1 | if . < 0 then 99999999 else . end].at // 0) +
					($all[$i].at // $total)) / 2 end)}] |
			# As much of its text as there is room for.
			[range(length) as $i | ((((.[$i + 1].at // ($total * 1.03)) - .[$i].at) *
				$cells / $total | floor) - 2) as $room | .[$i] |
				.text |= if $room < 5 then null else
					clip([$room, $most_name] | min) end] as $pivots |
		(if $sublists == [] then [] else [0] + ($pivots | map(.at)) + [$total] end |
			[.[:-1], .[1:]] | transpose) as $ranges |
		($sublists | map(.rank // 0)) as $owner |
		($p + if $shares == [] then 0 else 1 end) as $rows |
		(if $shares == [] then 0 else 1 end) as $first | {
		title: ("Candidates, pivots" + if $shares == [] then "" else
			" and shares" end + " of \($total) records"),
		rows: ((if $shares == [] then [] else ["plan"] end) + $names +
			if $sublists == [] then [] else ["pivots", "sublists"] end),
		kinds: (if $how == "dumb" then $names + ["candidate"]
			else ($names | map("")) + [""] end),
		fills: ([range($p) | fill_of_node] + [4]),
		panels: [{axis: {from: 0, to: $total, log: false,
				name: "estimated position among all records"},
			boxes: [
				($shares[] | {row: 0, kind: .rank, from: (.offset // 0),
					to: ((.offset // 0) + .n), inside: true,
					text: "\(.node | clip(12)): \(.n)"}),
				# Candidates are thin boxes, with their texts where there is room.
				($all | group_by(.rank)[] | range(length) as $i | .[$i] as $c |
					((.[$i + 1].at // ($total * 1.1)) - $c.at) as $free |
					{row: ($c.rank + $first), kind: $p, from: $c.at, to: $c.at,
						lane: 0, lanes: 1} +
					(($c | shown) as $text | if $how != "dumb" and $text != null and
						$free / $total * $cells > ($text | width) + 2
					then {text: $text} else {} end)),
				($pivots[] | {row: $rows, kind: $p, from: .at, to: .at, text,
					lane: 0, lanes: 1}),
				(range($ranges | length) as $i | $ranges[$i] |
					select(.[1] > .[0]) |
					{row: ($rows + 1), kind: ($owner[$i] // 0), from: .[0], to: .[1],
					inside: true, text: (if ($owner[$i] // $p) < $p then
						($names[$owner[$i]] | clip(12)) else "" end +
						": about \(.[1] - .[0] | short)")})],
			marks: (if $pivots == [] then [] else
				[{name: "pivot", dash: 1, letter: "|", points: [$pivots[] |
					.at as $x | range(0; $rows * 4 + 5) |
						[$x, 0.5 - . / 4], if . == $rows * 4 + 4 then [] else empty end]}]
				end)}]};
	def draw_pivots: pivots_picture | draw_rows;'
