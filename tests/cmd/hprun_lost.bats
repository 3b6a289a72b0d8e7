# Hosts that are lost, steps that are killed there, runs that are taken up again.
# shellcheck shell=bash disable=SC2154
load common
load hprun
load secure

# dies STEP: that program ends everything on host b, and that is the end of b.
dies() {
	ends_hosts
	instead "$1" <<-EOF
		case \$PWD in
		*/home/b/*) exec "$PWD/strike" b ;;
		esac
		exec "\$real" "\$@"
	EOF
}

# bereft WORD...: runs hprun on hosts of which b dies.  The login to b then
# ends, so hprun notices the loss at once, without waiting for the timeout.  The
# timeout is long, so that a slow host is not taken for lost.
bereft() {
	HP_RUN=$HP_MARK run_ timeout 500 hprun -C cluster --timeout 300 \
		--transport ssh --rsh far "$@"
}

@test "a host dies: its share goes to the other nodes" {
	lines 3000 >in
	sort in >want
	for way in 'hpsort exact in' 'hpsort pss' 'hpsplit exact' 'hpsplit pss in' \
		'hpexchange exact' 'hpexchange pss in' 'hpmerge exact'; do
		# shellcheck disable=SC2086 # words
		set -- $way
		rm -rf home bin dead*
		# One case in which two hosts are left is enough: hpmerge.
		hosts a b
		[ "$1" != hpmerge ] || hosts a b c
		dies "$1"
		bereft -a "$2" -o out ${3:+"$3"} <in
		status_is 0
		stderr_has 'on b: lost; its share goes to the others'
		same out want
		rm -r out home/b
		clean
	done
}

@test "a host dies: its share goes to the local node" {
	lines 300 >in
	sort in >want
	hosts b
	echo '{"type":"node","node":"here","speed":1}' >>cluster
	dies hpsort
	bereft -o out in
	status_is 0
	stderr_has 'on b: lost; its share goes to the others'
	same out want
	rm -r out home/b
	clean
}

@test "by tcp, a host dies: its share goes to the other nodes" {
	lines 3000 >in
	sort in >want
	for way in 'hpexchange exact' 'hpmerge exact' 'hpexchange pss' 'hpsort range'; do
		# shellcheck disable=SC2086 # words
		set -- $way
		rm -rf home bin dead*
		hosts 127.0.0.1 127.0.0.2 127.0.0.3
		ends_hosts
		instead "$1" <<-EOF
			case \$PWD in
			*/home/127.0.0.2/*) exec "$PWD/strike" 127.0.0.2 ;;
			esac
			exec "\$real" "\$@"
		EOF
		bereft --transport tcp -a "$2" -o out in
		status_is 0
		stderr_is 'hprun: on 127.0.0.2: lost; its share goes to the others'
		same out want
		rm -r out home/127.0.0.2
		clean
	done
}

# struck_agent COMMAND: the first sort on host b executes this command, and then
# does not end.  In the command, $agent is the process ID of the host's agent,
# and $guard that of the agent's guard.
struck_agent() {
	rm -f once
	instead hpsort <<-EOF
		case \$PWD in
		*/home/b/*) [ -e "$PWD/once" ] || {
			: >"$PWD/once"
			agent=\$PPID
			guard=\$(ps -o ppid= -p \$agent)
			$1
			exec sleep 600
		} ;;
		esac
		exec "\$real" "\$@"
	EOF
}

@test "the agent of a host or its guard is killed: its steps end, the run restarts" {
	lines 300 >in
	sort in >want
	hosts a b
	# The agent gets its input from cat.  When the agent and its guard are
	# gone, the next beat ends cat (SIGPIPE), and with it the login.
	sed -i 's/^eval "$line"/case $line in *--agent) cat | eval "$line"; exit ;; esac; &/' far
	for whom in agent guard 'agent \$guard'; do
		struck_agent "kill -KILL \$$whom"
		HP_RUN=$HP_MARK run_ timeout 100 hprun -C cluster --timeout 8 \
			--transport ssh --rsh far -o out in
		status_is 0
		stderr_is 'hprun: on b: the connection to it broke; the run starts again'
		same out want
		rm out
		clean
	done
}

@test "the agent of a host is stopped: its steps end, the run restarts" {
	lines 300 >in
	sort in >want
	hosts a b
	for whom in agent 'agent \$guard'; do
		struck_agent "kill -STOP \$$whom"
		HP_RUN=$HP_MARK run_ timeout 100 hprun -C cluster --timeout 2 \
			--transport ssh --rsh far -o out in
		status_is 0
		stderr_is 'hprun: on b: the connection to it broke; the run starts again'
		same out want
		rm out
		clean
	done
}

@test "the agent of a host is stopped for less than the timeout: the run continues" {
	lines 300 >in
	sort in >want
	hosts a b
	struck_agent "kill -STOP \$agent; sleep 1; kill -CONT \$agent; exec \"\$real\" \"\$@\""
	HP_RUN=$HP_MARK run_ timeout 100 hprun -C cluster --timeout 4 \
		--transport ssh --rsh far -o out in
	status_is 0
	stderr_is ''
	same out want
	rm out
	clean
}

@test "--keep does not keep FIFOs and sockets of local nodes" {
	lines 100 >in
	hprun -j 2 --transport tcp --keep kept -o out in
	[ -s kept/node.1/run ]
	[ -z "$(find kept -name key -o -type p -o -type s)" ]
}

begins_to_store() {
	there_are 1 tmp/hprun.*/input
}

