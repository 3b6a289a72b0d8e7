# shellcheck shell=bash disable=SC2154
# hpmerge(1), held to LC_ALL=C sort -m
load common

parts() { # N: sorted files p.0 to p.N-1, their lines unsorted in all
	hpgen -F u16 20000 | od -An -v -w2 -tu2 | awk '{ print $1, NR }' >all
	split -n "r/$1" -d -a 3 all p.
	for f in p.*; do
		sort -o "$f" "$f"
	done
}

# peak_within MIB: as time(1) saw it; sanitizers take memory of their own.
peak_within() {
	local m

	m=$(tail -n 1 peak)
	[ -n "${HP_SANITIZER-}" ] || [ "$m" -le $(($1 * 1024)) ] ||
		fail "$m KiB of $1 MiB"
}

# long_lines FILES LINES BYTES: sorted files l.*, of lines half as long or more.
long_lines() {
	rm -f l.*
	perl -e 'my ($files, $lines, $bytes) = @ARGV;
		srand 7;
		for my $i (1 .. $files) {
			open my $f, ">", sprintf "l.%02d", $i or die;
			print $f sort map { sprintf("%03d", rand 1000) .
				"x" x ($bytes / 2 * (1 + rand)) . "\n" }
				1 .. $lines;
		}' "$@"
}

fifos() { # N
	rm -f q.*
	seq -f q.%05.0f 0 $(($1 - 1)) | xargs mkfifo
}

# feed ORDER N LINES SEED: one writer, in the background, that opens, fills and
# closes q.00000 and its N - 1 neighbours one after the other; their lines are
# all numbers below N * LINES in turn.
feed() {
	timeout 120 perl -MList::Util=shuffle -e '
		my ($order, $n, $lines, $seed) = @ARGV;
		my @all = 0 .. $n - 1;
		srand $seed;
		@all = reverse @all if $order eq "reverse";
		@all = shuffle @all if $order eq "random";
		for my $i (@all) {
			my $name = sprintf "q.%05d", $i;
			open my $f, ">", $name or die "$name: $!";
			printf $f "%08d\n", $_ * $n + $i for 0 .. $lines - 1;
			close $f or die "$name: $!";
		}' "$@" 3>&- &
}

@test "the result is that of sort -m" {
	parts 7
	sort all >expected
	hpmerge p.* >actual
	same actual expected
	for n in 2 +2 ' +2'; do
		hpmerge --batch-size "$n" p.* >actual
		same actual expected
	done
	hpmerge -S 7M p.* -o p.000
	same p.000 expected
}

@test "the inputs may be no file, one file, or empty files" {
	: >empty
	hpmerge empty empty >actual
	same actual empty
	hpmerge <empty >actual
	same actual empty
	printf 'a\nb' >f
	hpmerge empty f - empty <f >actual
	printf 'a\na\nb\nb\n' | same actual -
}

@test "a file of /sys, which is shorter than its size, is merged to its end" {
	local f=/sys/devices/system/cpu/online

	[ -r $f ] || skip "no $f"
	hpmerge $f >actual
	sort -m $f | same actual -
}

@test "keys, -r and -u give the result of sort -m" {
	for o in -r -n "-k1,1n -k2,2nr" "-u -k1,1"; do
		rm -f p.*
		parts 5
		for f in p.*; do
			# shellcheck disable=SC2086
			sort $o -o "$f" "$f"
		done
		# shellcheck disable=SC2086
		sort -m $o p.* >expected
		# shellcheck disable=SC2086
		hpmerge $o p.* >actual
		same actual expected
	done
}

@test "standard input that is given twice is read once, as with sort -m" {
	seq -w 100000 >in
	seq -w 50000 >other
	for words in '- -' '- other -'; do
		# shellcheck disable=SC2086 # words
		sort -m $words <in >want
		for program in hpmerge 'hpsort -m'; do
			# shellcheck disable=SC2086 # words
			cat in | $program $words | cmp - want
			# shellcheck disable=SC2086 # words
			$program $words <in | cmp - want
		done
	done
}

