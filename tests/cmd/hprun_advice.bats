# hprun --estimate: its advice against simulated runs of all alternatives.
# shellcheck shell=bash disable=SC2154
load common
load hprun
load advice

setup() {
	with simgrid
	[ -z "${HP_SANITIZER-}" ] || skip 'SimGrid switches stacks by itself'
	begin
}

# simulated RECORDS NODE...: the seconds of a simulated run of these hosts.
simulated() {
	local node words=(-e '"launcher"')

	for node in "${@:2}"; do
		words+=(-e "\"node\":\"$node\"")
	done
	grep "${words[@]}" cluster >some
	hpsim -C some -n "$1" --bytes-per-item 100 |
		sed -n 's/.*"makespan":\([^,}]*\).*/\1/p'
}

# advised RECORDS ALONE: no simulated alternative is 10 % faster than what the
# advice leads to.  The launcher alone needs ALONE seconds for 1,000 records.
advised() {
	local nodes chosen

	truncate -s $(($1 * 100)) in # zeros, which take no room on the disk
	hprun -F record:100 -C cluster --estimate in >plan 2>advice
	chosen=$(jq -r 'select(.n > 0).node // empty' plan | xargs)
	if grep -q 'this machine alone' advice; then
		chosen=alone
	fi
	{
		awk -v alone="$2" -v n="$1" 'BEGIN { print "alone", alone * n / 1000 }'
		for nodes in a b c 'a b' 'a c' 'b c' 'a b c'; do
			# shellcheck disable=SC2086 # names
			echo "$nodes $(simulated "$1" $nodes)"
		done
	} >alternatives
	awk -v chosen="$chosen" '{
		seconds = $NF
		sub(/ [^ ]*$/, "")
		least = NR == 1 || seconds < least ? seconds : least
		if ($0 == chosen)
			its = seconds
	} END { exit !(its > 0 && its <= least * 1.1) }' alternatives ||
		fail "$1 records: $chosen chosen of $(cat alternatives cluster)"
}

# on_ten RECORDS [FILTER]: the ten clusters, changed by a filter of jq.
on_ten() {
	local rate alone a b c

	while read -r rate alone a b c; do
		cluster "$rate" "$alone" "$a" "$b" "$c"
		if [ $# -gt 1 ]; then
			jq -c "$2" cluster >changed
			mv changed cluster
		fi
		advised "$1" "$alone"
	done < <(ten)
}

@test "advice for 1 MB: no simulated alternative is 10 % faster" {
	on_ten 10000
}

@test "advice for 10 MB: no simulated alternative is 10 % faster" {
	on_ten 100000
}

@test "advice for 1 GB: no simulated alternative is 10 % faster" {
	on_ten 10000000
}

@test "advice for slow logins, slow programs and a distant host: none is 10 % faster" {
	on_ten 10000 'if .node then .login_s = 0.3 | .step_s = 0.005 else . end |
		if .node == "b" then .link.latency_s = 0.04 else . end |
		if .node == "c" then .login_s = 2 | .step_s = 0.1 else . end'
}