@test "a host dies while the input is stored: no input is lost" {
	lines 3000 >in
	sort in >want
	hosts a b c
	ends_hosts
	{
		head -n 1000 in
		# When all have been heard.
		soon begins_to_store
		"$PWD/strike" b
		sleep 1 # time to miss it in
		tail -n +1001 in
	} | bereft -o out
	same out want
	rm out
	rm -r home/b
	clean
}

@test "a host dies: the header and the trace appear once" {
	lines 3000 >body
	hosts a b c
	dies hpexchange
	bereft --header 1 --trace trace < <(echo title && cat body)
	status_is 0
	stdout_is "$(echo title && sort body)"
	[ "$(jq -r 'select(.step == "sort").node' trace | sort | xargs)" = \
		'on a on c' ]
	[ "$(jq -s 'map(select(.step == "store")) | length' trace)" = 1 ]
	rm -r home/b
	clean
}

@test "a host dies with --keep: --resume continues without it" {
	lines 3000 >in
	sort in >want
	hosts a b c
	dies hpsort
	rm bin/hpmerge
	printf '#!/bin/sh\n[ -e "%s" ] || exit 2\nexec %s "$@"\n' "$PWD/go" \
		"$HPBIN/hpmerge" >bin/hpmerge
	chmod +x bin/hpmerge
	for input in in ''; do
		rm -rf dead* kept go
		bereft --keep kept -o out ${input:+"$input"} <in
		status_is 2
		stderr_has 'on b: lost; its share goes to the others'
		stderr_has 'finished steps are kept; continue with --resume kept'
		touch go
		bereft --resume kept -o out ${input:+"$input"} </dev/null
		status_is 0
		stderr_is ''
		same out want
		rm -rf out home/b/work*/hprun.*
		# A directory on each host, and of the last attempt.
		[ "$(find home -name 'hprun.*' | wc -l)" = 2 ]
		rm -r home/*/work*/hprun.*
	done
}

@test "a host dies with --in-place: the message names it" {
	hosts a b c
	for h in a b c; do
		lines 1000 >"home/$h/work; \"x' y/in"
	done
	dies hpmerge
	bereft --in-place in -o out
	status_is 3
	stderr_has 'on b: lost'
	rm -rf home/b home/*/work*/in
	clean
}

