#!/usr/bin/env bats
# The exchange by ssh: by a stand-in that stays here, and by ssh itself.
# shellcheck shell=bash disable=SC2154,SC2094

load common
load exchange
load secure

# hosts: each node on a host of its own, and ./rsh, which does as ssh does but
# that it stays here.  It notes who comes, to which host, and what is run there.
hosts() {
	sed -i 's/"node":"n\([0-9]*\)"/&,"host":"host\1"/' cluster
	cat >rsh <<-'EOF'
		#!/bin/sh
		from=$(tr '\0' ' ' <"/proc/$PPID/cmdline")
		from=${from#*-N }
		printf '%s %s\n' "${from%% *}" "$*" >>log
		shift
		exec sh -c "$*"
	EOF
	chmod +x rsh
}

# logins: who came to which host for the node of which directory, each once: one
# that takes long, or is silent, gets another one beside it.
logins() {
	sed -E "s|([^ ]* [^ ]*) .*--serve '?[^ ']*/(d[0-9]+)'?\$|\1 \2|" log | sort -u
}

# alone: nothing that was started is left.
alone() {
	local i

	for ((i = 0; i < 600; i++)); do
		pgrep -f -- "--serve '?$PWD/" >/dev/null || return 0
		sleep 0.1
	done
	fail "$(pgrep -af -- "--serve '?$PWD/")"
}

@test "nodes of one machine ignore the member host" {
	cluster 2
	hosts
	input 0 10 10
	input 1 10 10
	all framed --timeout 60 -t unix --rsh false
	arrived
	# Nor do they when all have the same.
	sed -i 's/"host":"[^"]*"/"host":"here"/' cluster
	all framed --timeout 60 --rsh false
	arrived
}

@test "nodes of different hosts are reached by ssh, unless told otherwise" {
	cluster 3
	hosts
	sed -i '3s/"host":"[^"]*",//' cluster
	for i in 0 1 2; do input $i 10 10 10; done
	all framed --timeout 60 --rsh ./rsh
	arrived
	# Node 2 has no host: it is on the machine of everybody.
	[ "$(logins)" = "$(printf '%s\n' '0 host1 d1' '1 host0 d0' \
		'2 host0 d0' '2 host1 d1')" ]
}

@test "by ssh: three hosts exchange their records" {
	cluster 3
	hosts
	input 0 40000 30000 20000
	input 1 0 100000 1
	input 2 5 0 0
	all framed --timeout 60 -t ssh --rsh ./rsh
	arrived
	rm log
	all whole --timeout 60 -t ssh --rsh ./rsh
	arrived
	[ "$(logins)" = "$(printf '%s\n' '0 host1 d1' '0 host2 d2' \
		'1 host0 d0' '1 host2 d2' '2 host0 d0' '2 host1 d1')" ]
	[ "$(cut -d ' ' -f 3,4 log | sort -u)" = 'exec hpexchange' ]
	alone
}

@test "by ssh: a login that a host refuses, because there are too many, is retried" {
	cluster 12
	hosts
	for ((i = 0; i < 12; i++)); do
		input $i 9 9 9 9 9 9 9 9 9
	done
	mkdir logins
	cat >rsh <<-'EOF'
		#!/bin/sh
		: >logins/$$
		# No node is refused seven times, as it gives up then.
		[ "$(ls logins | wc -l)" -le 8 ] ||
			[ "$(cat refused 2>/dev/null | wc -l)" -gt 4 ] || {
			rm logins/$$
			echo >>refused
			exit 255
		}
		# Eight stay until there was a ninth.
		until [ -s refused ]; do sleep 0.05; done
		rm logins/$$
		shift
		exec sh -c "$*"
	EOF
	all framed --timeout 60 -t ssh --rsh ./rsh
	for ((i = 0; i < 9; i++)); do
		want $i >want
		same <(LC_ALL=C sort got.$i) want
	done
	echo "# $(wc -l <refused) logins were refused"
	alone
}

@test "by ssh: a host has at most eight logins at a time to another host" {
	cluster 14
	hosts
	sed -i -E '1,11s/"host":"[^"]*"/"host":"many"/
		12,14s/"host":"[^"]*"/"host":"few"/' cluster
	for ((i = 0; i < 14; i++)); do
		input $i 9 9 9
	done
	mkdir many few
	cat >rsh <<-'EOF'
		#!/bin/sh
		: >$1/$$
		ls $1 | wc -l >>at.$1
		echo "$PPID ${2##* }" >>to.$1
		sleep 0.1
		rm $1/$$
		shift
		exec sh -c "$*"
	EOF
	all framed --timeout 60 -t ssh --rsh ./rsh
	arrived
	[ "$(sort -u to.few | wc -l)" = 33 ]
	[ "$(sort -u to.many | wc -l)" = 33 ]
	[ "$(sort -n at.few at.many | tail -n 1)" -le 8 ]
	alone
}

