# Progress: one line on standard error, on a terminal written over and over.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

eval "$gauge"

# The steps in which all records go through something, and for which they wait.
weigh() {
	weight='sort exchange gather'
	case $algorithm in
	exact | psrs) weight="$weight merge" ;;
	*) weight="$weight cut" ;;
	esac
	[ -z "$remote$in_place" ] || weight="$weight send"
	[ -z "$leave" ] || weight="$weight prove"
}

# measure: what there is to do, in bytes that go through a step; of each node as
# much as the plan gives it.
measure() {
	[ -n "$progress" ] && [ -z "$dry" ] || return 0
	weigh
	clock
	work_began=${time%.*} work_done=0 told=0
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
	case " $weight /$1" in
	*" $2 "*/[0-9]*)
		eval "written_$1='' work_done=\$((work_done + \${work_$1:-0}))"
		;;
	esac
	if [ -n "$clear" ]; then
		tell_progress
	else
		progress_text "$2" "$work_done"
		printf 'hprun: %s\n' "$text" >&2
	fi
}

# tell_progress: of the steps under way, with what they have written.  Those of
# the nodes that are here, and what is sent to hosts and from there, run here; of
# all others their watches tell.  A step that has ended may not have said so yet.
tell_progress() {
	doing='' bytes=$work_done
	set +f
	set -- steps/*
	set -f
	for file; do
		read -r rank step <"$file" || continue
		[ "$rank" != over ] || continue
		[ "$step" = setup ] || doing=$step
		gauged=0
		gauge "${file##*/}"
		[ "$rank" = - ] || add_written "$rank" "$gauged"
	done 2>/dev/null # a step that has just ended
	for rank in $ranks; do
		eval "add_written $rank \${written_$rank-}"
	done
	[ -n "$doing" ] || return 0
	[ "$bytes" -gt "$told" ] || bytes=$told
	told=$bytes
	progress_text "$doing" "$bytes"
	printf "%s%.$((columns - 1))s" "$clear" "hprun: $text" >&2
}

# add_written RANK BYTES...: of steps, none of which counts more than its work.
# What a host says may be anything.
add_written() {
	most=0
	eval "most=\${work_$1:-0}"
	shift
	for n; do
		case $n in
		*[!0-9]* | ????????????????*) continue ;;
		esac
		bytes=$((bytes + (n < most ? n : most)))
	done
}

# progress_text STEP BYTES: in $text.
progress_text() {
	text=$1
	[ "$work_all" -gt 0 ] || return 0
	# What was done once more counts once.
	clock
	set -- $(($2 < work_all ? $2 : work_all)) $((${time%.*} - work_began))
	rate=$(($1 / ($2 > 0 ? $2 : 1)))
	text="$text, $(($1 * 100 / work_all)) %"
	[ "$2" -eq 0 ] || [ "$rate" -le $((work_all / 100000)) ] ||
		text="$text, $((rate / 1000000)).$((rate / 100000 % 10)) MB/s, $((
			(work_all - $1) / rate)) s left"
}