# breakable: all that the launcher sends to the agent of a host passes through a
# process, whose ID is in link.HOST.  Killing this process breaks the
# connection.
breakable() {
	sed -i 's/^eval "$line"/case $line in *--agent)\
	sh -c "echo \\$\\$ >..\/..\/link.${PWD##*\/}; exec cat" | sh -c "$line"\
	exit ;; esac\n&/' far
}

@test "a broken connection restarts the run, also with --in-place" {
	for words in '' '--keep kept' '--leave sorted'; do
		rm -rf home bin once kept
		hosts a b
		breakable
		for h in a b; do
			lines 1000 >"home/$h/work; \"x' y/in"
		done
		cat home/*/work*/in | sort >want
		instead hpmerge <<-EOF
			case \$PWD/\$1 in
			*/home/b/*--version) ;;
			*/home/b/*) [ -e "$PWD/once" ] || {
				: >"$PWD/once"
				kill -KILL "\$(cat "$PWD/link.b")"
				sleep 600
			} ;;
			esac
			exec "\$real" "\$@"
		EOF
		# shellcheck disable=SC2086 # words
		bereft --in-place in $words
		status_is 0
		stderr_is 'hprun: on b: the connection to it broke; the run starts again'
		case $words in
		--leave*) cat home/*/work*/sorted ;;
		*) printf '%s\n' "$output" ;;
		esac | cmp - want
		[ "$(find home/b -name 'hprun.*' | wc -l)" = \
			"$([ "$words" = '--keep kept' ] && echo 1 || echo 0)" ]
		rm -rf home/*/work*/*
		clean
	done
}

@test "a silent host is named with --in-place, without another login" {
	hosts a b c
	breakable
	for h in a b c; do
		lines 1000 >"home/$h/work; \"x' y/in"
	done
	instead hpmerge <<-EOF
		case \$PWD in
		*/home/b/*)
			: >"$PWD/silent b"
			kill -KILL "\$(cat "$PWD/link.b")"
			;;
		esac
		sleep 600
	EOF
	# Each later login to b is counted and hangs.  Only one is allowed: that
	# with which hprun finds out whether b is lost.
	sed -i '2i [ ! -e "${0%/*}/silent $1" ] || {\
			echo >>"${0%/*}/calls"\
			exec sleep 600\
		}' far
	HP_RUN=$HP_MARK run_ timeout 500 hprun -C cluster --timeout 3 \
		--transport ssh --rsh far --in-place in -o out
	status_is 3
	stderr_has 'on b: lost'
	[ "$(wc -l <calls)" = 1 ]
	rm -rf home/*/work*/in
	clean
}

@test "several hosts die: the run does not wait for each in turn" {
	hosts a b c
	for h in a b c; do
		lines 1000 >"home/$h/work; \"x' y/in"
	done
	ends_hosts
	instead hpmerge <<-EOF
		case \$PWD in
		*/home/b/*) : >"$PWD/began b" ;;
		*/home/c/*) : >"$PWD/began c" ;;
		esac
		sleep 600
	EOF
	# A step must not run strike: when b is dead, hprun ends the stage with
	# all its steps, perhaps before c is dead.
	{
		until [ -e 'began b' ] && [ -e 'began c' ]; do
			sleep 0.05
		done
		"$PWD/strike" b c
	} 3>&- &
	# hprun logs in again to find out whether a host is really lost.  Each
	# of these logins ends only when there is one to the other host, too.
	# So a run that tried one host after the other would hang.
	sed -i 's/ || exit 255$/ || exec "${0%\/*}\/met" "$1"/' far
	cat >met <<-EOF
		#!/bin/sh
		: >"$PWD/asked \$1"
		until [ -e "$PWD/asked b" ] && [ -e "$PWD/asked c" ]; do
			sleep 0.05
		done
		exit 255
	EOF
	chmod +x met
	HP_RUN=$HP_MARK run_ timeout 500 hprun -C cluster --timeout 300 \
	 --transport ssh --rsh far --in-place in -o out
	status_is 3
	grep -Eq 'on [bc]: lost' <<<"$stderr"
	wait
	[ -e 'asked b' ] && [ -e 'asked c' ]
	rm -rf home/[bc] home/*/work*/in
	clean
}

