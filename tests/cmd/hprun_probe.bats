# hprun when no speed of the nodes is known, and batches only tell the speeds.
# shellcheck shell=bash disable=SC2154
load common
load hprun

# many: an input that is large enough for two nodes, with few different keys.
many() {
	seq -f %063.0f 540000 >in
}

# probes TRACE NODES: each of the nodes sorted a batch that only told its speed,
# then one part of the input.
probes() {
	are_many probe "$1" "$2"
	[ "$(batches sort "$1")" = "$2 $2" ]
	jq -se 'def sum($s): map(select(.step == $s).records) | add;
		sum("probe") <= sum("sort") / 16' "$1"
}

@test "-s, -u and methods that sort last: the first batches only tell the speeds" {
	many
	unknown a b
	while read -r method words; do
		# shellcheck disable=SC2086 # words
		sort $words in >want
		# shellcheck disable=SC2086
		run_ hprun -C cluster -a $method $words --keep kept --trace trace \
			-o out in
		status_is 0
		stderr_is ''
		same out want
		probes trace 2
		hpsolve -n 540000 kept/learned.jsonl | cmp - kept/plan.jsonl
		[ "$(wc -l <kept/deal.jsonl)" = 2 ]
		rm -r out trace kept
	done <<-'end'
		exact -s -k 1.61,1.62n
		psrs -u -k 1.60,1.61
		psop -s -k 1.61,1.62n
		range
	end
	nothing_left
}

@test "-s on hosts: batches are sent for the speeds, then each part is sent" {
	many
	sort -s -k 1.61,1.62n in >want
	hosts a
	forget_speeds
	jq -nc '{type: "node", node: "here"}' >>cluster
	run_ hprun -C cluster --transport ssh --rsh far -s -k 1.61,1.62n --trace trace \
		--profile=learn -o out in
	status_is 0
	stderr_is ''
	same out want
	probes trace 2
	jq -se 'map(select(.step == "probe-send").node) | unique == ["on a"]' trace
	# Only the real sort is learned from, one run of each node.
	jq -se 'map(.learned.runs | length) == [1, 1]' cluster
	rm out
	clean
}

@test "a slow node keeps its batch that tells its speed" {
	many
	sort -s -k 1.61,1.62n in >want
	hosts a b
	forget_speeds
	instead hpsort <<-EOF
		case \$PWD in
		*/home/a/*) [ -e "$PWD/once" ] || {
			: >"$PWD/once"
			sleep 3
		} ;;
		esac
		exec "\$real" "\$@"
	EOF
	run_ hprun -C cluster -a exact --transport ssh --rsh far -s -k 1.61,1.62n --trace trace \
		-o out in
	status_is 0
	stderr_is ''
	same out want
	probes trace 2
	rm out
	clean
}
