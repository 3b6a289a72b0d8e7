# shellcheck shell=bash disable=SC2154
# hpsort(1), held to LC_ALL=C sort
load common

# as_sort FILE OPTION...: from the file and from a pipe, with one thread and
# with several, in memory and out of it, the same as sort.
as_sort() {
	local file=$1 way

	shift
	sort "$@" "$file" >expected
	for way in "" "--parallel 1" "--parallel 3 -S 7M"; do
		# shellcheck disable=SC2086 # words
		hpsort "$@" $way "$file" >actual
		same actual expected
		# shellcheck disable=SC2002,SC2086 # a pipe is meant
		cat "$file" | hpsort "$@" $way >actual
		same actual expected
	done
}

# Words of few letters: repeated, and prefixes of each other.
words() { # COUNT
	hpgen -F u32 --seed 7 "$1" | od -An -v -tu4 -w4 |
		awk '{ printf "%s %d %s\n", substr("abbabaab", 1 + $1 % 5,
			$1 % 7 % 5), $1 % 1000 - 500, substr($1, 1, 2) }'
}

@test "empty input, one record, no final newline" {
	: >empty
	printf 'a\n' >one
	printf 'b\na' >open
	printf '\n\n\n' >newlines
	for f in empty one open newlines; do
		as_sort "$f"
		as_sort "$f" -u
		as_sort "$f" -r
		as_sort "$f" -n
		as_sort "$f" -k2
	done
}

@test "NUL bytes in lines, and as their ends" {
	printf 'b\0x\na\0\nb\0\nb\na\n\0\n\0\0\n' >f
	as_sort f
	as_sort f -r
	as_sort f -u
	as_sort f -k1.2
	as_sort f -z
}

@test "keys that are prefixes of each other, and repeated" {
	words 20000 >f
	as_sort f
	as_sort f -r
	as_sort f -u
	as_sort f -s -k1,1
	as_sort f -k1,1r -k2,2n
	as_sort f -u -k2n
	as_sort f -k1.3
	as_sort f -rk1.3
	as_sort f -s -k1.2,1.4
	as_sort f -t b -k2,2
}

@test "all lines the same" {
	yes 'the same line' | head -100000 >f
	as_sort f
	as_sort f -u
	as_sort f -s -k2,2
}

@test "long common prefixes, and lines that go on behind them" {
	p=$(printf '/%.0sfirst/second/third' 1 2 3 4 5 6 7)
	words 70000 | awk -v p="$p" '{ print NR % 99 ? p $0 : substr(p, 1, $2)
		print p $1 p $2 }' >f
	as_sort f
	as_sort f -r
	as_sort f -u
}

@test "each line the beginning of the next, some twice, some end otherwise" {
	hpgen -F u32 --seed 9 3000 | od -An -v -tu4 -w4 | awk '{
		s = sprintf("%*s", $1 % 1200, "")
		gsub(" ", "m", s)
		print s substr("\001az", 1 + $1 % 7, 1) }' >chain
	for options in "" -r -s -u -f "-k1,1r" "-z"; do
		# shellcheck disable=SC2086 # words
		as_sort chain $options
	done
	tr 'mz' '\000m' <chain >zeros
	as_sort zeros
	as_sort zeros -r -u
}

@test "in order, in reverse, and in order but for the last" {
	seq -w 200000 >f
	as_sort f
	as_sort f -r
	seq 200000 >f
	as_sort f -n
	(seq -w 200000 && echo 0) >f
	as_sort f
}

@test "lines of a byte, and of 100 MB" {
	hpgen -F u8 100000 | tr '\0-\377' 'a-z0-9A-Za-z0-9A-Za-z0-9A-Za-z0-9A-Z' |
		fold -w1 >f
	as_sort f
	(
		echo b
		head -c 100000000 /dev/zero | tr '\0' c
		echo
		head -c 70000 /dev/zero | tr '\0' c
		echo
		echo a
	) >f
	hpsort f >actual
	sort f >expected
	same actual expected
	hpsort -S 8M <f >actual
	same actual expected
}

