# Runs of hprun that are killed in any of their stages, and taken up again.
# shellcheck shell=bash disable=SC2154
load common
load hprun

# all_programs: each program appends its name and first two arguments to
# ./begun.  The first program for which these words match the pattern in
# ./victim kills a process: if ./whom has the word "hprun", the process whose ID
# is in ./hprun, otherwise its child, the launcher.
all_programs() {
	local program

	for program in hpsolve hpsplit hpsort hpexchange hpmerge hpcheck; do
		instead $program <<-EOF
			cd_to=\$PWD words="\${0##*/} \$1 \$2"
			words=\${words% }
			[ "\$1" != --version ] || exec "\$real" "\$@"
			cd "$PWD" && echo "\$words" >>begun
			# What is in victim may be a pattern.
			if [ -e victim ] && [[ \$words = \$(cat victim) ]] &&
				mkdir struck 2>/dev/null; then
				until [ -s hprun ]; do sleep 0.02; done
				pid=\$(cat hprun)
				[ "\$(cat whom)" = hprun ] || pid=\$(pgrep -P "\$pid")
				kill -KILL "\$pid"
				sleep 1
			fi
			cd "\$cd_to" && exec "\$real" "\$@"
		EOF
	done
}

# done_steps TRACE [SECONDS]: the steps in the trace, without those that every run
# does again; only those that had ended at that time.
done_steps() {
	jq -r --argjson before "${2:-1e12}" 'select(.end_s < $before) |
		select(.step != "gather" and .step != "prove") |
		"\(.node):\(.step)"' "$1" | sort
}

# killed_at WORDS WHOM ALGORITHM [WORD...]: a run with --keep kept whose process WHOM is
# killed when WORDS begins.  The last words are options in place of -o out.
killed_at() {
	local to=(-o out)

	[ $# -eq 3 ] || to=("${@:4}")
	rm -rf struck kept trace hprun home/*/work*/hprun.*
	echo "$1" >victim
	echo "$2" >whom
	env HP_RUN="$HP_MARK" hprun -C cluster --transport ssh --rsh far -a "$3" \
		--keep kept --progress "${to[@]}" in 2>err 3>&- &
	echo $! >hprun
	# Without 2>, the shell would report the signal.
	! wait $! 2>/dev/null || fail "$3: $1: hprun was not killed"
	soon none_running
	flock -w 150 kept true
	[ ! -e out ]
}

@test "the launcher killed in each stage: --resume repeats no step that was done" {
	local a whom words time sent

	lines 3000 >in
	sort in >want
	hosts a b
	all_programs
	for a in exact psrs pss psop range; do
		rm -rf begun kept trace home/*/work*/hprun.*
		hprun -C cluster --transport ssh --rsh far -a $a --keep kept \
			--trace trace -o out in
		done_steps trace >all
		sort -u begun >stages
		rm out
		case $a in exact | psrs | range) sent=send ;; *) sent= ;; esac
		whom=hprun
		while read -r words; do
			killed_at "$words" $whom $a
			time=$EPOCHREALTIME
			run_ hprun -C cluster --transport ssh --rsh far -a $a \
				--resume kept --trace trace -o out in
			status_is 0 || fail "$a: $words" "$(cat kept/journal)"
			same out want
			rm out
			done_steps trace | cmp - all || fail "$a: $words" "$(cat trace)"
			# Every step that --progress called done is kept.  A part that
			# a host sorts while it arrives is sent again unless it is sorted.
			sed -n 's/^hprun: \([a-z]*\).*/\1/p' err |
				grep -vx -e gather -e prove -e "${sent:-sent}" | sort >told
			done_steps trace "$time" | sed 's/.*://' | sort >kept.steps
			[ -z "$(comm -23 told kept.steps)" ] ||
				fail "$a: $words: done again: $(comm -23 told kept.steps)"
			[ $whom = hprun ] && whom=launcher || whom=hprun
		done <stages
	done
	rm -rf home/*/work*/hprun.*
	clean
}

@test "--leave: a resumed run takes up the parts that were sorted" {
	local a left=(--leave 'left.{rank}')

	lines 3000 >in
	sort in >want
	hosts a b
	all_programs
	for a in exact pss range; do
		killed_at 'hpcheck /*' hprun $a "${left[@]}"
		# The parts are beside their later names.
		[ "$(find home/*/work*/.hprun.* -size +0 | wc -l)" -eq 2 ] || fail "$a: $(find home)"
		touch begin
		run_ hprun -C cluster --transport ssh --rsh far -a $a --resume kept \
			--trace trace "${left[@]}" in
		status_is 0 || fail "$a: $(cat kept/journal)"
		cat home/a/work*/left.0 home/b/work*/left.1 | cmp - want
		# No part was sorted again.
		[ -z "$(find home/*/work*/left.* -newer begin)" ]
		rm -r home/*/work*/left.*
		[ -z "$(find home -name '.hprun.*')" ]
	done
	rm -rf home/*/work*/hprun.*
	clean
}