@test "keys may begin inside a field, and have ties" {
	perl -e 'srand 3; print join("", map { chr(97 + rand 3) } 1 .. 2 + rand 4),
		(" ", "", "b 1")[rand 3], "\n" for 1 .. 3000' >all
	split -n r/5 all p.
	for o in -k1.2 "-k1.2 -s" "-k1.2 -u" "-k1.2 -r" "-k1.2 -u -r" -k1.2r \
		"-k1.2 -r -s" -k1.2,1.3 "-k1.2,1.3 -u" -k1.2b "-k2 -k1.2r"; do
		rm -f s.*
		for f in p.*; do
			# shellcheck disable=SC2086
			sort $o -o "s.$f" "$f"
		done
		# shellcheck disable=SC2086
		sort -m $o s.* >expected
		# shellcheck disable=SC2086
		hpmerge $o s.* >actual
		same actual expected
		# shellcheck disable=SC2086
		hpmerge --batch-size 2 $o s.* >actual
		same actual expected
	done
}

@test "records with equal keys stay in the order of the arguments" {
	printf 'a 3\nb 3\n' >x
	printf 'a 2\na 9\n' >y
	printf 'a 1\nb 1\n' >z
	hpmerge -s -k1,1 x y z >actual
	printf 'a 3\na 2\na 9\na 1\nb 3\nb 1\n' | same actual -
	hpmerge -s -k1,1 --batch-size 2 x y z >actual
	printf 'a 3\na 2\na 9\na 1\nb 3\nb 1\n' | same actual -
	hpmerge -u -k1,1 x y z >actual
	printf 'a 3\nb 3\n' | same actual -
}

@test "records of a fixed size and numbers are merged" {
	local f i reverse

	hpgen 3000 all
	for reverse in '' -r; do
		for i in 0 1 2; do
			tail -c +$((i * 100000 + 1)) all | head -c 100000 |
				hpsort -F gensort $reverse -o r.$i
		done
		hpmerge -F gensort $reverse r.0 r.1 r.2 >actual
		hpsort -F gensort $reverse all >expected
		same actual expected
	done
	for f in i16 f64be u32; do
		hpgen -F $f 1000 a
		hpgen -F $f --seed 2 1000 b
		hpsort -F $f a b >expected
		hpsort -F $f a -o a
		hpsort -F $f b -o b
		hpmerge -F $f a b >actual
		same actual expected
	done
}

@test "an input that is not sorted is an error" {
	local lines

	printf 'a\nb\n' >f
	for lines in 'a\nc\nb\n' 'like this a\nlike this c\nlike this b\n' \
		'like this\nlike this one\nlike thi\n'; do
		# shellcheck disable=SC2059
		printf "$lines" >g
		run_ hpmerge f g -o out
		status_is 2
		stderr_is 'hpmerge: g: record 3 is out of order: not sorted'
	done
	run_ hpmerge -r g f -o out
	status_is 2
	stderr_is 'hpmerge: g: record 2 is out of order: not sorted'
	[ ! -e out ]
}

@test "-c is accepted, as inputs are always checked" {
	local way

	printf 'a\nc\n' >f
	printf 'b\n' >g
	printf 'b\na\n' >unsorted
	for way in -c --check "-c -k1,1"; do
		# shellcheck disable=SC2086 # words
		[ "$(hpmerge $way f g | paste -sd,)" = a,b,c ]
		# shellcheck disable=SC2086
		run_ hpmerge $way f unsorted -o out
		status_is 2
		stderr_is 'hpmerge: unsorted: record 2 is out of order: not sorted'
		[ ! -e out ]
	done
}

@test "an incomplete record at the end is an error" {
	hpgen 2 f
	printf x >>f
	run_ hpmerge -s -F record:100,99,1 f
	status_is 2
	stderr_is 'hpmerge: f: record 3: 1 bytes, but a record has 100'
}

