# The input and output of hprun, and what it tells of a run.
# shellcheck shell=bash disable=SC2154
load common
load hprun

@test "the input may be a pipe, -, or several files, one without a final newline" {
	seq 900 | shuf --random-source=<(yes) >in
	sort in >want
	run_ hprun -j 2 -o out <in
	status_is 0
	same out want
	hprun -j 2 /dev/stdin <in >out
	same out want
	hprun -j 2 -o out in >&-
	same out want
	rm out
	run_ bash -c 'hprun -j 2 -o out <&-'
	status_is 2
	[ ! -e out ]
	cat in | hprun -j 2 >out
	same out want
	head -n 400 in | head -c -1 >one
	: >none
	head -n 500 in | tail -n 100 >'-two'
	tail -n 400 in | hprun -a pss -j 3 one none -o out -- ./-two -
	same out want
	printf 'b\0a' >one
	printf 'c' | hprun -z one - >out
	printf 'a\0b\0c\0' >want
	same out want
	hpgen -F u32 --seed 1 50 one
	hpgen -F u32 --seed 2 50 two
	hprun -F u32 -j 2 one two | hpcheck -F u32 | jq -e '.records == 100'
}

@test "the output may be an input, a link or a device, and keeps its mode" {
	seq 500 | shuf --random-source=<(yes) >in
	sort in >want
	chmod 604 in
	ln -s in link
	run_ hprun -j 2 -o link in
	status_is 0
	same in want
	[ -L link ]
	[ "$(stat -c %a in)" = 604 ]
	ln -s made to
	run_ hprun -j 2 -o to in
	status_is 0
	[ -L to ]
	same made want
	run_ hprun -j 2 -o /dev/null in
	status_is 0
	[ -c /dev/null ]
	(umask 027 && hprun -j 2 -o new in)
	[ "$(stat -c %a new)" = 640 ]
	hprun -j 2 -o - in >out
	same out want
	hprun -j 2 -o /dev/stdout in >out
	same out want
}

@test "the output may be a descriptor of hprun, such as a process substitution" {
	local name

	lines 2000 | shuf >in
	sort in >want
	mkfifo pipe
	for name in /dev/fd/8 /proc/self/fd/8; do
		cat pipe >got &
		hprun -j 2 -o $name in 8>pipe
		wait $!
		cmp got want
	done
	hprun -j 2 -o /dev/fd/8 in 8>file
	cmp file want
	hprun -j 2 -o /dev/stderr in 2>&1 >/dev/null | cmp - want
	run_ hprun -j 2 -o /dev/fd/9 in 9>/dev/full
	status_is 2
	stderr_has 'No space left on device'
	run_ hprun -j 2 -o /dev/fd/9 in 9>&-
	status_is 2
	stderr_is 'hprun: /dev/fd/9: Bad file descriptor'
	# The trace is appended to a file, and needs none of this.
	hprun -j 2 -o /dev/fd/8 --trace /dev/fd/9 in 8>file 9>trace
	cmp file want
	grep -q '"step":"sort"' trace
}

@test "an input may lie in a directory that is a descriptor of hprun" {
	local name

	mkdir dir
	lines 2000 | shuf >dir/in
	sort dir/in >want
	for name in /dev/fd/8/in /proc/self/fd/8/in; do
		hprun -j 2 -o out $name 8<dir
		cmp out want
	done
}

@test "the output and the trace are no other file of the run" {
	local words

	lines 100 >in
	echo '{"type": "node", "node": "a", "speed": 1}' >cluster
	cp cluster before
	for words in '--trace cluster' '-o cluster' '--trace source' '-o source'; do
		yes | head -c 32 >source
		# shellcheck disable=SC2086 # words
		run_ hprun -C cluster -R --random-source source $words in
		status_is 2
		stderr_has "${words% *}: '${words#* }' is named by another option, too"
	done
	cmp cluster before
	run_ hprun -j 2 -o out --trace ./out in
	status_is 2
	stderr_is 'hprun: -o and --trace name the same file: ./out'
	run_ hprun -C cluster --random-source /dev/null --trace /dev/null -o /dev/null in
	status_is 0
}

