# The profile: the nodes whose speed was never measured are measured, at once, and
# the cluster file is written anew.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# profile_nodes: from small sizes on in a third of the time.  Where a plan by that
# goes beyond what was measured, all sort what it gives them, and in the rest of the
# time again and again what a plan by that gives, so that the plan to come has not
# to guess (Lastovetsky and Reddy 2010, partial estimation).  They do it as the run
# will: all begin at once, each once.  A step takes its start, too.
profile_nodes() {
	unknown=''
	for i in $ranks; do
		eval "[ -n \"\$measured_$i\" ] || unknown=\"\$unknown $i\""
	done
	[ -n "$unknown" ] || return 0
	clock
	profile_end=$((${time%.*} + profile))
	time_starts
	for i in $unknown; do
		on "$i" profile "$(profile_line "$i" --seconds\ $((profile * 1000 / 3))e-3)" \
			'' ">profile.$i"
	done
	join
	take_profiles profile '. + $p'
	alone plan "$(foresee) && { grep -q extrapolated foreseen.jsonl || : >foreseen.jsonl; }"
	[ -n "$dry" ] || [ -s foreseen.jsonl ] || return 0
	sort_shares first
	alone plan "[ ! -s foreseen.jsonl ] || { $(foresee); }"
	for round in 1 2 3 4 5 6 7 8 9; do
		sort_shares more
		time_for_another || break
	done
	take_profiles more "$nearer"
}

# sort_shares PREFIX: a round, in which all sort what foreseen.jsonl gives them.
# Before it they wait, as for their part of the input in a run: virtual machines
# give memory that was free for 2 s back to their host (Linux, page_reporting.c),
# and to find it again may take as long as the sort, which one right after the
# other would not show.
sort_shares() {
	round_began=${now%.*}
	alone profile 'sleep 3'
	for i in $unknown; do
		on "$i" profile "$(profile_share "$i")" '' "<foreseen.jsonl >>$1.$i"
	done
	join
	[ "$1" = more ] || take_profiles "$1" "$nearer"
}

# time_for_another: of three by hand, where nobody looks at the clock.
time_for_another() {
	case $dry in
	'') [ $((2 * ${now%.*} - round_began)) -le "$profile_end" ] ;;
	*) [ "$round" -lt 3 ] ;;
	esac
}

# time_starts: what a step takes that does nothing, which is a part of each; the
# lines of `starts` are a rank, a begin and an end.
time_starts() {
	[ -z "$dry" ] || return 0
	for try in 1 2 3; do
		for i in $unknown; do
			on "$i" start :
		done
		join
	done
	alone setup "sed -n 's/ start / /p' steps.times >starts"
}

# profile_line RANK OPTIONS: the sort that the node will do.
profile_line() {
	means_of "$1"
	eval "set -- \"\$name_$1\" \"\$2\""
	say "TMPDIR=. hpprofile$order -N $(quote "$1") $2 -- hpsort$order $means \\
	-o run {in} && rm -f run"
}

profile_share() {
	say "n=\$(sed -n 's/.*\"rank\":$1,.*\"n\":\([1-9][0-9]*\).*/\1/p') && {
	[ -z \"\$n\" ] || $(profile_line "$1" '--runs 1 --sizes $n'); }"
}

# foresee: a plan for all records, or as many as each can sort four times.
foresee() {
	set -- "$(quote "$method")" $((profile * 2))
	say "n=\$(sed 's/.*\"records\":\([0-9]*\).*/\1/' count.jsonl) &&
	$cluster_line hpsolve -n \"\$n\" -m $1 - >foreseen.jsonl &&
	n=\$(jq 'select(.type == \"plan\") | if .makespan * 12 > $2
	then .n * $2 / 12 / .makespan | floor else .n end' foreseen.jsonl) &&
	$cluster_line hpsolve -n \"\$n\" -m $1 - >foreseen.jsonl"
}

# Points as near as this to a new one tell less of the curve than of chance.
nearer='.points = (.points | map(select(.n * 1.5 < $p.points[0].n and
	.seconds < $p.points[0].seconds))) + $p.points'

# take_profiles PREFIX FILTER: into the cluster file; the filter makes of a node,
# and of $p, what was measured of it, the node.  Of several rounds the median.  A
# profile counts for the node that it comes from, and does not change where that is.
take_profiles() {
	old=$(quote "$cluster") new=$(quote "$new_cluster") files='' names=''
	for i in $unknown; do
		files="$files $1.$i"
	done
	for i in $ranks; do
		eval "names=\"\$names \$(quote \"\$name_$i\")\""
	done
	alone setup "jq -c '. + {rank: (input_filename | split(\".\")[-1])}'$files \\
	>profiles.jsonl && touch starts &&
	jq -c --slurpfile profile profiles.jsonl --rawfile starts starts '
	def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
	(\$starts | split(\"\\n\") | map(select(. != \"\") | split(\" \"))) as \$starts |
	.node as \$name | (\$ARGS.positional | index(\$name) | tostring) as \$rank |
	(\$starts | map(select(.[0] == \$rank) | (.[2] | tonumber) - (.[1] | tonumber)) |
	if . == [] then 0 else median end) as \$start |
	[\$profile[] | select(.rank == \$rank) |
	del(.rank, .type, .node, .host, .port, .dir)] as \$of |
	if \$of == [] then . else (\$of[0] | .points = [[\$of[].points[]] | group_by(.n)[] |
	{n: .[0].n, seconds: (map(.seconds) | median), low: (map(.low) | min),
	high: (map(.high) | max), runs: (map(.runs) | add)} |
	(.seconds, .low, .high) += \$start]) as \$p |
	$2 end' $old --args --$names >cluster.new && rm -f $new &&
	(set -C && cat cluster.new >$new) && chmod --reference=$old $new && mv -f $new $old"
}