@test "a host dies after some output: no record is written twice" {
	lines 600000 >in
	sort in >want
	hosts a b c
	ends_hosts
	# More than the connection and the pipe hold is still on b.
	set +o pipefail
	HP_RUN=$HP_MARK timeout 500 hprun -C cluster --timeout 300 --transport ssh \
		--rsh far in 2>stderr 3>&- | {
		head -c 1000
		"$PWD/strike" b
		cat
	} >stdout
	[ "${PIPESTATUS[0]}" = 3 ]
	[[ $(cat stderr) == *'on b: lost'* ]]
	head -c "$(stat -c %s stdout)" want | cmp - stdout
	[ "$(stat -c %s stdout)" -lt "$(stat -c %s want)" ]
	rm -r home/b
	clean
}

@test "a killed step of a host is restarted" {
	lines 3000 >in
	sort in >want
	while read -r program a said; do
		rm -rf home bin once
		hosts a b
		instead $program <<-EOF
			case \$PWD/\$1 in
			*/home/a/*/-[!-]*) [ -e "$PWD/agent.a" ] ||
				echo \$PPID >"$PWD/agent.a" ;;
			*/home/b/*/-[!-]*) [ -e "$PWD/once" ] || {
				: >"$PWD/once"
				# Who is longer to answer, once, is not lost.
				until [ -s "$PWD/agent.a" ]; do sleep 0.05; done
				kill -STOP \$(cat "$PWD/agent.a")
				setsid sh -c ": >awake; sleep 1
					kill -CONT \$(cat "$PWD/agent.a")" &
				until [ -e awake ]; do sleep 0.05; done
				kill -KILL \$\$
			} ;;
			esac
			exec "\$real" "\$@"
		EOF
		rm -f agent.a home/b/awake
		bereft -a $a -o out <in
		status_is 0
		stderr_has "killed by signal 9; $said"
		same out want
		rm out
		clean
	done <<-'EOF'
		hpsort exact trying again
		hpsort pss trying again
		hpsort range trying again
		hpmerge exact trying again
		hpexchange exact restarted
		hpexchange pss restarted
	EOF
}

@test "a killed cut is repeated, but not the cuts that other nodes have finished" {
	lines 3000 >in
	sort in >want
	for a in pss psop; do
		rm -rf once
		hosts a b c
		instead hpsplit <<-EOF
			case \$PWD/\$1 in
			*/home/b/*/cut) [ -e "$PWD/once" ] || {
				: >"$PWD/once"
				# The input of a is removed behind it.
				until [ -n "\$(find "$PWD/home/a" -name cut)" ] &&
					[ -z "\$(find "$PWD/home/a" -name in)" ]; do
					sleep 0.01
				done
				kill -KILL \$\$
			} ;;
			esac
			exec "\$real" "\$@"
		EOF
		bereft -a $a -o out in
		status_is 0
		stderr_has 'on b: cut: killed by signal 9; trying again'
		same out want
		rm out
		clean
	done
}

# kills_b_thrice: hpexchange is killed on host b at its first three starts, when a
# part has begun to arrive.  starts.b and starts count the starts on b and on the
# other hosts.
kills_b_thrice() {
	instead hpexchange <<-EOF
		case \$PWD/\$1 in
		*/home/b/*/-C)
			echo >>"$PWD/starts.b"
			[ "\$(wc -l <"$PWD/starts.b")" -gt 3 ] || {
				"\$real" "\$@" &
				until [ -s arriving/part.0 ]; do sleep 0.01; done
				kill -KILL \$!
				# The lock of its directory is free once it has ended.
				wait \$! 2>/dev/null
				kill -KILL \$\$
			}
			;;
		*/home/*/-C)
			# The exchange of b cannot end before that of c starts.
			while [ -z "\${PWD##*/home/c/*}" ] &&
				[ "\$(cat "$PWD/starts.b" | wc -l)" -lt 4 ]; do
				sleep 0.1
			done 2>/dev/null
			echo >>"$PWD/starts"
			;;
		esac
		exec "\$real" "\$@"
	EOF
}

@test "a killed exchange is restarted alone" {
	lines 200000 >in
	sort in >want
	hosts a b c
	for program in hpsplit hpsort; do
		instead $program <<-EOF
			echo "\${0##*/} \$1" >>"$PWD/others"
			exec "\$real" "\$@"
		EOF
	done
	kills_b_thrice
	for words in '-a exact' '-a psrs --keep kept' '-a pss --keep kept' '-a pss' \
		'-a psop -s --transport unix'; do
		rm -rf out starts* others
		# shellcheck disable=SC2086 # words
		run_ hprun -C cluster --transport ssh --rsh far $words --timeout 100 \
			-o out in
		status_is 0
		stderr_has 'on b: exchange: killed by signal 9; restarted'
		same out want
		[ "$(wc -l <starts.b)" = 4 ]
		[ "$(wc -l <starts)" = 2 ]
		# No other program was restarted, and few bytes were sent again.
		[ "$(grep -c '^hpsplit cut' others)" = 3 ]
		[ "$(grep -c ^hpsort others)" = 3 ]
		again=$(awk '/ bytes are sent again$/ { n += $(NF - 4) }
			END { print n + 0 }' <<<"$stderr")
		[ "$again" -le $((4 * 65536)) ] || fail "$words: $again bytes"
		[ -z "$(find home kept -name arriving)" ]
		case $words in
		*--keep*) rm -rf kept out home/*/work*/* ;;
		*)
			rm out
			clean
			;;
		esac
	done
}