@test "several files, standard input among them, one twice" {
	words 5000 >f
	printf 'no newline' >g
	seq 3000 >h
	sort f g - f <h >expected
	hpsort f g - f <h >actual
	same actual expected
	# shellcheck disable=SC2002
	cat h | hpsort f g - f >actual
	same actual expected
	sort -s -k1,1 f g h f >expected
	hpsort -s -k1,1 f g h f >actual
	same actual expected
	printf 'f\0g\0' | hpsort --files0-from - >actual
	sort f g >expected
	same actual expected
}

@test "what is read of standard input is gone from it" {
	seq 9 >f
	(read -r _ && hpsort - - && cat) <f >actual
	seq 2 9 >expected
	same actual expected
	(hpsort --header 2 - - && cat) <f >actual
	same actual f
	# In order already, and more than memory.
	words 1000000 | sort >f
	(hpsort -S 8M >actual && cat) <f >rest
	same actual f
	[ ! -s rest ]
}

# The reference for numbers: od, and sort for text.
numbers() { # FORMAT OD-FORMAT SORT-OPTION...
	local format=$1 od=$2

	shift 2
	hpgen -F "$format" -d uniform 30001 >f
	hpsort -F "$format" f | od -An -v -w"${od:1}" -t"$od" >actual
	od -An -v -w"${od:1}" -t"$od" f | sort "$@" >expected
	diff -w actual expected >&2
	hpsort -r -F "$format" -S 7M f | od -An -v -w"${od:1}" -t"$od" >actual
	sort -r "$@" expected >reverse
	diff -w actual reverse >&2
	hpsort -u -F "$format" f | od -An -v -w"${od:1}" -t"$od" >actual
	sort -u "$@" expected >unique
	diff -w actual unique >&2
}

@test "numbers" {
	numbers u8 u1 -n
	numbers u16 u2 -n
	numbers u32 u4 -n
	numbers u64 u8 -n
	numbers i8 d1 -n
	numbers i16 d2 -n
	numbers i32 d4 -n
	numbers i64 d8 -n
	numbers f32 f4 -g
	numbers f64 f8 -g
}

# They are counted: no temporary file, whatever the memory.
@test "numbers of one and two bytes" {
	hpgen -F u64 4M f
	for format in u8 i8 u16be i16; do
		hpsort -F "$format" f >expected
		hpcheck -F "$format" expected
		cat f | hpsort --stats -S 7M -F "$format" 2>stats >actual
		same actual expected
		[ "$(jq .spilled_bytes stats)" = 0 ]
	done
}

@test "many numbers of few values are counted, too" {
	hpgen -F u64 -d zipf:1,10000 2M f
	hpgen -F u64 1000 strays
	cat f strays f >g
	for order in '' -u -r; do
		hpsort $order -F i64 g >expected
		hpcheck $order -F i64 expected
		cat g | hpsort --stats $order -S 7M -F i64 2>stats >actual
		same actual expected
		[ "$(jq .spilled_bytes stats)" = 0 ]
	done
	[ "$(hpsort -F i64 -u g | wc -c)" -le $((8 * 11000)) ]
}

@test "numbers that are in order already" {
	hpgen -F u64 -d sorted 400000 low
	hpgen -F u32 -d sorted 300001 small
	# Of two files in a row all above the others.
	od -An -v -w8 -tu8 low | awk '{ printf "%016x\n", $1 / 2 }' |
		xxd -r -p >f
	od -An -v -w8 -tu8 low | awk '{ printf "%016x\n", 2 ^ 63 + $1 / 2 }' |
		xxd -r -p >g
	cat f g >expected
	hpsort -F u64be f g >actual
	same actual expected
	hpsort -F u64be f g | cat >actual
	same actual expected
	hpsort -F u64be g f >actual
	same actual expected
	hpsort -r -F u64be f g | hpsort -F u64be -r >reverse
	hpsort -r -F u64be reverse >actual
	same actual reverse
	hpsort -F u64be reverse >actual
	same actual expected
	hpcheck -r -F u64be reverse
	# One out of order, at the very end.
	{ cat f g; head -c 8 f; } >h
	hpsort -F u64be h >actual
	{ head -c 8 f; cat f g; } >expected
	same actual expected
	# The same ones twice.
	{ cat small; tail -c 4 small; } >h
	hpsort -F u32 h >actual
	same actual h
	hpsort -u -F u32 h >actual
	hpsort -u -F u32 small >expected
	same actual expected
	od -An -v -w4 -tu4 actual | sort -n -c -u
	printf 'before' >appended
	hpsort -F u32 small >>appended
	{ printf 'before'; cat small; } >expected
	same appended expected
}

