# shellcheck shell=bash disable=SC2154
# hpsort(1): memory, temporary files and how they are merged
load common
load hpsort

# To make them takes longer than most of what is done with them.
setup_file() {
	words 600000 >"$BATS_FILE_TMPDIR/words"
}

@test "memory stays within -S" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	hpgen 300000 f
	for s in 8 16 38; do
		peak $((s << 20)) hpsort -F gensort -S ${s}M f
		peak $((s << 20)) hpsort -F gensort -S ${s}M --parallel 5 f
		# shellcheck disable=SC2016
		peak $((s << 20)) bash -c 'cat f | exec hpsort -F gensort "$@"' \
			- -S ${s}M
	done
	# Ordered files are mapped, large pages of the cache with them.
	for o in "" -r; do
		# shellcheck disable=SC2086 # an option or none
		hpsort -F gensort $o f -o ordered
		peak $((8 << 20)) hpsort -F gensort -S 8M ordered -o g
		peak $((16 << 20)) hpsort -F gensort -S 16M --parallel 8 \
			ordered -o g
	done
	rm ordered g
	hpgen -F u32 5000000 f
	peak $((24 << 20)) hpsort -F u32 -S 24M f
	peak $((16 << 20)) hpsort -F u32 -S 16M --parallel 8 f
	hpgen -F u64 6M u
	for s in 16 36; do
		peak $((s << 20)) hpsort -F u64 -S ${s}M --parallel 24 u
	done
	# Of a pipe it is not known how much will come.
	piped() {
		# shellcheck disable=SC2016
		peak $(($2 << 20)) bash -c 'cat "$0" | exec hpsort "$@"' \
			"$1" -S "$2M" --parallel 8 "${@:3}"
	}
	piped u 32 -F u64
	rm u
	for z in zstd lz4; do
		peak $((16 << 20)) hpsort --compress=$z -F u32 -S 16M f
		peak $((48 << 20)) hpsort --compress=$z -F u32 -S 48M \
			--parallel 5 f
	done
	# Lines of 4 bytes, and of 3 bytes on average.
	head -c 9M f | base64 -w 4 >g
	peak $((16 << 20)) hpsort -S 16M g
	peak $((16 << 20)) hpsort -n -S 16M g
	base64 -w 0 f | tr A-P '\n' >short
	piped short 16
}

@test "many threads sort short records within -S" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	# Half of the records have one of 16 values.
	hpgen 400k f
	peak $((32 << 20)) hpsort -F record:4 -S 32M --parallel 16 f
	hpsort -F record:4 -S 32M --parallel 16 f | cmp - <(hpsort -F record:4 f)
	peak $((20 << 20)) hpsort -F record:2 -S 20M --parallel 8 f
	peak $((40 << 20)) hpsort -F record:2 -s -S 40M --parallel 16 f
}

@test "long lines that a program packs are merged within -S" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	# More files than are merged at once.
	for i in {10..49}; do
		printf '%0300000d\n' "$i" $((i + 40)) >"p.$i"
	done
	peak $((8 << 20)) hpsort -m -S 8M --compress-program=gzip p.*
	hpsort -m -S 8M --compress-program=gzip p.* >actual
	printf '%0300000d\n' {10..89} >expected
	same actual expected
}

@test "memory stays within the machine's, whatever -S or a record needs" {
	printf 'b\na\n' >f
	[ "$(hpsort -S 1P f | paste -sd,)" = a,b ]
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers have memory of their own"
	head -n 400000 "$BATS_FILE_TMPDIR/words" >some
	sort some >expected
	(
		ulimit -v 400000
		hpsort --parallel 2 some >actual
		same actual expected
		hpsort --parallel 2 -S 100G some >actual
		same actual expected
		# What there is must do for both the input and its entries, and
		# threads need their stacks, too.
		ulimit -v 60000
		for o in "" "-S 8M" "-S 64M" "-S 200M --parallel 8"; do
			# shellcheck disable=SC2086 # words
			hpsort $o some >actual
			same actual expected
			# shellcheck disable=SC2002,SC2086 # a pipe is meant
			cat some | hpsort $o >actual
			same actual expected
		done
		[ "$(printf 'b\na\n' | hpsort | paste -sd,)" = a,b ]
	)
	(
		ulimit -v 400000
		truncate -s 400M long
		run_ hpsort long
		status_is 2
		stderr_has 'long: a record of more than '
		stderr_has 'does not fit into memory'
		run_ hpmerge long
		status_is 2
		stderr_has 'long: record 1 does not fit into memory'
	)
	rm long
}