@test "--resume: a node that has finished the exchange does not repeat it" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	lines 3000 >in
	sort in >want
	hosts a b
	# All is stored, but on b a name is missing when the other is done.
	instead hpexchange <<-EOF
		case \$PWD/\$1 in
		*/home/b/*/-C) [ -e "$PWD/once" ] || {
			: >"$PWD/once"
			HP_FAULT=rename:2:5 \
				LD_PRELOAD="$HPBIN/../tests/fault/ioerr.so" \
				"\$real" "\$@"
			until [ "\$(find "$PWD/home" -name trace | wc -l)" = 1 ]
			do
				sleep 0.05
			done
			exit 2
		} ;;
		esac
		exec "\$real" "\$@"
	EOF
	for a in exact pss; do
		rm -rf once kept out home/*/work*/*
		bereft -a $a --keep kept -o out in
		status_is 2
		bereft -a $a --resume kept --trace trace -o out in
		status_is 0
		stderr_is ''
		same out want
		[ "$(jq -s 'map(select(.step == "exchange")) | unique_by(.rank) |
			map(.records) | add' trace)" = 3000 ]
		rm trace
	done
}

@test "--resume continues after the finished steps, also on hosts" {
	lines 3000 >in
	sort in >want
	hosts a b c
	instead hpmerge <<-EOF
		[ -e "$PWD/go" ] || exit 2
		exec "\$real" "\$@"
	EOF
	rm bin/hpsort
	printf '#!/bin/sh\necho >>"%s"\nexec %s "$@"\n' "$PWD/sorts" \
		"$HPBIN/hpsort" >bin/hpsort
	chmod +x bin/hpsort
	run_ hprun -C cluster --transport ssh --rsh far --keep kept -o out in
	status_is 2
	stderr_has 'finished steps are kept; continue with --resume kept'
	[ ! -e out ]
	[ "$(wc -l <sorts)" = 3 ]
	touch go
	run_ hprun -C cluster --transport ssh --rsh far --resume kept -r -o out in
	status_is 2
	stderr_has 'other options, nodes or input'
	run_ hprun -C cluster --transport ssh --rsh far --resume kept --trace trace -o out in
	status_is 0
	same out want
	[ "$(wc -l <sorts)" = 3 ]
	jq -se 'map(.step) | contains(["send", "sort", "merge", "gather"])' trace
	echo more >>in
	run_ hprun -C cluster --transport ssh --rsh far --resume kept -o out in
	status_is 2
	stderr_has 'other options, nodes or input'
}

# nothing_but_kept: of a run with --keep nothing else is left.
nothing_but_kept() {
	soon none_running
	[ ! -e out ]
	[ -z "$(find . -name '.hprun*')" ]
	[ -z "$(find kept \( -type p -o -type s -o -name key \) 2>/dev/null)" ]
}

@test "--resume starts a new run only in a missing or empty directory" {
	lines 300 >in
	sort in >want
	run_ hprun -j 2 --resume kept -o out in
	status_is 0
	stderr_is 'hprun: kept: nothing is kept there yet: the run begins'
	same out want
	# Ended at any time while it makes what it works in.
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	for fault in open:{1..4} rename:{1..3} write:{1..2}; do
		rm -rf kept out
		LD_PRELOAD=$HPBIN/../tests/fault/ioerr.so HP_FAULT=$fault:-9 \
			run_ hprun -j 2 --keep kept -o out in
		# The agent is ended, or else the launcher is.
		[ "$status" = 3 ] || status_is 137
		nothing_but_kept
		run_ hprun -j 2 --resume kept -o out in
		status_is 0
		[ -z "$stderr" ] || stderr_is \
			'hprun: kept: nothing is kept there yet: the run begins'
		same out want
	done
	rm kept/identity
	run_ hprun -j 2 --resume kept -o out in
	status_is 2
	stderr_is 'hprun: kept: no run was kept there'
	[ -e kept/plan.jsonl ]
}

# logins_outlive_launcher: until the file go exists, logins lead to an agent of
# another process, which does not notice the end of the launcher.
logins_outlive_launcher() {
	local h

	sed -i 's/^eval "$line"/[ -e "$HOME\/..\/..\/go" ] || case $line in *--agent)\
	name=..\/..\/link.${PWD##*\/} \&\& echo "$line" >$name.line \&\& exec 7<\&0\
	cat <\&7 >$name.in \& exec cat $name.out ;; esac\n&/' far
	for h in a b; do
		mkfifo link.$h.in link.$h.out
		(
			exec 3>&- 8<>link.$h.in 9<>link.$h.out
			soon test -s link.$h.line
			cd home/$h && HP_RUN=$HP_MARK exec sh -c \
				"$(cat ../../link.$h.line)" <&8 >&9 8<&- 9>&-
		) &
	done
}

@test "--resume ends steps that survived a broken link" {
	local pid

	lines 3000 >in
	sort in >want
	hosts a b
	logins_outlive_launcher
	instead hpsort <<-EOF
		[ ! -e "$PWD/go" ] || exec "\$real" "\$@"
		echo \$\$ >>"$PWD/sorts"
		sleep 600
	EOF
	env HP_RUN="$HP_MARK" hprun -C cluster --transport ssh --rsh far --keep kept \
		-o out in 2>err &
	pid=$!
	soon more_than 1 sorts
	# Kill the launcher first: a launcher without its guard ends the steps.
	# shellcheck disable=SC2046 # words
	kill -KILL $(pgrep -P $pid) $pid
	wait $pid || :
	# shellcheck disable=SC2046 # words
	kill -0 $(cat sorts)
	touch go
	flock -w 150 kept true
	run_ hprun -C cluster --transport ssh --rsh far --resume kept -o out in
	status_is 0
	same out want
	# A process that has ended has no command line, even if it is a zombie.
	for pid in $(cat sorts); do
		! grep -qsF "$PWD/bin/hpsort" "/proc/$pid/cmdline" ||
			fail "the old sort still runs"
	done
	rm -rf kept home/*/work*/hprun.* out
	clean
}

