# shellcheck shell=bash disable=SC2154
# hpsort(1): numbers, and records of a fixed size
load common
load hpsort

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

@test "numbers of every format are sorted" {
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

# What is in order and has the checksum is the only right answer.
proven() { # INPUT OUTPUT OPTION...
	hpcheck "${@:3}" "$1" >before || true
	hpcheck "${@:3}" "$2" >after
	diff <(jq -c '[.records, .checksum]' before) \
		<(jq -c '[.records, .checksum]' after) >&2
}

# They are counted: no temporary file, whatever the memory.
@test "numbers of one and two bytes are sorted" {
	hpgen -F u64 4M f
	for format in u8 i8 u16be i16; do
		hpsort -F "$format" f >expected
		proven f expected -F "$format"
		cat f | hpsort --stats -S 7M -F "$format" 2>stats >actual
		same actual expected
		[ "$(jq .spilled_bytes stats)" = 0 ]
	done
}

@test "many numbers with few values are sorted by counting" {
	hpgen -F u64 -d zipf:1,10000 2M f
	hpgen -F u64 1000 strays
	cat f strays f >g
	for order in -s -r; do
		hpsort $order -F i64 g >expected
		proven g expected $order -F i64
		cat g | hpsort --stats $order -S 7M -F i64 2>stats >actual
		same actual expected
		[ "$(jq .spilled_bytes stats)" = 0 ]
	done
	od -An -v -w8 -td8 g | awk '!seen[$1]++' | sort -n >expected
	hpsort -u -F i64 g | od -An -v -w8 -td8 >actual
	same actual expected
	cat g | hpsort --stats -u -S 7M -F i64 2>stats | od -An -v -w8 -td8 >actual
	same actual expected
	[ "$(jq .spilled_bytes stats)" = 0 ]
	[ "$(hpsort -F i64 -u g | wc -c)" -le $((8 * 11000)) ]
}

@test "records of a fixed size are sorted" {
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

@test "records that are copied to buckets may have long, similar, few or equal keys" {
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

@test "records that are copied to buckets may be equal as a whole" {
	hpgen -F record:9 -d few:3 60000 f
	xxd -p -c 9 f | sort | xxd -r -p >expected
	for options in '-S 1G' '-S 1G --parallel 3' '-S 8M'; do
		# shellcheck disable=SC2086 # words
		hpsort -F record:9 $options f >actual
		same actual expected
	done
}

@test "an incomplete record at the end is an error" {
	hpgen 10 f
	printf x >>f
	run_ hpsort -F gensort f -o out
	status_is 2
	stderr_has 'f: record 11: 1 bytes, but a record has 100'
	hpgen 3 whole
	run_ bash -c 'cat f | hpsort -F gensort whole -'
	status_is 2
	stderr_is 'hpsort: standard input: record 11: 1 bytes, but a record has 100'
	# While one thread finds it others read on.
	hpgen -F u8 3000001 f
	for threads in 1 2 3; do
		run_ bash -c "cat f | timeout 120 hpsort -F u16 --parallel $threads -o out"
		status_is 2
		stderr_is 'hpsort: standard input: record 1500001: 1 bytes, but a record has 2'
	done
	[ ! -e out ]
	run_ hpsort -F gensort <(cat f)
	status_is 2
	stderr_has 'but a record has 100'
}

@test "the message for a too long record gives the maximum" {
	local size

	for size in 1073741825 99999999999999999999999999; do
		run_ hpsort -F record:$size /dev/null
		status_is 2
		stderr_is "hpsort: -F: format 'record:$size': a record has at most 1073741824 bytes"
	done
	run_ hpsort -F record:9,99999999999999999999,1 /dev/null
	status_is 2
	stderr_has 'the key must lie inside the record'
	hpsort -F record:1073741824 /dev/null
}
