#!/usr/bin/env bats
# shellcheck shell=bash disable=SC2154
# hpexchange --report: which peers a node did not reach, for how long, and why.

load common
load exchange

# ports: a port for each node of the cluster, and a key.
ports() {
	local i=1 port

	for port in $(hpexchange --free-port="$nodes"); do
		sed -i "$i"'s/"dir":"[^"]*"/"port":'"$port/" cluster
		i=$((i + 1))
	done
	head -c 32 /dev/urandom >key
	chmod 600 key
}

# reported I WORD...: node I reports PEER:WHY for each word, and no more; *WHY is
# of a peer that came back.
reported() {
	local got

	got=$(jq -r '"\(.peer):\(if .back then "*" else "" end)\(.why)"' \
		"report.$1" | xargs)
	[ "$got" = "${*:2}" ] || fail "node $1 reports '$got', not '${*:2}'" \
		"$(cat "report.$1" "err.$1")"
}

# watched I [OPTION...]: node I on the extents of its file, with a report.
watched() {
	whole "$@" --report "report.$1"
}

@test "a successful exchange has an empty report" {
	cluster 2
	for i in 0 1; do
		input $i 10 10
		echo 'of an earlier run' >report.$i
	done
	all watched --timeout 60
	for i in 0 1; do reported $i; done
	arrived
}

@test "a missing peer is reported only by the nodes that wait for it" {
	cluster 3
	for i in 0 1 2; do input $i 1 1 1; done
	start watched 1 --timeout 60
	at_work 1
	start watched 0 --timeout 0.5
	ended 0 3
	ended 1 3
	# It would have waited for longer before it gave that peer a line.
	grep -q 'n2: not connected after 0.5 s' err.1
	reported 1
	jq -se 'any(.type == "unreached" and .rank == 0 and .node == "n0" and
		.peer == 2 and .peer_node == "n2" and
		.seconds >= 0.5 and .seconds < 30 and (.back | not))' report.0
}

@test "a peer whose process has ended is reported, by unix sockets and by tcp" {
	big
	for way in unix tcp; do
		words=()
		if [ $way = tcp ]; then
			rm -f from*
			ports
			words=(-t tcp -K key)
		fi
		for i in 0 1 2; do
			dam from$i.{0,1,2}
			start watched $i -o from$i "${words[@]}" --timeout 300
		done
		flooded
		kill -9 "${pid[1]}"
		ended 0 3
		ended 2 3
		# Whichever of the two finds it first tells the other.
		cat report.0 report.2 >report.3
		[ -s report.3 ]
		jq -se 'all(.peer == 1 and .why == "ended" and (.back | not))' report.3
		ended 1 137
	done
}

@test "a stopped peer is reported as silent, before the exchange ends" {
	big
	for i in 0 1 2; do
		dam from$i.{0,1,2}
		start watched $i -o from$i --timeout 8
	done
	flooded
	kill -STOP "${pid[1]}"
	# After half of the timeout, or 3 seconds, it is.
	until [ -s report.0 ] && [ -s report.2 ]; do
		all_there
		sleep 0.05
	done
	reported 0 1:silent
	kill -KILL "${pid[0]}"
	ended 2 3
	reported 0 1:silent
	jq -se 'map(select(.peer == 1)) |
		all(.why == "silent" and .seconds >= 3)' report.2
	# Nobody was silent for as long as it had its eyes open.
	reported 1
}

@test "a peer that answers again is reported as back" {
	big
	for i in 0 1 2; do
		dam from$i.{0,1,2}
		start watched $i -o from$i --timeout 20
	done
	flooded
	kill -STOP "${pid[1]}"
	until [ -s report.0 ] && [ -s report.2 ]; do
		all_there
		sleep 0.05
	done
	kill -CONT "${pid[1]}"
	undam
	reported 0 1:*silent
	reported 2 1:*silent
	reported 1
}

@test "by tcp: the report says refused if there is no listener, key if the keys differ" {
	cluster 2
	ports
	input 0 10 10
	run_ watched 0 -t tcp -K key --timeout 1
	status_is 3
	reported 0 1:refused
	head -c 32 /dev/urandom >other
	chmod 600 other
	start watched 0 -t tcp -K key --timeout 60
	input 1 10 10
	start watched 1 -t tcp -K other --timeout 60
	ended 0 3
	ended 1 3
	reported 0 1:key
	reported 1 0:key
}

@test "a report that cannot be written is an error at the beginning" {
	cluster 2
	input 0 10 10
	run_ hpexchange -C cluster -N 0 -i in.0 -x /dev/null \
		--report nowhere/report
	status_is 2
	stderr_is 'hpexchange: nowhere/report.new: No such file or directory'
}