@test "several threads merge one part of the output each" {
	local threads

	hpgen -a 200k all
	for i in 1 2 3 4; do
		sed -n "$i~4p" all | cut -c1-8,20- >p.$i
		# Few keys, each in all files many times.
		sed -n "$i~4p" all | cut -c1,13- >q.$i
		hpsort p.$i -o p.$i
		hpsort -s -k1.1,1.1 q.$i -o q.$i
	done
	printf 'a line without its end' >p.5
	printf '' >p.6
	sort -m p.* >expected
	sort -s -m -k1.1,1.1 q.* >expected.q
	for threads in 1 2 5; do
		hpmerge --parallel $threads p.* -o actual
		same actual expected
		hpmerge -s -k1.1,1.1 --parallel $threads q.* -o actual
		same actual expected.q
		hpmerge --parallel $threads --batch-size 3 p.* -o actual
		same actual expected
	done
	echo '!' >>p.3
	run_ hpmerge --parallel 3 p.* -o actual
	status_is 2
	stderr_is 'hpmerge: p.3: record 50001 is out of order: not sorted'
	same actual expected
	hpgen -F u64 2M all
	for i in 0 1 2; do
		hpsort -F u64 --extent $((i * 5000000)):5000000 all -o r.$i
	done
	hpmerge -F u64 --parallel 3 r.* -o actual
	head -c 15000000 all | hpsort -F u64 >expected
	same actual expected
}

@test "several threads write their parts in turn to a pipe, or with -u" {
	local threads memory

	hpgen -a 100k all
	for i in 1 2 3 4; do
		# Most lines are in two files, and an A goes before the others
		# many times.
		awk -v i=$i 'NR % 4 == i - 1 || NR % 4 == i % 4 {
			print NR % 3 ? substr($0, 1, 60) : "A"
		}' all >p.$i
		hpsort p.$i -o p.$i
		hpsort -s -u -k1.1,1.3 all -o q.$i
		sed "s/\$/ $i/" all | hpsort -s -k1.1,1.3 -o r.$i
	done
	printf 'a line without its end' >p.5
	printf 'a line without its end' >p.6
	printf '' >p.7
	sort -m p.* >expected
	sort -m -u p.* >expected.u
	sort -s -m -k1.1,1.3 r.* >expected.r
	sort -s -m -u -k1.1,1.3 r.* >expected.ru
	for threads in 1 2 5; do
		for memory in 8M 64M; do
			set -- --parallel $threads -S $memory
			hpmerge "$@" p.* | cat >actual
			same actual expected
			hpmerge "$@" -u p.* | cat >actual
			same actual expected.u
			hpmerge "$@" -u p.* -o actual
			same actual expected.u
			hpmerge "$@" -s -k1.1,1.3 r.* | cat >actual
			same actual expected.r
			hpmerge "$@" -u -k1.1,1.3 r.* -o actual
			same actual expected.ru
			hpmerge "$@" -u --batch-size 3 p.* -o actual
			same actual expected.u
		done
	done
	hpmerge --compress-program=gzip --batch-size 3 p.* -o actual
	same actual expected
}

@test "the buffers of inputs that several threads merge stay within -S" {
	local s

	hpgen -a 200k all
	hpsort all -o p
	sort -m p p p p >expected
	for s in 200M 30M 8M; do
		/usr/bin/time -f %M -o peak \
			hpmerge --parallel 2 -S $s p p p p -o actual
		same actual expected
		peak_within "${s%M}"
	done
}

@test "long records of many inputs are merged within -S, in several passes" {
	local o f t=(/usr/bin/time -f %M -o peak)

	long_lines 20 2 1500000
	for o in -s -u -r -zs; do
		[ $o != -r ] || for f in l.*; do
			sort -r "$f" -o "$f"
		done
		[ $o != -zs ] || for f in l.*; do
			LC_ALL=C sort "$f" | tr '\n' '\0' >z && mv z "$f"
		done
		sort -m $o l.* >expected
		"${t[@]}" hpmerge $o -S 16M l.* -o actual
		same actual expected
		peak_within 16
		"${t[@]}" hpmerge $o -S 16M - <l.01 l.?[02-9] l.11 | cat >actual
		sort -m $o - <l.01 l.?[02-9] l.11 | same actual -
		peak_within 16
	done
	for f in l.*; do
		mkfifo "q.$f"
		cat "$f" >"q.$f" 3>&- &
	done
	"${t[@]}" timeout 120 hpmerge -zs -S 16M q.* -o actual
	wait
	same actual expected
	peak_within 16
}