# far_run TIMEOUT: hprun on hosts a, b and c, with steps that do not end.
far_run() {
	hosts a b c
	instead hpsort <<-'EOF'
		echo >>ready
		sleep 600
	EOF
	HP_RUN=$HP_MARK setsid env --default-signal=INT,TERM,HUP,PIPE \
		hprun -C cluster --transport ssh --rsh far -a psrs --timeout "$1" -o out in \
		3>&- >stdout 2>stderr &
	pid=$!
	soon three_ready || fail 'the steps did not start' "$(cat stderr)"
}

three_ready() {
	there_are 3 home/*/work*/*/ready
}

@test "hprun interrupted or killed: nothing is left on any host" {
	seq 2000 >in
	for s in INT TERM KILL; do
		rm -rf home bin
		far_run 60
		kill -s $s "$pid"
		wait "$pid" || :
		clean
	done
}

@test "a host whose launcher does not receive its messages cleans up" {
	seq 10 >in
	hosts a b
	# Its second line is for nobody.
	sed -i '2i [ "$1" != b ] || {\
			shift\
			cd "${0%/*}/home/b" \&\& sh -c "$*" </dev/null 2>/dev/null |\
				head -n 1 >/dev/null\
			exit 255\
		}' far
	run_ hprun -C cluster --transport ssh --rsh far --timeout 2 -o out in
	status_is 3
	stderr_has 'on b: cannot be reached'
	clean
}