@test "by ssh: no word of the cluster reaches a shell unquoted" {
	dir="it's; touch broken \$(touch broken) \"x\" *"
	mkdir -p "0 $dir" "1 $dir"
	for i in 0 1; do
		jq -nc --arg dir "$PWD/$i $dir" --arg node "n$i; touch broken" \
			--arg host "h$i \$(touch broken)" \
			'{type: "node", $node, $host, $dir}'
	done >cluster
	printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >rsh
	chmod +x rsh
	hpexchange -C cluster -N 0 -i cluster -x /dev/null -t ssh --rsh ./rsh 3>&- &
	pid[0]=$!
	run_ hpexchange -C cluster -N 1 -i cluster -x /dev/null -t ssh --rsh ./rsh
	status_is 0
	ended 0 0
	[ ! -e broken ]
}

@test "by ssh: nodes of the same host or none need no login" {
	cluster 3
	hosts
	sed -i '1s/"host":"[^"]*",//; 3s/host2/host1/' cluster
	for i in 0 1 2; do input $i 10 10 10; done
	all framed --timeout 60 -t ssh --rsh ./rsh
	arrived
	# Node 0 reaches 1 and 2; they reach each other, and 0, without.
	[ "$(logins)" = "$(printf '%s\n' '0 host1 d1' '0 host1 d2')" ]
}