@test "output that bypasses the page cache may begin at any offset" {
	hpgen -F u32 --seed 5 400000 | od -An -v -tu4 -w16 |
		awk '{ print; if (NR % 9973 == 0) {
			printf "%s", $1
			for (i = 0; i < 90000; i++) printf "%d", NR + i
			print "" } }' >f
	sort f >expected
	sort -u f >unique
	for start in 0 1 4095 4096; do
		head -c $start expected >before
		for way in "" "--parallel 1" "-u" "-u --parallel 3"; do
			# Others write to the file before and after.
			# shellcheck disable=SC2086 # words
			{ cat before && hpsort $way -S 3M f && echo end; } \
				>actual
			case $way in -u*) cat before unique ;;
			*) cat before expected ;; esac >wanted
			echo end >>wanted
			same actual wanted
		done
	done
}

@test "memory stays within -S with long records" {
	local o threads

	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	# 150 records of half a megabyte: a 64th of -S.
	hpgen -F u32 150 | od -An -v -tu4 -w4 | awk 'BEGIN {
		for (s = "m"; length(s) < 500000;)
			s = s s
	}
	{ print $1 % 9999, $1, substr(s, 1, 500000) }' >f
	for o in "" -k2n; do
		# shellcheck disable=SC2086 # an option or none
		sort $o f >expected
		for threads in 1 8; do
			# shellcheck disable=SC2086
			peak $((32 << 20)) hpsort $o -S 32M \
				--parallel $threads -o actual f
			same actual expected
		done
	done
}

@test "memory stays within -S with long keys of long lines" {
	local o

	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	# 12 lines of a megabyte, an eighth of -S.
	hpgen -F u32 12 | od -An -v -tu4 -w4 | awk 'BEGIN {
		for (s = "1.m-"; length(s) < 1000000;)
			s = s s
	}
	{ print $1 % 3, substr(s, 1, 1000000), $1 }' >f
	for o in "-k1,1n -k2" -V "-k2 -u"; do
		# shellcheck disable=SC2086 # words
		set -- $o
		sort "$@" f >expected
		peak $((8 << 20)) hpsort "$@" -S 8M -o actual f
		same actual expected
		# shellcheck disable=SC2016
		peak $((8 << 20)) bash -c 'cat f | hpsort "$@"' - "$@" -S 8M \
			-o actual
		same actual expected
	done
}

@test "keys may agree beyond the length of built keys" {
	local o

	# Some many times; each the beginning of another, some behind that.
	hpgen -F u32 80 | od -An -v -tu4 -w4 | awk 'BEGIN {
		for (s = "ab.7 c"; length(s) < 40000;)
			s = s s
	}
	{ print $1 % 2 ":" substr(s, 1, 20000 + $1 % 5 * 3000) ":" $1 % 7
	  print $1 % 2 ":" substr(s, 1, 20000 + NR % 29) $1 % 3 }' >f
	for o in "-k2 -u" "-k1,1n -k2,2" "-k2,2dr -k3n" "-u -k2,2V" \
		"-s -k2,2i -k1,1r"; do
		# shellcheck disable=SC2086 # words
		as_sort f -t: $o
	done
}

@test "lines of any length among short ones, read into a reused buffer" {
	local s

	# 150 of them: below and above 64 KB, what is read at once, and twice.
	hpgen -F u32 300000 | od -An -v -tu4 -w4 | awk 'BEGIN {
		for (long = "m"; length(long) < 900000;)
			long = long long
	}
	{ print $1 }
	NR > 50000 && NR % 1700 == 0 {
		print $1 % 10 substr(long, 1, $1 % 900000 / (1 + NR % 7)) NR
	}' >f
	sort f >expected
	cut -c1-9 f >g
	sort g >expected.short
	for s in 9M 20M 1G; do
		hpsort -S $s -T . <f | cmp - expected
		hpsort -S $s -T . --parallel 3 <(cat f) | cmp - expected
		# The last line has no delimiter.
		head -c -1 g | hpsort -S $s - <(printf z) |
			cmp - <(cat expected.short <(echo z))
	done
}

