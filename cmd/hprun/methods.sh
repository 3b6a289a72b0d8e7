# The methods: which steps follow each other.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# Sort first: each node a run, and merging at the end.
sort_runs() {
	each sort sort_part
	join
	throw_away_input
}

merge_parts() {
	each cut cut_run '' sublists.jsonl
	join
	case $stored in
	'')
		passing everywhere "$(make_fifos "$(across from)")"
		each exchange exchange_run trace
		;;
	*) exchange_files run ;;
	esac
	each merge merge_runs pieces
	join
	throw_away_files
}

# exchange_files FILE: what it has for each node; who is killed goes on.
exchange_files() {
	returns=3
	each exchange "exchange_$1" trace
	each sum "sum_$1" sums
	join
	returns=0
	prove_sent "$1"
}

# Regular samples of the runs.
psrs() {
	sort_runs
	each sample sample_run candidates plan.jsonl
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
	probe sample_run plan.jsonl
	repeat pivots "$(pivots) \${refine:+--refine sublists.jsonl} probes.jsonl$(
		across counts
	) >next.jsonl" narrow
	alone setup 'mv next.jsonl sublists.jsonl'
	merge_parts
}

# probe FUNCTION FROM
probe() {
	each sample "$1" candidates "$2"
	join
	alone setup "cat$(across candidates) >probes.jsonl"
	each count count_run counts probes.jsonl
	join
}

narrow() {
	alone setup 'mv next.jsonl sublists.jsonl'
	refine=yes
	[ -z "$dry" ] || echo refine=yes
	probe sample_again sublists.jsonl
}

# Sort last: each node cuts its part of the input, and sorts what arrives.
sample_parts() {
	each sample sample_part candidates plan.jsonl
	join
	alone pivots "$(pivots)$(across candidates) >sublists.jsonl"
}

sort_parts() {
	case $stored in
	'')
		case $stable in
		'') passing everywhere "$(make_fifos ' stream from')" ;;
		*) passing everywhere "$(make_fifos " stream$(across from)")" ;;
		esac
		each cut cut_part '' sublists.jsonl
		each exchange exchange_parts trace
		;;
	*)
		each cut cut_to_file '' sublists.jsonl
		join
		exchange_files cut
		;;
	esac
	each sort sort_arrived pieces
	join
	throw_away_input
	[ -z "$stored" ] || throw_away_files
}

# A random sample of the input.
pss() {
	sample_parts
	sort_parts
}

# Many small sublists, of which each node gets some that have its size.
psop() {
	sample_parts
	each count count_part counts sublists.jsonl
	join
	alone assign "hpsplit assign -C cluster.jsonl -L sublists.jsonl$(
		across counts
	) >assigned.jsonl"
	alone setup 'mv assigned.jsonl sublists.jsonl'
	sort_parts
	each deal deal_out pieces sublists.jsonl
	join
}

# What is not needed any more, unless it is to be kept, makes room here, where
# the whole result has to find some.  As long as a host may be lost, the input
# may be needed again.
throw_away_input() {
	[ -z "$store_line" ] || [ -n "$stored" ] || alone setup 'rm input'
}

throw_away_files() {
	[ -z "$keep" ] || return 0
	everywhere_here "rm -f run cut$(across from)"
	join
}