@test "very long records are merged in several passes with -u, too" {
	local i

	for i in 1 2 3; do
		{ head -c 20000000 /dev/zero | tr '\0' $i; echo; } >s$i
	done
	cat s1 s2 s3 >expected
	hpmerge -u --batch-size 2 s1 s2 s3 | cmp - expected
	hpmerge -u -k 1,1 -S 20M s1 s2 s3 s2 | cmp - expected
	hpsort -u -S 8M s3 s1 s2 s1 | cmp - expected
}

@test "an unsorted file among files with long records is named" {
	local bad

	long_lines 9 5 1000000
	for bad in 1 5 9; do
		cp l.0$bad good
		(head -n 2 good && tail -n 2 good && sed -n 3p good) >l.0$bad
		run_ hpmerge -S 8M l.* -o out
		status_is 2
		stderr_is "hpmerge: l.0$bad: record 5 is out of order: not sorted"
		mv good l.0$bad
	done
}

@test "long records at which files are cut stay within -S" {
	local o

	long_lines 8 80 100000
	for o in -s -sf; do
		sort -m $o l.* >expected
		/usr/bin/time -f %M -o peak \
			hpmerge $o --parallel 2 -S 20M l.* -o actual
		same actual expected
		peak_within 20
	done
}

@test "several threads find long records after writing some output" {
	local f i

	# Buffers of all threads grow, for which there is no room.
	long_lines 6 3 90000
	seq -f %07.0f 0 6 2999999 >short
	for i in 1 2 3 4 5 6; do
		(sed "s/\$/ $i/; s/^/ /" short && cat l.0$i) >s.$i
	done
	sort -m s.* >expected
	for f in 8M 9M; do
		hpmerge -S $f --parallel 2 s.* | cat >actual
		same actual expected
		hpmerge -S $f --parallel 2 s.* -o actual
		same actual expected
	done
}

@test "an input that is truncated during the merge is an error" {
	hpgen 1M all
	hpsort -F gensort all -o f
	hpgen 10 all
	hpsort -F gensort all -o g
	rm all
	# Some parts wait in memory for their turn, others were not begun.
	cut_while_read f hpmerge -F gensort --parallel 2 -S 200M f g
	status_is 2
	stderr_has 'f: cut short while it was read'
	# One thread, which reads whole files.
	rm p
	hpgen -a 1M | hpsort -o f
	echo z >g
	cut_while_read f hpmerge --parallel 1 -S 8M f g
	status_is 2
	stderr_is 'hpmerge: f: cut short while it was read'
}

@test "several threads find an unsorted input after some of the output" {
	hpgen -a 250k all
	hpsort all -o q
	cp q p
	echo '!' >>p
	for o in -u -s; do
		run_ bash -c "hpmerge --parallel 3 $o p q | cat >part
			exit \${PIPESTATUS[0]}"
		status_is 2
		stderr_is 'hpmerge: p: record 250001 is out of order: not sorted'
		run_ hpmerge --parallel 3 $o p q -o out
		status_is 2
		stderr_is 'hpmerge: p: record 250001 is out of order: not sorted'
		[ ! -e out ]
	done
	# A reader that has enough.
	hpmerge -u q q 2>err | head -n 1 >first
	head -n 1 q | same first -
	[ ! -s err ]
}

@test "a merged pass leaves no open descriptors to the next pass" {
	seq -w 6001 >expected
	split -n r/301 -a 3 expected part.
	(
		ulimit -n 20
		hpsort -m --stats part.* >actual 2>stats
		hpmerge part.* | cmp - expected
	)
	same actual expected
	[ "$(jq .passes stats)" -eq 2 ]
}

