# The methods: which steps follow each other.

# Sort first: each node a run, and merging at the end.
sort_runs() {
	each sort sort_part
	join
	[ -z "$store_line" ] || throw_away input
}

merge_parts() {
	each cut cut_run
	join
	for i in $ranks; do
		alone setup "mkfifo$(across "from.$i")"
	done
	each exchange exchange_runs
	each merge merge_runs
	join
	# shellcheck disable=SC2046 # words
	throw_away $(across run)
}

# Regular samples of the runs.
psrs() {
	sort_runs
	each sample sample_run
	join
	alone pivots "$(pivots)$(across candidates) >sublists.jsonl"
	merge_parts
}

# Rounds of candidates and of counting, until all shares are as planned.
exact() {
	sort_runs
	refine=''
	export refine
	[ -z "$dry" ] || echo refine=
	probe sample_run
	repeat pivots "$(pivots) \${refine:+--refine sublists.jsonl} probes.jsonl$(
		across counts
	) >next.jsonl" narrow
	alone setup 'mv next.jsonl sublists.jsonl'
	merge_parts
}

probe() {
	each sample "$1"
	join
	alone setup "cat$(across candidates) >probes.jsonl"
	each count count_run
	join
}

narrow() {
	alone setup 'mv next.jsonl sublists.jsonl'
	refine=yes
	[ -z "$dry" ] || echo refine=yes
	probe sample_again
}

# Sort last: each node cuts its part of the input, and sorts what arrives.
sample_parts() {
	each sample sample_part
	join
	alone pivots "$(pivots)$(across candidates) >sublists.jsonl"
}

sort_parts() {
	for i in $ranks; do
		case $stable in
		'') alone setup "mkfifo stream.$i from.$i" ;;
		*) alone setup "mkfifo stream.$i$(across "from.$i")" ;;
		esac
	done
	each cut cut_part
	each exchange exchange_parts
	each sort sort_arrived
	join
	[ -z "$store_line" ] || throw_away input
}

# A random sample of the input.
pss() {
	sample_parts
	sort_parts
}

# Many small sublists, of which each node gets some that have its size.
psop() {
	sample_parts
	each count count_part
	join
	alone assign "hpsplit assign -C cluster.jsonl -L sublists.jsonl$(
		across counts
	) >assigned.jsonl"
	alone setup 'mv assigned.jsonl sublists.jsonl'
	sort_parts
	each deal deal_out
	join
	alone setup "jq -rs 'sort_by(.sublist)[] |
	select(.bytes > 0) | \"dd if=out.\\(.rank) bs=1M\" +
	\" iflag=skip_bytes,count_bytes skip=\\(.offset) count=\\(.bytes)\" +
	\" status=none\"'$(across parts) >pieces"
}

# The sublists in a node's output: as many records as were counted, but with -u,
# where no key is in two of them.
deal_out() {
	case $unique in
	'') say "hpsplit deal$order -L sublists.jsonl -N $1 out.$1 >parts.$1" ;;
	*) say "hpsplit cut$order -L sublists.jsonl -N $1 --extents out.$1" \
		">parts.$1" ;;
	esac
}

throw_away() {
	[ -n "$keep" ] || alone setup "rm $*"
}
