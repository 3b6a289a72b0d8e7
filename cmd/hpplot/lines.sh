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
	def plots:
		(range(.curves | length) as $i | select(.curves[$i].band != []) |
			"$band\($i) using 1:2:3 with filledcurves fc rgb \"#808080\" " +
				"fs transparent solid 0.25 noborder notitle"),
		(range(.curves | length) as $i | .curves[$i] |
			"$whole\($i) using 1:2 with lines lw 0.7 dt 3 \(colour($i)) notitle",
			"$curve\($i) using 1:2 with lines lw 1.5 \(dash($i)) " +
				"\(colour($i)) notitle",
			"$measured\($i) using 1:2 with points \(point($i)) ps 0.7 " +
				"\(colour($i)) notitle",
			"NaN with " + (if .measured == [] then "lines"
				else "linespoints \(point($i)) ps 0.7" end) +
				" lw 1.5 \(dash($i)) \(colour($i)) title \(.name | quoted)"),
		if .line == [] then empty else
			"$line using 1:2 with lines lw 2.5 dt 1 lc rgb \"#606060\" " +
				"title \("the plan" | quoted)",
			"$cuts using 1:2 with points pt 6 ps 1.8 lw 2 " +
				"lc rgb \"#000000\" title \("shares" | quoted)" end;
	def draw_lines:
		(.curves | max_of(.name | length)) as $longest |
		page((.curves | length) * if $how == "dumb"
			then ($longest + 8) / $columns else 0.9 end; $longest) as $page |
		begin($page),
		"set title \(.title | quoted)" +
			if $how == "dumb" then " offset 0, 1" else "" end,
		(if $how == "dumb" then "set key bmargin center horizontal samplen 1",
			"set tmargin 3",
			"set label \(.y.name | quoted) at graph 0, graph 1 offset 0, 1"
			else "set key outside right top vertical Left reverse samplen 5 " +
				"spacing 1.2 width 1" end),
		(.x | axis("x"; 7)), (.y | axis("y"; 6)),
		(range(.curves | length) as $i | .curves[$i] |
			(.curve | map(select(.[2] == 1)) | block("curve\($i)")),
			(.curve | block("whole\($i)")),
			(.measured | block("measured\($i)")),
			(.band | block("band\($i)"))),
		(.line | block("line")), (.cuts | block("cuts")),
		"plot " + ([if $how == "dumb" then plots_of_letters else plots end] |
			joined(", \\\n"));'
