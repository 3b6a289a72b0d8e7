#!/bin/bash
# The most memory that hpsort and hpmerge had at any time, as the system tells
# of a process that has ended (wait4), beside what their manuals allow for -S.
# Of each WORD the three cases that came closest, then all that took more or
# went wrong, which the status tells, too: results of one input and order must
# be equal.
#
#	tests/bench/memory.sh [WORD...]
#
# WORD: lines long giant records numbers options codecs check merge long-merge
# many fifos free small large; or few, seconds, which `make check` runs.  All of
# them take half an hour.  In DISK (/var/tmp), with inputs of MEGABYTES (60); large
# takes ten times as much, thrice.

set -u
words=${*:-lines long giant records numbers options codecs check merge \
	long-merge many fifos free small large}
HPBIN=$(cd "${HPBIN:-$(dirname "$0")/../../build/bin}" && pwd) || exit 2
PATH=$HPBIN:$PATH LC_ALL=C
export LC_ALL
dir=$(mktemp -d "${DISK:-/var/tmp}/hpmemory.XXXXXX") || exit 2
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
cd "$dir" || exit 2
mb=${MEGABYTES:-60}
sizes=${SIZES:-1K 8M 20M 64M} threads=${THREADS:-1 2 8}
: >failed
: >above

# measure LIMIT COMMAND...: a row "SHARE MIB LIMIT-MIB COMMAND" for it.
measure() {
	local limit=$1 status

	shift
	/usr/bin/time -q -f %M -o peak "$@" 2>err
	status=$?
	[ $status = 0 ] || echo "status $status: ${*:0:20}: $(cat err)" >>failed
	awk -v limit="$((limit / 1024))" '{ printf "%.3f %.1f %.1f",
		$1 / limit, $1 / 1024, limit / 1024 }' peak >>rows
	echo " ${*:1:16}" >>rows
}

# Of one input and order all results are equal to the first one.
forget_result() {
	rm -f wanted
}

same_result() {
	[ -e wanted ] || cp out wanted
	cmp -s out wanted || echo "wrong: ${*:1:16}" >>failed
	rm -f out
}

# limit_of SIZE LONGEST OPTION...: bytes, by the manuals.
limit_of() {
	local size longest=$2 share=7

	size=$(numfmt --from=iec "$1")
	shift 2
	[ "$size" -ge $((8 << 20)) ] || size=$((8 << 20))
	[[ ! " $* " =~ \ -[a-zA-Z]*u ]] || share=10
	[ "$longest" -le $((size / share)) ] || size=$((size + 4 * longest))
	echo "$size"
}

# sorts FILE LONGEST OPTION...: in all sizes, with all threads, mapped or read.
sorts() {
	local file=$1 longest=$2 size thread limit

	shift 2
	forget_result
	for size in $sizes; do
		limit=$(limit_of "$size" "$longest" "$@")
		for thread in $threads; do
			measure "$limit" hpsort -S "$size" --parallel "$thread" \
				"$@" "$file" -o out
			same_result "$thread $size" "$@" "$file"
			measure "$limit" hpsort -S "$size" --parallel "$thread" \
				"$@" <(cat "$file") | cat >out
			same_result "$thread $size" "$@" "$file, read"
		done
	done
}

checks() { # LONGEST OPTION...
	local limit size

	for size in $sizes; do
		limit=$(limit_of "$size" "$@")
		measure "$limit" hpsort -c -S "$size" "${@:2}" in
		measure "$limit" hpsort -c -S "$size" "${@:2}" <(cat in)
	done
}

# merges LONGEST OPTION...: of the files p.*, to a file and to a pipe.
merges() {
	local longest=$1 size thread limit

	shift
	forget_result
	for size in $sizes; do
		limit=$(limit_of "$size" "$longest" "$@")
		for thread in $threads; do
			measure "$limit" hpmerge -S "$size" \
				--parallel "$thread" "$@" -o out p.*
			same_result "$thread $size" "$@"
			measure "$limit" hpsort -m -S "$size" \
				--parallel "$thread" "$@" p.* | cat >out
			same_result "$thread $size" "$@" 'to a pipe'
		done
	done
}

# merges_fifos LONGEST OPTION...: the same of FIFOs, which one writer fills
# from the last to the first, or each has its own.
merges_fifos() {
	local longest=$1 size writers limit

	shift
	forget_result
	for size in $sizes; do
		limit=$(limit_of "$size" "$longest" "$@")
		for writers in one all; do
			rm -f q.*
			for f in p.*; do
				mkfifo "q.$f"
			done
			for f in $(printf '%s\n' p.* | sort -r); do
				if [ $writers = one ]; then
					cat "$f" >"q.$f"
				else
					cat "$f" >"q.$f" &
				fi
			done &
			measure "$limit" hpmerge -S "$size" "$@" -o out q.*
			wait
			same_result "$size" "$@" "FIFOs, $writers"
		done
	done
	rm -f q.*
}

