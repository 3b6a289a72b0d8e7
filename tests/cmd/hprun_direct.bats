# Hosts whose agents ssh has started: data take a direct connection to the agent.
# shellcheck shell=bash disable=SC2154
load common
load hprun

# by_ssh HOST...: hosts of this machine, whose agents seem to be started by ssh.
by_ssh() {
	hosts "$@"
	cat >login <<-'EOF'
		#!/bin/sh
		SSH_CONNECTION='127.0.0.1 1 127.0.0.1 22'
		export SSH_CONNECTION
		exec far "$@"
	EOF
	chmod +x login
}

# counted: login.HOST.in and login.HOST.out have what passes through the login.
counted() {
	sed -i 's:^exec far.*:tee -a "$0.$1.in" | far "$@" | tee -a "$0.$1.out":' login
}

# most FILE...: the bytes of the largest file.
most() {
	wc -c "$@" | awk '$2 != "total" && $1 > most { most = $1 } END { print most }'
}

@test "input and result take the direct connection, and not the login" {
	hpgen -F gensort 30000 in
	hpsort -F gensort -o want in
	by_ssh 127.0.0.1 127.0.0.2
	counted
	run_ hprun -F gensort -C cluster --rsh login -o out in
	status_is 0
	stderr_is ''
	same out want
	[ "$(most login.*.in)" -lt 1000 ]
	[ "$(most login.*.out)" -lt 1000 ]
	rm out login.*
	clean

	# By ssh from node to node, no ports are used.
	hosts a b
	run_ hprun -F gensort -C cluster --transport ssh --rsh login -o out in
	status_is 0
	same out want
	[ "$(most login.*.in)" -gt 1000000 ]
	[ "$(most login.*.out)" -gt 1000000 ]
}

@test "jobs that are no sorts take the direct connection" {
	seq 100000 >in
	by_ssh a b
	counted
	run_ hprun -C cluster --rsh login --map -o out in -- sed 's/$/!/'
	status_is 0
	stderr_is ''
	sed 's/$/!/' in >want
	same out want
	[ "$(most login.*.in)" -lt 1000 ]
	rm out
	clean
}

@test "a login by another command than ssh is the connection itself" {
	lines 3000 >in
	sort in >want
	hosts 127.0.0.1 127.0.0.2
	cat >login <<-'EOF'
		#!/bin/sh
		[ -z "$SSH_CONNECTION" ] || exit 9
		exec far "$@"
	EOF
	chmod +x login
	# As if the user of hprun had come by ssh.
	SSH_CONNECTION='127.0.0.1 1 127.0.0.1 22' run_ hprun -C cluster --rsh login \
		-o out in
	status_is 0
	stderr_is ''
	same out want
}

@test "a host cannot redirect the other hosts to an address that is not ours" {
	lines 3000 >in
	sort in >want
	by_ssh 127.0.0.1 127.0.0.2 127.0.0.3
	jq -nc '{type: "node", node: "here", speed: 1}' >>cluster
	sed -i '2a [ "$1" != 127.0.0.3 ] || SSH_CONNECTION="$lie 1 127.0.0.1 22"' login
	# No route leads to the first address (RFC 5737).
	for lie in 192.0.2.1 ip6-localhost ::1; do
		export lie
		run_ hprun -a exact --transport tcp -C cluster --rsh login \
			--keep kept -o out in
		status_is 0
		stderr_is ''
		same out want
		[ "$(jq -r 'select(.node == "here").host' kept/cluster.jsonl)" = 127.0.0.1 ]
		rm -r out kept home/*/work*/*
	done
}

# reached_at ADDRESS: by tcp, hosts reach the node of this machine there.
reached_at() {
	run_ hprun -a exact --transport tcp -C cluster --rsh login --keep kept -o out in
	status_is 0
	stderr_is ''
	same out want
	[ "$(jq -r 'select(.node == "here").host' kept/cluster.jsonl)" = "$1" ]
	rm -r out kept home/*/work*/*
}

# alone: hprun runs in a network with two more addresses, 10.9.9.1 and 10.9.9.2.
alone() {
	unshare -n true 2>/dev/null || skip 'no right to make a network'
	cat >alone <<-'EOF'
		#!/bin/sh
		ip link set lo up && ip link add hp0 type veth peer name hp1 &&
		ip addr add 10.9.9.1/32 dev hp0 && ip addr add 10.9.9.2/32 dev hp0 &&
		ip link set hp0 up && exec hprun "$@"
	EOF
	chmod +x alone
	hprun() {
		HP_RUN=$HP_MARK unshare -n ./alone "$@"
	}
}

@test "hosts reach this machine at the address that most of them report" {
	lines 3000 >in
	sort in >want
	by_ssh 127.0.0.1 127.0.0.2 127.0.0.3
	# The third host has most of the nodes.
	for i in 1 2; do
		jq -nc --arg node "n$i" --arg dir "$PWD" \
			'{type: "node", $node, host: "127.0.0.3", $dir, speed: 1}'
	done >>cluster
	jq -nc '{type: "node", node: "here", speed: 1}' >>cluster
	sed -i '2s/127.0.0.1 1/10.9.9.1 1/
		2a [ "$1" != 127.0.0.3 ] || SSH_CONNECTION="10.9.9.2 1 127.0.0.1 22"' login
	alone
	reached_at 10.9.9.1
}

