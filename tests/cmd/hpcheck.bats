# shellcheck shell=bash disable=SC2154
# hpcheck(1) and hp-summary(5)
load common

# member NAME...: of the summary that the last run printed.
member() {
	local names=$*

	jq -rc "[.${names// /,.}] | map(tostring) | join(\" \")" <<<"$output"
}

member_is() { # NAMES VALUES
	# shellcheck disable=SC2086
	[ "$(member $1)" = "$2" ] || fail "$output" "expected $1: $2"
}

# Numbers in order, and the same in four parts.
parts() {
	seq -w 1 1000 >all
	split -n l/4 all part.
}

@test "for records in order, the figures are those of valsort" {
	hpgen -a -s 1M | sort >sorted
	run_ hpcheck -F gensort sorted
	status_is 0
	stderr_is ""
	member_is "type records bytes sorted checksum duplicates unordered" \
		"summary 1000000 100000000 true 7a135fbce6df2 35 0"
}

@test "for a million records from hpsort, the figures are those of valsort" {
	hpgen 1M | hpsort -F gensort >sorted
	run_ hpcheck -F gensort sorted
	status_is 0
	member_is "records sorted checksum duplicates" \
		"1000000 true 7a0e0d4868cd4 0"
}

@test "for records out of order, the figures are those of valsort" {
	run_ bash -c 'hpgen 100k | hpcheck -F gensort'
	status_is 1
	stderr_is "hpcheck: standard input: record 3: not in order"
	member_is "records sorted checksum first_unordered" \
		"100000 false c3068574c6ff 2"
	run_ bash -c 'hpgen -a 100k | hpcheck -s -F gensort'
	status_is 1
	member_is "unordered first_unordered checksum" "50051 2 c34e19c81885"
}

@test "gensort's records read as lines have the same checksum" {
	hpgen -a 1000 data
	run_ hpcheck data
	member_is "records bytes checksum" "1000 100000 1f5dfb3631a"
}

@test "printable keys are shown as text beside the first and the last key" {
	# text_is WANT PRINTF [ORDER...]
	text_is() {
		local want=$1

		# shellcheck disable=SC2059
		printf -- "$2" | hpcheck "${@:3}" >summary
		[ "$(jq -c '[.first_text, .last_text]' summary)" = "$want" ] ||
			fail "$(cat summary)" "expected: $want"
		hpcheck --combine summary | same summary -
	}
	text_is '["\"a\"","b\tcafé"]' '"a"\nb\tcafé\n'
	text_is '["a",null]' 'a\nb\033\n'
	text_is '[null,"b"]' 'a\377\nb\n'
	text_is "[\"$(printf %64s '')\",null]" "$(printf '%64s\n%65s' '' '')"
	text_is '["b","c"]' 'abac' -F record:2,1,1
	text_is '["x","y"]' '1 x\n2 y\n' -s -b -k2,2
	text_is '["",""]' '\n\n'
	text_is '[null,null]' ''
	# The bytes of numbers, of reversed keys and of several parts are no text.
	text_is '[null,null]' '1\n2\n' -n
	text_is '[null,null]' '2\n1\n' -r
	text_is '[null,null]' '1\n2\n' -k1,1
	text_is '[null,null]' 'abcd' -F u16
}

@test "a text that differs from its key is replaced" {
	printf '%s\n' a b | hpcheck >want
	sed 's/"last_text":"b"/"last_text":7/; s/"first_text":"a",//' want |
		hpcheck --combine - want >got 2>errors || :
	[ "$(jq -c '[.first_text, .last_text]' got)" = '["a","b"]' ]
}