# parts N FILE OPTION...: sorted files p.*.
parts() {
	local n=$1 file=$2

	shift 2
	rm -f p.*
	hpsort "$@" "$file" -o sorted
	split -n "r/$n" -a 5 -d sorted p.
	rm sorted
}

# Of about so many million bytes, the same each time.
text() { # KIND MEGABYTES
	perl -e '
		my ($kind, $mb) = @ARGV;
		srand 7;
		my $x = "x" x 5e6;
		for (my $n = 0; $n < $mb * 1e6;) {
			my $s = $kind eq "short" ? int rand 10 ** (1 + rand 8)
			    : $kind eq "equal" ? "all are the same"
			    : $kind eq "empty" ? ""
			    : $kind eq "mixed" ? rand() . substr $x, 0, rand 3000
			    : $kind eq "rare" ? rand() . substr $x, 0,
				(rand() < 1e-5 ? rand 1e6 : rand 30)
			    : rand(1000) . " " . rand() . substr $x, 0, $kind;
			$n += length($s) + 1;
			print $s, "\n";
		}' "$@"
}

fields() { # MEGABYTES
	hpgen -F u32 $(($1 * 50000)) | od -An -v -w4 -tu4 |
		awk '{ print $1 % 1000, $1 % 7, $1 }'
}

word_lines() {
	local kind

	for kind in short mixed rare; do
		text $kind "$mb" >in
		sorts in "$(wc -L <in)"
	done
	for kind in equal empty; do
		text $kind $((mb / 3)) >in
		sorts in 20
	done
	hpgen -a $((mb * 10000)) in
	sorts in 100
	hpsort in -o in
	sorts in 100
	sorts in 100 -r
}

word_long() {
	local bytes o

	for bytes in 300000 1000000 4000000; do
		text $bytes "$mb" >in
		for o in "" -n -V "-k1,1n -k2" -u; do
			# shellcheck disable=SC2086 # words
			sorts in $((bytes + 40)) $o
		done
	done
}

# One line of more than -S among short ones.
word_giant() {
		(text short 5 && head -c 40000000 /dev/zero | tr '\0' x && echo &&
		text short 5) >in
	sorts in 40000000
	sorts in 40000000 -k2n
	hpsort in -o in
	sorts in 40000000 -m
}

word_records() {
	local f

	hpgen $((mb * 10000)) in
	for f in gensort record:100,50,4 record:4 record:10000 \
		record:250000,9,4; do
		truncate -s $((mb * 1000000)) in
		sorts in "$(sed -n 's/record:\([0-9]*\).*/\1/p' <<<"$f:100" |
			grep . || echo 100)" -F "$f"
	done
	sorts in 100 -F gensort -s
	sorts in 100 -F gensort -u
	hpgen -d few $((mb * 10000)) in
	sorts in 100 -F gensort
}

word_numbers() {
	local f

	for f in u8 u16 i32 u32be u64 f32 f64be; do
		hpgen -F $f $((mb * 100000)) in
		sorts in 8 -F $f
	done
	hpgen -F u64 -d zipf $((mb * 100000)) in
	sorts in 8 -F u64
	sorts in 8 -F u64 -u
	hpgen -F f64 -d sorted $((mb * 100000)) in
	sorts in 8 -F f64
	sorts in 8 -F f64 -r
}

word_options() {
	local o

	fields "$mb" >in
	mkdir -p t1 t2 t3
	for o in -n "-k2,2n -s" "-k1,1 -u" -f -V "-k2,2 -k1,1r" -R \
		"--header 3" "--batch-size 2" "--merge polyphase" \
		"--merge polyphase --batch-size 3 -u" "-T t1 -T t2 -T t3" -g; do
		case $o in
		-R) o="-R --random-source $HPBIN/hpsort" ;;
		esac
		# shellcheck disable=SC2086 # words
		sorts in 30 $o
	done
}

word_codecs() {
	local o

	fields "$mb" >in
	for o in --compress=zstd --compress=lz4 --compress-program=gzip \
		"--compress=zstd --batch-size 2" \
		"--compress-program=gzip --merge polyphase -k2n -k1"; do
		# shellcheck disable=SC2086 # words
		sorts in 30 $o
	done
	hpgen -F u64 $((mb * 100000)) in
	sorts in 8 -F u64 --compress
	text 300000 "$mb" >in
	sorts in 300040 --compress=lz4
}

word_check() {
		fields "$mb" | hpsort -o in
	checks 30
	checks 30 -k1,1
	text 4000000 "$mb" | hpsort -u -o in
	checks 4000040
	checks 4000040 -u
}