@test "hosts reach this machine at a loopback address only if none reports another" {
	lines 3000 >in
	sort in >want
	by_ssh 127.0.0.1 127.0.0.2 127.0.0.3
	jq -nc '{type: "node", node: "here", speed: 1}' >>cluster
	sed -i '2a [ "$1" != 127.0.0.3 ] || SSH_CONNECTION="10.9.9.1 1 127.0.0.1 22"' login
	alone
	reached_at 10.9.9.1
}

@test "hosts reach this machine at an address of IPv6" {
	grep -q . /proc/net/if_inet6 || skip 'no IPv6'
	lines 3000 >in
	sort in >want
	by_ssh 127.0.0.1 127.0.0.2
	jq -nc '{type: "node", node: "here", speed: 1}' >>cluster
	sed -i '2s/127.0.0.1 1/::1 1/' login
	reached_at ::1
}

@test "the login remains the connection if the agent's port cannot be reached" {
	lines 3000 >in
	sort in >want
	by_ssh 127.0.0.1 127.0.0.2
	counted
	# No route leads there (RFC 5737).
	sed -i 's/127.0.0.1 22/192.0.2.1 22/' login
	run_ hprun -C cluster --rsh login -o out in
	status_is 0
	stderr_has 'its port cannot be reached, so data pass through the login'
	[ "$(wc -l <<<"$stderr")" = 1 ]
	same out want
	[ "$(most login.*.in)" -gt 10000 ]
	rm out
	clean
}

@test "so few files may be open that only logins are possible" {
	local host

	seq 20000 >in
	for host in {1..12}; do
		set -- "$@" "h$host"
	done
	by_ssh "$@"
	HP_RUN=$HP_MARK run_ bash -c 'ulimit -n 40; exec hprun "$@"' bash \
		-C cluster --rsh login --map -o out in -- cat
	status_is 0
	stderr_has 'the limit of open files is too low for a direct connection'
	[ "$(wc -l <<<"$stderr")" = 1 ]
	same out in
	rm out
	clean
}

@test "a slow agent has more time than 2 seconds for its direct connection" {
	hpgen -F gensort 30000 in
	hpsort -F gensort -o want in
	by_ssh 127.0.0.1
	counted
	# Stops the agent, in the process group of the login, before the launcher
	# knows its port.
	cat >slow <<-'EOF'
		#!/bin/sh
		agents=$(dirname "$0")/agents
		while dd bs=65536 count=1 2>/dev/null >"$0.bytes" && [ -s "$0.bytes" ]; do
			if grep -aq listening "$0.bytes"; then
				pgrep -g 0 -f 'hprun --agent' >"$agents"
				xargs kill -STOP <"$agents"
				(sleep 4; xargs kill -CONT <"$agents") >/dev/null 2>&1 &
			fi
			cat "$0.bytes"
		done
	EOF
	chmod +x slow
	sed -i 's:| tee -a "$0.$1.out":& | "${0%/*}/slow":' login
	run_ hprun -F gensort -C cluster --rsh login -o out in
	status_is 0
	stderr_is ''
	same out want
	[ -s agents ]
	[ "$(most login.*.in)" -lt 1000 ]
	rm out
	clean
}

@test "a host with a direct connection dies: its share goes to the other nodes" {
	lines 3000 >in
	sort in >want
	for way in 'hpsort range' 'hpsort exact' 'hpexchange exact' 'hpmerge exact'; do
		program=${way% *}
		rm -rf home bin dead*
		by_ssh 127.0.0.1 127.0.0.2 127.0.0.3
		ends_hosts
		instead "$program" <<-EOF
			case \$PWD in
			*/home/127.0.0.2/*) exec "$PWD/strike" 127.0.0.2 ;;
			esac
			exec "\$real" "\$@"
		EOF
		run_ timeout 500 hprun -a "${way#* }" -C cluster --timeout 300 \
			--rsh login -o out in
		status_is 0
		stderr_is 'hprun: on 127.0.0.2: lost; its share goes to the others'
		same out want
		rm -r out home/127.0.0.2
		clean
	done
}

@test "the login of a direct connection ends: the agent cleans up, the run restarts" {
	lines 3000 >in
	sort in >want
	by_ssh 127.0.0.1 127.0.0.2
	counted
	sed -i 's/^tee/echo $$ >>"${0%\/*}\/login.$1.pid"; &/' login
	instead hpsort <<-EOF
		case \$PWD in
		*/home/127.0.0.2/*) [ -e "$PWD/once" ] || {
			: >"$PWD/once"
			pkill -KILL -s "\$(head -n 1 "$PWD/login.127.0.0.2.pid")" tee
			exec sleep 600
		} ;;
		esac
		exec "\$real" "\$@"
	EOF
	run_ timeout 300 hprun -C cluster --rsh login -o out in
	status_is 0
	same out want
	[ "$(wc -l <login.127.0.0.2.pid)" -gt 1 ]
	rm out
	clean
}

@test "hprun is killed: agents with a direct connection leave nothing" {
	lines 3000 >in
	by_ssh 127.0.0.1 127.0.0.2
	instead hpsort <<-EOF
		: >>"$PWD/sorting"
		exec sleep 600
	EOF
	HP_RUN=$HP_MARK command hprun -C cluster --rsh login -o out in 3>&- &
	soon test -e sorting
	kill -KILL $!
	wait $! || true
	clean
}
