# shellcheck shell=bash disable=SC2154
# hpsort(1): what is in order already, or in reverse
load common
load hpsort

@test "input in order, in reverse, and in order except for the last record" {
	seq -w 200000 >f
	as_sort f
	as_sort f -r
	seq 200000 >f
	as_sort f -n
	(seq -w 200000 && echo 0) >f
	as_sort f
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

# ordered_files: the same lines in order and in reverse, without duplicates (rising,
# falling) and with some (sorted, down).
ordered_files() {
	words 100000 | sort >sorted
	uniq sorted >rising
	tac rising >falling
	tac sorted >down
}

@test "lines that are in order already, or in reverse, are sorted as by sort(1)" {
	local o f

	ordered_files
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
	done
	hpsort --stats down -o actual 2>err
	jq -e --argjson b "$(stat -c %s down)" \
		'.records == 100000 and .written == 100000 and .bytes == $b' err
}

@test "one line out of place, at the start, in the middle or at the end, is moved" {
	local o f

	ordered_files
	for f in rising falling sorted down; do
		for o in '$a1' 1iz '70000iA' '$az' 1i1; do
			sed "$o" $f >g
			as_sort g
			as_sort g -u
		done
	done
}

@test "files in order are joined if they follow each other, and else merged" {
	ordered_files
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
}

@test "files in order may have a line that is longer than all others together" {
	words 100000 | sort >sorted
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

# large: f, a million sorted lines, the last one without a newline; expected, the
# same with it.
large() {
	local made=$BATS_FILE_TMPDIR/large

	[ -e "$made" ] || words 1000000 | sort >"$made"
	cp "$made" f
	printf '~' >>f
	{ cat f && echo; } >expected
}

@test "a large file that is in order already is copied without runs" {
	local o

	large
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
	hpsort -S 8M f | cmp - expected
	hpsort -u -S 8M f >actual
	sort -u expected | cmp - actual
}

@test "a large file is sorted if only its last line is out of order" {
	local o

	large
	cat expected <(echo A) >g
	sort g >expected.g
	# The output is a file, then a pipe.
	for o in "" -s; do
		# shellcheck disable=SC2086
		hpsort $o -S 8M --stats g -o actual 2>err
		same actual expected.g
		jq -e '.runs > 1' err
	done
	hpsort -S 8M g | cmp - expected.g
	hpsort -S 8M -o g g
	same g expected.g
}

@test "a large file in reverse order is reversed, unless -s keeps equal keys" {
	large
	tac expected >f
	hpsort -S 8M -r --stats f 2>err >actual
	same actual f
	jq -e '.runs == 0' err
	hpsort -S 8M --stats f 2>err >actual
	same actual expected
	jq -e '.runs == 0 and .written == 1000001' err
	# Reversing the file would reverse equal keys, too.
	hpsort -S 8M -s --stats f 2>err | cmp - <(sort -s f)
	jq -e '.runs > 1' err
	hpsort -S 8M -s -k1,1 f | cmp - <(sort -s -k1,1 f)
}

@test "two files that together are in reverse order are reversed, but not a pipe" {
	large
	tac expected >f
	tail -n 400000 f >h
	head -n -400000 f >g
	hpsort -S 8M --stats - h < <(cat g) 2>err | cmp - expected
	jq -e '.runs > 1' err
	hpsort -S 8M --stats g h 2>err | cmp - expected
	jq -e '.runs == 0' err
	hpsort -S 8M h g | cmp - expected
	uniq expected >g
	hpsort -u -S 8M --stats g 2>err | cmp - g
	jq -e '.runs == 0' err
}

@test "large records of a fixed size that are in order already are copied" {
	hpgen 200000 | hpsort -F gensort >f
	hpsort -F gensort -S 8M --stats f 2>err >actual
	same actual f
	jq -e '.runs == 0 and .written == 200000' err
	printf x >>f
	run_ hpsort -F gensort -S 8M f -o actual2
	status_is 2
	stderr_is 'hpsort: f: record 200001: 1 bytes, but a record has 100'
	[ ! -e actual2 ]
}