# in_cgroup DIR COMMAND...
in_cgroup() {
	echo "$BASHPID" >"$1/cgroup.procs" && exec "${@:2}"
}

@test "memory stays within the cgroup, so no process is killed" {
	local group=/sys/fs/cgroup/memory limit=limit_in_bytes end

	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	if [ ! -d $group ]; then
		group=/sys/fs/cgroup limit=max
		grep -qsw memory $group/cgroup.subtree_control ||
			skip "no memory controller"
	fi
	[ -w $group ] || skip "no right to make a cgroup"
	# No program can write more there than the cgroup's memory.
	[ "$(stat -fc %T .)" != tmpfs ] || skip "files are memory here"
	group=$group/hpsort.$$
	mkdir $group
	echo 64M >$group/memory.$limit
	hpgen 1M f
	run_ in_cgroup $group hpsort -F gensort -S 200M -o out <(cat f)
	# Who has ended leaves it in a while.
	end=$((SECONDS + 150))
	until rmdir $group || [ "$SECONDS" -ge "$end" ]; do sleep 0.1; done
	status_is 0
	hpcheck -F gensort out
}

@test "the next batch is read ahead once the speed of the disk is known" {
	# Two files, so that one ends in a batch, and a pipe.
	hpgen 1M a
	hpgen -b 1000000 100k b
	hpsort -F gensort a b -o expected
	for s in 8M 30M; do
		/usr/bin/time -f %M -o peak \
			hpsort --stats -F gensort -S $s -T . a b -o out 2>stats
		[ "$(jq '.runs > 3' stats)" = true ]
		[ -n "${HP_SANITIZER-}" ] ||
			[ "$(cat peak)" -le $((${s%M} * 1024)) ]
		cmp out expected
		cat a b | hpsort -F gensort -S $s -T . | cmp - expected
	done
	cat a b | hpcheck -F gensort >all || :
	hpcheck -F gensort out >sorted
	[ "$(jq -c '[.sorted, .records, .checksum]' sorted)" = \
		"$(jq -c '[true, .records, .checksum]' all)" ]
}

@test "memory is little more than the input, also for short lines" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	# Lines of 5 digits.
	hpgen -F u32 4687500 | base64 -w 5 |
		tr A-Za-z+/ 0-90-90-90-90-90-9 >g
	[ "$(stat -c %s g)" -eq 30000000 ]
	peak 39000000 hpsort --parallel 2 g -o actual
	hpcheck g >before || :
	hpcheck actual >after
	jq -se 'map([.records, .bytes, .checksum]) | .[0] == .[1]' before after
}

@test "memory stays within -S for long lines of a file, which are read by blocks" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	awk 'BEGIN {
		x = sprintf("%50000s", "")
		for (i = 0; i < 1400; i++)
			print i * 7919 % 1400 x
	}' >f
	for n in 2 8; do
		peak $((100 << 20)) hpsort -n -S 100M --parallel $n f -o out
		cut -d ' ' -f 1 out | cmp - <(seq 0 1399)
		peak $((100 << 20)) hpsort -S 100M --parallel $n f -o out
		hpcheck out | jq -e '.sorted and .records == 1400'
	done
}

@test "with a low limit on open files, mapped files do not stay open" {
	for i in {1..14}; do shuf -i 100000-200000 >"f$i"; done
	cat f* | sort -n >want
	for limit in {17..24} 46 60; do
		(ulimit -n "$limit" && hpsort -n -S 20M --parallel 2 f? f1? -o out)
		same out want
	done
}

