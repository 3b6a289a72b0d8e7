#!/usr/bin/env bats
# What passes through the logins of hprun by a real ssh, in the lab, and what
# happens if the hosts' ports cannot be reached.
# shellcheck shell=bash disable=SC2154

load ../cmd/common
load lab

setup_file() {
	lab_up a b
}

teardown_file() {
	lab_down
}

setup() {
	[ -z "$NO_LAB" ] || skip "$NO_LAB"
	begin
	hub=$LAB_DIR/nodes/hub/home
	for name in a b; do
		printf '{"type":"node","node":"%s","host":"%s","dir":"%s","speed":1}\n' \
			$name $name "$LAB_DIR/home"
	done >"$hub/cluster"
	cat >"$hub/login" <<-'EOF'
		#!/bin/sh
		tee -a "${0%/*}/in" | ssh "$@" | tee -a "${0%/*}/out"
	EOF
	chmod +x "$hub/login"
	rm -f "$hub"/in "$hub"/out "$hub"/sorted
	hpgen -F gensort 50000 "$hub/input"
	hpsort -F gensort -o want "$hub/input"
}

# sorted: hprun on the hub.
sorted() {
	run_ lab exec hub hprun -C cluster -F gensort --rsh "$hub/login" -o sorted input
	status_is 0
	same "$hub/sorted" want
}

@test "no data pass through ssh" {
	sorted
	stderr_is ''
	[ "$(wc -c <"$hub/in")" -lt 1000 ]
	[ "$(wc -c <"$hub/out")" -lt 1000 ]
}

# A firewall that drops all but ssh.
@test "if a firewall drops packets to the ports, data pass through ssh" {
	local started=$SECONDS name

	for name in a b; do
		lab exec $name ip rule add prio 1 ipproto tcp sport 10000-40000 \
			to 10.77.0.254 blackhole
	done
	sorted
	for name in a b; do
		lab exec $name ip rule del prio 1
	done
	stderr_has 'its port cannot be reached, so data pass through the login'
	[ "$(wc -l <<<"$stderr")" = 1 ]
	[ "$(wc -c <"$hub/in")" -gt 1000000 ]
	[ $((SECONDS - started)) -lt 30 ]
}
