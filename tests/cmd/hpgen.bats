# shellcheck shell=bash disable=SC2154
# hpgen(1)
load common

# The published figures of gensort.
gensort_is() { # CHECKSUM MD5 ARGUMENT...
	local sum=$1 md5=$2

	shift 2
	hpgen -c "$@" data 2>err
	[ "$(cat err)" = "$sum" ] || fail "checksum $(cat err), not $sum"
	md5sum data | grep -q "^$md5 " || fail "$(md5sum data), not $md5"
}

@test "the bytes are those of gensort 1" {
	gensort_is 9ea593a0 0415479d1c2ab6dbf5efc48b61c3ef74 1
}

@test "the bytes are those of gensort -a 1" {
	gensort_is 3fcaea0a 54cd39f7b3f9ce6eaa962942c48e6114 -a 1
}

@test "the bytes are those of gensort 1000" {
	gensort_is 1ea6370b955 5325603398d09fc6d74c9ebe6d7b256c 1000
}

@test "the bytes are those of gensort -a 1000" {
	gensort_is 1f5dfb3631a dfa2281e18d9dea46ff1f4ad51b4222b -a 1000
}

@test "the bytes are those of gensort -b5000000000 1000" {
	gensort_is 1f372a6543d c524b1f1e0df1a28ddb88e241cd324fb \
		-b5000000000 1000
}

@test "the bytes are those of gensort -s 1000" {
	gensort_is 1e96301166b 60bc57269fd074b9d98bb59ade3bf60c -s 1000
}

@test "the bytes are those of gensort -a -s 1000" {
	gensort_is 1eef17d1cac 89960ab7739e354d3e52c908c0f242e8 -a -s 1000
}

@test "the bytes are those of gensort 100000" {
	gensort_is c3068574c6ff 9bb3b075ca0f36103c8155fb1686ec41 100k
}

@test "the bytes are those of gensort -a 100000" {
	gensort_is c34e19c81885 8b8fade487762de335cf3bb379611188 -a 100000
}

# Figures of gensort 1.5, which takes numbers near the top of 64 bits for wider.
@test "the bytes are those of gensort -s with large numbers" {
	gensort_is 1eb3675d493 96c5d7d5f7df8051fc8ac24d11e26e08 \
		-s -b 1152921504606846000 1000
	gensort_is 1e802ee2060 b437ba5ec162335ffd614b4ab26d9843 \
		-as -b 18446744073709551000 1000
	gensort_is 1e9d541549d 8968adb4e351de40928137aaeffcfefa \
		-s -b 21267647932558653966460912964485513000 1000
}

@test "parts of gensort records concatenate, also across a carry of the number" {
	local start=18446744073709551000

	for kind in "" -s -a -as; do
		hpgen $kind -b $start 1k whole
		hpgen $kind -b $start 616 part
		hpgen $kind -b 18446744073709551616 384 >>part
		same part whole
	done
}

@test "the last record of gensort is number 2^128 - 1" {
	local last=340282366920938463463374607431768211455

	hpgen -a -b $last 1 one
	[ "$(cut -c 13-44 one)" = FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF ]
	hpgen -b $last 0 none
	run_ hpgen -b $last 2
	status_is 2
	stdout_is ""
	stderr_is "hpgen: record numbers exceed 2^128 - 1"
	run_ hpgen -b ${last%5}6 1
	status_is 2
	stderr_is "hpgen: -b: start '${last%5}6': must be below 2^128"
}

@test "parts of a distribution concatenate to the whole" {
	for d in uniform lcg46 gaussian zipf:1.1,50 sorted reverse few:3 equal \
		bucket:4 staggered:4 g-group:4,2 dd rd:3 nearly; do
		for f in line record:12,2,4; do
			hpgen -d $d -F $f --seed 7 1000 whole
			hpgen -d $d -F $f --seed 7 --total 1k 3 part
			hpgen -d $d -F $f --seed 7 --total 1000 -b 3 900 >>part
			hpgen -d $d -F $f --seed 7 -b 903 97 >>part
			same part whole
		done
	done
}