@test "hpcheck agrees with sort -c for every order" {
	printf '%s\n' 'b 2' 'a 10' 'A 10' 'a  9' '' ' x' '-3' 'a.b' 'a' 'a' \
		'1e3' '2K' '1M' 'feb' 'Jan 2' 'v1.10' 'v1.9' >words
	for order in "" -n -r -f -d -i -b "-k 2" "-k 2n" "-k 2,2nr -k 1,1" \
		-s "-s -k 2,2" -u "-u -f" "-n -r" "-t . -k 2" -z -g -h -M -V --sort=month \
		"-R --random-source=$BASH"; do
		# shellcheck disable=SC2086
		sort $order words >sorted
		for file in words sorted; do
			rc=0
			# shellcheck disable=SC2086
			sort -c $order $file 2>/dev/null || rc=1
			# shellcheck disable=SC2086
			run_ hpcheck $order $file
			status_is $rc
		done
	done
}

# ties OPTION WORD...: of all pairs of words, hpcheck finds those in order that
# sort does, with -r and with -u as well.
ties() {
	local a b o option=$1 want got

	shift
	for a; do
		for b; do
			printf '%s\n' "$a" "$b" >pair
			for o in "" -r -u; do
				# shellcheck disable=SC2086
				sort -c "$option" $o pair 2>/dev/null && want=0 || want=1
				# shellcheck disable=SC2086
				hpcheck "$option" $o pair >summary 2>/dev/null &&
					got=0 || got=$?
				[ "$got" = "$want" ] ||
					fail "hpcheck $option $o: $got, not $want:" \
						"$a" "$b"
			done
		done
	done
}

@test "short lines with equal keys are in order by their bytes, as for sort -c" {
	ties -n 1 01 1.0 +1 -0 0 "" 10
	ties -g 1 01 1e0 10e-1 0x1 x nan
	ties -h 1 01 1K 1k 1.0K 1M 0M
	ties -V 1 01 1.0 1.00 a ""
	ties -M jan Jan JANUARY " jan" feb x ""
	ties -f a A b B aa ""
	ties -k1.2 a b ab bb abb ""
}

@test "the answer has the number of disorders and the first one" {
	printf '%s\n' 1 2 2 1 5 4 3 3 >data
	run_ hpcheck data
	status_is 1
	stderr_is "hpcheck: data: record 4: not in order"
	member_is "records bytes duplicates unordered first_unordered" \
		"8 16 2 3 3"
	member_is "first last" "31 33"
}

@test "-u: equal keys are out of order" {
	printf '%s\n' a b B c >data
	run_ hpcheck -f -s data
	status_is 0
	member_is "duplicates unique" "1 null"
	run_ hpcheck -f -u data
	status_is 1
	stderr_is "hpcheck: data: record 3: not in order"
	member_is "duplicates unordered unique" "1 1 true"
}

@test "equal keys are ordered by all bytes, except with -s" {
	printf '%s\n' 'b 1' 'a 1' >data
	run_ hpcheck -k 2 data
	status_is 1
	run_ hpcheck -s -k 2 data
	status_is 0
	member_is "duplicates" 1
}

@test "numbers of every format are checked" {
	for f in u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 u16be u64be i32be f64be; do
		hpgen -F $f -d sorted 100 data
		run_ hpcheck -F $f data
		status_is 0
		run_ hpcheck -F $f -r data
		status_is 1
		run_ bash -c "hpgen -F $f 1000 | hpcheck -F $f"
		status_is 1
	done
	# -1 is above 1 as an unsigned, below as a signed number.
	printf '\377\001' >data
	run_ hpcheck -F i8 data
	status_is 0
	run_ hpcheck -F u8 data
	status_is 1
}

@test "a last line of any length may lack its newline" {
	for line in d bcd bcdefgh "$(seq -s, 100)" "$(seq -s, 90000)"; do
		printf 'a\n%s\n' "$line" >whole
		printf 'a\n%s' "$line" >short
		for option in '' --sum; do
			# shellcheck disable=SC2086 # may be none
			run_ hpcheck $option whole
			want=$output
			# shellcheck disable=SC2086
			run_ hpcheck $option short
			[ "$output" = "$want" ] || fail "$want" "$output"
		done
	done
}