@test "a message names the output that is full" {
	lines 100 >in
	run_ hprun -j 2 -o /dev/full in
	status_is 2
	stderr_has '/dev/full: No space left on device'
}

@test "unwritable places are reported before the run" {
	seq 9 >in
	run_ hprun -j 2 -T nosuch in
	status_is 2
	stderr_is "hprun: no place for temporary files: nosuch: No such file or directory"
	run_ hprun -j 2 --keep in/kept in
	status_is 2
	stderr_is "hprun: cannot create directory '$PWD/in/kept': Not a directory"
	# The next place will do, without a word.
	TMPDIR=$PWD/nosuch run_ hprun -j 2 in
	status_is 0
	stdout_is "$(cat in)"
	stderr_is ''
	mkdir -m 555 closed
	[ "$(id -u)" -ne 0 ] || set -- setpriv --bounding-set -all --inh-caps -all
	run_ "$@" hprun -j 2 --trace closed/trace in
	status_is 2
	stdout_is ''
	stderr_is "hprun: $PWD/closed/trace: Permission denied"
	: >readable && chmod 444 readable
	run_ "$@" hprun -j 2 --trace readable in
	status_is 2
	stderr_is "hprun: $PWD/readable: Permission denied"
}

@test "file names may have characters that are special to a shell" {
	d='a $(touch pwned) "b" '\''c'\''; touch pwned
	d\n'
	mkdir "$d"
	seq 300 | shuf --random-source=<(yes) >"$d/-in; touch pwned"
	sort "$d/-in; touch pwned" >want
	jq -nc --arg n "n'\$(touch pwned)\"; touch pwned" '{type: "node", node: $n, speed: 1}, {type: "node", node: "b", speed: 2}' \
		>"$d/cluster"
	TMPDIR=$PWD/$d
	cd "$d"
	for a in exact pss; do
		run_ hprun -a $a -C cluster -o "out
" ./"-in; touch pwned"
		status_is 0
		stderr_is ''
		same "out
" ../want
		rm "out
"
	done
	[ "$(ls -A)" = "$(printf '%s\n' '-in; touch pwned' cluster)" ]
	[ ! -e ../pwned ]
}

# by_hand SHELL WORD...: what --dry-run prints does in this shell what hprun does
# with these words.
by_hand() {
	local shell=$1

	shift
	hprun --dry-run "$@" </dev/null >commands
	empty_dir tmp
	run_ "$shell" -eu commands </dev/null
	status_is 0
	stderr_is ''
}

# awkward_hosts: clusters whose names and directories need quotes, and a login
# command for them, ./rsh.
awkward_hosts() {
	mkdir "f'ar"
	jq -nc --arg dir "$PWD/f'ar" '
		{type: "node", node: "a b", host: "h o;s`t", speed: 3, $dir},
		{type: "node", node: "c", host: "other", speed: 1, $dir}' >cluster
	jq -nc --arg dir "$PWD/f'ar" '
		{type: "node", node: "a", host: "127.0.0.1", speed: 3, $dir},
		{type: "node", node: "b", host: "127.0.0.2", speed: 1, $dir},
		{type: "node", node: "here", speed: 1}' >mixed
	grep host mixed >cluster.tcp
	printf '%s\n' '#!/bin/sh' 'SSH_CONNECTION="127.0.0.1 1 127.0.0.1 22"' \
		'shift; eval "$*"' >'rsh'
	chmod +x rsh
	PATH=$PWD:$PATH
}

@test "commands of --dry-run fail if the output that they replace is gone" {
	seq 5 >in
	echo old >out
	hprun -j 2 --dry-run -o out in >commands
	rm out
	run_ sh commands
	status_is 1
	stderr_has "'$PWD/out'"
	[ ! -e out ]
}

