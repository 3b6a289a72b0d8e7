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

@test "a failing step fails the run with its messages and exit status" {
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

@test "all messages of a step come before the message that it failed" {
	seq 2000 >in
	# More than a pipe holds, to somebody who has much to do.
	instead hpsort <<-'EOF'
		case $PWD in
		*/node.1) seq -f %050g 9000 >&2; exit 2 ;;
		*) sleep 600 ;;
		esac
	EOF
	HP_RUN=$HP_MARK hprun -a psrs -j 3 -o out in 2> >(sleep 2; cat >stderr) &&
		false
	wait $!
	{
		seq -f 'node1: %050g' 9000
		echo 'hprun: node1: sort: failed'
	} >want
	same stderr want
	nothing_left
}

@test "message lines of a step beyond the limit are counted" {
	seq 2000 >in
	instead hpsort <<-'EOF'
		case $PWD in
		*/node.1) seq 20000 >&2; exit 2 ;;
		*) sleep 600 ;;
		esac
	EOF
	a_bad_run 2 -a psrs
	[ "$stderr" = "$(seq -f 'node1: %g' 10000)
node1: 10000 more lines are not shown
hprun: node1: sort: failed" ]
}

@test "a failure of any program fails the run" {
	seq 2000 >in
	for way in exact/hpsolve exact/hpsplit exact/hpsort exact/hpmerge \
		pss/hpsplit pss/hpexchange psop/hpsort range/hpsort; do
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

@test "a program is killed: exit 3, and all other steps end" {
	seq 20000 >in
	for way in exact/hpsort exact/hpmerge pss/hpexchange range/hpsort; do
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

@test "a missing program is reported before the run" {
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

# worker_of PID: the launcher, which hprun watches; agent_of PID: the agent of
# this machine.
worker_of() {
	pgrep -P "$1" || fail 'hprun has no worker'
}

agent_of() {
	pgrep -P "$(worker_of "$1")" -x hprun || fail 'the launcher has no agent'
}

@test "a signal that is ignored stays so: nohup, and & without job control" {
	lines 3000 >in
	sort in >want
	hosts a b
	instead hpsort <<-EOF
		: >"$PWD/sorts"
		until [ -e "$PWD/go" ]; do sleep 0.05; done
		exec "\$real" "\$@"
	EOF
	for words in '-j 2' '-C cluster --transport ssh --rsh far'; do
		rm -f out go sorts
		# shellcheck disable=SC2086 # words
		(trap '' INT HUP && exec setsid hprun $words -o out in) 3>&- &
		pid=$!
		soon test -e sorts
		kill -s INT -- "-$pid"
		kill -s HUP -- "-$pid"
		touch go
		wait "$pid"
		same out want
	done
	rm out
	clean
}

@test "hprun killed by SIGKILL: the steps end, and no file stays" {
	local group

	seq 2000 >in
	for group in '' -; do
		for words in '-o out' ''; do
			rm -rf bin
			# shellcheck disable=SC2086 # words
			slow_run $words
			kill -KILL -- "$group$pid"
			wait "$pid" || true
			nothing_left
		done
	done
}

@test "the launcher or its agent killed or stopped: exit 3 or 137, and no file stays" {
	seq 2000 >in
	slow_run -o out
	kill -KILL "$(worker_of "$pid")"
	wait "$pid" && false
	[ $? = 137 ]
	nothing_left
	for signal in KILL STOP; do
		rm -rf bin
		slow_run -o out --timeout 2
		kill -s $signal "$(agent_of "$pid")"
		wait "$pid" && false
		[ $? = 3 ]
		grep -qx 'hprun: node0: lost' stderr || fail "$(cat stderr)"
		nothing_left
	done
}

@test "the run continues if the launcher is stopped for less than the timeout" {
	seq 2000 >in
	for seconds in 1 3; do
		rm -rf bin out go
		instead hpsort <<-EOF
			echo >>ready
			until [ -e "$PWD/go" ]; do sleep 0.05; done
			exec "\$real" "\$@"
		EOF
		env HP_RUN="$HP_MARK" hprun -a psrs -j 3 --timeout 2 -o out in 2>stderr 3>&- &
		pid=$!
		soon three_ready
		worker=$(worker_of "$pid")
		kill -STOP "$worker"
		sleep $seconds
		kill -CONT "$worker"
		touch go
		wait "$pid" || fail "$(cat stderr)"
		same stderr /dev/null
		sort in | cmp - out
		rm out
		nothing_left
	done
}

@test "a reader of standard output that exits ends the run without a message" {
	seq 200000 >in
	set +o pipefail
	hprun -j 2 in 2>stderr | head -n 1
	[ "${PIPESTATUS[0]}" = 141 ]
	same stderr /dev/null
	# The reader ends before hprun starts.
	for words in --dry-run --estimate ''; do
		# shellcheck disable=SC2086 # words
		{ sleep 0.3; code=0; hprun -j 2 $words in 2>stderr || code=$?; echo $code >code; } | :
		[ "$(cat code)" = 141 ]
		same stderr /dev/null
		# shellcheck disable=SC2086
		{ sleep 0.3; code=0; env --ignore-signal=PIPE hprun -j 2 $words in 2>stderr || code=$?; echo $code >code; } | :
		[ "$(cat code)" = 2 ]
		[ "$(cat stderr)" = 'hprun: standard output: Broken pipe' ]
	done
	run_ bash -c 'hprun -j 2 --dry-run in >/dev/full'
	status_is 2
	stderr_is 'hprun: standard output: No space left on device'
	run_ bash -c 'hprun -j 2 in >/dev/full'
	status_is 2
	stderr_has 'No space left'
	nothing_left
}

@test "a run that fails before it begins leaves no directory" {
	seq 10 >in
	printf '{"type":"node","node":"%s","dir":"%s","speed":1}\n' \
		a "$PWD" b "$PWD/nosuch" >cluster
	run_ hprun -C cluster -o out in
	status_is 2
	stderr_has "hprun: b: mkdir: cannot create directory '$PWD/nosuch/"
	nothing_left
	[ -z "$(find . -name '*hprun*' -type d)" ]
}

@test "hprun killed at any moment of its start leaves nothing" {
	local ms

	seq 10 >in
	for ms in {0..30}; do
		: >err
		env HP_RUN="$HP_MARK" hprun -j 2 -o out in 2>err 3>&- &
		pid=$!
		sleep "$(printf '0.%03d' "$ms")"
		kill -KILL "$pid" 2>/dev/null || :
		wait "$pid" || :
		# Its output may have its name already.
		soon none_running
		[ ! -e out ] || sort in | cmp - out
		rm -f out
		nothing_left
		same err /dev/null
	done
}

@test "hprun killed at each file that it creates leaves nothing" {
	local call n status

	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	seq 10 >in
	# The launcher is, or an agent, or a helper of theirs.
	for call in open write rename unlink; do
		for n in {1..12}; do
			status=0
			LD_PRELOAD=$HPBIN/../tests/fault/ioerr.so HP_FAULT=$call:$n:-9 \
				hprun -j 2 -o out in 2>stderr || status=$?
			[ "$status" = 0 ] || [ "$status" = 3 ] ||
				[ "$status" = 137 ] || fail "$call $n: $status"
			[ "$status" != 0 ] || rm out
			nothing_left
		done
	done
}

@test "a removal that fails once is tried again" {
	local n

	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	seq 10 >in
	for n in {4..12}; do
		LD_PRELOAD=$HPBIN/../tests/fault/ioerr.so HP_FAULT=unlinkat:$n:5 \
			HP_FAULT_MARK=$PWD/mark hprun -j 2 -o out in 2>stderr
		[ -e mark ]
		rm out mark
		nothing_left
	done
}

@test "hprun killed while stopped leaves nothing, even if its parent does not wait" {
	local keeper

	seq 2000 >in
	instead hpsort <<-'EOF'
		echo >>ready
		sleep 600
	EOF
	# The parent that it has then waits for nobody.
	sh -c 'HP_RUN=$HP_MARK sh -c "echo \$\$ >pid
		exec hprun -a psrs -j 3 in" 2>/dev/null & exec sleep 600' 3>&- &
	keeper=$!
	soon three_ready
	kill -STOP "$(cat pid)"
	kill -KILL "$(cat pid)"
	nothing_left
	kill "$keeper"
}

@test "only one run at a time can use a kept directory" {
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
	stderr_is 'hprun: kept: belongs to a run that is still running'
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

@test "a run that waits for a kept directory locks the one that takes its place" {
	seq 2000 >in
	instead hpsort <<-EOF
		echo >>ready
		until [ -e "$PWD/go" ]; do sleep 0.05; done
		exec "\$real" "\$@"
	EOF
	mkdir kept
	flock kept sleep 600 3>&- &
	holder=$!
	until ! flock -n kept true; do sleep 0.05; done
	env HP_RUN="$HP_MARK" hprun -a psrs -j 2 --resume kept --timeout 600 -o out in \
		2>stderr 3>&- &
	pid=$!
	sleep 0.5 # It waits.
	mv kept before
	mkdir -p -m 700 kept
	pkill -P "$holder"
	soon there_are 2 kept/node.0/ready kept/node.1/ready
	run flock -n kept true
	[ "$status" -eq 1 ]
	touch go
	wait "$pid"
	sort in | cmp - out
	rm -r out before
	nothing_left
}

@test "hprun and its agents end if its directory is removed" {
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

@test "hprun ends if its directory is removed while no step ends" {
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
	# Before all nodes have said that they are there.
	printf '#!/bin/sh\n: >"%s"\nsleep 600\n' "$PWD/asked" >far
	hprun -C cluster --rsh far --timeout 8 -o out in 2>stderr 3>&- &
	soon test -e asked
	take_away tmp/hprun.*
	wait $! && false
	grep -q 'has been removed' stderr
	nothing_left
}

# small_disk: ./full SIZE work|output ALGORITHM sorts in on a small file system of its
# own, which holds the work directory or the output.
small_disk() {
	unshare -m true 2>/dev/null || skip 'no right to mount'
	seq 200000 >in
	mkdir small
	cat >full <<-'EOF'
		mount -t tmpfs -o size=$1 none small
		# TMPDIR stays: TSan maps a file there, and a full disk cuts that short.
		if [ "$2" = work ]; then place='-T small -o out'; else place='-o small/out'; fi
		hprun -j 2 -a "$3" $place <in
		status=$?
		rm -f small/ballast
		ls -A small >left
		exit $status
	EOF
}

@test "a disk that others fill during the run is an error, and nothing is left" {
	small_disk
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
}

@test "a disk that is too small is an error before the sort, with the sizes" {
	small_disk
	# The size of a pipe is known only when its data is stored.
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
	run_ unshare -m sh -c 'mount -t tmpfs -o size=1200k none small &&
		exec hprun -j 2 -T small -o out in'
	status_is 2
	stderr_has 'node0: '
	stderr_has '2 MiB are needed, 1 MiB are free'
	stderr_has 'node1: '
	nothing_left
}
