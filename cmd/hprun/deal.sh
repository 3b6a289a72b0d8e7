# The deal: the input is counted, the work planned, and each node given its part.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# store: the first stage, after which the input can be dealt as often as needed.
# What comes from a pipe comes once: who is lost meanwhile is done without later.
store() {
	[ -z "$store_line" ] || {
		storing=$remote
		alone store "$store_line"
		storing=''
		[ -z "$fallen" ] || failed "${fallen##* }" hold 255
		input=$(quote "$work/input")
		[ -n "$dry" ] || check_stored
	}
}

# check_stored: whether there is room for what was not known before.
check_stored() {
	[ "$known" = 0 ] || return 0
	check_room
	[ "$trouble" = 0 ] || finish "$trouble"
}

count_input() {
	alone count "hpsplit count$order -N 0 $input >count.jsonl"
}

# deal_input: extents of the input in proportion to what the nodes are going to
# have; in `dealt` each is a line.
deal_input() {
	alone deal "hpsplit deal$order -P plan.jsonl $input >deal.jsonl &&
	sed 's/.*\"offset\":\([0-9]*\),\"bytes\":\([0-9]*\).*/\1:\2/' deal.jsonl >dealt"
}

# send_parts: to the hosts.
send_parts() {
	sum_dealt
	for i in $ranks; do
		[ "$(part_of "$i")" != in ] || send_part "$i"
	done
	join
}

# send_part RANK: dd ends as well as it can, what the node says is not enough.
send_part() {
	on "$1" send 'cat >in' "{ $(dealt_part "$1"); echo \$? >sent.$1; } |" \
		"&& (exit \"\$(cat sent.$1)\")"
}

# dealt_part RANK: puts out its extent of the input.
dealt_part() {
	say "dd if=$input bs=1M status=none \\
	iflag=skip_bytes,count_bytes \$(sed -n '$(($1 + 1))s/\(.*\):/skip=\1 count=/p' \\
	dealt)"
}

# count_parts: where the input is on the nodes already.
count_parts() {
	[ -z "$header" ] || take_header
	each count count_in_place parts
	[ -z "$stored" ] || each sum sum_in_place given
	join
	alone count "jq -c 'def size: if type == \"number\" and . >= 0 and . <= 9e15
	then floor else error(\"a node says that it has \\(tojson) records or bytes\") end;
	{rank, records: (.records | size), bytes: (input.bytes | size)}'$(
		across parts
	) >deal.jsonl && jq -cs '{records: map(.records) | add}' deal.jsonl \\
	>count.jsonl"
}

# take_header: from the file of the first node, which notes where the rest is.
take_header() {
	case $format in
	line) set -- "head -${zero}n $header" "sed ${zero:+-z }'\$a\\'" ;;
	*) set -- "head -c $((header * $(record_bytes)))" cat ;;
	esac
	eval 'enquote "$in_0"'
	on_as_is 0 setup "$1 $quoted >header && top=\$(stat -c %s header) &&
	echo \"\$top:\$((\$(stat -Lc %s $quoted) - top))\" >body && $2 header" 'cat >header'
	join
}

plan() {
	alone plan "hpsolve -n \"\$(sed 's/.*\"records\":\([0-9]*\).*/\1/' count.jsonl)\" \\
	-m $(
		quote "$method"
	) cluster.jsonl >plan.jsonl"
	[ -n "$dry" ] || share_memory
}
