# Pictures of rows with boxes along them, for plan, compare, trace, balance:
#	{title, rows: [name], kinds: [name], fills: [number], panels: [{axis, boxes,
#		marks, text}]}
#	box: {row, kind, from, to, at, lane, lanes, height, text, inside}; at: the
#		place of the text, if it is not the end of the box; height: the part
#		of the height that the box fills
#	mark: {name, dash, points: [[x, y]]}
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

draw_rows='
	def box_lines: [.from, -.row,
		.from, .to,
		-.row - 0.38 + 0.76 * ((.lanes // 1) - (.lane // 0) - 1) / (.lanes // 1),
		-.row - 0.38 + 0.76 * ((.lanes // 1) - (.lane // 0) - 1 + (.height // 1)) /
			(.lanes // 1)];
	# On a terminal a box is a line of letters.
	def box_letters($axis; $cells):
		(-.row + (if .lanes then 0.5 - (.lane + 0.5) / .lanes else 0 end)) as $y |
		(along($axis; .from) * $cells | floor) as $a |
		([(along($axis; .to) * $cells | round), $a + if .lanes then 1 else 0 end] |
			max) as $b |
		range($a; $b) as $cell | [back($axis; ($cell + 0.5) / $cells), $y];
	def put($x; $y; $more): "set label \(quoted) at \($x), \($y) \($more)";
	# The ways to draw all kinds and marks, each for the block of its name.
	def ways($picture; $letters; $marks):
		[(range($picture.kinds | length) as $k |
			if $how == "dumb"
			then "$box\($k) using 1:2 with points pt \($letters[$k] | quoted)"
			else "$box\($k) using 1:2:3:4:5:6 with boxxyerror lw 0.6 " +
				fill($picture.fills[$k])
			end +
			if $picture.kinds[$k] == "" then " notitle"
			else " title \($picture.kinds[$k] | quoted)" end),
		(range($marks | length) as $m | $marks[$m] |
			"$mark\($m) using 1:2 with " +
			(if $how == "dumb" then "points pt \(.letter | quoted)"
			else "lines lw 2 dt \(.dash) lc rgb \"#000000\"" end) +
			" title \(.name | quoted)")];
	def panel($picture; $page; $number; $letters):
		.axis as $axis | .boxes as $boxes | (.marks // []) as $marks |
		$picture.left as $left |
		(($page.w - $left - 2 * $page.cw) / ($picture.panels | length) | floor)
			as $width |
		($left + $number * $width) as $x0 |
		($x0 + $width - if $number + 1 < ($picture.panels | length) then 5 else 3 end *
			$page.cw) as $x1 |
		(($x1 - $x0) / $page.cw | floor) as $cells |
		($picture.rows | length) as $rows |
		(($page.h - 2.5 * $page.ch) / $page.h) as $top |
		($picture.bottom * $page.ch / $page.h) as $bottom |
		# Of more rows than there are lines, only some have texts.
		($page.h * ($top - $bottom) / $page.ch) as $room |
		([$rows / $room | ceiling, 1] | max) as $step |
		[$boxes[] | select(.row % $step == 0)] as $shown |
		"set lmargin at screen \($x0 / $page.w)",
		"set rmargin at screen \($x1 / $page.w)",
		"set tmargin at screen \($top)",
		"set bmargin at screen \($bottom)",
		"set yrange [\(0.5 - $rows):0.5]", "unset ytics", "unset label",
		($axis | axis("x"; [$cells / if $how == "dumb" then 6.5 else 9 end | floor, 2] |
			max)),
		"unset key",
		if $number == 0 then
			(range(0; $rows; $step) as $i | $picture.rows[$i] |
				# gnuplot knows another width of wide characters.
				put("graph 0"; "first \(-$i)"; if $how == "dumb"
					then "left offset char \(-(width) - 1), 0"
					else "right offset char -1, 0" end)),
			($picture.title | put("screen 0.5";
				"screen \(1 - $page.ch / $page.h)"; "center"))
		else empty end,
		($shown[] | select(.text) | (-.row) as $y | .text as $text |
			if .inside then
				select($how != "dumb" and (along($axis; .to) -
					along($axis; .from)) * $cells > ($text | width) + 1.2) |
				$picture.fills[.kind] as $fill |
				box_lines as $b | back($axis; (along($axis; .from) +
					along($axis; .to)) / 2) as $middle | $text | put(
					"first \($middle)"; "first \(($b[4] + $b[5]) / 2)";
					"center front \(ink($fill))")
			else (.at // .to) as $to | (if $how == "dumb" then " " else "" end) + $text |
				put("first \([$to, $axis.from] | max)";
				"first \($y)"; "left front offset char 0.7, 0") end),
		(range($picture.kinds | length) as $k |
			[(if $how == "dumb" then $shown else $boxes end)[] |
				select(.kind == $k)] |
			if $how == "dumb" then [.[] | box_letters($axis; $cells)] else map(box_lines) end |
			block("box\($k)")),
		(range($marks | length) as $m | $marks[$m].points |
			block("mark\($m)")),
		(ways($picture; $letters; $marks) | "plot " + joined(", \\\n"));
	# The marks of the panel that has some.
	def marks_of: first(.panels[].marks | select(. != null)) // [];
	# The key of all panels is that of a plot of its own, which has nothing else
	# and is as wide as the page.
	def key($picture; $page; $letters):
		($picture | marks_of) as $marks |
		"set lmargin at screen \(if $how == "dumb" then $picture.left / $page.w
			else 0.02 end)",
		"set rmargin at screen 0.98", "set bmargin at screen 0",
		"set tmargin at screen \($picture.bottom * $page.ch / $page.h)",
		"unset border", "unset label", "unset xtics", "unset xlabel", "unset grid",
		"unset logscale", "set xrange [0:1]", "set yrange [0:1]",
		"set key at screen 0.98, screen \($page.ch * 0.3 / $page.h) " +
			"right bottom horizontal Left reverse samplen \(
				if $how == "dumb" then 4 else 2.5 end)",
		(range($picture.kinds | length) as $k | [] | block("box\($k)")),
		(range($marks | length) as $m | [] | block("mark\($m)")),
		(ways($picture; $letters; $marks) | "plot " + joined(", \\\n"));
	def draw_rows:
		(.rows, .kinds) |= map(clip($most_name)) |
		(.names = (.rows | max_of(extent))) |
		. as $picture |
		page((.rows | length) * (.lanes // 1) +
			if $how == "dumb" then 0 else (.kinds | length) / 4 end; .names) as $page |
		([(.kinds | map(select(. != "")))[], marks_of[].name] |
			{n: length, most: max_of(width)}) as $key |
		(.left = (.names + if $how == "dumb" then 3 else 4 end) * $page.cw) |
		(.across = ((($page.w - .left) / $page.cw - 4) /
			($key.most + 12) | floor | if . < 1 then 1 else . end)) |
		(.bottom = 3.7 + ($key.n / .across | ceiling)) |
		(.letters // (.kinds | letters)) as $letters |
		begin($page; .title), "set multiplot",
		(. as $picture | range(.panels | length) as $i |
			.panels[$i] | panel($picture; $page; $i; $letters)),
		if $key.n > 0 then key(.; $page; $letters) else empty end,
		"unset multiplot";'