@test "--dry-run prints commands that do the same in bash and in dash" {
	local hosts keep shell words order n=0

	lines 1000 >'in '\'' 1'
	awkward_hosts
	hosts='--rsh rsh -C cluster'
	while IFS=: read -r words order; do
		for shell in bash dash; do
			keep=
			[[ $words != *--keep* ]] || keep=$((++n))
			# shellcheck disable=SC2086 # words
			by_hand $shell $words$keep $order -o 'o u t' "in ' 1"
			# shellcheck disable=SC2086 # words
			sort $order "in ' 1" >want
			same 'o u t' want
			rm 'o u t'
			empty_dir tmp
			empty_dir "f'ar"
			[ -z "$keep" ] || [ -s "k$keep/plan.jsonl" ]
		done
	done <<-EOF
		-a exact -j 2
		-a psrs -j 3:-u
		-a pss -j 2:-s -k 2,2n
		-a psop -j 2:-u -k 1,1n
		-a range -j 3:-s -k 2,2n
		-a range -j 2 --keep k
		-a exact -j 2 --keep k:-u
		-a pss -j 2 --keep k:-u -k 2,2n
		-a exact $hosts.tcp
		-a psrs $hosts.tcp:-u
		-a pss $hosts --transport ssh:-s -k 2,2n
		-a psop $hosts.tcp:-u -k 1,1n
		-a exact $hosts --transport ssh
		-a psop $hosts --transport unix
		-a range $hosts:-s -k 2,2n
		-a exact --rsh rsh -C mixed
	EOF
	hprun --dry-run <&- >commands
	grep -q '^cat - >input' commands
}

@test "commands of --dry-run write to standard output, and leave parts on nodes" {
	lines 1000 >in
	sort -u -k 1,1n in >want
	for words in '' '--keep kept'; do
		# shellcheck disable=SC2086 # words
		by_hand dash -a exact -u -k 1,1n $words -j 2 in
		same <(echo "$output") want
	done
	rm -r kept
	split -n l/2 -a 1 --numeric-suffixes=0 in part.
	by_hand dash -a psop -u -k 1,1n -j 2 --in-place 'part.{rank}' \
		--leave 'left {rank}'
	jq -e '.sorted and .records == 1009 - 9 and (.parts | length > 1)' \
		<<<"$output"
	sort -n -k 1,1 'left 0' 'left 1' | cmp - want
}

@test "commands of --dry-run exit 2 if a file changes before it is used" {
	lines 5000 >in
	for words in '-a exact' '-a pss' '-a psop -u'; do
		rm -rf bin kept
		# Disorder would be found without sums.
		instead hpsplit <<-'EOF'
			case "$PWD $*" in
			*node.1\ cut*) "$real" "$@" || exit
				if [ -e cut ]; then cut=cut; else cut=run; fi
				printf '\001' | dd of=$cut bs=1 seek=700 conv=notrunc 2>/dev/null
				exit ;;
			esac
			exec "$real" "$@"
		EOF
		# shellcheck disable=SC2086 # words
		hprun --dry-run $words --keep kept -j 2 -o out in >commands
		for shell in bash dash; do
			rm -rf kept
			run_ "$shell" commands
			status_is 2
			stderr_has 'hprun: node1: the records in'
			stderr_has 'prove: failed'
			[ ! -e out ] || fail "there is a result"
		done
	done
}

@test "--rsh runs the steps of nodes that have a host, through its shell" {
	lines 1000 >in
	sort in >want
	printf '%s\n' '#!/bin/sh' "host=\$1" 'shift' \
		"printf '%s\\n' \"\$host\" >>'$PWD/hosts'" \
		'exec sh -c "$*"' >remote
	chmod +x remote
	PATH=$PWD:$PATH
	jq -nc '{type: "node", node: "a", host: "far $(id) away", speed: 3},
		{type: "node", node: "b", speed: 1}' >cluster
	for a in exact pss; do
		run_ hprun -a $a -C cluster --transport ssh --rsh "remote " in
		status_is 0
		printf '%s\n' "$output" >out
		same out want
	done
	[ "$(sort -u hosts)" = 'far $(id) away' ]
	jq -nc '{type: "node", node: "a", host: "-oProxyCommand=x"}' >cluster
	run_ hprun -C cluster --rsh ssh in
	status_is 2
	stderr_has "must not begin"
}