@test "lines and records that are in order already, or in reverse" {
	local o f

	words 100000 | sort >sorted
	uniq sorted >rising
	tac rising >falling
	tac sorted >down # some of them twice
	for f in rising falling sorted down; do
		for o in "" -r -s -u "-r -u" "-s -k2" "-k1,1 -s -r" -f; do
			# shellcheck disable=SC2086 # options or none
			as_sort $f $o -S 8M
		done
		hpsort $f | cat >actual
		sort $f >expected
		same actual expected
		printf 'before' >actual
		hpsort $f >>actual
		{ printf 'before' && cat expected; } | cmp - actual
		head -c -1 $f >"cut"
		as_sort cut
		as_sort cut -r
		sed 1q $f | cat - <(sed 1d $f | sort) >expected
		hpsort --header=1 $f >actual
		same actual expected
		cp $f over
		hpsort -o over over
		sort $f | cmp - over
		tr '\n' '\0' <$f >zeros
		as_sort zeros -z
		# But for the last, the first, and one far inside.
		for o in '$a1' 1iz '70000iA' '$az' 1i1; do
			sed "$o" $f >g
			as_sort g
			as_sort g -u
		done
	done
	hpsort --stats down -o actual 2>err
	jq -e --argjson b "$(stat -c %s down)" \
		'.records == 100000 and .written == 100000 and .bytes == $b' err
	# One after the other, and not.
	head -n 50000 sorted >f
	tail -n +50001 sorted | head -c -1 >g
	hpsort f g | cmp - sorted
	hpsort g f | cmp - sorted
	tac sorted | head -n 50000 | head -c -1 >h
	tac sorted | tail -n 50000 >i
	hpsort h i | cmp - sorted
	hpsort i h | cmp - sorted
	hpsort f f | cmp - <(sort f f)
	hpsort -u f f | cmp - <(sort -u f)
	# A line that is longer than all others together.
	{ cat sorted && head -c 3000000 /dev/zero | tr '\0' '~'; } >f
	as_sort f -S 8M
	tac f >g
	as_sort g -S 8M
}

@test "records of a fixed size that are in order already, or in reverse" {
	local o

	hpgen 40000 f
	hpsort -F gensort f >up
	hpsort -F gensort -r f >down
	for o in up down; do
		hpsort -F gensort -S 8M $o | cmp - up
		hpsort -F gensort -S 8M -r $o | cmp - down
		cat $o <(head -c 100 $o) >g
		hpsort -F gensort g >actual
		hpcheck -F gensort actual
		[ "$(stat -c %s actual)" = 4000100 ]
	done
	hpsort -F record:100,20,1 -s down >actual
	xxd -p -c100 down | sort -s -k1.41,1.42 | xxd -r -p | cmp - actual
	hpsort -F record:100,20,1 -s -r actual >g
	xxd -p -c100 actual | sort -s -r -k1.41,1.42 | xxd -r -p | cmp - g
	hpsort -F record:100,20,1 -u actual >g
	xxd -p -c100 actual | sort -u -k1.41,1.42 | xxd -r -p | cmp - g
}

@test "records of a fixed size" {
	hpgen 30000 f
	hpsort -F gensort f >actual
	hpcheck -F gensort actual
	xxd -p -c100 f | sort | xxd -r -p >expected
	same actual expected
	hpsort -F gensort -S 7M f >actual
	same actual expected
	hpsort -F record:100,20,3 -s f >actual
	xxd -p -c100 f | sort -s -k1.41,1.46 | xxd -r -p >expected
	same actual expected
	hpsort -F record:100,20,2 -u f >actual
	xxd -p -c100 f | sort -u -k1.41,1.44 | xxd -r -p >expected
	same actual expected
	hpsort -F record:100,20,1 -r f >actual
	xxd -p -c100 f | sort -r -k1.41,1.42 | xxd -r -p >expected
	same actual expected
}