@test "the distribution sorted counts 0, 1, 2 in every format" {
	seq 0 99 >expected
	for f in u8 u16 u32 u64 i8 i16 i32 i64; do
		for e in little big; do
			[ $e = big ] && b=be || b=
			type=${f/i/d}
			hpgen -F "$f$b" -d sorted 100 |
				od -An -v --endian=$e -w$((${f#?} / 8)) \
					-t"${type%%[0-9]*}$((${f#?} / 8))" |
				tr -d ' ' >out
			same out expected
		done
	done
	hpgen -F f32 -d sorted 100 | od -An -v -tfF -w4 | tr -d ' ' >out
	same out expected
	hpgen -F f64be -d sorted 100 | od -An -v --endian=big -tfD -w8 |
		tr -d ' ' >out
	same out expected
	hpgen -F line -d sorted 100 | awk '{ print $1 + 0 }' >out
	same out expected
}

@test "numbers are limited to the largest of the format" {
	hpgen -F u8 -d sorted 300 | od -An -v -tu1 -w1 | tr -d ' ' |
		uniq -c | awk '$1 != 1 { print $1, $2 }' >out
	echo '45 255' | same out -
	hpgen -F i8 -d reverse 300 | od -An -v -td1 -w1 | tr -d ' ' |
		uniq -c | awk '$1 != 1 { print $1, $2 }' >out
	echo '173 0' | same out -
	hpgen -F record:2,1,1 -d sorted 300 | od -An -v -tu1 -w2 |
		awk '{ print $2 }' | uniq -c | awk '$1 != 1 { print $1, $2 }' >out
	echo '45 255' | same out -
}

@test "lines are in the same order by bytes and by number" {
	for d in uniform zipf few:9 sorted; do
		hpgen -F line -d $d 2000 lines
		sort lines >bytes
		sort -n lines >numbers
		same numbers bytes
	done
	[ "$(grep -cvE '^[0-9]{20}( [a-z]+){1,16}$' lines)" = 0 ]
}

@test "records of a distribution have their keys where the format says" {
	hpgen -F record:20,6,4 -d sorted 1000 | od -An -v -tx1 -w20 |
		awk '{ print $7 $8 $9 $10 }' >out
	seq 0 999 | xargs printf '%08x\n' >expected
	same out expected
	hpgen -d few:4 -b 5 1000 | od -An -v -tx1 -w100 | cut -c 1-30 |
		sort -u | wc -l >out
	echo 4 | same out -
}

@test "another --seed gives other records" {
	hpgen --seed 1 100 a
	hpgen --seed 2 100 b
	hpgen 100 c
	run ! cmp -s a b
	run ! cmp -s a c
	hpgen --seed 1 -d uniform -F gensort 100 | same a -
}

@test "a count may have a unit, and 0 records give no bytes" {
	hpgen 2k | cmp - <(hpgen 2000)
	[ "$(hpgen -F u8 1M | wc -c)" = 1000000 ]
	run_ hpgen 0
	status_is 0
	stdout_is ""
	hpgen -F line 0 empty
	[ -e empty ] && [ ! -s empty ]
}

@test "the checksum is the sum of the CRC-32 of the lines, as gzip computes it" {
	hpgen -c -F line 3 >lines 2>sum
	while IFS= read -r line; do
		printf '%s\n' "$line" | gzip -c | tail -c 8 | od -An -tu4 -N4
	done <lines >crcs
	printf '%x\n' $(($(paste -s -d + crcs))) | same sum -
}

@test "an output file appears complete or not at all" {
	mkdir dir
	hpgen 10 dir/file
	[ "$(ls -A dir)" = file ]
	(
		ulimit -f 8
		trap '' XFSZ
		run_ hpgen 1M dir/other
		status_is 2
		stderr_has "dir/other"
	)
	[ "$(ls -A dir)" = file ]
	run_ hpgen 10 nodir/file
	status_is 2
	stderr_has "nodir/file"
}

@test "a write error exits 2" {
	run_ bash -c 'hpgen -c 10 out 2>/dev/full'
	status_is 2
	run_ hpgen 10 /dev/full
	status_is 2
	stderr_has "/dev/full: No space left on device"
	run_ bash -c 'hpgen 10 >/dev/full'
	status_is 2
	stderr_has "No space left on device"
}

@test "a closed pipe ends the program without a message" {
	# shellcheck disable=SC2016
	run_ bash -c 'hpgen 10M | head -c 100 | wc -c; echo ${PIPESTATUS[0]}'
	stdout_is "100"$'\n'"141"
	stderr_is ""
}

@test "wrong usage exits 2" {
	for args in "" "1 a b" "x" "-1" "10Q" "-b x 1" "-b -1 1" "-F x 1" \
		"-d x 1" "--seed x 1" "--seed 18446744073709551616 1" \
		"-x 1" "--total 5 -F u8 6" "--total 5 -d few -b 3 3" \
		"-a -d few 1" "-s -F u8 1" "-a --seed 1 1" "-a -F line 1" \
		"-d few -b 9007199254740993 1" \
		"-d few -b 9007199254740992 1" "9007199254740993"; do
		# shellcheck disable=SC2086
		run_ hpgen $args
		status_is 2
		stdout_is ""
		stderr_has "hpgen: "
	done
}

@test "an error message lists the valid values" {
	local number='must be an integer with an optional unit k, M, G or T'

	run_ hpgen x
	stderr_is "hpgen: count 'x': $number"
	run_ hpgen -b 2^7 1
	stderr_is "hpgen: -b: start '2^7': $number"
	run_ hpgen -d zipf:1,2,3 1
	stderr_is "hpgen: -d: distribution 'zipf:1,2,3': too many parameters, 2 at most"
}

@test "--help and --version print the usage and the version" {
	run_ hpgen --help
	status_is 0
	stdout_has "usage: hpgen"
	run_ hpgen --version
	status_is 0
	stdout_has "hpgen (hptools) "
}
