# The proof: the result has the records of the input, in order.  Where there are
# hosts, or files are kept, each record is counted in the order-free checksum of
# hpcheck(1) when it is dealt, when it is sent to its node, and when the result
# is read; so a file that changed in between is known, and whose it is.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# sum_up FILE: a line that sums up records, in whatever order they come.
sum_up() {
	say "said=\$(hpcheck -F $(quote "$format")${zero:+ -z} 2>&1 >$1)
	code=\$?
	[ \$code -le 1 ] || { echo \"\$said\" >&2 && exit \$code; }"
}

# sum_dealt: what each node is going to have of our input, in given.RANK.
sum_dealt() {
	[ -n "$stored" ] || return 0
	for i in $ranks; do
		on - sum "($(dealt_part "$i") | ($(sum_up "given.$i")))"
	done
}

# sum_in_place RANK: the same where the node has it, which puts it out.
sum_in_place() {
	eval "enquote \"\$in_$1\""
	set -- "$1" "cat $quoted"
	case $1/$header in
	0/?*) set -- "$1" "tail -c +\$((\$(sed 's/:.*//' body) + 1)) $quoted" ;;
	esac
	say "$2 | ($(sum_up sum)) && cat sum"
}

# What of a run is for each node.
sum_run() {
	say "sed 's/.*\"sublist\":\([0-9]*\).*\"offset\":\([0-9]*\),\"bytes\":\([0-9]*\).*/\1 \2 \3/' \\
	extents | while read -r to offset bytes; do
		dd if=run bs=1M status=none iflag=skip_bytes,count_bytes \\
	skip=\$offset count=\$bytes | ($(sum_up sum)) &&
			sed \"s/^{/&\\\"to\\\":\$to,/\" sum || exit
	done$(tell_repeats run)"
}

# What was cut is for each node in too many parts.
sum_cut() {
	say "($(sum_up sum)) <cut && cat sum"
}

# same_records BY TEXT FILES: a line that fails where the records of sums.FROM,
# where `to` is whose they are, are not, for each node in the place BY of from or
# to, or for all, those of the other files.  Records that -u has left out count,
# too; those in sums.FROM were the sender's, and were not sent.  Sums are added as
# digits to the base 2^40, those of one side negative; jq can add some thousands.
same_records() {
	names='' name=''
	for i in $ranks; do
		eval "name=\$name_$i"
		names="$names $(quote "$name")"
	done
	[ "$1" != all ] || names=' "all nodes"'
	say "jq -nr --arg by $1 --arg text $(quote "$2") '
	def digits: explode | reduce .[] as \$c (0;
		. * 16 + \$c - if \$c > 96 then 87 else 48 end);
	def limbs: (\"0\" * 32 + .)[-32:] |
		[.[22:32], .[12:22], .[2:12], .[0:2]] | map(digits);
	def zero: reduce .[] as \$l (0; if . == null then . else
		(. + \$l) / 1099511627776 | if . == floor then . else null end end) == 0;
	[inputs | (input_filename | split(\".\")) as [\$file, \$rank] |
	select(.type != \"dropped\" or \$file != \"sums\" or \$by == \"from\") |
		{of: (\$rank | tonumber), sign: -1} +
		if \$file != \"sums\" then {} elif \$by == \"to\" then {of: .to, sign: 1}
		else {sign: 1} end + if \$by == \"all\" then {of: 0} else {} end +
		{records, limbs: (.checksum | limbs)}] | group_by(.of) |
	map(select((map(.sign * .records) | add != 0) or
		(map(.sign as \$s | .limbs | map(\$s * .)) | transpose | map(add) |
		zero | not)) | \$ARGS.positional[.[0].of] + \": \" + \$text) |
	if . == [] then empty else join(\"\n\") | halt_error(2) end' \\
	$3 --args --$names"
}

# prove_sent FILE: what was sent from the file is what its node had been given.
prove_sent() {
	[ -z "$stored" ] || alone prove "$(same_records from \
		"what is in $1 is not what the node was given" \
		"$(across given) $(across sums)")"
}

# prove_parts: the parts of the result, of which each node has told, in order,
# are what was sent there, and as a whole in order.
prove_parts() {
	case $stored/$algorithm in
	/*) set -- ;;
	*/ps[so]*) set -- all 'what was sent' ;;
	*) set -- to 'what the node was sent' ;;
	esac
	[ $# -eq 0 ] || alone prove "$(same_records "$1" \
		"what is in out is not $2" "$(across sums) $(across summary)")"
	alone prove "$(combine_parts)"
}

# The parts of the result, in its order, and where each is in it, behind the
# header: pieces that follow each other on the same node are one.
find_parts() {
	case $header in
	'') set -- 0 ;;
	*) set -- '"$(stat -c %s header)"' ;;
	esac
	say "jq -cs --argjson header $1 'map(select(.bytes > 0)) | sort_by(.sublist) |
	reduce .[] as \$p ([]; if .[-1].rank == \$p.rank then .[-1].bytes += \$p.bytes
	else . + [\$p | {sublist, rank, offset: (.offset // 0), bytes}] end) |
	foreach .[] as \$p (\$header; . + \$p.bytes; \$p + {at: (. - \$p.bytes)})'$(
		across pieces
	) >parts.jsonl"
}

# The lengths of the parts in a node's output.
lengths_of() {
	say "sed -n 's/.*\"rank\":$1,.*\"bytes\":\([0-9]*\).*/\1/p' parts.jsonl |"
}

# prove_part FILE: a summary of each part in a node's output, whose lengths come by
# descriptor 3, and which is standard input, too.  All is read, in order or not.
prove_part() {
	case $algorithm in
	psop) say "code=0
	while read -r bytes <&3; do
		head -c \"\$bytes\" | hpcheck$order || code=\$?
	done
	cat >/dev/null && exit \$code" ;;
	*) say "hpcheck$order $1" ;;
	esac
}

# What was proven must be the parts, one for one: those of each node in the
# order of its file.
combine_parts() {
	say "cat$(across summary) | jq -cs --slurpfile part parts.jsonl '
	[(\$part | sort_by(.rank, .offset)),
	map(select(.type != \"dropped\" and .records > 0))] |
	transpose | if all(.[0].bytes == .[1].bytes) then map(add) | sort_by(.sublist)[]
	else error(\"a part is not what was written\") end' >proven.jsonl &&
	hpcheck$order --combine proven.jsonl >whole"
}