@test "10,000 files are merged with 64 descriptors" {
	awk 'BEGIN {
		for (i = 0; i < 10000; i++) {
			f = sprintf("p.%04d", i)
			for (j = i; j < 100000; j += 10000)
				printf "%05d\n", j >f
			close(f)
		}
	}'
	seq -f %05.0f 0 99999 >expected
	(
		ulimit -n 64
		timeout 120 hpmerge p.* >actual
	)
	same actual expected
	# In the order of the arguments, whatever is merged with whatever first.
	printf '%s\n' p.* | sed 's/^p.//' >expected
	awk '{ f = "p." $0; print "a " $0 >f; close(f) }' expected
	sed -i 's/^/a /' expected
	(
		ulimit -n 64
		timeout 120 hpmerge -s -k1,1 p.* -o actual
	)
	same actual expected
	[ "$(ulimit -n 64 && timeout 120 hpmerge -u -k1,1 p.*)" = "a 0000" ]
}

@test "an unsorted file among many is named, even after several passes" {
	parts 100
	printf 'b\na\n' >p.070
	run_ hpmerge --batch-size 3 p.* -o out
	status_is 2
	stderr_is 'hpmerge: p.070: record 2 is out of order: not sorted'
	run_ hpmerge -u p.* -o out
	stderr_has 'p.070: record 2'
	[ ! -e out ]
}

@test "an input may be a socket that delivers small pieces" {
	seq 1 2 9 >odd
	seq 2 2 8 >even
	timeout 120 perl -MSocket -e '
		socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0) or die;
		if (!fork) {
			open(STDIN, "<&", $a) or die;
			close $b;
			exec @ARGV or die;
		}
		close $a;
		for (2, 4, 6, 8) {
			select undef, undef, undef, 0.05;
			syswrite $b, $_;
			select undef, undef, undef, 0.05;
			syswrite $b, "\n";
		}
		close $b;
		wait;
		exit $? >> 8' hpmerge - odd >actual
	sort odd even >expected
	same actual expected
}

@test "--compress works with several passes" {
	local z

	parts 40
	sort all >expected
	for z in zstd lz4; do
		hpmerge --batch-size 3 --compress=$z p.* >actual
		same actual expected
	done
	hpmerge --batch-size 9 --compress-program=gzip p.* >actual
	same actual expected
	run_ hpmerge --compress=none p.*
	status_is 2
}

@test "the writers of FIFOs may start late, in another order, and write slowly" {
	mkfifo a b c
	(
		sleep 0.2
		exec 3>c 4>a
		for i in 1 3 5 7; do
			echo $i >&3
			echo $i >&4
			sleep 0.05
		done
	) 3>&- &
	(
		exec 3>b
		seq 0 9 >&3
	) 3>&- &
	timeout 120 hpmerge a b c >actual
	wait
	(seq 0 9 && printf '%s\n' 1 3 5 7 1 3 5 7) | sort >expected
	same actual expected
}

@test "one writer may feed two FIFOs in turn" {
	mkfifo a b
	# 300 kB into a before the first byte for b: more than a pipe holds.
	(
		exec 3>a 4>b
		seq -w 50000 >&3
		seq -w 50000 >&4
	) 3>&- &
	timeout 120 hpmerge a b >actual
	wait
	(seq -w 50000 && seq -w 50000) | sort >expected
	same actual expected
}

@test "one writer may feed FIFOs one after the other, in any order" {
	local order memory seed=$RANDOM

	echo "seed $seed"
	# More than descriptors at first; each has 180 kB, of which a pipe
	# holds 64 and, with little memory, a buffer not much.
	fifos 80
	seq -f %08.0f 0 1599999 >expected
	for order in reverse random; do
		feed $order 80 20000 $seed
		(
			ulimit -Sn 64
			timeout 120 hpmerge -S 8M q.* -o actual
		)
		wait $!
		same actual expected
	done
	# Between files and standard input.
	seq -f %08.0f 0 3 1599999 >file
	sort -m expected file file >mixed
	feed random 80 20000 $seed
	timeout 120 hpmerge --batch-size 9 file q.0000* - q.000[1-9]* \
		<file >actual
	wait $!
	same actual mixed
}

