# shellcheck shell=bash disable=SC2154
# --header of the programs that read records: each file begins with one.
load common

# expect N ORDER... -- FILE...: in ./expected what sort(1) makes of the files
# without their first N lines, below those of the first file that is not empty.
expect() {
	local n=$1 order=() f

	shift
	while [ "$1" != -- ]; do
		order+=("$1")
		shift
	done
	shift
	for f; do
		[ ! -s "$f" ] || break
	done
	{
		head -n "$n" "$f" | sed '$a\'
		for f; do
			sed "1,${n}d;\$a\\" "$f"
		done | sort "${order[@]}"
	} >expected
}

tables() { # Three with the same header of two lines, one of them cut short.
	printf '%s\n' zz aa c,3 a,10 b,9 >a
	printf '%s\n' zz aa d,1 a,2 >b
	printf '%s\n' zz aa 'C,11' >c
	: >empty
	echo zz >short
	printf zz >open # without a newline
}

# in.*: parts of so many lines, each below a header; run.*: the same, sorted.
large() { # FILES LINES
	local i

	hpgen -F line "$2" >all
	split -n "l/$1" all part.
	for i in part.*; do
		printf '%s\n' '~ name' 'key value' | cat - "$i" >"in.${i#part.}"
		printf '%s\n' '~ name' 'key value' | cat - <(sort "$i") \
			>"run.${i#part.}"
	done
	printf '%s\n' '~ name' 'key value' | cat - <(sort all) >expected
}

@test "hpsort: the header of the first file is on top, all others are dropped" {
	tables
	for files in a 'a b' 'b a c' 'empty a b' 'empty empty a empty b' \
		'a empty' 'short a' 'a short b' 'open a' 'a open' empty \
		'empty empty' 'open open'; do
		for order in '' '-s -k2' '-t, -k2n' -u -r; do
			# shellcheck disable=SC2086 # words
			expect 2 $order -- $files
			# shellcheck disable=SC2086
			hpsort --header 2 $order $files >actual
			same actual expected
		done
	done
	# More than there are lines, and none.
	expect 9 -- a b
	hpsort --header 9 a b >actual
	same actual expected
	same actual a
	sort a b >expected
	hpsort --header 0 a b >actual
	same actual expected
}

@test "hpmerge and hpsort -m: the header of the first file is on top, all others are dropped" {
	tables
	for f in a b c; do
		sed -i '3,$!b' $f
		{ head -n 2 $f && tail -n +3 $f | sort; } >s.$f
	done
	for merge in hpmerge 'hpsort -m'; do
		for files in s.a 's.a s.b' 's.b s.c s.a' 'empty s.a s.b' \
			'empty empty s.c' 's.a empty' 'short s.a' 's.a open s.b' \
			'open s.a' empty; do
			# shellcheck disable=SC2086 # words
			expect 2 -- $files
			# shellcheck disable=SC2086
			$merge --header 2 $files >actual
			same actual expected
			# shellcheck disable=SC2086
			$merge --header 2 --batch-size 2 $files >actual
			same actual expected
		done
	done
	run_ hpmerge --header 2 s.a a
	status_is 2
	stderr_has 'hpmerge: a: record 4 is out of order'
	run_ hpmerge --header 2 a s.a
	status_is 2
	stderr_has 'hpmerge: a: record 4 is out of order'
}

@test "hprun: the header of the first file is on top, all others are dropped" {
	tables
	for files in a 'b a c' 'empty a b' 'a empty' 'short a' 'a open' 'open a' \
		empty 'open open'; do
		# shellcheck disable=SC2086 # words
		expect 2 -- $files
		# shellcheck disable=SC2086
		hprun -j 2 --header 2 $files >actual
		same actual expected
	done
	expect 2 -- a b c
	hprun -j 2 --header 2 a - c <b >actual
	same actual expected
	hprun -j 2 --dry-run --header 2 -o actual "$PWD/a" "$PWD/b" "$PWD/c" \
		>commands
	bash -eu commands
	same actual expected
	hpgen -F record:7 900 in
	hpsort -F record:7 --header 3 in in >expected
	hprun -j 2 -F record:7 --header 3 in in >actual
	same actual expected
	printf '%s\n' zz ab d,1 >d
	run_ hprun -j 2 --header 2 a d
	status_is 0
	stderr_has "hprun: $PWD/d: its header differs from that of $PWD/a, and is left out"
}