@test "inputs may be empty, have empty lines or NUL bytes, or lack the final newline" {
	run_ hpcheck /dev/null
	status_is 0
	stdout_is '{"type":"summary","records":0,"bytes":0,"sorted":true,"checksum":"0","duplicates":0,"unordered":0}'
	echo >data
	run_ hpcheck data
	status_is 0
	member_is "records bytes first last" "1 1  "
	printf 'a\nb' >data
	run_ hpcheck data
	member_is "records bytes sorted" "2 4 true"
	printf 'a\nb\n' >with
	[ "$output" = "$(hpcheck with)" ]
	printf 'a\0b\na\0c\n' >data
	run_ hpcheck data
	status_is 0
	member_is "first last" "610062 610063"
	printf 'b\na\0a\nb\0' >data
	run_ hpcheck -z data
	status_is 1
}

@test "a file of /sys, which is shorter than its size, is read to its end" {
	local f=/sys/devices/system/cpu/online

	[ -r $f ] || skip "no $f"
	run_ hpcheck $f
	status_is 0
	[ "$output" = "$(hpcheck < <(cat $f))" ]
}

@test "an incomplete record at the end is an error" {
	hpgen 3 | head -c 250 >data
	run_ hpcheck -F gensort data
	status_is 2
	stdout_is ""
	stderr_has "data: record 3: "
}

@test "lines may be long" {
	head -c 10000000 /dev/zero | tr '\0' x >line
	{ cat line; echo a; cat line; echo b; } >lines
	hpcheck -k 1.10000000 lines >sum
	hpcheck lines >sum
	jq -r .first sum | tr -d '\n' | wc -c >len
	echo 20000002 | same len -
	rc=0
	hpcheck -r lines >sum 2>err || rc=$?
	[ $rc = 1 ]
}

@test "several files are one sequence" {
	parts
	run_ hpcheck part.*
	status_is 0
	[ "$output" = "$(hpcheck all)" ]
	run_ hpcheck part.ab - <part.aa
	status_is 1
	stderr_is "hpcheck: standard input: record 1: not in order"
}

@test "combine: the summaries of the parts give the summary of the whole" {
	parts
	for f in part.* /dev/null; do hpcheck "$f"; done >sums
	run_ hpcheck --combine sums
	status_is 0
	stderr_is ""
	[ "$output" = "$(hpcheck all)" ]
	# From several files, and standard input.
	head -n 2 sums >a
	tail -n 3 sums >b
	run_ hpcheck --combine a - <b
	[ "$output" = "$(hpcheck all)" ]
	run_ hpcheck --combine <sums
	[ "$output" = "$(hpcheck all)" ]
}

@test "combine: a summary of no records has no bytes and no checksum" {
	printf 'a\nb\nc\n' >in
	for change in '.records = 0' '.records = 0 | .bytes = 0' '.records = 0 | .checksum = "0"'; do
		run_ hpcheck --combine <(hpcheck in | jq -c "$change")
		status_is 2
		stderr_has 'a count is impossible for 0 records'
	done
	# Nor a checksum whose lower 64 bits are 0.
	run_ hpcheck --combine <(hpcheck /dev/null | jq -c '.checksum = "10000000000000000"')
	status_is 2
	stderr_has 'a count is impossible for 0 records'
	hpcheck /dev/null | hpcheck --combine | cmp - <(hpcheck /dev/null)
	for words in '--extent 0:2' '--extents in' '--header 1'; do
		# shellcheck disable=SC2086 # words
		run_ hpcheck --combine $words <(hpcheck in)
		status_is 2
		stderr_has '--combine excludes --extent, --extents and --header'
	done
}

@test "combine: each part is in order, but the whole is not" {
	parts
	for f in part.aa /dev/null part.ac part.ab part.ad; do
		hpcheck "$f"
	done >sums
	run_ hpcheck --combine sums
	status_is 1
	stderr_is "hpcheck: sums: line 4: begins before the previous part ends"
	cat part.aa part.ac part.ab part.ad >wrong
	[ "$output" = "$(hpcheck wrong 2>/dev/null)" ]
}