@test "one writer may feed more FIFOs than there are descriptors, in their order" {
	fifos 200
	seq -f %08.0f 0 1999999 >expected
	feed as-given 200 10000 0
	(
		ulimit -n 64
		timeout 120 hpmerge -S 8M q.* -o actual
	)
	wait $!
	same actual expected
}

@test "one writer may feed 10,000 FIFOs in random order" {
	local seed=$RANDOM n=10000 most

	# All are open at once.  Where that is not allowed, as many as may be.
	most=$(ulimit -Hn)
	[ "$most" = unlimited ] || [ "$most" -gt $((n + 100)) ] ||
		n=$((most - 100))
	echo "seed $seed, $n FIFOs"
	fifos $n
	seq -f %08.0f 0 $((10 * n - 1)) >expected
	feed random $n 10 $seed
	timeout 120 hpmerge -S 16M q.* -o actual
	wait $!
	same actual expected
}

# until_full: waits until small/ has no room for a chunk of 64 KB, at most 30 s.
until_full() {
	local i

	for ((i = 0; i < 600 && $(stat -f -c '%a * %S' small) >= 65536; i++)); do
		sleep 0.05
	done
}

@test "FIFOs with a writer each are merged even if the disk is full" {
	local i n

	small_disk 3
	fifos 40
	seq -f %08.0f 0 3999999 >expected
	for ((i = 0; i < 40; i++)); do
		printf -v n q.%05d $i
		(
			exec >"$n"
			# Whose turn is first comes last.
			[ $i -gt 0 ] || until_full
			seq -f %08.0f $i 40 3999999
		) 3>&- &
	done
	run_ env TMPDIR="$PWD/small" timeout 120 hpmerge -S 8M q.* -o actual
	umount small
	status_is 0
	wait
	same actual expected
}

@test "a merge that waits for space on the disk continues when there is some" {
	# With the output of a first pass it needs twice the 7 MB.
	small_disk 20
	fifos 40
	seq -f %08.0f 0 799999 >expected
	head -c 20M /dev/zero >small/other 2>/dev/null || :
	truncate -s 20000000 small/other
	feed reverse 40 20000 0
	(until_full && : >small/other) 3>&- &
	run_ env TMPDIR="$PWD/small" timeout 120 hpmerge -S 8M q.* -o actual
	umount small
	status_is 0
	wait
	same actual expected
}

@test "one writer may feed FIFOs if a program compresses the temporary files" {
	fifos 40
	seq -f %08.0f 0 799999 >expected
	feed reverse 40 20000 0
	timeout 120 hpmerge -S 8M --compress-program=gzip q.* -o actual
	wait $!
	same actual expected
}

@test "merged records are written while an input is silent" {
	mkfifo a out
	seq 1 9 >b
	timeout 120 hpmerge a b >out 3>&- &
	exec 6<out 5>a
	echo 5 >&5
	echo 6 >&5
	for i in 1 2 3 4 5 5; do
		read -r -t 120 -u 6 line
		[ "$line" = "$i" ]
	done
	exec 5>&-
	[ "$(cat <&6 | tr -d '\n')" = 66789 ]
	exec 6<&-
	wait
}

@test "the output may be one of the inputs" {
	hpgen -a 250k all
	split -n l/3 all p.
	sort all >expected
	for t in 1 3; do
		for f in p.*; do
			sort "$f" >"s${f#p}"
		done
		hpmerge --parallel $t s.* -o s.ab
		same s.ab expected
		# By another name, and in several passes.
		sort p.ab >s.ab
		ln -sf s.aa link
		hpmerge --parallel $t --batch-size 2 s.* -o link
		same s.aa expected
		[ -L link ]
	done
	# What fails leaves it as it was.
	sort p.aa >s.aa
	cp s.aa before
	echo '!' >>s.ac
	run_ hpmerge s.* -o s.aa
	status_is 2
	same s.aa before
}