@test "--keep keeps all documents, in a directory that was empty" {
	lines 500 >in
	run_ hprun -j 2 --keep kept -o out in
	status_is 0
	for f in cluster plan deal sublists; do
		[ -s kept/$f.jsonl ]
	done
	cat kept/node.0/out kept/node.1/out >parts
	same parts out
	[ -z "$(find kept ! -type f ! -type d)" ]
	run_ hprun -j 2 --keep kept -o out in
	status_is 2
	stderr_has 'not empty'
}

@test "--trace contains every step of every node" {
	lines 500 >in
	for way in psrs:merge 'psrs --transport unix:exchange' pss:exchange; do
		rm -f trace
		run_ hprun -a ${way%:*} -j 3 --trace trace -o out in
		status_is 0
		run_ jq -sr 'all(.type == "step" and .end_s >= .start_s and
			.records >= 0 and .bytes >= 0)' trace
		stdout_is true
		jq -r '"\(.rank) \(.step)"' trace | sort | uniq -d >twice
		same twice /dev/null
		for s in sample cut ${way#*:} gather; do
			[ "$(jq -s "map(select(.step == \"$s\").records) | add" \
				trace)" = 500 ]
		done
		for s in count plan deal pivots; do
			jq -se "any(.step == \"$s\" and .node == \"launcher\")" \
				trace
		done
	done
}

@test "nodes of one machine write their parts into the result" {
	lines 20000 >in
	instead hpmerge <<-EOF
		echo "\$@" >>"$PWD/merged"
		exec "\$real" "\$@"
	EOF
	for way in '-a exact' '-a psrs -r' '--header 1 -a exact'; do
		rm -f merged out
		# shellcheck disable=SC2086 # words
		hprun $way --speeds 3,2,1 -o out in
		# shellcheck disable=SC2046 # words
		hpsort $(sed 's/-a [a-z]*//' <<<"$way") in >want
		same out want
		[ "$(grep -c -- '-o [^ ]*/.hprun[^ ]* --at [0-9]' merged)" = 3 ]
	done
	# What a node leaves out by -u is not known before it merges.
	rm merged
	hprun -u -j 2 -o out in
	sort -u in | same out -
	[ "$(grep -c -- --at merged)" = 0 ]
}

@test "a result that is too short does not appear" {
	lines 20000 >in
	instead hpmerge <<-'EOF'
		"$real" "$@" || exit
		case $* in
		*--at\ 0*) ;;
		*) while [ "$1" != -o ]; do shift; done; truncate -s -1 "$2" ;;
		esac
	EOF
	run_ hprun -j 2 -o out in
	status_is 2
	stderr_has 'has the wrong size'
	nothing_left
}

@test "if all records are candidates, no node counts them" {
	for n in 1024 1025; do
		lines $n >in
		rm -f trace
		hprun -a exact -j 3 --trace trace -o out in
		sort in | same out -
		jq -r 'select(.rank == 1).step' trace >steps
		if [ $n = 1024 ]; then
			printf '%s\n' sort sample cut merge | same - <(head -n 4 steps)
		else
			printf '%s\n' sort sample count | same - <(head -n 3 steps)
		fi
	done
}

@test "--trace appends to the file, for hpprofile learn" {
	lines 500 >in
	# Of a step that took no hundredth of a second nothing can be learned.
	instead hpsort <<<'sleep 0.03; exec "$real" "$@"'
	hprun -j 2 --trace trace -o out in
	hprun -j 2 --trace trace -o out in
	[ "$(jq -s 'map(select(.step == "sort").records) | add' trace)" = 1000 ]
	[ "$(jq -s 'map(.run) | unique | map(length > 0) | length' trace)" = 2 ]
	jq -nc '{type: "node", node: "node0"}, {type: "node", node: "node1"}' >nodes
	hpprofile learn --whole nodes trace |
		jq -se 'all((.points | length > 0) and .seconds_per_item > 0)'
}