@test "records that are moved: keys long, alike, few, and all the same" {
	hpgen -a 60000 f
	for key in 1,11,42 2,30,3 3,0,1; do
		p=${key%%,*} at=${key#*,}
		from=$((${at%,*} + 1)) to=$((${at%,*} + ${at#*,}))
		[ "$p" != 3 ] || sed -i 's/^./x/' f
		sort -k1.$from,1.$to f >expected
		sort -r -k1.$from,1.$to f >down
		for options in '-S 1G' '-S 1G --parallel 3' '-S 8M'; do
			# shellcheck disable=SC2086 # words
			hpsort -F "record:100,$at" $options f >actual
			same actual expected
			# shellcheck disable=SC2086 # words
			hpsort -F "record:100,$at" $options -r <f >actual
			same actual down
		done
	done
}

@test "a record that is not whole" {
	hpgen 10 f
	printf x >>f
	run_ hpsort -F gensort f -o out
	status_is 2
	stderr_has 'f: record 11: 1 bytes where 100 are a record'
	[ ! -e out ]
	run_ hpsort -F gensort <(cat f)
	status_is 2
	stderr_has 'where 100 are a record'
}

@test "-o over an input" {
	words 50000 >f
	sort f >expected
	chmod 600 f
	hpsort f -o f
	same f expected
	[ "$(stat -c %a f)" = 600 ]
}

@test "standard output that is the input" {
	seq 100000 -1 1 >f
	sort f >expected
	hpsort f 1<>f
	same f expected
}

@test "output behind what is there" {
	(
		echo first
		printf 'b\na\n' | hpsort
		echo last
	) >out
	printf 'first\na\nb\nlast\n' | same out -
	echo b | hpsort >>out
	printf 'first\na\nb\nlast\nb\n' | same out -
}

@test "--extent sorts a part" {
	hpgen -F u32 1000 f
	hpsort -F u32 --extent 400:800 f >actual
	tail -c +401 f | head -c 800 | hpsort -F u32 >expected
	same actual expected
	printf 'd\nc\nb\na\n' >f
	[ "$(hpsort --extent 2:4 f | tr -d '\n')" = bc ]
	run_ hpsort --extent 2 f
	status_is 2
	run_ hpsort --extent 1:2 f f
	status_is 2
	hpgen -F u32 10 f
	run_ hpsort --extent 0:6 -F u32 f
	status_is 2
}

@test "-c and -C" {
	printf 'a\nb\nb\na\n' >f
	run_ hpsort -c f
	status_is 1
	stderr_is 'hpsort: f:4: disorder: a'
	run_ hpsort -C f
	status_is 1
	stderr_is ''
	run_ hpsort -c <f
	stderr_is 'hpsort: -:4: disorder: a'
	head -3 f >g
	hpsort -c g
	run_ hpsort -cu g
	status_is 1
	stderr_is 'hpsort: g:3: disorder: b'
	hpsort --check=quiet g
	run_ hpsort -c f g
	status_is 2
	run_ hpsort -cC f
	status_is 2
	printf '\2\0\1\0' | run_ hpsort -F u16 -c -
	hpgen -F i32 1000 f
	run_ hpsort -F i32 -c f
	status_is 1
	hpsort -F i32 f | hpsort -F i32 -c
	hpsort -rF i32 f | hpsort -rF i32 -c
}

@test "-m merges" {
	words 3000 | sort >f
	words 5000 | sort >g
	hpsort -m f g >actual
	sort -m f g >expected
	same actual expected
}

# peak BYTES COMMAND...: resident memory, seen from outside.
peak() {
	local most=$1

	shift
	/usr/bin/time -f %M -o peak "$@" >/dev/null
	[ $(($(tail -n 1 peak) * 1024)) -le "$most" ] ||
		fail "peak $(tail -n 1 peak) KiB, at most $most bytes asked for"
}

@test "memory stays within -S" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	hpgen 800000 f
	for s in 16 40 100; do
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
	hpgen -F u64 12M u
	for s in 32 70; do
		peak $((s << 20)) hpsort -F u64 -S ${s}M --parallel 24 u
	done
	rm u
	for z in zstd lz4; do
		peak $((16 << 20)) hpsort --compress=$z -F u32 -S 16M f
		peak $((48 << 20)) hpsort --compress=$z -F u32 -S 48M \
			--parallel 5 f
	done
	od -An -v -w4 -tu4 f | cut -c8- >g
	peak $((24 << 20)) hpsort -S 24M g
	peak $((24 << 20)) hpsort -n -S 24M g
}

@test "more than it takes to measure a disk: the next batch is read ahead" {
	# Two files, so that one ends in a batch, and a pipe.
	hpgen 1M a
	hpgen -b 1000000 100k b
	cat a b | hpcheck -F gensort >all || :
	for s in 8M 30M; do
		/usr/bin/time -f %M -o peak \
			hpsort --stats -F gensort -S $s -T . a b -o out 2>stats
		[ "$(jq '.runs > 3' stats)" = true ]
		[ -n "${HP_SANITIZER-}" ] ||
			[ "$(cat peak)" -le $((${s%M} * 1024)) ]
		hpcheck -F gensort out >sorted
		[ "$(jq -c '[.sorted, .records, .checksum]' sorted)" = \
			"$(jq -c '[true, .records, .checksum]' all)" ]
		cat a b | hpsort -F gensort -S $s -T . | cmp - out
	done
}

@test "memory is little more than the input, of short lines, too" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers take memory of their own"
	hpgen -F u32 5000000 f
	od -An -v -w4 -tu4 f | cut -c7- >g
	[ "$(stat -c %s g)" -eq 30000000 ]
	peak 39000000 hpsort --parallel 2 g -o actual
	LC_ALL=C sort g >expected
	same actual expected
}

@test "a full disk: what was needed and where, and nothing is left" {
	hpgen 100000 f
	echo before >out
	mkdir full
	if mount -t tmpfs -o size=4m none full 2>/dev/null; then
		run_ hpsort -F gensort -S 7M -T full f -o out
		umount full
		status_is 2
		stderr_has full
		stderr_has 10000000
		# The output will need room there, too.
		mount -t tmpfs -o size=16m none full
		run_ hpsort -F gensort -S 7M -T full f -o full/out
		umount full
		status_is 2
		stderr_has 'output of 20000000 bytes together: no room'
	fi
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

@test "an input that is cut short while it is read is an error" {
	hpgen 300000 f
	mkfifo p
	(
		# Records that keep their order go out one by one from the
		# file, as far as the pipe has room; then most of it is gone.
		exec <p
		head -c 100 >/dev/null
		truncate -s 100 f
		cat >/dev/null
	) &
	run_ bash -c 'exec hpsort -F gensort -s f >p'
	wait $!
	status_is 2
	stderr_has 'cut short'
}

@test "errors" {
	run_ hpsort nofile
	status_is 2
	stderr_has 'hpsort: nofile: No such file or directory'
	echo before >out
	run_ hpsort out nofile -o out
	status_is 2
	[ "$(cat out)" = before ]
	run_ hpsort .
	status_is 2
	stderr_has 'Is a directory'
	run_ hpsort -o x -o y
	status_is 2
	run_ hpsort -S 1X
	status_is 2
	run_ hpsort -F nothing
	status_is 2
	run_ hpsort --no-such-option
	status_is 2
	stderr_has usage
	run_ hpsort --parallel 0
	status_is 2
	printf 'a\0\0' | run_ hpsort --files0-from -
	run_ hpsort --files0-from f f
	status_is 2
	run_ hpsort --help
	status_is 0
	stdout_has 'usage: hpsort'
	run_ hpsort --version
	status_is 0
}

@test "a closed pipe ends it quietly" {
	hpgen -F u32 200000 | od -An -v -w4 -tu4 >f
	run_ bash -c 'set -o pipefail; hpsort f | head -1 >/dev/null; exit ${PIPESTATUS[0]}'
	status_is 141
	stderr_is ''
}

@test "--stats tells of runs and passes" {
	hpgen 200000 f
	hpsort -F gensort f -o out --stats 2>err
	[ "$(jq -c '[.records, .bytes, .runs, .spilled_bytes]' err)" = \
		'[200000,20000000,0,0]' ]
	hpsort -F gensort f -o out --stats -S 8M --batch-size 2 2>err
	jq -e '.runs > 2 and .passes > 1 and .spilled_bytes >= 20000000' err
}

@test "a large file that is in order already is copied" {
	local o

	words 1000000 | sort >f
	printf '~' >>f # without a newline
	{ cat f && echo; } >expected
	cat expected <(echo A) >g
	sort g >expected.g
	for o in "" --header=7 --extent=0:$(stat -c %s f); do
		# shellcheck disable=SC2086 # an option or none
		hpsort $o -S 8M --stats f -o actual 2>err
		same actual expected
		jq -e '.runs == 0 and .spilled_bytes == 0' err
	done
	jq -e '.records == 1000001 and .written == .records' err
	jq -e --argjson b "$(stat -c %s f)" '.bytes == $b' err
	hpsort -S 8M --stats <f 2>err >actual
	same actual expected
	jq -e '.runs == 0' err
	# Found out at the end, on the way to a file and to a pipe.
	for o in "" -s; do
		# shellcheck disable=SC2086
		hpsort $o -S 8M --stats g -o actual 2>err
		same actual expected.g
		jq -e '.runs > 1' err
	done
	hpsort -S 8M g | cmp - expected.g
	hpsort -S 8M f | cmp - expected
	hpsort -u -S 8M f >actual
	sort -u expected | cmp - actual
	hpsort -S 8M -o g g
	same g expected.g
	# Backwards, in two files, to a pipe, and records of a fixed size.
	tac expected >f
	hpsort -S 8M -r --stats f 2>err >actual
	same actual f
	jq -e '.runs == 0' err
	hpsort -S 8M --stats f 2>err >actual
	same actual expected
	jq -e '.runs == 0 and .written == 1000001' err
	# Of equal keys the first would become the last.
	hpsort -S 8M -s --stats f 2>err | cmp - <(sort -s f)
	jq -e '.runs > 1' err
	hpsort -S 8M -s -k1,1 f | cmp - <(sort -s -k1,1 f)
	tail -n 400000 f >h
	head -n -400000 f | hpsort -S 8M --stats - h 2>err | cmp - expected
	jq -e '.runs > 1' err
	head -n -400000 f >g
	hpsort -S 8M --stats g h 2>err | cmp - expected
	jq -e '.runs == 0' err
	hpsort -S 8M h g | cmp - expected
	uniq expected >g
	hpsort -u -S 8M --stats g 2>err | cmp - g
	jq -e '.runs == 0' err
	hpgen 200000 | hpsort -F gensort >f
	hpsort -F gensort -S 8M --stats f 2>err >actual
	same actual f
	jq -e '.runs == 0 and .written == 200000' err
	printf x >>f
	run_ hpsort -F gensort -S 8M f -o actual2
	status_is 2
	stderr_is 'hpsort: f: record 200001: 1 bytes where 100 are a record'
	[ ! -e actual2 ]
}

@test "--merge polyphase: the same bytes, and how they were merged" {
	local files o

	words 1000000 >f
	for o in "" -r "-s -k1,1" "-u -k2,2n"; do
		# shellcheck disable=SC2086 # words
		sort $o f >expected
		for files in 3 4 15; do
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

@test "--compress: the same bytes, fewer of them on disk" {
	local z

	hpgen -a 200k f
	words 300000 >g
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

@test "--compress-program, as sort runs it" {
	local o

	words 1000000 >f
	for o in "" "-s -k1,1 --batch-size 2" "--merge=polyphase -u -k2n"; do
		# shellcheck disable=SC2086 # words
		sort ${o/--merge=polyphase/} f >expected
		# shellcheck disable=SC2086
		hpsort -S 8M --compress-program gzip $o f -o actual
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
	[ ! -e out ]
	# Without temporary files it is not run.
	echo a | hpsort --compress-program=./nosuch
}

@test "--progress says how far it is, on standard error" {
	hpgen 20000 f
	run_ hpsort --progress -F gensort -o out f
	status_is 0
	stdout_is ''
	stderr_is 'hpsort: 2 MB read of 2 MB, 2 MB written'
	NO_COLOR=1 run_ hpsort --progress -F gensort -o out f
	stderr_is ''
	run_ hpmerge --progress -F gensort -o out2 out
	stderr_is 'hpmerge: 2 MB written'
}

# temporaries PID: the directory of each file without a name that it has.
temporaries() {
	local fd

	for fd in /proc/"$1"/fd/*; do
		readlink "$fd"
	done | sed -n 's|/[^/]* (deleted)$||p' | sort
}

# spills DIR... -- HPSORT-OPTION...: an hpsort that has runs in files and waits
# for more input has one file in each of these; killed, it leaves nothing.
spills() {
	local dirs=() i pid

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
	for ((i = 0; i < 100; i++)); do
		temporaries $pid >actual
		cmp -s actual expected && break
		sleep 0.1
	done
	kill -9 $pid
	exec 7>&-
	wait $pid || :
	same actual expected
	for i in "${dirs[@]}"; do
		empty_dir "$i"
	done
}

@test "temporary files go to -T in turn, TMPDIR, the output, and leave nothing" {
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

@test "FIFOs are opened once, one after the other" {
	mkfifo one two
	for _ in 1 2 3 4 5; do
		printf 'b\n' >one &
		printf 'a\n' >two &
		run_ timeout 10 hpsort one two
		status_is 0
		stdout_is $'a\nb'
		wait
	done
}

@test "keys in their old form, among files and options" {
	local v

	printf 'b 3 a\na 2 b\nc 1 b x\n a 0\n' >f
	: >+x
	for args in "+1 f" "+1 -2 f" "+0.1 -1.0 f" "f +2 -3 +1n" "-- f" "+x f" \
		"f -r" "-k2 +1 -2 f" "+1.1b -2.3b f" "+0 -0 f" "+0 -0.3 f" \
		"f +1nr -s"; do
		# shellcheck disable=SC2086 # words
		sort $args >expected
		# shellcheck disable=SC2086
		hpsort $args >actual
		same actual expected
	done
	for args in "+1 -x f" "+1 -2.x f" "+1 -2q f" "-- +1 f"; do
		# shellcheck disable=SC2086
		run_ hpsort $args
		status_is 2
	done
	for v in 199209 200112 200808 200809 x ""; do
		_POSIX2_VERSION=$v sort +1 -2 f >expected
		_POSIX2_VERSION=$v hpsort +1 -2 f >actual
		same actual expected
		if _POSIX2_VERSION=$v sort +1 f >expected 2>/dev/null; then
			_POSIX2_VERSION=$v hpsort +1 f >actual
			same actual expected
		else
			_POSIX2_VERSION=$v run_ hpsort +1 f
			status_is 2
			stderr_has +1:
		fi
	done
}

@test "-y is ignored, with digits behind it alone" {
	printf 'b\na\n' >f
	for args in "-y f" "-y -r f" "-y 12 f" "-y12 f" "-yx f" "-y -c f" "f -y"; do
		# shellcheck disable=SC2086 # words
		run_ sort $args
		want=$status stdout=$output
		# shellcheck disable=SC2086
		run_ hpsort $args
		status_is "$want"
		stdout_is "$stdout"
	done
}

@test "numbers in keys are those that sort takes" {
	printf '%s\n' 'b 3 a' 'a 2 b' 'c 1 b' >f
	for key in '+2' ' 2' $'\t2,\n2' '1,+1' '2. +1' '2,2.+0' '99999999999999999999' \
		'+ 2' '++2' '-2' ' -2' '2,-2' '0' '2.0' '2,' '2.' '2x' ''; do
		run_ sort -k "$key" f
		want=$status stdout=$output
		run_ hpsort -k "$key" f
		status_is "$want"
		stdout_is "$stdout"
	done
}

@test "--debug marks and tells what sort does" {
	printf '%s\n' 'a 5. x' '	b,-2.5K  Jan' '3,feb,1e3' '' ' . -inf,07' \
		$'\1x\351 9k' >f
	for args in "" -r -n "-nr -s" -f "-b -k2" "-k1.2,2.1b -k2n" "-t, -k2n" \
		"-t. -k1,2n" "-t- -k1n" "-t+ -k2g" "-k3M -k2,2h" -u "-u -r -k2" \
		"-M -k1n,4" "+1 -2" "+0.1n" "-d -i -k1" "-V -k2,2" "-g -k2,1" \
		"-s -k1,1 -k2.3bf,3.2"; do
		# shellcheck disable=SC2086 # words
		sort --debug $args f >expected 2>expected.err
		# shellcheck disable=SC2086
		hpsort --debug $args f >actual 2>actual.err
		same actual expected
		sed 's/^sort:/hpsort:/' expected.err >e
		same actual.err e
	done
	tr '\n' '\0' <f | sort -z --debug 2>/dev/null >expected
	tr '\n' '\0' <f | hpsort -z --debug 2>/dev/null >actual
	same actual expected
	run_ hpsort --debug -o out f
	status_is 2
	stderr_has "options '-o --debug' are incompatible"
	run_ hpsort --debug -c f
	status_is 2
	run_ hpsort --debug -F u8 f
	status_is 2
	[ ! -e out ]
}

@test "the abbreviations of sort, and no name - in names from standard input" {
	printf 'b 1\na 1\nc 0\n' >f
	for way in "--p=1 --rev" "--st -k2" "--sta -k2" "--sta -k2 --para 2" \
		"--u --k=2,2" "--num -k2" "--sort=num -k2" "--parallel=100000"; do
		# shellcheck disable=SC2086 # words
		sort $way f >expected
		# shellcheck disable=SC2086
		hpsort $way f >actual
		same actual expected
	done
	run_ hpsort --check=q f
	status_is 1
	stderr_is ''
	run_ hpsort --sort= f
	status_is 2
	printf -- '-\0' >names
	run_ hpsort --files0-from - <names
	status_is 2
	stderr_has "no file name of '-'"
	hpsort --files0-from names <f >actual
	sort f >expected
	same actual expected
}

@test "--header keeps the first records of the first file on top" {
	local n big

	words 3000 >f
	words 50 >g
	for n in 0 1 2 700 2999 3000 5000; do
		{
			head -n "$n" f
			{ tail -n +"$((n + 1))" f; cat g; } | sort -k2n
		} >expected
		for big in 1G 8M; do
			hpsort --header "$n" -S "$big" -k2n f g >actual
			same actual expected
			hpsort --header "$n" -S "$big" -k2n <(cat f) g >actual
			same actual expected
			hpsort --header "$n" -S "$big" -k2n - g <f >actual
			same actual expected
			# shellcheck disable=SC2002 # a pipe is meant
			cat f | hpsort --header "$n" -S "$big" -k2n - g >actual
			same actual expected
		done
		hpsort --header "$n" -k2n --files0-from <(printf 'f\0g\0') >actual
		same actual expected
		cp f h
		hpsort --header "$n" -k2n -o h h g
		same h expected
	done
	# Only the first file has a header, however short it is.
	printf 'z' >short
	printf 'b\na\n' >second
	hpsort --header 3 short second >actual
	printf 'z\na\nb\n' >expected
	same actual expected
	: | hpsort --header 1 - second >actual
	printf 'a\nb\n' >expected
	same actual expected
}

@test "--header with -m, -c, -z, --debug and records of a fixed size" {
	printf 'title\na\nc\n' >f
	printf 'b\nd\n' >g
	printf 'title\na\nb\nc\nd\n' >expected
	for way in "f g" "- g" "--parallel 1 f g"; do
		# shellcheck disable=SC2086 # words
		hpsort -m --header 1 $way <f >actual
		same actual expected
	done
	hpsort -m --header 1 <(cat f) g >actual
	same actual expected
	hpsort -c --header 1 f
	run_ hpsort -c f
	status_is 1
	printf 'x\n' >>f
	printf 'b\n' >>f
	run_ hpsort -c --header 1 f
	status_is 1
	stderr_is "hpsort: f:5: disorder: b"
	printf 't\0b\na\0a\0' | hpsort -z --header 1 | tr '\0' '\n' >actual
	printf 't\na\nb\na\n' >expected
	same actual expected
	printf 't\nb\na\n' | hpsort --header 1 --debug 2>/dev/null >actual
	printf 't\na\n_\nb\n_\n' >expected
	same actual expected
	hpgen 1000 records
	hpsort -F gensort --header 300 records >actual
	head -c 30000 records | cmp - <(head -c 30000 actual)
	tail -c 70000 actual | hpcheck -F gensort
	hpsort -F gensort --header 300 <records | cmp - actual
	hpsort -F gensort --header 300 < <(cat records) | cmp - actual
	hpgen -a 300000 large
	{ head -n 5 large; tail -n +6 large | sort; } >expected
	hpsort -S 8M --header 5 large >actual
	same actual expected
	run_ hpsort --header 1 --extent 0:4 f
	status_is 2
	run_ hpsort --header x f
	status_is 2
}