@test "standard input has one header, wherever it is among the files" {
	tables
	expect 2 -- a
	hpsort --header 2 <a >actual
	same actual expected
	expect 2 -- a b c
	hpsort --header 2 a - c <b >actual
	same actual expected
	# shellcheck disable=SC2002
	cat b | hpsort --header 2 a - c >actual
	same actual expected
	hpsort --header 2 - b c <a >actual
	same actual expected
	# shellcheck disable=SC2002
	cat a | hpsort --header 2 - b - c >actual
	same actual expected
	hpsort --header 2 a - - c <b >actual
	same actual expected
	for f in a b c; do
		{ head -n 2 $f && tail -n +3 $f | sort; } >s.$f
	done
	hpmerge --header 2 s.a - s.c <s.b >actual
	same actual expected
	hpmerge --header 2 - s.b s.c <s.a >actual
	same actual expected
	# shellcheck disable=SC2002
	cat s.a | hpmerge --header 2 - s.b s.c >actual
	same actual expected
	hpmerge --header 2 <(cat s.a) <(cat s.b) <(cat s.c) >actual
	same actual expected
	hpsort --header 2 <(cat a) <(cat empty) <(cat b) <(cat c) >actual
	same actual expected
	# What is read of a file is behind what was read before.
	seq 3 >f
	(read -r _ && hpsort --header 1 a - && cat) <f >actual
	{ sed -n 1p a && { sed 1d a && echo 3; } | sort; } | cmp - actual
}

@test "a FIFO is opened only once to read its header, even if it is empty" {
	tables
	expect 2 -- a b
	mkfifo p q r
	: >p &
	cat a >q &
	cat b >r &
	timeout 20 hpsort --header 2 p q r >actual
	same actual expected
	for f in a b; do
		{ head -n 2 $f && tail -n +3 $f | sort; } >s.$f
	done
	: >p &
	cat s.a >q &
	cat s.b >r &
	timeout 20 hpmerge --header 2 p q r >actual
	same actual expected
	wait
	# One writer feeds all, in an order that is not ours.
	{ cat s.b >r && cat s.a >q && : >p; } &
	timeout 20 hpmerge --header 2 <(cat s.a) q r >actual
	expect 2 -- s.a s.a s.b
	same actual expected
	timeout 5 cat p
	wait
}

@test "a device may be the only input of --header" {
	hpsort --header 1 - </dev/null >actual
	hpmerge --header 1 /dev/null >>actual
	[ ! -s actual ]
}

@test "--header works with -z and with records of a fixed size" {
	printf 'zz\0b\0a' >a
	printf 'zz\0c\0A\0' >b
	printf 'zz\0A\0a\0b\0c\0' >expected
	hpsort -z --header 1 a b >actual
	same actual expected
	hpsort -z --header 1 a >s.a
	hpsort -z --header 1 b >s.b
	hpmerge -z --header 1 s.a s.b >actual
	same actual expected
	hpcheck -z --header 1 actual s.a >/dev/null && return 1
	run_ hpcheck -z --header 1 actual
	status_is 0
	[ "$(jq .records <<<"$output")" = 4 ]
	[ "$(hpsplit count -z -N 0 --header 1 a | jq .records)" = 2 ]

	printf 'headBBBBAAAA' >a
	printf 'headDDDDCCCC' >b
	printf 'headAAAABBBBCCCCDDDD' >expected
	hpsort -F record:4 --header 1 a b >actual
	same actual expected
	hpmerge -F record:4 --header 1 <(hpsort -F record:4 --header 1 a) \
		<(hpsort -F record:4 --header 1 b) >actual
	same actual expected
	hpcheck -F record:4 --header 1 actual
	for n in 1 2 3 4; do
		[ "$(hpsplit count -F record:4 -N 0 --header $n a | jq .records)" = \
			$((n < 3 ? 3 - n : 0)) ]
		[ "$(hpsplit count -F record:4 -N 0 --header $n < <(cat a) |
			jq .records)" = $((n < 3 ? 3 - n : 0)) ]
	done
	printf 'headAAAABBBBhe' >a
	for p in 'hpsort -F record:4' 'hpmerge -F record:4' \
		'hpcheck -F record:4' 'hpsplit count -N 0 -F record:4'; do
		for n in 1 4; do
			run_ $p --header $n a
			status_is 2
			stderr_has 'record 4: 2 bytes, but a record has 4'
			run_ $p --header $n < <(cat a)
			status_is 2
			stderr_has 'record 4: 2 bytes, but a record has 4'
		done
	done
	run_ hpsort -F record:4 --header 9 b a
	status_is 2
	stderr_has 'a: record 4: 2 bytes, but a record has 4'
}