@test "--profile measures the nodes without points, and writes the cluster anew" {
	lines 3000 >in
	{
		echo '{"type":"node","node":"a b","speed":2}'
		echo '{"type":"node","node":"known","points":[{"n":10,"seconds":1}]}'
	} >cluster
	chmod 604 cluster
	ln -s cluster link
	run_ hprun -C link --profile=3 -n -o out in
	status_is 0
	sort -n in | cmp - out
	[ -L link ]
	[ "$(stat -c %a cluster)" = 604 ]
	[ "$(jq -c '[.node, .speed, (.points | length > 0) and .workload != null]' cluster)" = \
		'["a b",2,true]
["known",null,false]' ]
	jq -r 'select(.speed).workload' cluster | grep -q -- '-n'
	[ "$(sed -n 2p cluster)" = \
		'{"type":"node","node":"known","points":[{"n":10,"seconds":1}]}' ]
	# What is known is not measured again.
	cp cluster before
	hprun -C cluster --profile=3 -n -o out in
	same cluster before
	run_ hprun -j 2 --profile in
	status_is 2
	instead hpprofile <<<'echo no luck >&2; exit 2'
	sed -i '2s/points/other/' cluster
	cp cluster before
	run_ hprun -C cluster --profile=1 -o new in
	status_is 2
	stderr_has 'known: no luck'
	same cluster before
	[ -z "$(find . -name '.hprun*')" ]
}

# measured: makes a script that takes the place of hpprofile.  It reports 1 s
# per item for node "a" and 2 s for node "b", but five times as much at the
# fourth and eighth call for a node.  It appends the node and its arguments to
# the file `asked`.
measured() {
	instead hpprofile <<-EOF
		n=100 before=''
		for word; do
			case \$before in
			-N) name=\$word ;;
			--sizes) n=\$word ;;
			esac
			before=\$word
		done
		case \$name in a) seconds=\$n ;; b) seconds=\$((n * 2)) ;; esac
		echo "\$name \$*" >>'$PWD/asked'
		case \$(grep -c "^\$name" '$PWD/asked') in 4 | 8) seconds=\$((seconds * 5)) ;; esac
		seconds="\"seconds\":\$seconds,\"low\":\$seconds,\"high\":\$seconds"
		echo "{\"type\":\"node\",\"node\":\"\$name\",\"points\":[{\"n\":\$n,\$seconds,\"runs\":1}]}"
	EOF
	# No pause before a sort, and no sleep that somebody else needs.
	cat >bin/sleep <<-EOF
		#!/bin/sh
		[ "\$*" = 3 ] || exec $(command -v sleep) "\$@"
		echo >>'$PWD/slept'
	EOF
	# The steps that do nothing, whose time is that of a start.
	cat >bin/true <<-EOF
		#!/bin/bash
		case \$PWD in
		*/node.0) exec $(command -v sleep) 0.06 ;;
		*/node.1) exec $(command -v sleep) 0.12 ;;
		esac
	EOF
	chmod +x bin/sleep bin/true
}

# asked_for: prints how often each node was asked to sort how many hundreds of
# items, without its first measurement.  The numbers are rounded, because the
# time to start a step, which is part of a node's time, changes them a little.
asked_for() {
	sed -n 's/^\([ab]\) .*--runs 1 --sizes \([0-9]*\) -- .*/\1 \2/p' asked |
		awk '{ printf "%s %.0f\n", $1, $2 / 100 }' | sort | uniq -c |
		awk '{ printf "%d %s %s ", $1, $2, $3 } END { print "" }'
}