@test "a node killed while it removes the files of a finished exchange is done" {
	local n fault=unlinkat

	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	lines 3000 >in
	sort in >want
	for ((n = 1; ; n++)); do
		rm -rf kept out struck hprun
		# Together with the launcher, which could start it again.
		instead hpexchange <<-EOF
			[[ \$* = *'-N 1 '* ]] && mkdir "$PWD/struck" 2>/dev/null ||
				exec "\$real" "\$@"
			until [ -s "$PWD/hprun" ]; do sleep 0.02; done
			LD_PRELOAD="$HPBIN/../tests/fault/ioerr.so" \\
				HP_FAULT=$fault:$n:-9 "\$real" "\$@"
			code=\$?
			[ \$code -ne 137 ] || kill -KILL "\$(pgrep -P "\$(cat "$PWD/hprun")")"
			exit \$code
		EOF
		hprun -j 2 -a exact --keep kept -o out in 2>err 3>&- &
		echo $! >hprun
		if wait $! 2>/dev/null; then
			[ $fault != rmdir ] || break
			[ "$n" -gt 5 ] || fail "$n"
			# The files are removed, but not their directory.
			fault=rmdir n=0
			continue
		fi
		soon none_running
		run_ hprun -j 2 -a exact --resume kept --trace trace -o out in
		status_is 0 || fail "$n"
		same out want
		[ "$(jq -s 'map(select(.step == "exchange").records) | add' trace)" -eq 3000 ]
		rm trace
	done
	[ "$n" -eq 2 ] || fail "$fault $n"
}

@test "a document that a power failure has cut: the resumed run begins again" {
	local f bytes

	lines 3000 >in
	sort in >want
	hprun -j 3 --keep kept -o out in
	cp -a kept whole
	for f in plan.jsonl deal.jsonl sublists.jsonl pieces.1 given.2; do
		for bytes in 0 10; do
			rm -r kept out
			cp -a whole kept
			truncate -s $bytes "kept/$f"
			run_ hprun -j 3 --resume kept -o out in
			# If a document is empty, perhaps only the proof fails,
			# as if records were lost.  The next resumed run must
			# then succeed.
			case $status in
			2) hprun -j 3 --resume kept -o out in ;;
			*) status_is 0 ;;
			esac
			same out want
			[ "$f" != plan.jsonl ] ||
				stderr_has 'hprun: files of the earlier run are damaged; the run begins again'
		done
	done
}

@test "a document that is missing: the resumed run begins again" {
	local f

	lines 3000 >in
	sort in >want
	hprun -j 3 --keep kept -o out in
	for f in plan.jsonl deal.jsonl; do
		rm out "kept/$f"
		run_ hprun -j 3 --resume kept -o out in
		status_is 0
		stderr_has 'hprun: files of the earlier run are damaged; the run begins again'
		same out want
	done
}

@test "a resumed run continues with its copy of what came from a FIFO" {
	lines 300 >in
	sort in >want
	mkfifo pipe
	cat in >pipe &
	hprun -j 3 --keep kept -o out pipe
	wait $!
	rm out
	hprun -j 3 --resume kept -o out pipe
	same out want
}

@test "a resumed run does not wait for the writer of a pipe in place of its tag" {
	lines 300 >in
	hprun -j 3 --keep kept -o out in
	rm kept/tag out
	mkfifo kept/tag
	HP_RUN=$HP_MARK run_ timeout 60 hprun -j 3 --resume kept -o out in
	status_is 2
	stderr_is 'hprun: tag: does not identify a run'
	[ ! -e out ]
}

@test "a document that is damaged again: the resumed run begins again only once" {
	lines 300 >in
	instead hpsolve <<-'EOF'
		"$real" "$@" | head -c 10
	EOF
	run_ hprun -j 3 --keep kept -o out in
	status_is 2
	HP_RUN=$HP_MARK run_ timeout 60 hprun -j 3 --resume kept -o out in
	status_is 2
	[ "$(grep -c 'begins again' <<<"$stderr")" = 1 ]
	[ ! -e out ]
}

@test "a resumed run that cannot write its result does not begin again" {
	lines 3000 >in
	hprun -j 3 --keep kept -o out in
	run_ hprun -j 3 --resume kept -o /dev/full in
	status_is 2
	stderr_has 'No space left on device'
	[[ $stderr != *'begins again'* ]]
}

@test "a run that cannot be resumed with these options stays, and the message says so" {
	seq 900 >in
	hprun -j 3 --keep kept -o out in
	run_ hprun -j 4 --resume kept -o out in
	status_is 2
	stderr_is 'hprun: kept: belongs to a run with other options, nodes or input'
}

@test "a resumed run replaces the key that a killed one has left" {
	seq 900 >in
	hprun -j 3 --transport tcp --keep kept -o out in
	echo left >kept/key
	run_ hprun -j 3 --transport tcp --resume kept -o again in
	status_is 0
	same again out
}

@test "-R: a resumed run uses the random bytes of the earlier one, which are private" {
	seq 900 >in
	hprun -R -j 3 --keep kept -o out in
	[ "$(stat -c %a kept/random)" = 600 ]
	cp kept/random before
	hprun -R -j 3 --resume kept -o again in
	same kept/random before
	same again out
}

@test "-R: a resumed run refuses another random source" {
	seq 900 >in
	seq 10 >a
	seq 11 >b
	hprun -R --random-source a -j 3 --keep kept -o out in
	run_ hprun -R --random-source b -j 3 --resume kept -o again in
	status_is 2
	stderr_is 'hprun: kept: belongs to a run with other options, nodes or input'
	hprun -R --random-source a -j 3 --resume kept -o again in
	same again out
	seq 12 >a
	run_ hprun -R --random-source a -j 3 --resume kept -o again in
	status_is 2
}