@test "combine: a part that is out of order makes the whole out of order" {
	parts
	hpcheck part.aa >sums
	sort -r part.ab >x
	hpcheck x >>sums 2>/dev/null || true
	run_ hpcheck --combine sums
	status_is 1
	stderr_is "hpcheck: sums: line 2: not in order"
	cat part.aa x >wrong
	[ "$output" = "$(hpcheck wrong 2>/dev/null)" ]
}

@test "combine: equal keys on both sides of a boundary are duplicates" {
	printf 'a 1\nb 1\n' >x
	printf 'c 1\na 1\n' >y
	hpcheck -s -k 2 x >sums
	hpcheck -s -k 2 y >>sums
	run_ hpcheck --combine sums
	status_is 0
	member_is duplicates 3
	# With the last resort "b 1" and "c 1" are in order, "c 1", "a 1" not.
	hpcheck -k 2 x >sums
	hpcheck -k 2 y >>sums 2>/dev/null || true
	run_ hpcheck --combine sums
	status_is 1
	member_is "duplicates unordered first_unordered" "3 1 3"
	echo a >x
	hpcheck -u x >sums
	hpcheck -u x >>sums
	run_ hpcheck --combine sums
	status_is 1
	member_is "unordered duplicates" "1 1"
}

@test "combine: without summaries, the answer is that for an empty input" {
	run_ hpcheck --combine /dev/null
	status_is 0
	[ "$output" = "$(hpcheck /dev/null)" ]
}

@test "combine: only the documented members are needed" {
	cat >sums <<-'END'
		{"type":"summary","records":2,"bytes":4,"sorted":true,"checksum":"ffffffffffffffff","duplicates":0,"first":"61","last":"62","new":[1]}
		{"type":"summary","records":2,"bytes":4,"sorted":true,"checksum":"1","duplicates":1,"first":"62","last":"62"}
	END
	run_ hpcheck --combine sums
	status_is 0
	member_is "records bytes checksum duplicates first last" \
		"4 8 10000000000000000 2 61 62"
	sed -i '1s/true/false/' sums
	run_ hpcheck --combine sums
	status_is 1
	member_is "sorted unordered" "false 1"
}

