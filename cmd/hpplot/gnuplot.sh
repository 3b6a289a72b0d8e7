# What gnuplot reads: axes, texts, pages, ways to draw.
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

write_script='
	def max_of(f): map(f) | max // 0;
	# Where an axis from 0 ends, if not at 0.
	def room: if . > 0 then . else 1 end;
	def ceiling: -(-. | floor);
	def between($least; $most): [[., $least] | max, $most] | min;
	# As join, which copies what it has at each step.
	def joined($between): [.[0], (.[1:][] | $between + .)] | add;

	# Columns of a terminal that a text takes: two for each character of East
	# Asian scripts and for emoji.
	def wide: (. >= 4352 and . <= 4447) or (. >= 11904 and . <= 42191) or
		(. >= 44032 and . <= 55203) or (. >= 63744 and . <= 64255) or
		(. >= 65040 and . <= 65049) or (. >= 65072 and . <= 65135) or
		(. >= 65280 and . <= 65376) or (. >= 65504 and . <= 65510) or
		(. >= 127744 and . <= 129791) or (. >= 131072 and . <= 262141);
	def width: explode | map(if wide then 2 else 1 end) | add // 0;
	# gnuplot counts one column for each character.  A character of two columns
	# is followed by U+E000, which hpplot removes from the picture.
	def padded: if $how == "dumb" then
		explode | map(., if wide then 57344 else empty end) | implode
		else . end;
	# The bytes of a character in UTF-8.
	def bytes: if . < 128 then . elif . < 2048 then 192 + (. / 64 | floor), 128 + . % 64
		elif . < 65536 then 224 + (. / 4096 | floor), 128 + (. / 64 | floor) % 64,
			128 + . % 64
		else 240 + (. / 262144 | floor), 128 + (. / 4096 | floor) % 64,
			128 + (. / 64 | floor) % 64, 128 + . % 64 end;
	# A string of gnuplot, with octal escapes for all but letters; and without
	# the end of a CDATA section, which gnuplot would leave in an SVG.
	def quoted:
		"\"" + (plain | padded | split("]]>") | join("]] >") | explode |
			map(if (. >= 97 and . <= 122) or (. >= 65 and . <= 90)
				then [.] | implode
				else bytes | "\\\(. / 64 | floor)\(. / 8 % 8 | floor)\(. % 8)"
				end) | add) + "\"";
	def short: if . == 0 then "0" else
		(if . < 0 then -. else . end | log10 | floor | . - 2) as $e |
		if $e >= 0 then round
		else (. * pow(10; -$e) | round) / pow(10; -$e) end | tostring end;
	# A number at an axis: 1500000 is 1.5M.
	def si: if . >= 1e15 or . < 1000 then tostring
		else [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]] as $units |
			. as $n | first($units[] | select(.[0] <= $n)) |
			"\($n / .[0])\(.[1])" end;
	# Where the tics of an axis are: at most so many steps of 1, 2 or 5.
	def tics($from; $to; $most):
		(($to - $from) / $most | log10 | floor - 1) as $e |
		# The narrowest step of 1, 2 or 5 that leaves so few, but at least two.
		[(10, 20, 50, 100) as $m | ($m * pow(10; $e)) as $step |
			[range(($from / $step - 1e-9 | ceiling) + 0;
				($to / $step + 1e-9 | floor) + 1) | . * $m + 0 |
			if $e < 0 then . / pow(10; -$e) else . * pow(10; $e) end]] |
		first(.[] | select(length <= $most + 1)) as $few |
		if ($few | length) > 1 then $few
		else last(.[] | select(length > 1)) // $few end;
	def log_tics($from; $to; $most):
		(if $to / $from > 2000 then [1] else [1, 2, 5] end) as $steps |
		[range($from | log10 | floor; ($to | log10 | floor) + 1) as $e |
			$steps[] | if $e < 0 then . / pow(10; -$e)
				else . * pow(10; $e) end |
			select(. >= $from * 0.999999 and . <= $to * 1.000001)] |
		if length > 1 then . else tics($from; $to; $most) end;
	# An axis: {from, to, log, name}.
	def axis($name; $most):
		(if .log then log_tics(.from; .to; $most)
			else tics(.from; .to; $most) end) as $tics |
		"set \($name)range [\(.from):\(.to)]",
		"\(if .log then "set" else "unset" end) logscale \($name)",
		"set \($name)tics out nomirror (\($tics |
			map("\(si | quoted) \(.)") | join(", ")))",
		"set \($name)label \(.name | quoted)";
	# Part of an axis as a part of its length, and the other way round.
	def along($axis; $x): $axis | if .log
		then ($x / .from | log) / (.to / .from | log)
		else ($x - .from) / (.to - .from) end;
	def back($axis; $part): $axis | if .log
		then .from * pow(.to / .from; $part)
		else .from + $part * (.to - .from) end;

	# Letters for texts, the first that no text before it has.
	def letters:
		[foreach .[] as $text ({taken: []}; .taken as $taken |
			.letter = first(((($text | ascii_downcase | explode[] |
				select(. >= 97 and . <= 122)),
			range(97; 123), range(65; 91), range(48; 58)) | [.] | implode |
			select(. as $letter | $taken | index([$letter]) | not)), "+") |
			.taken += [.letter | select(. != "+")]; .letter)];

	# How wide a text is on the page, in letters of 8 pixels: the sum of the widths
	# of its letters in DejaVu Sans, rounded up, of 16 pixels (PNG) or 12 (SVG).
	def extent: if $how == "dumb" then width else
		([explode[] | [.] | implode |
			if test("[fijlrtI.,:;!|()/ \u0027-]") then 0.42
			elif test("[mMWw@%OQ+=<>~&#]") then 1
			elif test("[A-Z]") then 0.78
			else 0.65 * width end] | add // 0) *
			if $how == "svg" then 1.5 else 2 end end;
	# The page: width and height, and the size of a letter on it.
	def page($rows; $names): if $how == "dumb"
		then {w: $columns, h: ($rows + 9 | ceiling | between(24; 200)), cw: 1, ch: 1}
		else {w: (720 + 8 * $names | ceiling), h: ($rows * 34 + 160 | between(400; 6000)),
			cw: 8, ch: 20} end;
	# The title is also that of the SVG: hpplot puts it in.
	def begin($page; $title):
		if $how == "svg" then "# title " + ($title | plain | @html) + " #"
		else empty end,
		"set encoding utf8",
		if $how == "dumb" then
			"set terminal dumb mono noenhanced size \($page.w), \($page.h)"
		elif $how == "svg" then
			"set terminal svg noenhanced size \($page.w), \($page.h) " +
			"background \"white\" font \"sans-serif,12\" dashlength 1.2"
		else "set terminal pngcairo noenhanced size " +
			"\($page.w * 2), \($page.h * 2) font \"sans,12\" fontscale 2 " +
			"linewidth 2 pointscale 1.7"
		end,
		"set border 3",
		"set style textbox opaque noborder margins 0.6, 0.5",
		if $how == "dumb" then "set tics scale 0.5" else
			"set grid xtics ytics lt 1 lw 0.5 lc rgb \"#dddddd\"" end;
	# The n-th way to draw a line: told apart by dashes, points and colours.
	# Dots are left to what was not measured.
	def dash($i): "dt " + ["1", "(18,5)", "(18,5,5,5)", "(9,5)",
		"(18,5,5,5,5,5)"][$i % 5];
	def colour_of($i): ["#000000", "#0072b2", "#d55e00", "#007a5a",
		"#8a3f7c", "#7a5c00"][$i % 6];
	def colour($i): "lc rgb \"\(colour_of($i))\"";
	# The n-th way to fill a box.  These colours stay apart for people with any
	# kind of colour blindness; beyond them there are patterns.
	def fill_of($i): ["#0072b2", "#f0e442", "#d55e00", "#56b4e9", "#222222",
		"#009e73", "#e69f00", "#5b2a86", "#cc79a7", "#ffffff",
		"#c8c8c8"][$i] // "#404040";
	def fill($i): if $i < 11 then "fs solid 1" else
		"fs pattern \([4, 5, 1, 6, 7, 2][($i - 11) % 6])" end +
		" border lc rgb \"#000000\" fc rgb \"\(fill_of($i))\"";
	# The text on such a box.
	def ink($i): if $i | IN(0, 2, 4, 5, 7) then "tc rgb \"#ffffff\"" else
		"tc rgb \"#000000\"" end + if $i < 11 then "" else " boxed" end;
	def point($i): "pt \([7, 4, 9, 6, 5, 10, 2, 8, 13, 1, 12, 3][$i % 12])";
	# Data; in place of none something off the page, as gnuplot wants some.
	def block($name): "$\($name) << end", (if . == []
		then [[range(6) | 1e300]] else . end | .[] | map(tostring) | join(" ")),
		"end";'