@test "records in rounds, of which most are equal and fill one round" {
	for ((i = 0; i < 100; i++)); do
		head -c 655360 /dev/zero
		hpgen -F record:16 -b $((i * 24576)) 24576
	done >f
	# A budget of less than twice the input leads to rounds.
	hpsort -F record:16 -S 180M --parallel 1 f -o out
	hpcheck -F record:16 f >before || :
	hpcheck -F record:16 out >after
	jq -se '.[1].sorted and (map([.records, .bytes, .checksum]) | .[0] == .[1])' before after
	rm f out
}

@test "temporary files on a full disk: the message has the space needed, and the place" {
	hpgen 100000 f
	echo before >out
	small_disk 4
	run_ hpsort -F gensort -S 7M -T small f -o out
	umount small
	status_is 2
	stderr_has small
	stderr_has 10000000
	[ "$(cat out)" = before ]
	# The output will need room there, too.
	small_disk 16
	run_ hpsort -F gensort -S 7M -T small f -o small/out
	umount small
	status_is 2
	stderr_has 'output of 20000000 bytes together: no space'
}

@test "a disk too small for the output is reported at once, with size and place" {
	hpgen -F u64 600000 f
	small_disk 4
	echo before >small/out
	run_ hpsort -F u64 f -o small/out
	status_is 2
	stderr_has 'small/out: output of 4800000 bytes (4'
	[ "$(cat small/out)" = before ]
	# What -u leaves may fit.
	head -c 4000000 f >half
	cat half half >twice
	hpsort -F u64 -u twice -o small/out
	hpsort -F u64 half -o expected
	same small/out expected
	umount small
}

@test "a missing directory for temporary files or a full output is an error" {
	hpgen 100000 f
	echo before >out
	run_ hpsort -F gensort -S 7M -T nowhere f -o out
	status_is 2
	stderr_has nowhere
	[ "$(cat out)" = before ]
	run_ hpsort f -o /dev/full
	status_is 2
	stderr_has 'No space left on device'
	run_ bash -c 'hpsort f >/dev/full'
	status_is 2
}

@test "--stats prints the numbers of runs and passes" {
	hpgen 200000 f
	hpsort -F gensort f -o out --stats 2>err
	[ "$(jq -c '[.records, .bytes, .runs, .spilled_bytes]' err)" = \
		'[200000,20000000,0,0]' ]
	hpsort -F gensort f -o out --stats -S 8M --batch-size 2 2>err
	jq -e '.runs > 2 and .passes > 1 and .spilled_bytes >= 20000000' err
	# No time counts twice, and none is negative.
	begin=$EPOCHREALTIME
	{ sleep 0.5 && cat f; } | hpsort -F gensort -o out --stats -S 8M 2>err
	end=$EPOCHREALTIME
	jq -e --argjson begin "$begin" --argjson until "$end" '
		[.read_s, .sort_s, .merge_s] as $s |
		($s | add) <= $until - $begin and
		($s + [.user_s, .system_s] | min) >= 0' err
	# Little memory is enough to merge more than a few at once.
	hpgen 1200000 f
	hpsort -F gensort f -o out --stats -S 13M --parallel 2 2>err
	jq -e '.runs > 16 and .passes == 1' err
	hpcheck -F gensort out
	run_ bash -c 'hpsort -F gensort f -o out --stats 2>/dev/full'
	status_is 2
}

