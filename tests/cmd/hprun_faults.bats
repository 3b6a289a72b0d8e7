# What fails, is killed or interrupted on one machine.
# shellcheck shell=bash disable=SC2154
load common
load hprun

# a_bad_run CODE: hprun of ./in fails with the code and leaves nothing.
a_bad_run() {
	local code=$1

	shift
	HP_RUN=$HP_MARK run --separate-stderr -"$code" timeout 200 hprun "$@" \
		-j 3 -o out in
	stdout_is ''
	nothing_left
}

@test "a step that fails fails the run, with its words and its exit status" {
	seq 2000 >in
	instead hpsort <<-'EOF'
		case $PWD in
		*/node.1) echo "hpsort: no luck" >&2; exit 2 ;;
		*) sleep 600 ;;
		esac
	EOF
	a_bad_run 2 -a psrs
	stderr_is 'node1: hpsort: no luck
hprun: node1: sort: failed'
}

@test "all that a step has to say comes before that it has failed" {
	seq 2000 >in
	# More than a pipe holds, to somebody who has much to do.
	instead hpsort <<-'EOF'
		case $PWD in
		*/node.1) seq 20000 >&2; exit 2 ;;
		*) sleep 600 ;;
		esac
	EOF
	HP_RUN=$HP_MARK hprun -a psrs -j 3 -o out in 2> >(sleep 2; cat >stderr) &&
		false
	wait $!
	{
		seq 20000 | sed 's/^/node1: /'
		echo 'hprun: node1: sort: failed'
	} >want
	same stderr want
	nothing_left
}

@test "every program may fail" {
	seq 2000 >in
	for way in exact/hpsolve exact/hpsplit exact/hpsort exact/hpmerge \
		exact/hpexchange pss/hpsplit pss/hpexchange psop/hpsort; do
		rm -rf bin
		instead ${way#*/} <<-'EOF'
			case $PWD/$* in
			*/node.1/-[!-]* | */node.1/[!-]* | */-n\ [1-9]*) exit 2 ;;
			*) exec "$real" "$@" ;;
			esac
		EOF
		a_bad_run 2 -a ${way%/*}
		stderr_has 'failed'
	done
}

@test "a program killed midway: exit 3, and all others end" {
	seq 20000 >in
	for way in exact/hpsort exact/hpmerge pss/hpexchange; do
		rm -rf bin
		instead ${way#*/} <<-'EOF'
			case $PWD/$* in
			*/node.1/-[!-]*) kill -KILL $$ ;;
			*) exec "$real" "$@" ;;
			esac
		EOF
		a_bad_run 3 -a ${way%/*}
		stderr_has 'node1'
	done
}

@test "a program that is not there is said before the run" {
	seq 20 >in
	instead hpmerge </dev/null
	rm bin/hpmerge
	PATH=$PWD/bin:/usr/bin:/bin
	a_bad_run 2 -a psrs
	stderr_has 'node0: hpmerge: not found'
	stderr_has 'node2: hpmerge: not found'
}

three_ready() {
	there_are 3 tmp/*/node.*/ready
}

# slow_run WORD...: starts hprun, with steps that do not end, in a session of
# its own with the signals as a terminal has them; waits for the steps; $pid.
slow_run() {
	instead hpsort <<-'EOF'
		echo >>ready
		sleep 600
	EOF
	rm -f pids
	HP_RUN=$HP_MARK setsid env --default-signal=INT,TERM,HUP,PIPE \
		hprun -a psrs -j 3 "$@" in 3>&- >stdout 2>stderr &
	pid=$!
	soon three_ready || fail 'the steps did not start' "$(cat stderr)"
}

@test "SIGINT, SIGTERM and SIGHUP end the run, and hprun dies of them" {
	seq 2000 >in
	for s in INT TERM HUP; do
		rm -rf bin
		slow_run -o out
		# As the terminal does: the whole group of processes.
		kill -s $s -- "-$pid"
		wait "$pid" && false
		[ $? = $((128 + $(kill -l $s))) ]
		nothing_left
		same stderr /dev/null
	done
}

@test "hprun killed by SIGKILL: the janitor ends the steps and cleans" {
	seq 2000 >in
	slow_run -o out
	kill -KILL "$pid"
	wait "$pid" || true
	nothing_left
	rm -rf bin
	slow_run
	kill -KILL -- "-$pid"
	wait "$pid" || true
	nothing_left
}

