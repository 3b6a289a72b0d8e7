# What is read: the lines of a document, checked, in an object with an array for
# each type: {node, share, plan, compare, pareto, step, candidate, sublist, extent}.
# shellcheck disable=SC2016,SC2034,SC2148,SC2154 # a part, of which others have more

read_document='
	# Text to be shown: without controls, and not longer than there is room;
	# fonts beyond the basic plane are often bitmaps of any size.
	def plain: explode | map(
		if . < 32 or (. >= 127 and . < 160) or . >= 65534 or . == 57344
		then 65533 else . end) | implode;
	def clip($most): plain | if length > $most
		then .[:$most * 2 / 3 | floor] + "…" + .[-($most / 4 | floor):]
		else . end;
	def kinds: {speed: ["node", "share", "plan"], plan: ["plan", "share"],
		compare: ["compare"], pareto: ["pareto"],
		trace: ["step"], balance: ["step", "share", "plan"],
		flow: ["extent", "sublist", "share", "plan"],
		pivots: ["candidate", "sublist", "share", "plan"]} | .cost = .speed;
	def refuse($text): error({line, $text});
	def article: (if test("^[aeiou]") then "an " else "a " end) + .;
	def number($member; $least): .object[$member] |
		if type == "number" and (isnan | not) and . >= $least and . < 1e300
		then . else null end;
	def need($member; f): if (f // null) == null then
		refuse(": \($member) of the \(.object.type | clip(20)) is missing " +
			"or not what it must be") else . end;
	def need_number($member): need($member; number($member; 0));
	def need_text($member): need($member; .object[$member] | strings);
	def may_number($member): if .object[$member] == null then .
		else need_number($member) end;
	def need_points: if .object.points == null then . else
		need("points"; .object.points | arrays) | . as $in |
		reduce range(.object.points | length) as $i (-1; . as $before |
			$in | .object = ($in.object.points[$i] | objects) //
				refuse(": a point is not an object") |
			.object.type = "point" |
			need("n"; number("n"; 1)) | need("seconds"; number("seconds"; 1e-99)) |
			may_number("low") | may_number("high") |
			if .object.n > $before then .object.n
			else refuse(": the sizes of the points do not rise") end) |
		$in end;
	def need_key(place): need("key"; place | .key | strings |
		select(test("^([0-9a-f]{2})*$")));
	def checked: .object.type as $type |
		if $type == "node" then need_text("node") |
			reduce ("speed", "capacity", "latency_s", "seconds_per_item")
				as $m (.; may_number($m)) |
			need("speed"; .object.speed != 0 or null) | need_points
		elif $type == "share" then need_text("node") |
			reduce ("rank", "n", "seconds") as $m (.; need_number($m))
		elif $type == "plan" then need_text("method") | need_text("cost") |
			reduce ("n", "makespan", "bound") as $m (.; need_number($m))
		elif $type == "compare" then need_text("method") |
			if .object | has("over") and .over == null then . else need_number("over") end
		elif $type == "pareto" then
			reduce ("makespan", "energy", "bound") as $m (.; need_number($m))
		elif $type == "candidate" then
			reduce ("rank", "index") as $m (.; need_number($m)) |
			may_number("records") | need_key(.object)
		elif $type == "sublist" then need_number("sublist") | may_number("rank") |
			if .object.until == null then . else need("until"; .object.until | objects) |
				need_key(.object.until) |
				need("until"; .object.until | select(all(.rank, .index;
					type == "number" and . >= 0))) end
		elif $type == "extent" then
			reduce ("sublist", "rank", "records") as $m (.; need_number($m))
		else need_text("node") | need_text("step") |
			need_number("start_s") | need_number("end_s") |
			may_number("rank") | may_number("records") |
			if .object.end_s < .object.start_s
			then refuse(": the step ends before it begins") else . end
		end | .object;
	# The lines of the types that the kind of plot is about, by their type.
	def document($kind):
		kinds[$kind] as $types |
		[foreach inputs as $text ({line: 0};
				.planned = (.planned or
					[.object | objects | .type] == ["plan"]) |
				.line += 1 | .text = (if .line == 1
					then $text | ltrimstr("\ufeff") else $text end) |
				# In an array, since what fails later would be caught here too.
				.object = [.text | try fromjson catch null][0];
				select(.text | test("[^ \t\r]"))) |
			# Links and stages of whole runs are in no picture.
			select(.object | if type == "object"
				then .type != "launcher" and .type != "stage"
				else true end) |
			(if .object | type != "object" then refuse(" is not an object")
			elif .object.type | type != "string"
			then refuse(": the object has no type")
			else . end) |
			(if .object.type as $t | $types | index([$t]) == null then
				refuse(": expected \($types[0] | article), " +
					"this is a \u0027\(.object.type | clip(40))\u0027") else . end) |
			if .planned and (.object.type | . == "plan" or . == "share")
			then refuse(": a \(.object.type) after the end of the plan")
			else checked end] |
		# To add to the arrays of an object would copy them at each line.
		(group_by(.type) | map({(.[0].type): .}) | add // {}) |
		if . == {} then error({text: ": is empty, expected \($types[0] | article)"})
		elif .share and (.plan | not)
		then error({text: ": the plan is cut short: the line of type plan is missing"})
		elif .[$types[0]] == null then error({text: ": contains no \($types[0])"})
		elif .plan and (.share | not)
		then error({text: ": the plan has no share"})
		else . end;'