@test "standard output may be an input, as with sort -m" {
	local args same_as r

	seq -w 0 299999 >a
	seq -w 0 3 299999 >b
	head -c 7000 a >part
	while IFS='|' read -r args same_as; do
		for r in '>>' '1<>'; do
			cp a x
			cp a want
			eval "timeout 60 hpmerge $args $r x"
			eval "sort -m $same_as $r want"
			same x want
		done
	done <<-'EOF'
		x b|want b
		x|want
		- b <x|- b <want
		<x|<want
		x x ./x|want want want
		-u x b|-u want b
		--batch-size 2 b x b x|b want b want
		--compress-program=gzip -S 8M x b|want b
		--extent 0:7000 x|part
	EOF
	printf 'h\nb\n' >x
	cp x want
	run_ eval 'hpmerge --header 1 b x >>x'
	status_is 2
	stderr_is 'hpmerge: x: with --header, standard output must not be an input: use -o'
	same x want
}

@test "files without a final newline are merged with one between them" {
	for i in 1 2 3 4 5; do
		seq -f "$i%06.0f" 0 299999 | head -c -1 >p.$i
	done
	for f in p.*; do
		cat $f
		echo
	done >expected
	for o in "" -s -u "--parallel 1" "--batch-size 2"; do
		# shellcheck disable=SC2086 # words
		hpmerge $o p.* -o actual
		same actual expected
		# shellcheck disable=SC2086 # words
		hpmerge $o p.5 p.3 p.1 p.2 p.4 | cmp - expected
	done
	# The last one that is there twice.
	tail -n 1 p.3 >p.3a
	hpmerge -u p.* -o actual
	same actual expected
	[ "$(hpmerge p.* | wc -l)" = 1500001 ]
}

# extent FILE FIRST LAST: --extent of these lines.
extent() {
	local from to

	from=$(head -n $(($2 - 1)) "$1" | wc -c)
	to=$(head -n "$3" "$1" | wc -c)
	echo "--extent $from:$((to - from))"
}

@test "--extent merges a part of each file, with one thread and with several" {
	hpgen -F line --seed 4 200000 | sort >a
	hpgen -F line --seed 5 200000 | sort >b
	sed -n 30001,190000p a >a.part
	sed -n 10,150009p b >b.part
	sort -m a.part b.part >want
	words="$(extent a 30001 190000) $(extent b 10 150009) --extent 0:0"
	for options in --parallel=1 --parallel=3 '--parallel=3 -S 8M'; do
		hpmerge $options $words a b a >out
		same out want
		hpmerge $options -o out $words a b a
		same out want
	done
	hpgen -F u32 --seed 6 1000 | hpsort -F u32 >n
	hpmerge -F u32 --extent 400:40 --extent 0:80 n n >out
	{ head -c 80 n; tail -c +401 n | head -c 40; } | hpsort -F u32 >want
	same out want
	printf 'b\nc' >last
	[ "$(hpmerge --extent 2:1 --extent 0:2 last last | od -An -c)" = \
		"$(printf 'b\nc\n' | od -An -c)" ]
}

@test "--extent: each file needs one extent, which must lie inside the file" {
	printf 'a\nb\nc\n' >f
	mkfifo fifo
	: >none
	while IFS='|' read -r words why; do
		run_ timeout 20 hpmerge -o out $words
		status_is 2
		stderr_is "hpmerge: $why"
		[ ! -e out ]
	done <<-'EOF'
		--extent 0:2 f f|1 --extent options for 2 files
		--extent 0:2|1 --extent options for 0 files
		--extent 2:5 f|f: the extent ends at byte 7, behind the end of the file
		--extent 0:1 none|none: the extent ends at byte 1, behind the end of the file
		--extent 0:0 fifo|fifo: --extent needs a regular file
		--extent 0:0 -|-: --extent needs a regular file
		--extent 2 f|--extent: extent '2': must be OFFSET:BYTES
		-F u32 --extent 0:6 f|f: record 2: 2 bytes, but a record has 4
	EOF
}