@test "-o may name any of the inputs" {
	tables
	for over in a b; do
		tables
		expect 2 -- a b
		hpsort --header 2 -o $over a b
		same $over expected
	done
	cp expected s.b
	{ head -n 2 a && tail -n +3 a | sort; } >s.a
	expect 2 -- s.a s.b
	hpmerge --header 2 -o s.b s.a s.b
	same s.b expected
}

@test "--debug marks no header line, even if a header is short" {
	tables
	hpsort --header 2 --debug -s -k1,1 short a 2>/dev/null >actual
	printf '%s\n' zz a,10 ____ b,9 ___ c,3 ___ | cmp - actual
}

@test "--header works with temporary files and in merges with several threads" {
	large 5 300000
	hpsort --header 2 -S 8M --stats in.* 2>stats >actual
	same actual expected
	jq -e '.runs > 1 and .records == 300000' stats
	cat in.aa | hpsort --header 2 -S 8M --stats - in.a[b-e] 2>stats >actual
	same actual expected
	jq -e '.runs > 1 and .records == 300000' stats
	for o in '' '--parallel 1' '--parallel 4' '--batch-size 2' '-S 8M' \
		'--batch-size 3 -S 8M' '--parallel 4 -s' '--parallel 4 -u'; do
		# shellcheck disable=SC2086 # words
		hpmerge --header 2 $o run.* >actual
		same actual expected
		# shellcheck disable=SC2086
		hpmerge --header 2 $o run.* -o actual
		same actual expected
	done
	# Sorted already, and one behind the other.
	head -n 100000 expected >one
	{ head -n 2 expected && tail -n +100001 expected; } | head -c -1 >two
	hpsort --header 2 one two >actual
	same actual expected
	hpsort --header 2 -S 8M one two >actual
	same actual expected
	hpmerge --header 2 one two >actual
	same actual expected
	hpsort --header 2 two one >actual
	same actual expected
}

@test "--header works with more files than may be open at once" {
	local i

	for ((i = 100; i < 200; i++)); do
		printf '%s\n' top $i $((i + 500)) >f.$i
	done
	{ echo top && seq 100 199 && seq 600 699; } >expected
	(ulimit -n 40 && hpmerge --header 1 f.*) >actual
	same actual expected
	(ulimit -n 40 && hpsort --header 1 f.*) >actual
	same actual expected
}

@test "a header line may be long" {
	{ head -c 3000000 /dev/zero | tr '\0' h && printf '\nb\nd\n'; } >a
	{ head -c 3000000 /dev/zero | tr '\0' h && printf '\na\nc\n'; } >b
	{ head -n 1 a && printf '%s\n' a b c d; } >expected
	for p in hpsort hpmerge; do
		$p --header 1 a b >actual 2>err
		same actual expected
		$p --header 1 -S 8M a <(cat b) >actual 2>>err
		same actual expected
		[ ! -s err ]
	done
}

