# Pictures of lines, for speed and cost:
#	{title, x: axis, y: axis, curves, line: [[x, y]], cuts: [[x, y]]}
#	curve: {name, measured: [[x, y]], band: [[x, low, high]],
#		curve: [[x, y, whether it was measured thereabouts]]}
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

draw_lines='
	# On a terminal a curve is of a letter.
	def plots_of_letters:
		(.curves | map(.name) | letters) as $letters |
		(range(.curves | length) as $i |
			"$whole\($i) using 1:2 with points pt \($letters[$i] | quoted) " +
				"title \(.curves[$i].name | quoted)"),
		if .line == [] then empty else
			"$line using 1:2 with points pt \".\" title \("the plan" | quoted)",
			"$cuts using 1:2 with points pt \"@\" title \("shares" | quoted)" end;
	def plots($labels):
		(range(.curves | length) as $i | select(.curves[$i].band != []) |
			"$band\($i) using 1:2:3 with filledcurves fc rgb \"#808080\" " +
				"fs transparent solid 0.25 noborder notitle"),
		(range(.curves | length) as $i | .curves[$i] |
			"$whole\($i) using 1:2 with lines lw 0.9 dt (2,4) \(colour($i)) notitle",
			"$curve\($i) using 1:2 with lines lw 1.5 \(dash($i)) " +
				"\(colour($i)) notitle",
			"$measured\($i) using 1:2 with points \(point($i)) ps 0.7 " +
				"\(colour($i)) notitle",
			if $labels then empty else
			"NaN with " + (if .measured == [] then "lines"
				else "linespoints \(point($i)) ps 0.7" end) +
				" lw 1.5 \(dash($i)) \(colour($i)) title \(.name | quoted)" end),
		if .line == [] then empty else
			"$line using 1:2 with lines lw 2.5 dt 1 lc rgb \"#606060\" " +
				"title \("the plan" | quoted)",
			"$cuts using 1:2 with points pt 6 ps 1.8 lw 2 " +
				"lc rgb \"#000000\" title \("shares" | quoted)" end;
	# The name of each curve at its end, on the right.  Names that would overlap
	# are moved apart; a thin line leads from the curve to its name.
	def end_labels($page):
		.y as $y | .x as $x | (24 / ($page.h - 130)) as $apart |
		[.curves | to_entries[] | select(.value.curve != []) |
			.key as $i | .value | {$i, name, end: .curve[-1]} |
			.at = along($y; .end[1])] | sort_by(.at) |
		# From below, each at least so far above the one before it; then from
		# above, none beyond the top.
		reduce .[] as $l ([]; . + [$l | .to = ([.at, 0.01] | max)] |
			if length > 1 and .[-1].to < .[-2].to + $apart
			then .[-1].to = .[-2].to + $apart else . end) |
		reduce (reverse[]) as $l ([]; . + [$l | .to = ([.to, 0.995] | min)] |
			if length > 1 and .[-1].to > .[-2].to - $apart
			then .[-1].to = .[-2].to - $apart else . end) |
		.[] |
		"set arrow from \(.end[0]), \(.end[1]) to graph 1.012, graph \(.to) nohead " +
			"lw 0.6 \(colour(.i))",
		"set label \(.name | quoted) at graph 1.018, graph \(.to) left " +
			"tc rgb \"\(colour_of(.i))\"";
	def draw_lines:
		(.curves | max_of(.name | extent)) as $longest |
		($how != "dumb" and (.curves | length) <= 12) as $labels |
		page((.curves | length) * if $how == "dumb"
			then ($longest + 8) / $columns else 0.9 end; $longest) as $page |
		begin($page; .title),
		"set title \(.title | quoted)" +
			if $how == "dumb" then " offset 0, 1" else "" end,
		(if $how == "dumb" then "set key bmargin center horizontal samplen 1",
			"set tmargin 3",
			"set label \(.y.name | quoted) at graph 0, graph 1 offset 0, 1"
			elif $labels then "set key left bmargin horizontal Left reverse samplen 3",
				"set rmargin at screen \(1 - ($longest * 8 + 32) / $page.w)",
				end_labels($page)
			else "set key outside right top vertical Left reverse samplen 5 " +
				"spacing 1.2 width 1" end),
		(.x | axis("x"; 7)), (.y | axis("y"; 6)),
		(range(.curves | length) as $i | .curves[$i] |
			(.curve | map(select(.[2] == 1)) | block("curve\($i)")),
			# On a terminal all of it; else what was not measured, with the points
			# where that begins.
			# On a terminal all of it; else what was not measured, with the measured
			# points beside it.
			(.curve as $all | if $how == "dumb" then $all else
				[range($all | length) as $j | $all[$j] |
					if .[2] == 0 or ($j > 0 and $all[$j - 1][2] == 0) or
						($all[$j + 1] // .)[2] == 0 then . else [] end] |
				if any(.[]; . != []) then . else [] end end |
				block("whole\($i)")),
			(.measured | block("measured\($i)")),
			(.band | block("band\($i)"))),
		(.line | block("line")), (.cuts | block("cuts")),
		"plot " + ([if $how == "dumb" then plots_of_letters else plots($labels) end] |
			joined(", \\\n"));'