@test "combine: a malformed document is refused with its line number" {
	good='{"type":"summary","records":2,"bytes":4,"sorted":true,"checksum":"1","duplicates":0,"first":"61","last":"62"}'
	while read -r change message; do
		{
			echo "$good"
			sed "$change" <<<"$good"
		} >sums
		run_ hpcheck --combine sums
		status_is 2
		stdout_is ""
		stderr_has "hpcheck: sums: line 2: "
		stderr_has "$message"
	done <<-'END'
		s/summary/plan/ expected a summary, this is a 'plan'
		s/"records":2/"records":-1/ 'records'
		s/"records":2,// 'records'
		s/"records":2/"records":9e15/ a count is impossible for
		s/true/1/ 'sorted'
		s/true/true,"unordered":1/ contradict
		s/true/false,"unordered":0/ contradict
		s/true/false,"unordered":2/ a count is impossible for
		s/"duplicates":0/"duplicates":2/ a count is impossible for
		s/:"1"/:"g"/ 'checksum'
		s/:"1"/:1/ 'checksum'
		s/"61"/"6"/ 'first'
		s/,"last":"62"// 'last'
		s/"last":"62"/"last":"60"/ the last key comes before the first
		s/^{/[/ column
	END
	{
		sed 's/:2,/:9007199254740992,/; s/:4/:9007199254740992/' <<<"$good"
		echo "$good"
	} >sums
	run_ hpcheck --combine sums
	status_is 2
	stderr_has "2^53"
	run_ hpcheck --combine nosuch
	status_is 2
	stderr_has "nosuch: No such file"
}

@test "combine: a line with more than a million lists or objects is refused" {
	for c in '[' '{"a":'; do
		{
			printf '{"type":"summary","x":'
			yes "$c" | head -n 1000001 | tr -d '\n'
			echo
		} >many
		run_ hpcheck --combine many
		status_is 2
		stderr_has 'the line has more than 1000000 values'
	done
}

@test "wrong usage and unreadable files exit 2" {
	for args in -x "-k 0" "-F u9" "-t ab" --combined "-n -d"; do
		# shellcheck disable=SC2086
		run_ hpcheck $args /dev/null
		status_is 2
		stdout_is ""
		[ -n "$stderr" ]
	done
	run_ hpcheck nosuch
	status_is 2
	stderr_has "nosuch: No such file or directory"
	run_ hpcheck ''
	status_is 2
	stderr_has "No such file or directory"
	run_ hpcheck .
	status_is 2
	run_ hpcheck --combine nosuch
	status_is 2
	stdout_is ""
	stderr_has "nosuch: No such file or directory"
	run_ bash -c 'hpcheck /dev/null >/dev/full'
	status_is 2
	stderr_has "No space left on device"
}

@test "an answer that cannot be written exits 2, not 1" {
	printf 'b\na\n' >data
	run_ bash -c 'hpcheck data >/dev/full'
	status_is 2
}

@test "--help and --version print the usage and the version" {
	run_ hpcheck --help
	status_is 0
	stdout_has "hpcheck --combine"
	run_ hpcheck --version
	status_is 0
	stdout_has "hpcheck (hptools) "
}

@test "--sum and --extents add up the checksums of parts of a file, in any order" {
	printf 'b\na\nc\nab\n' >in
	run_ hpcheck --sum in
	status_is 0
	[ "$(jq -c '[.type, .records, .bytes]' <<<"$output")" = '["sum",4,9]' ]
	[ "$(jq -r .checksum <<<"$output")" = \
		"$(sort in | hpcheck | jq -r .checksum)" ]
	run_ hpcheck --extent 2:4 in
	status_is 0
	[ "$output" = "$(printf 'a\nc\n' | hpcheck)" ]
	[ "$(hpcheck --extent 2:4 <in)" = "$output" ]
	run_ hpcheck --extent 2:4 in in
	status_is 2
	stderr_has '--extent takes one FILE'
	{
		echo '{"type":"extent","sublist":5,"rank":0,"offset":0,"bytes":2,"records":1}'
		echo '{"type":"extent","sublist":1,"rank":1,"offset":2,"bytes":7,"records":3}'
	} >extents
	run_ hpcheck --extents extents --sum in
	status_is 0
	[ "$(jq -c '[.sublist, .records, .checksum]' <<<"$output")" = \
		"$(printf '%s\n' "[5,1,\"$(printf 'b\n' | hpcheck | jq -r .checksum)\"]" \
			"[1,3,\"$(printf 'a\nc\nab\n' | hpcheck 2>/dev/null | jq -r .checksum)\"]")" ]
	run_ hpcheck --extents extents -N 1 in
	status_is 1
	[ "$(jq -c '[.records, .sorted]' <<<"$output")" = '[3,false]' ]
	for n in 2 4; do
		sed "s/\"records\":3/\"records\":$n/" extents >other
		run_ hpcheck --extents other --sum in
		status_is 2
		stderr_is "hpcheck: in: 3 records from byte 2 on, not the $n of other"
	done
	sed 's/"extent"/"count"/' extents >kind
	run_ hpcheck --extents kind --sum in
	status_is 2
	stderr_is "hpcheck: kind: line 1: expected an extent, this is a 'count'"
	# A node may have no part of the result.
	run_ hpcheck --extents extents -N 7 in
	status_is 0
	[ "$output" = '' ]
	run_ hpcheck --extents extents
	status_is 2
	run_ hpcheck -N 1 in
	status_is 2
}