@test "--profile measures the planned share of each node" {
	lines 3000 >in
	measured
	printf '{"type":"node","node":"%s"}\n' a b >unknown
	cp unknown cluster
	hprun -C cluster --profile=15000 -n -S 20M -o out --trace trace in
	sort -n in | cmp - out
	# At first hpprofile chooses the sizes, for a third of the time.  Then
	# the nodes sort their shares of all items, because these take 2000 s,
	# less than a quarter of the other 10000 s.  They repeat this as often
	# as there is time, but ten times in all at most.
	[ "$(grep -c -- "-n -N . --seconds 5000000e-3 -- hpsort -n -S [0-9]*K --parallel [0-9]* -o run {in}" asked)" = 2 ]
	[ "$(asked_for)" = '10 a 20 10 b 10 ' ]
	# Each after a pause, in which free memory is forgotten.
	[ "$(wc -l <slept)" = 10 ]
	# The median of those by the better plan, with the start of the step.
	jq -se 'map(.points) | map(map([.n / 100, .runs] | map(round))) ==
		[[[1, 1], [20, 9]], [[1, 1], [10, 9]]] and
		(.[0][1] | .seconds > .n + 0.05 and .seconds < .n * 1.1 and .high > .n * 5) and
		(.[1] | all(.seconds > .n * 2 + 0.11 and .low == .seconds))' cluster
	# The run that is traced begins behind that.
	jq -se 'map(.step) | .[0] == "plan" and index("sort") and
		(index("profile") | not)' trace
	# Of what there is no time for, as much as there is.
	cp unknown cluster
	rm asked
	hprun -C cluster --profile=6000 -n -o out in
	[ "$(asked_for)" = '10 a 10 10 b 5 ' ]
	# What is within the measured is not measured again.
	cp unknown cluster
	rm asked
	hprun -C cluster --profile=60 -n -o out <(head -n 120 in)
	[ "$(wc -l <asked)" = 2 ]
	# By hand, too.
	cp unknown cluster
	hprun -C cluster --profile=15000 -n --dry-run -o by-hand in >commands
	bash commands
	cmp <(sort -n in) by-hand
	jq -se 'map(.points[1] | [.n, .runs]) == [[2000, 3], [1000, 3]]' cluster
}

@test "--progress prints steps, percent, rate and time; otherwise nothing is printed" {
	lines 30000 >in
	for way in exact:merge 'exact --transport unix:exchange' psop:exchange; do
		a=${way%:*}
		run_ hprun --progress -a $a -j 2 -o out in
		status_is 0
		stderr_has 'hprun: plan'
		stderr_has 'hprun: gather, 100 %'
		grep -Eq "^hprun: ${way#*:}, [0-9]+ %" <<<"$stderr"
		run_ hprun -a $a -j 2 -o out in
		stderr_is ''
	done
	NO_COLOR=1 run_ hprun --progress -j 2 -o out in
	status_is 0
	stderr_is ''
}

@test "--progress prints no rate before any work is done" {
	lines 30 >in
	instead hpsplit <<-'EOF'
		[ "$1" != sample ] || sleep 1.1
		exec "$real" "$@"
	EOF
	run_ hprun --progress -a pss -j 2 -o out in
	status_is 0
	stderr_has 'hprun: sample, 0 %'
	sort in | cmp - out
}

# seen_on_terminal WORD...: stores what hprun writes to a terminal in ./seen.
seen_on_terminal() {
	env -u NO_COLOR TERM=xterm script -qefc "$(printf '%q ' "$@")" seen \
		</dev/null >/dev/null
}

@test "on a terminal one line is updated during a step, and erased at the end" {
	needs_terminal
	lines 3000 >in
	sort in >want
	hosts a b
	# Half of it is written, and the rest once that was told.
	instead hpsort <<-EOF
		printf '%010000d' 0 >half
		tries=0
		until grep -Eq "sort, \$(cat "$PWD/per.cent") %" "$PWD/seen"; do
			[ \$((tries++)) -lt 1500 ] || exit 2
			sleep 0.1
		done
		rm half
		exec "\$real" "\$@"
	EOF
	# Of three steps, and of five where the input is sent.
	echo '([1-9]|[12][0-9]|3[0-3])' >per.cent
	seen_on_terminal hprun -j 2 -o out in
	grep -Eq "sort, $(cat per.cent) %" seen
	same out want
	# On a host the agent counts.
	echo '(2[1-9]|[3-5][0-9])' >per.cent
	seen_on_terminal hprun -C cluster --transport ssh --rsh far -o out in
	grep -Eq "sort, $(cat per.cent) %" seen
	same out want
	sed '$d' seen | tail -c 5 | cmp - <(printf '\r\033[K\n')
}

@test "on a terminal no progress line is between the records of the result" {
	needs_terminal
	lines 30 >in
	seen_on_terminal hprun -j 2 in
	tr -d '\r' <seen | sed '/^Script /d; /^$/d; s/.*\x1b\[K//' >records
	sort in | same records -
	grep -q 'hprun: sort' seen
	seen_on_terminal hprun -j 2 --leave 'part.{rank}' in
	grep -q $'\e\\[K{"type":"summary"' seen
	cat part.0 part.1 | same - records
}