@test "--at overwrites a part of the output file, and keeps its other bytes" {
	hpgen -F line --seed 4 150000 | sort >a
	hpgen -F line --seed 5 150000 | sort >b
	low="$(extent a 1 75000) $(extent b 1 75000)"
	high="$(extent a 75001 150000) $(extent b 75001 150000)"
	{
		echo head
		sort -m <(head -n 75000 a) <(head -n 75000 b)
		sort -m <(tail -n 75000 a) <(tail -n 75000 b)
	} >want
	half=$(sort -m <(head -n 75000 a) <(head -n 75000 b) | wc -c)
	for options in --parallel=1 '--parallel=1 -S 8M' --parallel=3; do
		printf '%s\n' head tail >out
		hpmerge $options -o out --at $((5 + half)) $high a b &
		hpmerge $options -o out --at 5 $low a b
		wait $!
		same out want
	done
	printf '%s\n' head tail >out
	printf 'x\n' | hpmerge -o out --at 5
	same out <(printf 'head\nx\nil\n')
	run_ hpmerge --at 5 a
	status_is 2
	stderr_has -- '--at needs -o'
	for at in -1 x 5:5; do
		run_ hpmerge -o out --at $at a
		status_is 2
		stderr_has "offset '$at': must be a number of bytes"
	done
	run_ hpmerge -o /dev/full --at 1 a
	status_is 2
	stderr_has 'not a regular file'
}

@test "--at refuses an output that is an input, and does not change it" {
	local f

	seq -w 0 999 >a
	seq -w 0 3 999 >b
	cp a before
	ln a hard
	ln -s a soft
	for f in a ./a hard soft; do
		run_ hpmerge --at 0 -o "$f" b a
		status_is 2
		stderr_is "hpmerge: $f: is an input, so --at cannot write to it"
		run_ hpmerge --at 2000 -o "$f" --extent 0:400 b --extent 0:400 "$PWD/a"
		status_is 2
		run_ hpmerge --at 0 -o "$f" <a
		status_is 2
		run_ hpmerge --at 0 -o "$f" b - <a
		status_is 2
		same a before
	done
}

@test "a missing file, a wrong option or a full device exits 2" {
	run_ hpmerge nofile
	status_is 2
	stderr_has 'hpmerge: nofile: No such file or directory'
	for n in 1 ++2 '+ 2' -2 2k ''; do
		run_ hpmerge --batch-size "$n"
		status_is 2
	done
	run_ hpmerge --no-such
	status_is 2
	stderr_has usage
	seq 10000 | sort >f
	run_ hpmerge f -o /dev/full
	status_is 2
	run_ hpmerge --help
	status_is 0
	run_ hpmerge --version
	status_is 0
}

@test "--dropped counts all records if few of them fit into memory" {
	for i in 1 2 3 4; do
		head -c ${i}00000 /dev/zero | tr '\0' x
		echo
	done | split -l 1 - one.
	head -c 2500000 /dev/zero | tr '\0' x >one.last
	echo >>one.last
	hpmerge -n -u -S 8M --dropped left -o out one.*
	same out one.aa
	jq -e '.records == 4 and .bytes == 3400004' left
}

@test "--dropped writes a summary of the records that -u drops" {
	seq 100 199 >one
	seq 150 249 >two
	hpmerge -u --dropped left -o out one two
	same out <(seq 100 249)
	[ "$(jq -c '[.records, .bytes, .checksum]' left)" = \
		"$(seq 150 199 | hpcheck | jq -c '[.records, .bytes, .checksum]')" ]
	# A file is not the summary and the output.
	cp out before
	for at in "" "--at 4"; do
		# shellcheck disable=SC2086 # words
		run_ hpmerge -u $at --dropped ./out -o out one two
		status_is 2
		stderr_is 'hpmerge: -o and --dropped name the same file: ./out'
		same out before
	done
	# Nor a summary and an input.
	cp two before
	run_ hpmerge -u --dropped ./two -o out one two
	status_is 2
	stderr_is 'hpmerge: --dropped: ./two is an input'
	same two before
}