@test "a host that receives no message of its launcher ends its steps" {
	seq 2000 >in
	far_run 8
	# All that belongs to hprun, but nothing of what the hosts run.
	for p in $(grep -lzsx "HP_RUN=$HP_MARK" /proc/[0-9]*/environ |
		cut -d / -f 3); do
		[[ $(readlink "/proc/$p/cwd") == "$PWD"/home/* ]] ||
			kill -STOP "$p" 2>/dev/null || :
	done
	soon hosts_are_clean
	# The guard here ends what stood still.
	kill -KILL "$pid"
	for p in $(grep -lzsx "HP_RUN=$HP_MARK" /proc/[0-9]*/environ |
		cut -d / -f 3); do
		kill -CONT "$p" 2>/dev/null || :
	done
	clean
}

@test "by real ssh: a killed server is named, and no file remains" {
	secure
	hosts a b c
	for h in a b c; do
		seq 700 >"home/$h/work; \"x' y/in"
	done
	instead hpsort <<-'EOF'
		echo >>ready
		case $PWD in
		*.1) kill -KILL "$(cut -d ' ' -f 4 "/proc/$(cut -d ' ' -f 4 \
			/proc/$PPID/stat)/stat")" ;;
		esac
		sleep 600
	EOF
	sed -i "s|SetEnv PATH=\"|&$PWD/bin:|" sshd_config
	HP_RUN=$HP_MARK run_ timeout 500 hprun -C cluster -a psrs --timeout 300 \
		--transport ssh --rsh "ssh -T" --in-place in -o out
	status_is 3
	stderr_has 'on b: lost'
	# Of steps that are killed, and of connections, no other line.
	[[ ! $stderr =~ setsid:|mux_client|client_loop|Killed ]]
	rm home/*/work*/in
	clean
}

@test "a host that is silent at the first login is lost after the timeout" {
	seq 10 >in
	hosts a b
	sed -i '2i [ "$1" != b ] || exec sleep 600' far
	HP_RUN=$HP_MARK run_ timeout 200 hprun -C cluster --transport ssh --rsh far \
		--timeout 4 -o out in
	status_is 3
	stderr_is $'hprun: on b: the login starts no agent in 6 s\nhprun: on b: cannot be reached'
	clean
}