@test "NO_COLOR or TERM=dumb prevents the progress line, which fits the terminal" {
	needs_terminal
	lines 30 >in
	seen_on_terminal env NO_COLOR= hprun -j 2 -o out in
	run ! grep -q 'hprun: ' seen
	seen_on_terminal env TERM=dumb hprun -j 2 -o out in
	run ! grep -q 'hprun: ' seen
	seen_on_terminal env TERM=dumb hprun --progress -j 2 -o out in
	grep -q '^hprun: plan' seen
	# A line is written each second.
	instead hpsort <<-EOF
		tries=0
		until grep -q 'hprun: s' "$PWD/seen"; do
			[ \$((tries++)) -lt 1500 ] || exit 2
			sleep 0.1
		done
		exec "\$real" "\$@"
	EOF
	rm seen
	seen_on_terminal sh -c 'stty cols 9; hprun -j 2 -o out in'
	grep -q 'hprun: s' seen
	run ! grep -q 'hprun: so' seen
}

@test "a file in /dev/shm is read where it is, without a copy" {
	local file=/dev/shm/hprun.$BASHPID

	seq 1000 | sort -R --random-source=/dev/zero >"$file"
	run_ hprun -j 2 -n --trace trace -o out "$file"
	rm "$file"
	status_is 0
	same out <(seq 1000)
	jq -se 'map(.step) | index("sort") != null and index("store") == null' trace
}

@test "--keep says what is wrong with its directory, and what it has kept" {
	seq 9 >in
	ln -s /nowhere link
	run_ timeout 5 hprun -j 2 --keep link -o out in
	status_is 2
	stderr_is 'hprun: link: a symbolic link to a missing file'
	# A run that has not begun has nothing to continue with.
	echo '{"type":"node"' >bad
	run_ hprun -C bad --keep kept -o out in
	status_is 2
	[[ $stderr != *continue* ]] || fail "$stderr"
}

@test "a work directory whose name is not UTF-8 is an error" {
	local name=$'not \xff'

	seq 9 >in
	mkdir "$name"
	for way in "-T:$PWD/$name" "--keep:$name/kept"; do
		run_ hprun -j 2 "${way%%:*}" "${way#*:}" -o out in
		status_is 2
		stderr_has ': the name of the directory is not UTF-8'
		[ ! -e out ]
		empty_dir "$name"
	done
}

@test "--keep: on a full disk, the message names the directory, which has nothing to continue with" {
	unshare -m true 2>/dev/null || skip 'no right to mount'
	seq 9 >in
	mkdir small
	run_ unshare -m sh -c 'mount -t tmpfs -o size=4k,mode=700 none small &&
		exec hprun -j 2 --keep small/kept -o out in'
	status_is 2
	stderr_has 'hprun: small/kept: '
	[[ $stderr != *continue* ]] || fail "$stderr"
}

@test "a run that reads a terminal says so" {
	needs_terminal
	on_terminal 'hprun -j 1' >seen
	grep -q '^hprun: reading standard input (a terminal)' seen || fail "$(cat seen)"
	# The script that --dry-run prints would read it, not this run.
	on_terminal 'hprun -j 1 --dry-run' >seen
	grep -q 'hpsort ' seen || fail "$(cat seen)"
	! grep -q 'reading standard input' seen || fail "$(cat seen)"
}

@test "with too few descriptors, hprun fails with a message" {
	local n begins=

	# Its search for leaks needs descriptors, too.
	export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
	seq 9 >in
	for n in {4..14}; do
		run_ sh -c "exec 3>&- 4>&-; ulimit -n $n; exec hprun -j 2 -o out in"
		seen+="$n:$status:$stderr "
		case $status in
		0) same in out && rm out && continue ;;
		2 | 3) [[ $stderr != *'cannot begin'* ]] || begins=no ;;
		127) ;; # of the dynamic linker
		*) fail "$n: status $status" ;;
		esac
		[ -n "$stderr" ] && [ ! -e out ] || fail "$n: $status"
	done
	[ "$begins" = no ] || fail "$seen"
}