@test "a header that differs from the first is left out with a warning" {
	tables
	printf '%s\n' zz ab d,1 >d
	expect 2 -- a d
	for f in a d; do
		{ head -n 2 $f && tail -n +3 $f | sort; } >s.$f
	done
	for p in hpsort hpmerge; do
		run_ $p --header 2 s.a s.d
		status_is 0
		stderr_is "$p: s.d: its header differs from that of s.a, and is left out"
		[ "$output" = "$(cat expected)" ]
		run_ $p --header 2 s.a - <s.d
		status_is 0
		stderr_is "$p: standard input: its header differs from that of s.a, and is left out"
		[ "$output" = "$(cat expected)" ]
		run_ $p --header 2 empty s.a s.d s.d
		stderr_is "$p: s.d: its header differs from that of s.a, and is left out"
		run_ $p --header 2 s.a short
		stderr_is "$p: short: its header differs from that of s.a, and is left out"
		# The last newline makes no difference, and nor does an empty file.
		run_ $p --header 1 short open empty
		stdout_is zz
		stderr_is ''
		run_ $p --header 2 s.a <(cat s.d)
		stderr_has 'its header differs from that of s.a'
	done
}

@test "a header that cannot be written is an error" {
	tables
	run_ hpsort --header 2 a -o /dev/full
	status_is 2
	run_ hpmerge --header 2 a nofile
	status_is 2
	stderr_has 'hpmerge: nofile: No such file or directory'
	for p in hpsort hpmerge; do
		run_ $p --header 2 --extent 0:6 a
		status_is 2
		stderr_has -- '--header'
	done
}

@test "hpsort -c and -C: the header is not checked, but its lines count" {
	tables
	run_ hpsort -c --header 2 a
	status_is 1
	stderr_is 'hpsort: a:4: disorder: a,10'
	run_ hpsort -C --header 2 a
	status_is 1
	stderr_is ''
	hpsort --header 2 a >s.a
	hpsort -c --header 2 s.a
	hpsort -c --header 2 <s.a
	hpsort -c --header 9 a
	hpsort -c --header 2 empty
	hpsort -c --header 2 short
	run_ hpsort -c s.a
	status_is 1
}

@test "hpcheck does not count the headers of the files as records" {
	tables
	hpsort --header 2 a b >sorted
	run_ hpcheck --header 2 a b c
	status_is 1
	stderr_is 'hpcheck: a: record 4: not in order'
	hpcheck --header 2 sorted >of_sorted
	[ "$(jq -c '[.records, .checksum]' of_sorted)" = \
		"$(hpcheck --header 2 a b 2>/dev/null | jq -c '[.records, .checksum]')" ]
	[ "$(jq -c '[.records, .checksum]' of_sorted)" = \
		"$(sed 1,2d sorted | hpcheck | jq -c '[.records, .checksum]')" ]
	[ "$(hpcheck --sum --header 2 <a | jq .records)" = 3 ]
	[ "$(hpcheck --header 2 < <(cat a) 2>/dev/null | jq .records)" = 3 ]
	# Files are one sequence below their headers.
	printf '%s\n' x 1 2 >one
	printf '%s\n' x 3 4 >two
	hpcheck --header 1 one two
	for f in empty short open; do
		[ "$(hpcheck --header 2 $f | jq -c '[.records, .sorted]')" = '[0,true]' ]
	done
	[ "$(hpcheck --header 2 empty one short two | jq .records)" = 2 ]
	for o in '--extent 0:3' '--extents x -N 0'; do
		# shellcheck disable=SC2086 # words
		run_ hpcheck --header 1 $o one
		status_is 2
		stderr_has '--header needs whole files'
	done
	run_ hpcheck --header x one
	status_is 2
	stderr_has -- '--header: '
}

# plan N1 N2...: a plan of so many records for each node.
plan() {
	local n rank=0 offset=0

	for n; do
		echo '{"type":"share","rank":'$rank',"node":"node'$rank'","n":'"$n"',"offset":'$offset',"seconds":1}'
		rank=$((rank + 1)) offset=$((offset + n))
	done >plan
	echo '{"type":"plan","n":'$offset',"nodes":'$rank',"method":"exact","cost":"n","makespan":1,"bound":1,"optimal":true,"unique":false}' >>plan
}

# headed: f, with a header of 2 records; its records alone, as body; a plan and
# sublists for them.
headed() {
	{ printf '%s\n' '~ title' x && seq -w 1 1000; } >f
	tail -n +3 f >body
	plan 500 300 200
	hpsplit sample -a psrs -P plan -N 0 body |
		hpsplit pivots -a psrs -P plan >sublists
}