@test "by ssh: a host that cannot be reached is named" {
	cluster 2
	hosts
	input 0 1 1
	input 1 1 1
	printf '#!/bin/sh\necho "rsh: $1: No route to host" >&2\nexit 255\n' >rsh
	printf '#!/bin/sh\nexit 255\n' >mute
	chmod +x mute
	start framed 0 --timeout 60 -t ssh --rsh ./rsh
	start framed 1 --timeout 60 -t ssh --rsh ./mute
	ended 0 3
	ended 1 3
	[ "$(cat err.0)" = 'rsh: host1: No route to host
hpexchange: n1: rsh: host1: No route to host' ]
	[ "$(cat err.1)" = 'hpexchange: n0: closed the connection' ]
}

@test "by ssh: permanent errors are retried once" {
	cluster 2
	hosts
	input 0 1 1
	while read -r status why; do
		printf '#!/bin/sh\necho >>tries\necho "%s" >&2\nexit %d\n' \
			"$why" "$status" >rsh
		: >tries
		run_ bash -c 'hpsplit cut -L sublists -N 0 in.0 |
			hpexchange -C cluster -N 0 --timeout 60 -t ssh --rsh ./rsh'
		status_is 2
		stderr_is "$why
hpexchange: n1: $why"
		# That a command is not found may be known some tries later; of
		# what may pass there are seven.
		[ "$(wc -l <tries)" -lt 7 ]
	done <<-'EOF'
		255 Host key verification failed.
		255 u@host1: Permission denied (publickey).
		255 Unable to negotiate with host1 port 22: no matching cipher found.
		127 sh: 1: exec: hpexchange: not found
		2 hpexchange: unrecognized option '--serve'
	EOF
	# All else may be over at the next one: each host lets nobody in twice.
	cat >rsh <<-'EOF'
		#!/bin/sh
		echo >>tries.$1
		[ "$(wc -l <tries.$1)" -gt 2 ] || {
			echo 'kex_exchange_identification: Connection refused' >&2
			exit 255
		}
		shift
		exec sh -c "$*"
	EOF
	input 1 1 1
	all framed --timeout 60 -t ssh --rsh ./rsh
	alone
}

# waiting I: a node by ssh that is not done before the test is.
waiting() {
	exec hpexchange -C cluster -N "$1" --timeout 60 -t ssh --rsh ./rsh <&7 \
		>"got.$1" 2>"err.$1"
}

@test "by ssh: a host that answers something else is named, and the exchange fails" {
	local said line

	cluster 3
	hosts
	mkfifo input
	exec 7<>input
	while read -r said line; do
		cat >rsh <<-EOF
			#!/bin/sh
			# From host0 to host1 alone.
			case \$1/\${FROM-} in
			host1/0) $line ;;
			esac
			shift
			exec sh -c "\$*"
		EOF
		# They have come to node 0 before it is there, and does not stay.
		start waiting 1
		start waiting 2
		until [ "$(pgrep -fc -- "^hpexchange .*--serve '?$PWD/d0")" -ge 2 ]
		do sleep 0.05; done
		FROM=0 start waiting 0
		for i in 0 1 2; do ended $i 2; done
		grep -qx "hpexchange: n1: answers, but is no hpexchange: '$said'" \
			err.0
		for i in 1 2; do
			grep -qx "hpexchange: n0: .*n1: answers, but .*" err.$i
		done
		alone
	done <<-'EOF'
		Welcome! printf 'Welcome!\nMind the gap.\n'
		Welcome! printf 'Welcome!'; cat >/dev/null; exit
		foreign? echo "foreign$(printf '\\033')"; exit
	EOF
}

@test "by ssh: waiting for a turn to log in may exceed the timeout" {
	cluster 7
	hosts
	for ((i = 0; i < 7; i++)); do
		input $i 9 9 9 9 9 9 9
	done
	# One after the other they take longer than the timeout.
	printf '#!/bin/sh\nsleep 0.9\nshift\nexec sh -c "$*"\n' >rsh
	all framed --timeout 5 -t ssh --rsh ./rsh
	for ((i = 0; i < 7; i++)); do
		want $i >want
		same <(LC_ALL=C sort got.$i) want
	done
	alone
}

# dammed [OPTION...]: two nodes by ssh, both held by readers of their own.
dammed() {
	cluster 2
	hosts
	for i in 0 1; do
		input $i 400000 400000
		extents $i
	done
	held -t ssh --rsh ./rsh "$@"
}

# released: the readers read, and get what they should.
released() {
	undam
	for i in 0 1; do
		want $i >want
		same <(LC_ALL=C sort from$i.[01].got) want
	done
	alone
}

# relayed DEST [OTHER]: what carries bytes to that node, in $relay; not that
# other one.
relayed() {
	until relay=$(pgrep -n -f -- "^hpexchange .*--serve '?$PWD/d$1") &&
		[ "$relay" != "${2-}" ]; do
		sleep 0.05
	done
}

@test "by ssh: a slow reader is not taken for a dead node" {
	dammed --timeout 5
	sleep 9
	kill -0 "${pid[0]}" "${pid[1]}"
	released
	quiet 0
	quiet 1
}

@test "by ssh: broken and silent connections are replaced" {
	dammed --timeout 60
	# As when ssh dies.
	relay=
	for _ in 1 2 3; do
		relayed 1 "$relay"
		kill -9 "$relay"
	done
	relayed 1 "$relay"
	kill -STOP "$relay"
	relayed 1 "$relay"
	released
	grep -q '^hpexchange: n1: closed the connection; connected again' err.0
	quiet 1
}

@test "by ssh: a broken connection is replaced although a login takes 10 seconds" {
	dammed --timeout 60
	relayed 1
	sed -i '2s/^/[ ! -e slow ] || sleep 10\n/' rsh
	touch slow
	kill -9 "$relay"
	released
	grep -q '^hpexchange: n1: closed the connection; connected again' err.0
	quiet 1
}

@test "by ssh: a killed node is named by the other node" {
	dammed --timeout 300
	kill -9 "${pid[1]}"
	# Not for the timeout: its host says that no hpexchange is running there.
	ended 0 3
	grep -qx 'hpexchange: n1: closed the connection' err.0
	alone
}

@test "by real ssh: three hosts exchange 30 MB" {
	cluster 3
	hosts
	secure
	for i in 0 1 2; do input $i 200000 200000 100000; done
	all whole --timeout 60 -t ssh --rsh "ssh -T"
	arrived
	alone
}

@test "by real ssh: a stopped node is named, and a refused key is reported" {
	big
	hosts
	secure
	rsh=(--timeout 20 -t ssh --rsh "ssh -T")
	held "${rsh[@]}"
	kill -STOP "${pid[1]}"
	ended 0 3
	ended 2 3
	for i in 0 2; do
		grep -qE '^hpexchange: n1: (silent|.* did not come back) for 20 s' \
			err.$i ||
			fail "$(cat err.$i)"
	done
	kill -CONT "${pid[1]}"
	ended 1 3
	alone
	: >user.pub
	: >served
	run_ hpexchange -C cluster -N 0 -i in.0 -x ext.0 "${rsh[@]}" --timeout 60
	status_is 2
	[[ $stderr == *'hpexchange: n'[12]': '*': Permission denied ('* ]]
	# Two of each other node, but for one that takes long; not seven.
	[ "$(wc -l <served)" -lt 14 ]
}