@test "a reader of standard output that goes away ends the run quietly" {
	seq 200000 >in
	set +o pipefail
	hprun -j 2 in 2>stderr | head -n 1
	[ "${PIPESTATUS[0]}" = 141 ]
	same stderr /dev/null
	run_ bash -c 'hprun -j 2 in >/dev/full'
	status_is 2
	stderr_has 'No space left'
	nothing_left
}

@test "a run that cannot begin leaves no directory" {
	seq 10 >in
	mkdir other
	cat >other/mktemp <<-EOF
		#!/bin/sh
		$(command -v mktemp) "\$@" | tee -a "$PWD/made"
	EOF
	cat >other/mkfifo <<-EOF
		#!/bin/sh
		case \$1 in */watch) exit 1 ;; esac
		exec $(command -v mkfifo) "\$@"
	EOF
	chmod +x other/*
	run_ env PATH="$PWD/other:$PATH" hprun -j 2 in
	status_is 2
	[ "$(wc -l <made)" = 2 ]
	while read -r name; do
		[ ! -e "$name" ]
	done <made
}

@test "killed while its directories are made, it leaves none" {
	seq 10 >in
	mkdir other
	cat >other/mktemp <<-EOF
		#!/bin/sh
		$(command -v mktemp) "\$@" | tee -a "$PWD/made"
		kill -KILL \$(cat pid) || true
		sleep 0.3
	EOF
	chmod +x other/mktemp
	run_ env PATH="$PWD/other:$PATH" HP_RUN="$HP_MARK" \
		sh -c 'echo $$ >pid; exec hprun -j 2 in'
	status_is 137
	nothing_left
	[ -s made ]
	while read -r name; do
		[ ! -e "$name" ] || fail "left: $name"
	done <made
}

@test "killed before it has begun, by one who does not ask what became of it" {
	local keeper

	seq 10 >in
	mkdir other
	cat >other/mktemp <<-EOF
		#!/bin/sh
		$(command -v mktemp) "\$@"
		kill -STOP \$(cat pid)
	EOF
	cat >other/timeout <<-EOF
		#!/bin/sh
		: >waits
		exec $(command -v timeout) "\$@"
	EOF
	chmod +x other/*
	# The parent that it has then waits for nobody.
	PATH=$PWD/other:$PATH sh -c 'HP_RUN=$HP_MARK sh -c "echo \$\$ >pid
		exec hprun -j 2 in" 2>/dev/null & exec sleep 600' 3>&- &
	keeper=$!
	soon test -e waits
	kill -KILL "$(cat pid)"
	nothing_left
	kill "$keeper"
}

@test "what is kept is of one run at a time" {
	seq 2000 >in
	instead hpsort <<-'EOF'
		echo >>ready
		sleep 600
	EOF
	env HP_RUN="$HP_MARK" hprun -a psrs -j 2 --keep kept -o out in 3>&- &
	pid=$!
	soon there_are 2 kept/node.0/ready kept/node.1/ready
	run_ hprun -a psrs -j 2 --resume kept -o out in
	status_is 2
	stderr_is 'hprun: kept: is of a run that is under way'
	[ -n "$(left_running)" ]
	# Once that one is killed it can be taken up.
	instead hpsort <<<'exec "$real" "$@"'
	kill -KILL "$pid"
	flock -w 150 kept true
	run_ hprun -a psrs -j 2 --resume kept -o out in
	status_is 0
	sort in | cmp - out
	rm out
	nothing_left
}

@test "when its directory is taken away it ends, and so do its watches" {
	seq 2000 >in
	slow_run -o out
	take_away tmp/hprun.*
	for p in $(grep -lzsx "HP_RUN=$HP_MARK" /proc/[0-9]*/environ |
		cut -d / -f 3); do
		[ "$(cat "/proc/$p/comm")" != sleep ] || kill "$p" || :
	done 2>/dev/null # some may have ended
	wait "$pid" && false
	grep -q 'has been removed' stderr
	soon none_running
	rm -f out
	nothing_left
}

# two_wait: two processes wait for seconds, one at a time.
two_wait() {
	[ "$(sed -n 's/ 1$//p' slept | sort -u | wc -l)" = 2 ]
} 2>/dev/null