@test "a login that ends without an agent is told with its status" {
	seq 10 >in
	hosts a b
	sed -i '2i [ "$1" != b ] || exit 5' far
	HP_RUN=$HP_MARK run_ timeout 200 hprun -C cluster --transport ssh --rsh far -o out in
	status_is 3
	stderr_is $'hprun: on b: the login ends with status 5 and starts no agent\nhprun: on b: cannot be reached'
	clean
}

@test "a login whose command fails slowly is tried once more only" {
	seq 10 >in
	hosts a b
	sed -i '2i [ "$1" != b ] || { echo >>"${0%/*}/tries"; sleep 1.2; exit 1; }' far
	HP_RUN=$HP_MARK run_ timeout 200 hprun -C cluster --transport ssh --rsh far -o out in
	status_is 3
	[ "$(wc -l <tries)" = 2 ]
	clean
}

# merges_last END: at b hpmerge waits for those of the others to be done, which
# ./err tells, and ends so, once.
merges_last() {
	rm -f once
	instead hpmerge <<-EOF
		case \$PWD/\$1 in
		*/home/b/*--version) ;;
		*/home/b/*) [ -e "$PWD/once" ] || {
			: >"$PWD/once"
			until [ "\$(grep -c '^hprun: merge' "$PWD/err")" = 2 ]; do
				sleep 0.05
			done
			$1
		} ;;
		esac
		exec "\$real" "\$@"
	EOF
}

# once_each TRACE: each node's steps of these names stand there once.
once_each() {
	[ "$(jq -r 'select(.rank != null) | .step' "$1" |
		grep -Ex 'send|sort|exchange|merge|gather' | sort | uniq -c |
		xargs)" = '3 exchange 3 gather 3 merge 3 send 3 sort' ] ||
		fail "$(cat "$1")"
}

@test "a repeated step is in the trace once, as finally completed" {
	lines 3000 >in
	hosts a b c
	# In the same run, and in one that is taken up again.
	merges_last 'kill -KILL $$'
	HP_RUN=$HP_MARK timeout 200 hprun -a exact -C cluster --transport ssh --rsh far \
		--progress --trace trace -o out in 2>err
	grep -q 'on b: merge: killed by signal 9; trying again' err
	once_each trace
	rm -r out bin err
	merges_last 'exit 2'
	timeout 200 hprun -C cluster --transport ssh --rsh far --progress --keep kept \
		-o out in 2>err && false
	grep -q 'on b: merge: failed' err
	run_ hprun -C cluster --transport ssh --rsh far --resume kept --trace again -o out in
	status_is 0
	sort in | cmp - out
	once_each again
}


nothing_beside() {
	[ -z "$(find . -name '.hprun*')" ]
}

@test "SIGKILL at each step: no process or output remains, and --resume continues" {
	local step

	lines 20000 >in
	sort in >want
	for step in deal send sort exchange merge gather; do
		rm -rf home kept out
		hosts a b
		: >err
		HP_RUN=$HP_MARK setsid hprun -C cluster --transport ssh --rsh far -a psrs \
			--progress --keep kept -o out in 2>err 3>&- &
		pid=$!
		soon grep -q "^hprun: $step" err
		# Of the next step something is under way, or about to be; where this
		# comes late, the run may be over.
		kill -KILL "$pid" || :
		wait "$pid" || :
		soon none_running || fail "$step: $(left_running)"
		# The name is the last that it gives.
		[ ! -e out ] || same out want
		soon nothing_beside
		run_ hprun -C cluster --transport ssh --rsh far -a psrs --resume kept \
			-o out in
		status_is 0
		same out want
		[ -z "$(left_running)" ]
	done
}

@test "an agent that starts many commands for longer than the timeout is not lost" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	seq 640 >in
	LD_PRELOAD=$HPBIN/../tests/fault/ioerr.so HP_FAULT=slow:100 \
		run_ hprun --map --timeout 4 -j 64 -o out in -- cat
	status_is 0
	same out in
}
