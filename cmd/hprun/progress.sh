# Progress: one line on standard error, on a terminal written over and over.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# The steps in which all records go through something, and for which they wait.
weigh() {
	weight='sort exchange gather'
	case $algorithm in
	exact | psrs) weight="$weight merge" ;;
	esac
	[ -z "$remote$in_place" ] || weight="$weight send"
	[ -z "$leave" ] || weight="$weight prove"
}

# measure: what there is to do, in bytes that go through a step; of each node as
# much as the plan gives it.
measure() {
	[ -n "$progress" ] && [ -z "$dry" ] || return 0
	weigh
	work_began=$(date +%s) work_done=0
	eval "$(
		jq -nr --slurpfile dealt deal.jsonl --arg weight "$weight" '
			([$dealt[].bytes] | add) as $bytes | [inputs] | last.n as $n |
			"work_all=\($bytes * ($weight | split(" ") | length))",
			(.[] | select(.type == "share") |
				"work_\(.rank)=\(if $n > 0 then .n / $n * $bytes | ceil
				else 0 end)")' plan.jsonl
	)"
}

# advance RANK STEP: that is done.
advance() {
	case $progress/$2 in
	/* | */setup) return ;;
	esac
	text=$2
	if [ "$work_all" -gt 0 ]; then
		case " $weight /$1" in
		*" $2 "*/[0-9]*) eval "work_done=\$((work_done + work_$1))" ;;
		esac
		# What was done once more counts once.
		[ "$work_done" -le "$work_all" ] || work_done=$work_all
		spent=$(($(date +%s) - work_began))
		rate=$((work_done / (spent > 0 ? spent : 1)))
		text="$text, $((work_done * 100 / work_all)) %"
		[ "$spent" -eq 0 ] || [ "$rate" -eq 0 ] ||
			text="$text, $((rate / 1000000)).$((rate / 100000 % 10)) MB/s, $((
				(work_all - work_done) / rate)) s left"
	fi
	if [ -n "$clear" ]; then
		printf '%shprun: %s' "$clear" "$text" >&2
	else
		printf 'hprun: %s\n' "$text" >&2
	fi
}
