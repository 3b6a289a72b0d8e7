# The profile: the nodes whose speed was never measured are measured, at once, and
# the cluster file is written anew.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# profile_nodes: from small sizes on in a third of the time; in the rest, what a
# plan by that gives each node where it is beyond, so that the plan to come has
# not to guess (Lastovetsky and Reddy 2010, partial estimation): all sort as long
# as each other then, and are in each other's way as in the run.  A step takes its
# start, too.
profile_nodes() {
	unknown=''
	for i in $ranks; do
		eval "[ -n \"\$measured_$i\" ] || unknown=\"\$unknown $i\""
	done
	[ -n "$unknown" ] || return 0
	time_starts
	for i in $unknown; do
		on "$i" profile "$(profile_line "$i" 1)" '' ">profile.$i"
	done
	join
	take_profiles profile '. + ($p // {})'
	alone plan "$(foresee)"
	for i in $unknown; do
		on "$i" profile "$(profile_share "$i")" '' \
			"<foreseen.jsonl >further.$i"
	done
	join
	take_profiles further 'if $p then .points = (.points | map(select(
		.n < $p.points[0].n and .seconds < $p.points[0].seconds))) + $p.points
		else . end'
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

# profile_line RANK THIRDS OPTION...: the sort that the node will do.
profile_line() {
	means_of "$1"
	eval "set -- \"\$name_$1\" \"\$2\" \"\${3-}\""
	say "TMPDIR=. hpprofile$order -N $(quote "$1")$3 --seconds $(
		say $((profile * 1000 * $2 / 3))
	)e-3 -- hpsort$order $means -o run {in} && rm -f run"
}

profile_share() {
	say "n=\$(sed -n 's/.*\"rank\":$1,.*\"n\":\([0-9]*\).*\"extrapolated\".*/\1/p') && {
	[ -z \"\$n\" ] || $(profile_line "$1" 2 ' --sizes $n'); }"
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

# take_profiles PREFIX FILTER: into the cluster file; the filter makes of a node,
# and of $p, what was measured of it or null, the node.
take_profiles() {
	old=$(quote "$cluster") new=$(quote "$new_cluster") files='' names=''
	for i in $unknown; do
		files="$files $1.$i"
	done
	for i in $ranks; do
		eval "names=\"\$names \$(quote \"\$name_$i\")\""
	done
	alone setup "cat$files >profiles.jsonl && touch starts &&
	jq -c --slurpfile profile profiles.jsonl --rawfile starts starts '
	(\$starts | split(\"\\n\") | map(select(. != \"\") | split(\" \"))) as \$starts |
	.node as \$name | (\$ARGS.positional | index(\$name) | tostring) as \$rank |
	(\$starts | map(select(.[0] == \$rank) | (.[2] | tonumber) - (.[1] | tonumber)) |
	sort | .[length / 2 | floor] // 0) as \$start |
	first((\$profile[] | select(.node == \$name) |
	.points |= map((.seconds, .low, .high) += \$start)), null) as \$p |
	if .type == \"node\" then $2 else . end' $old --args --$names >$new &&
	chmod --reference=$old $new && mv -f $new $old"
}