@test "hpsplit deal: the header belongs to no extent" {
	headed
	hpsplit deal --header 2 -P plan f >deal
	[ "$(jq -c '[.offset, .bytes, .records]' deal | tr '\n' ' ')" = \
		'[10,2500,500] [2510,1500,300] [4010,1000,200] ' ]
	# The same extents, but further behind.
	hpsplit deal -P plan body | jq -c '.offset += 10' >expected
	jq -c . deal | cmp - expected
	run_ hpsplit deal -P plan f
	status_is 2
	stderr_has '1002 records, but the plan is for 1000'
}

@test "hpsplit sample: the header is no candidate" {
	local o

	headed
	for o in '-a random' '-a regular' '-a exact' '-a psrs' '-a pss'; do
		# shellcheck disable=SC2086 # words
		hpsplit sample $o -c 20 -N 1 --header 2 f >candidates
		# shellcheck disable=SC2086
		hpsplit sample $o -c 20 -N 1 body | cmp - candidates
		# shellcheck disable=SC2086
		hpsplit sample $o -c 20 -N 1 --header 2 <f | cmp - candidates
	done
	hpsplit sample -a random -c 20 -N 1 --header 2 <(cat f) >candidates
	hpsplit sample -a random -c 20 -N 1 <(cat body) | cmp - candidates
	hpsplit sample -a psrs -P plan -N 0 --header 2 f |
		hpsplit pivots -a psrs -P plan | cmp - sublists
}

@test "hpsplit count: the header is not counted" {
	local i o

	headed
	for o in '' --sorted; do
		# shellcheck disable=SC2086
		hpsplit count $o -L sublists -N 0 --header 2 f >counts
		# shellcheck disable=SC2086
		hpsplit count $o -L sublists -N 0 body | cmp - counts
	done
	hpsplit count -L sublists -N 0 --header 2 <(cat f) | cmp - counts
	[ "$(hpsplit count -N 0 --header 2 f | jq .records)" = 1000 ]
	[ "$(hpsplit count -N 0 --header 2 < <(cat f) | jq .records)" = 1000 ]
	for i in 0 1002 1003 9999; do
		[ "$(hpsplit count -N 0 --header $i f | jq .records)" = \
			$((i < 1002 ? 1002 - i : 0)) ]
		[ "$(hpsplit count -N 0 --header $i < <(cat f) | jq .records)" = \
			$((i < 1002 ? 1002 - i : 0)) ]
	done
	[ "$(hpsplit count -N 0 --header 2 /dev/null | jq .records)" = 0 ]
	: >empty
	printf x >short
	[ "$(hpsplit count -N 0 --header 2 empty | jq .records)" = 0 ]
	[ "$(hpsplit count -N 0 --header 2 short | jq .records)" = 0 ]
}

@test "hpsplit cut: the header is in no part" {
	headed
	hpsplit cut -L sublists -N 0 --header 2 f >frames
	hpsplit cut -L sublists -N 0 body | cmp - frames
	hpsplit cut -L sublists -N 0 --header 2 <(cat f) | cmp - frames
	hpsplit cut -L sublists -N 0 --extents --header 2 f | jq -c . >extents
	hpsplit cut -L sublists -N 0 --extents body | jq -c '.offset += 10' |
		cmp - extents
	hpsplit cut -L sublists -N 0 --extents -o out --header 2 f >extents
	hpsplit cut -L sublists -N 0 --extents -o want body | cmp - extents
	same out want
}

@test "hpsplit --header: messages count records from the start of the file" {
	headed
	tac body | cat <(printf '%s\n' a b) - >g
	run_ hpsplit sample -a regular -c 1000 -N 0 --header 2 g
	status_is 2
	stderr_has 'g: record 4 sorts before an earlier record'
}

@test "hpsplit: --header and --extent exclude each other" {
	local o

	headed
	for o in 'count -N 0 --extent 0:6' 'cut -L sublists -N 0 --extent 0:6'; do
		# shellcheck disable=SC2086
		run_ hpsplit $o --header 1 f
		status_is 2
		stderr_has '--header needs whole files'
	done
}