@test "when its directory is taken away and nothing of it ends, it does" {
	seq 2000 >in
	hosts a
	instead hpsort <<<"echo >>'$PWD/ready'; sleep 600"
	for way in '-j 2' "-C cluster --rsh far"; do
		rm -f ready
		# shellcheck disable=SC2086 # words
		hprun $way --timeout 8 -o out in 2>stderr 3>&- &
		soon test -s ready
		take_away tmp/hprun.*
		wait $! && false
		grep -q 'has been removed' stderr
		soon none_running
		clean
	done
	# Before all nodes have said that they are there, when there is somebody who
	# looks for the directory, and who counts the seconds.
	printf '#!/bin/sh\nsleep 600\n' >far
	printf '#!/bin/sh\necho $PPID $1 >>%q\nexec %s "$@"\n' "$PWD/slept" \
		"$(command -v sleep)" >bin/sleep
	chmod +x bin/sleep
	hprun -C cluster --rsh far --timeout 8 -o out in 2>stderr 3>&- &
	soon two_wait
	take_away tmp/hprun.*
	wait $! && false
	grep -q 'has been removed' stderr
	nothing_left
}

@test "a full disk, in the work directory and at the output" {
	unshare -m true 2>/dev/null || skip 'no right to mount'
	seq 200000 >in
	mkdir small
	cat >full <<-'EOF'
		mount -t tmpfs -o size=$1 none small
		if [ "$2" = work ]; then TMPDIR=$PWD/small; else out=small/; fi
		hprun -j 2 -a "$3" -o "${out-}out" <in
		status=$?
		rm -f small/ballast
		ls -A small >left
		exit $status
	EOF
	# Others fill it, once it is known that there is room.
	instead hpsort <<-EOF
		! mountpoint -q "$PWD/small" || cat /dev/zero >"$PWD/small/ballast" || :
		exec "\$real" "\$@"
	EOF
	for way in '1200k work exact' '9m work exact' '9m work pss' \
		'9m output exact'; do
		# shellcheck disable=SC2086 # words
		HP_RUN=$HP_MARK run_ timeout 200 unshare -m bash full $way
		status_is 2
		stderr_has 'No space left'
		same left /dev/null
		nothing_left
	done
	# Of what was stored it is known then.
	for way in '2m work' '1200k output'; do
		# shellcheck disable=SC2086 # words
		HP_RUN=$HP_MARK run_ timeout 200 unshare -m bash full $way exact
		status_is 2
		stderr_has 'MiB are needed'
		[ ! -s left ]
		nothing_left
	done
	run_ unshare -m sh -c 'mount -t tmpfs -o size=1200k none small &&
		exec hprun -j 2 -o small/out in'
	status_is 2
	stderr_is "hprun: launcher: $PWD/small: 2 MiB are needed, 1 MiB are free"
	# Of a file it is known before.
	run_ unshare -m sh -c 'mount -t tmpfs -o size=2100k none small &&
		exec hprun -j 2 -T small -o out in'
	status_is 2
	stderr_has 'node0: '
	stderr_has 'MiB are needed, 2 MiB are free'
	stderr_has 'node1: '
	nothing_left
}

@test "SIGKILL of what only waits for seconds does not end the run" {
	lines 300 >in
	hosts a b
	for program in hpsplit hpsort; do
		instead $program <<-EOF
			case \$PWD/\$1 in
			*/home/b/*--version) ;;
			*/home/b/*) touch "$PWD/began"; until [ -e "$PWD/go" ]; do read -rt 0.1 _ <>"$PWD/never" || :; done ;;
			esac
			exec "\$real" "\$@"
		EOF
		rm -f never began go
		mkfifo never
		HP_RUN=$HP_MARK command hprun -C cluster --rsh far -o out in 2>stderr 3>&- &
		pid=$!
		soon test -e began
		for _ in 1 2 3; do
			for p in $(grep -lzsx "HP_RUN=$HP_MARK" /proc/[0-9]*/environ |
				cut -d / -f 3); do
				[ "$(cat "/proc/$p/comm")" != sleep ] || kill -KILL "$p" || :
			done 2>/dev/null # some may have ended
			sleep 0.2
		done
		touch go
		wait "$pid" || fail "$(cat stderr)"
		same stderr /dev/null
		sort in | cmp - out
		rm -r out bin
		clean
	done
}

@test "a step for which no command can be made ends the run" {
	seq 100 >in
	sed 's/^sort_part() {/&\n\texit 1/' "$HPBIN/hprun" >broken
	HP_RUN=$HP_MARK run_ sh ./broken -j 2 -o out in
	status_is 2
	stderr_is 'hprun: sort: a step without a command'
	nothing_left
}