@test "--merge polyphase gives the same bytes, and --stats has its passes" {
	local files o

	cp "$BATS_FILE_TMPDIR/words" f
	# Each order on two numbers of files.
	for o in "3 15" "4 3 -r" "15 4 -s -k1,1" "3 15 -u -k2,2n"; do
		files=$(cut -d ' ' -f 1-2 <<<"$o")
		o=${o#"$files"}
		# shellcheck disable=SC2086 # words
		sort $o f >expected
		for files in $files; do
			# shellcheck disable=SC2086
			hpsort $o -S 8M --merge polyphase --batch-size $files \
				--stats f >actual 2>err
			same actual expected
			jq -e '.runs > 2 and .merge == "polyphase"' err
		done
	done
	# On three tapes; as many runs as are perfect or not.
	cat f f >g
	sort g >expected
	bytes=$(stat -c %s g)
	hpsort -S 8M --merge=polyphase --batch-size 3 --stats g >actual 2>err
	same actual expected
	jq -e --argjson b "$bytes" '.passes > 2 and .moved_bytes > 2 * $b and
		.moved_bytes == .spilled_bytes' err
	hpsort -S 8M --merge=kway --stats g 2>&1 >actual |
		jq -e --argjson b "$bytes" '.merge == "kway" and
			.passes == 1 and .moved_bytes == $b'
	run_ hpsort --merge=other f
	status_is 2
	stderr_has 'not kway or polyphase'
	# Without a word it is -m, and so it is with a file of another name.
	printf '1\n3\n' >a
	printf '2\n' >kways
	[ "$(hpsort --merge a kways | paste -sd,)" = 1,2,3 ]
	[ "$(hpsort --merge=polyphase -m a kways a | paste -sd,)" = \
		1,1,2,3,3 ]
}

@test "--compress gives the same bytes, with fewer on disk" {
	local z

	hpgen -a 200k f
	head -n 300000 "$BATS_FILE_TMPDIR/words" >g
	sort f >expected
	sort -s -k1,1 g >expected.g
	for z in --compress --compress=zstd --compress=lz4; do
		hpsort "$z" -S 10M --stats f -o actual 2>err
		same actual expected
		jq -e '.runs > 2 and .spilled_bytes >= 20000000 and
			.stored_bytes < 0.9 * .spilled_bytes' err
		hpsort "$z" -S 10M --batch-size 2 --parallel 1 f >actual
		same actual expected
		hpsort "$z" -s -k1,1 -S 10M --parallel 3 g >actual
		same actual expected.g
	done
	# What cannot be made smaller is stored as it is; long lines in pieces.
	hpgen -F u64 2M f
	hpsort -F u64 --compress -S 10M f | hpcheck -F u64
	(
		cat g
		head -c 20000000 /dev/zero | tr '\0' x
		echo
	) >f
	sort f >expected
	hpsort --compress=lz4 -S 10M f >actual
	same actual expected
	run_ hpsort --compress=gzip f
	status_is 2
	stderr_has "'gzip' is not zstd or lz4"
}

@test "--compress-program runs as sort runs it" {
	local o

	cp "$BATS_FILE_TMPDIR/words" f
	# As gzip, but faster.
	printf '#!/bin/sh\nexec gzip -1 "$@"\n' >pack
	chmod +x pack
	for o in "" "-s -k1,1 --batch-size 2" "--merge=polyphase -u -k2n"; do
		# shellcheck disable=SC2086 # words
		sort ${o/--merge=polyphase/} f >expected
		# shellcheck disable=SC2086
		hpsort -S 8M --compress-program ./pack $o f -o actual
		same actual expected
	done
	hpsort -S 8M --compress-program=gzip --stats f 2>&1 >actual |
		jq -e '.stored_bytes > 0 and .stored_bytes < .spilled_bytes'
	run_ hpsort -S 8M --compress-program=false f -o out
	status_is 2
	stderr_has 'compression program false'
	run_ hpsort -S 8M --compress-program=./nosuch f -o out
	status_is 2
	stderr_has './nosuch: No such file or directory'
	# One that packs but does not unpack, one that loses half of it.
	run_ timeout 60 hpsort -S 8M --compress-program=cat f -o out
	status_is 2
	stderr_has 'cat -d failed'
	printf '#!/bin/sh\n[ $# = 0 ] && exec cat || exec head -c 9999\n' >half
	chmod +x half
	run_ timeout 60 hpsort -S 8M --compress-program=./half f -o out
	status_is 2
	stderr_is 'hpsort: compression program ./half -d failed'
	# One that packs all of it into nothing.
	printf '#!/bin/sh\nexec cat >/dev/null\n' >none
	chmod +x none
	run_ timeout 60 hpsort -S 8M --compress-program=./none f -o out
	status_is 2
	stderr_is 'hpsort: compression program ./none -d failed'
	# One that finds a wrong checksum behind the last byte, as gzip does.
	printf '#!/bin/sh\n[ $# = 0 ] && exec cat\ncat && exit 1\n' >late
	chmod +x late
	run_ timeout 60 hpsort -S 8M --compress-program=./late f -o out
	status_is 2
	stderr_is 'hpsort: compression program ./late -d failed'
	[ ! -e out ]
	# Without temporary files it is not run.
	echo a | hpsort --compress-program=./nosuch
}

# temporaries PID: the directory of each file without a name that it has.
temporaries() {
	local fd

	for fd in /proc/"$1"/fd/*; do
		readlink "$fd" || : # closed meanwhile
	done | sed -n 's|/[^/]* (deleted)$||p' | sort
}

# lie_in ACTUAL EXPECTED, both sorted
lie_in() {
	[ -z "$(comm -13 "$1" "$2")" ] &&
		[ "$(uniq "$1")" = "$(uniq "$2")" ]
}

# spills DIR... -- HPSORT-OPTION...: an hpsort that has runs in files and waits
# for more input has files in these and in no others, in one that is named twice
# two or more; killed, it leaves nothing.
spills() {
	local dirs=() i pid end

	while [ "$1" != -- ]; do
		dirs+=("$(realpath "$1")")
		shift
	done
	shift
	rm -f input
	mkfifo input
	"$HPBIN/hpsort" -F gensort -S 8M "$@" input >/dev/null 3>&- &
	pid=$!
	exec 7>input
	cat f >&7
	printf '%s\n' "${dirs[@]}" | sort >expected
	end=$((SECONDS + 150))
	until temporaries $pid >actual && lie_in actual expected ||
		[ "$SECONDS" -ge "$end" ]; do
		sleep 0.1
	done
	kill -9 $pid
	exec 7>&-
	wait $pid || :
	lie_in actual expected
	for i in "${dirs[@]}"; do
		empty_dir "$i"
	done
}

@test "temporary files go to the -T in turn, else to TMPDIR, else beside the output" {
	mkdir t1 t2 t3 tmp out
	hpgen 400000 f
	hpsort -F gensort -S 8M -T t1 -T t2 f | hpcheck -F gensort
	empty_dir t1
	empty_dir t2
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers have memory of their own"
	TMPDIR=$PWD/tmp spills t1 t2 t3 -- -T t1 -T t2 -T t3
	TMPDIR=$PWD/tmp spills tmp out -- -o out/file
	# The output has no name either until it is complete.
	TMPDIR=/nonexistent spills out out -- -o out/file
}

@test "of several -T, a full, read-only or missing directory is skipped" {
	hpgen 100000 f
	mkdir ok full readonly
	mount -t tmpfs -o size=1m none full 2>/dev/null || skip "no right to mount"
	mount -t tmpfs -o ro none readonly
	hpsort -F gensort -S 8M -T gone -T readonly -T ok -T full f -o out ||
		echo failed >bad
	# None is left over for a third of it.
	run_ hpsort -F gensort -S 8M -T gone -T readonly -T full f -o other
	umount full readonly
	[ ! -e bad ]
	[ "$(hpcheck -F gensort out | jq -c '[.records, .sorted]')" = \
		'[100000,true]' ]
	status_is 2
	stderr_has 'temporary file of 3333333 bytes: no space'
	stderr_has 'gone: No such file or directory'
	stderr_has 'readonly: Read-only file system'
	stderr_has 'full has 1048576'
	[ ! -e other ]
}

@test "a disk that fills up is reported, for temporary files and for the output" {
	local o

	hpgen 300000 f
	echo before >out
	mkdir full
	mount -t tmpfs -o size=40m none full 2>/dev/null || skip "no right to mount"
	# It has room for the 30 MB of a pipe, but not for another pass.
	for o in "" --compress=lz4 "--merge polyphase"; do
		# shellcheck disable=SC2086 # words
		run_ hpsort -F gensort -S 8M --batch-size 2 -T full $o -o out \
			< <(cat f)
		[ "$status" -eq 2 ] || break
		find full -mindepth 1 >>left
		echo "$stderr" >>said
	done
	mount -o remount,size=20m full
	echo before >full/out
	run_ hpsort -F gensort -S 8M -T . -o full/out < <(cat f)
	find full -mindepth 1 >>left
	cat full/out >>out
	umount full
	[ "$(cat out)" = "$(printf '%s\n' before before)" ]
	[ "$(cat left)" = full/out ]
	status_is 2
	stderr_is 'hpsort: full/out: No space left on device'
	# Each took what there was, but for a block of a thread or two.
	[ "$(sed -n 's/^hpsort: temporary files of more than \([0-9]*\) bytes (full has [0-9]* free): No space left on device$/\1/p' said |
		awk '$1 > 30000000' | wc -l)" -eq 3 ]
}

@test "if a -T fills up with input from a pipe, the other -T take the rest" {
	local o

	hpgen 300000 f
	hpgen 300000 | hpsort -F gensort -o expected
	echo before >out
	mkdir a b c
	mount -t tmpfs -o size=8m none a 2>/dev/null || skip "no right to mount"
	mount -t tmpfs -o size=8m none b
	printf '#!/bin/sh\nexec cat\n' >program
	chmod +x program
	for o in "" "--parallel 1" --compress=lz4 "--batch-size 2" \
		"--merge polyphase --parallel 8" \
		"--compress-program ./program --batch-size 4"; do
		# shellcheck disable=SC2086 # words
		hpsort -F gensort -S 8M -T a -T b -T c $o < <(cat f) |
			cmp - expected || echo "$o" >>bad
	done
	TMPDIR=$PWD/a hpsort -F gensort -S 8M -o c/out < <(cat f) &&
		cmp c/out expected || echo TMPDIR >>bad
	rm -f c/out
	run_ hpsort -F gensort -S 8M -T a -T b -o out < <(cat f)
	find a b c -mindepth 1 >>bad
	umount a b
	[ ! -s bad ] || fail "$(cat bad)"
	[ "$(cat out)" = before ]
	status_is 2
	[[ $stderr =~ ^'hpsort: temporary files of more than '1[0-9]{7}\
' bytes (a has '[0-9]+' free, b has '[0-9]+' free): No space left on device'$ ]] ||
		fail "$stderr"
}

@test "exceeding the file size limit is reported as File too large" {
	local o

	hpgen 300000 f
	hpgen 1200000 large # more than all lanes take
	echo before >out
	mkdir t
	(
		ulimit -f 16000
		for o in "" --compress=lz4; do
			# shellcheck disable=SC2086 # an option or none
			run_ hpsort -F gensort -S 8M $o -T t large -o out
			status_is 2
			[[ $stderr =~ ^'hpsort: temporary files of '.*[0-9]{8,9}\
' bytes (t has '[0-9]+' free): File too large'$ ]] || fail "$stderr"
		done
		run_ hpsort -F gensort f -o out
		status_is 2
		stderr_is 'hpsort: out: File too large'
		# Of two files each has its own limit.
		hpsort -F gensort -S 8M -T t -T t f | hpcheck -F gensort
	)
	[ "$(cat out)" = before ]
	empty_dir t
}

@test "hpsort works with few descriptors, and beside a program with few addresses" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers need both"
	hpgen -a 200000 f
	mkdir t1 t2 t3
	(
		# Standard ones, input, output and a file in each directory; and
		# what was open before counts, too.
		for fd in /proc/self/fd/*; do
			fd=${fd##*/}
			((fd <= 2)) || eval "exec $fd>&-"
		done
		ulimit -n 11
		exec hpsort -S 8M --parallel 4 -T t1 -T t2 -T t3 \
			f -o actual
	)
	sort f >expected
	same actual expected
	(
		ulimit -v 60000
		exec hpsort -S 8M --compress-program=gzip f -o actual
	)
	same actual expected
}

@test "SIGKILL leaves neither temporary files nor part of the output" {
	local pid

	hpgen 200000 f
	mkdir t out
	mkfifo p
	hpsort -F gensort -S 8M -T t -o out/file p &
	pid=$!
	exec 5>p
	# Of 20 MB all but what a pipe holds was read: runs are on the disk.
	cat f >&5
	temporaries $pid >open
	kill -KILL $pid
	wait $pid || true
	exec 5>&-
	grep -x "$PWD/t" open
	empty_dir t
	empty_dir out
}
