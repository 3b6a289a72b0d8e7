# The trace: when each step of each node was.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# write_trace: hp-trace(5), behind what is there.  A step of the launcher concerns
# all records; of a node, those it was dealt or, from the exchange on, those it
# received.  What was taken up again is no one run, and what was done before the
# nodes had been measured is none of it.
write_trace() {
	run=$tag
	[ -z "$resume" ] || run=''
	# shellcheck disable=SC2046 # words without blanks
	cat -- $(across trace) >exchanges.jsonl &&
		jq -nc --rawfile steps steps.times --slurpfile node cluster.jsonl \
			--slurpfile dealt deal.jsonl \
			--slurpfile received exchanges.jsonl '
			def sum(f): map(f) | add // 0;
			[$steps | split("\n")[] | select(. != "") | split(" ")] |
			.[(map(.[1]) | rindex("profile") // -1) + 1:][] |
			select(.[1] != "setup") |
			(if .[0] == "-" then null else .[0] | tonumber end) as $rank |
			.[1] as $step |
			(if $rank == null then $dealt
			elif ["exchange", "merge", "gather"] | index($step) or
				($step == "sort" and ($algorithm | test("^ps[so]")))
			then $received
			else $dealt end | map(select($rank == null or .rank == $rank))
			) as $of |
			{type: "step", node: ($node[$rank]?.node // "launcher"),
				rank: $rank, step: $step,
				start_s: (.[2] | tonumber), end_s: (.[3] | tonumber),
				records: ($of | sum(.records)), bytes: ($of | sum(.bytes))} +
			if $run == "" then {} else {$run} end' \
			--arg run "$run" --arg algorithm "$algorithm" >trace.jsonl || return
	(umask "$mask" && cat trace.jsonl >>"$trace")
}