word_merge() {
	local n

	fields "$mb" >in
	for n in 2 16 300; do
		parts $n in
		merges 30
		merges 30 -u
		parts $n in -f -k2
		merges 30 -f -k2 --batch-size 7
		merges 30 -f -k2 --compress=lz4
	done
	merges 30 -f -k2 --compress-program=gzip
	text rare "$mb" >in
	parts 16 in
	merges 1000040
	hpgen -F u64 $((mb * 100000)) in
	rm -f p.*
	for ((n = 0; n < 12; n++)); do
		hpsort -F u64 --extent \
			$((n * mb * 60000)):$((mb * 60000)) in -o p.$n
	done
	merges 8 -F u64
	for n in p.*; do
		hpsort -F record:20000 "$n" -o "$n"
	done
	merges 20000 -F record:20000
}

word_long-merge() {
	local bytes n o

	for bytes in 300000 1000000 2800000; do
		text $bytes "$mb" >in
		for n in 2 16 100; do
			for o in "" -s -u "-f -u"; do
				# shellcheck disable=SC2086 # words
				parts $n in $o
				# shellcheck disable=SC2086 # words
				merges $((bytes + 40)) $o
			done
			merges $((bytes + 40)) --compress-program=gzip
		done
		merges_fifos $((bytes + 40)) -f -u
	done
}

word_many() {
	fields $((mb / 3)) >in
	parts 10000 in
	merges 30
	merges 30 -u -k1,1
	merges 30 --compress
}

word_fifos() {
		fields "$mb" >in
	parts 80 in
	merges_fifos 30
	merges_fifos 30 --batch-size 9 --compress
	merges_fifos 30 --compress-program=gzip
	parts 5000 in
	merges_fifos 30
}

# beside FORMAT BYTES: both of a file and of a pipe, without -S.
beside() {
	local limit n share=11

	case $1 in
	gensort) hpgen -F "$1" $(($2 / 100)) in && share=14 ;;
	line) hpgen -a $(($2 / 100)) in && share=13 ;;
	u64) hpgen -F "$1" $(($2 / 8)) in ;;
	*) hpgen -F "$1" $(($2 / 4)) in ;;
	esac
	limit=$(($2 * share / 10))
	for n in 1 2 8; do
		measure $limit hpsort --parallel $n -F "$1" in -o out
		measure $limit hpsort --parallel $n -F "$1" <(cat in) -o out
	done
}

# Without -S: beside the input, of 300 MB, and as little as the manual tells of.
word_free() {
	local f

	for f in gensort line u64 u32 i32; do
		beside $f $((mb * 5000000))
	done
	for f in gensort line; do
		beside $f 40000000
	done
	for f in u64 u32 i32; do
		beside $f 160000000
	done
	text short 40 >in
	measure $(($(stat -c %s in) * 13 / 10)) hpsort --parallel 8 <(cat in) \
		-o out
	rm -f out
	text short $((mb * 5)) >in
	measure $(($(stat -c %s in) * 13 / 10)) hpsort in -o out
	text mixed $((mb * 5)) >in
	measure $(($(stat -c %s in) * 13 / 10)) hpsort in -o out
	rm -f out
}

# Without -S: as little as the manual tells of, or a little more.
word_small() {
	local n

	for n in 1 2 8; do
		hpgen 200000 in
		measure 28000000 hpsort --parallel "$n" -F gensort in -o out
		hpgen -a 200000 in
		measure 26000000 hpsort --parallel "$n" in -o out
		text short 20 >in
		measure 26000000 hpsort --parallel "$n" in -o out
		hpgen -F u64 20M in
		measure 176000000 hpsort --parallel "$n" -F u64 in -o out
	done
}

# What came close, or was above once.
word_few() {
	local sizes=20M threads=2 mb=30

	# One long line each: few are found where a merge is to be cut.
	text 300000 "$mb" >in
	parts 100 in -f -u
	merges 300040 -f -u
	parts 3 in
	merges_fifos 300040
	text 800000 8 >in
	parts 5 in
	sizes=8M
	merges 800040 -u
	text short 8 >in
	sizes="1K 8M" threads=8
	parts 1000 in
	merges 20
	sorts in 20 --compress=zstd
	hpgen -F u64 3M in
	sorts in 8 -F u64 --compress=lz4
	sorts in 240000 -F record:240000,9,4
	word_small
}

word_large() {
	local sizes="256M 64M" threads="2 8"

	hpgen $((mb * 100000)) in
	sorts in 100 -F gensort
	hpgen -a $((mb * 100000)) in
	sorts in 100
	hpgen -F u64 $((mb * 1000000)) in
	sorts in 8 -F u64
}

for word in $words; do
	: >rows
	begin=$SECONDS
	"word_$word"
	echo "$word: $(wc -l <rows) cases, $((SECONDS - begin)) s"
	sort -rn rows | head -n 3 | sed 's/^/	/'
	awk '$1 > 1' rows >>above
	rm -f in p.* wanted out
done
echo "above: $(wc -l <above)"
sort -rn above
cat failed
[ ! -s above ] && [ ! -s failed ]
