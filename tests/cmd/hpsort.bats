# shellcheck shell=bash disable=SC2154
# hpsort(1), held to LC_ALL=C sort: lines, files, errors
load common
load hpsort

@test "the input may be empty, have one record, or lack the final newline" {
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

@test "lines may contain NUL bytes, or end with them" {
	printf 'b\0x\na\0\nb\0\nb\na\n\0\n\0\0\n' >f
	as_sort f
	as_sort f -r
	as_sort f -u
	as_sort f -k1.2
	as_sort f -z
}

@test "keys may be prefixes of each other, and repeated" {
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

@test "all lines may be equal" {
	yes 'the same line' | head -100000 >f
	as_sort f
	as_sort f -u
	as_sort f -s -k2,2
}

@test "lines that are half of the input stay as they are, with each form of key" {
	local options
	local -a words

	{ yes 'GET /index 7' | head -n 60000; seq 60000; } | shuf >in
	while read -r options; do
		read -ra words <<<"$options"
		LC_ALL=C sort "${words[@]}" in >want
		hpsort "${words[@]}" in | same - want
		hpsort -S 1M "${words[@]}" in | same - want
	done <<-END
		-b
		-k1
		-k1.1
		-k1 -r
		-k1r
		-k1 -s
		-k1 -u
		-k1,1
		-k1.2
		-k1b
		-k1f
		-k2
		-k2,2n -k1
		-t : -k1
		-n
	END
}

@test "lines may have long common prefixes" {
	p=$(printf '/%.0sfirst/second/third' 1 2 3 4 5 6 7)
	words 70000 | awk -v p="$p" '{ print NR % 99 ? p $0 : substr(p, 1, $2)
		print p $1 p $2 }' >f
	as_sort f
	as_sort f -r
	as_sort f -u
}

@test "each line may be the beginning of the next, or a repeated one" {
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

@test "lines may have one byte, or 100 MB" {
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

@test "the inputs may be several files, standard input, and the same file twice" {
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

@test "standard input is read from its current offset to its end" {
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

@test "-o may name an input" {
	words 50000 >f
	sort f >expected
	chmod 600 f
	hpsort f -o f
	same f expected
	[ "$(stat -c %a f)" = 600 ]
}

@test "standard output may be the input file" {
	seq 100000 -1 1 >f
	sort f >expected
	hpsort f 1<>f
	same f expected
}

@test "standard output may be an input with -m or little memory, as with sort" {
	local file args r

	seq -w 0 1499999 >sorted
	shuf --random-source=<(yes) sorted >mixed
	seq -w 0 3 1499999 >y
	while read -r file args; do
		for r in '>>' '1<>'; do
			cp "$file" x
			cp "$file" want
			eval "timeout 60 hpsort ${args/X/x} $r x"
			eval "sort ${args/X/want} $r want"
			same x want
		done
	done <<-'EOF'
		sorted -S 8M -m X y
		sorted -m -u y X
		sorted -S 8M X
		mixed -S 8M X
		mixed -S 8M -r y X
	EOF
}

@test "output is appended to an existing file by >>" {
	(
		echo first
		printf 'b\na\n' | hpsort
		echo last
	) >out
	printf 'first\na\nb\nlast\n' | same out -
	echo b | hpsort >>out
	printf 'first\na\nb\nlast\nb\n' | same out -
}

@test "a file is not replaced in a directory that cannot be written to" {
	[ "$(id -u)" -ne 0 ] || set -- setpriv --bounding-set -all --inh-caps -all
	mkdir closed
	printf 'b\na\n' >closed/f
	chmod 555 closed
	run_ "$@" hpsort closed/f -o closed/f
	status_is 2
	stderr_is 'hpsort: closed/f: cannot create a file in its directory: Permission denied'
	run_ "$@" hpsort closed/f -o closed/g
	status_is 2
	stderr_is 'hpsort: closed/g: Permission denied'
	chmod 755 closed
}

@test "-o - and -o /dev/stdout write to the open file, and do not replace it" {
	local name

	printf 'b\na\n' >f
	for name in - /dev/stdout /dev/fd/1 /proc/self/fd/1; do
		(
			echo first
			hpsort -o $name f
			hpgen -F u8 -d sorted 0 $name
			echo last
		) >out
		printf 'first\na\nb\nlast\n' | same out -
	done
}

@test "a file of /sys, which is shorter than its size, is read to its end" {
	local f=/sys/devices/system/cpu/online

	[ -r $f ] || skip "no $f"
	printf 'z\na\n' >g
	hpsort g $f g -o actual
	sort g $f g | same actual -
	for words in '' '-S 8M'; do
		# shellcheck disable=SC2086 # words
		hpsort $words $f -o actual
		sort $f | same actual -
	done
}

@test "a closed standard descriptor is not reused for another file" {
	printf 'a\nc\n' >f
	for program in hpsort hpmerge "hpsort -m"; do
		run_ bash -c "$program f - <&-"
		status_is 2
		stderr_is "${program% *}: standard input: Bad file descriptor"
	done
	run_ bash -c 'hpsort f >&-'
	status_is 2
	stderr_is 'hpsort: standard output: Bad file descriptor'
	# Nothing is to be written there.
	for way in "-c f" "/dev/null" "-o out f" "-o out f <&-" \
		"-o out f <&- 2>&-"; do
		bash -c "hpsort $way >&-"
	done
	same out f
	for way in "-c -r f" "-C -r f"; do
		run_ bash -c "hpsort $way >&-"
		status_is 1
	done
}

@test "--progress and --stats do not go with -c and -C" {
	local o with

	for o in -c -C; do
		for with in --progress --stats; do
			run_ hpsort $o $with /dev/null
			status_is 2
			stderr_is "hpsort: options '$o $with' are incompatible"
		done
	done
}

@test "--extent sorts a part of the file" {
	hpgen -F u32 1000 f
	hpsort -F u32 --extent 400:800 f >actual
	tail -c +401 f | head -c 800 | hpsort -F u32 >expected
	same actual expected
	printf 'd\nc\nb\na\n' >f
	[ "$(hpsort --extent 2:4 f | tr -d '\n')" = bc ]
	[ "$(hpsort --extent 2:4 <f | tr -d '\n')" = bc ]
	for o in -c -C -m; do
		run_ hpsort $o --extent 2:4 f
		status_is 2
		stderr_is "hpsort: options '$o --extent' are incompatible"
	done
	run_ hpsort --extent 2 f
	status_is 2
	run_ hpsort --extent 1:2 f f
	status_is 2
	hpgen -F u32 10 f
	run_ hpsort --extent 0:6 -F u32 f
	status_is 2
}

@test "an extent that the file does not have is an error" {
	printf 'd\nc\nb\na\n' >f
	: >none
	for args in '4:6 f 10' '9:1 f 10' '8:1 f 9' '0:100 f 100' '0:1 none 1' \
		'0:1 /dev/null 1'; do
		read -r extent file end <<<"$args"
		run_ hpsort --extent "$extent" -o out "$file"
		status_is 2
		stderr_is "hpsort: $file: the extent ends at byte $end, behind the end of the file"
		[ ! -e out ]
	done
	for args in '8:0 f' '0:8 f' '0:0 none'; do
		read -r extent file <<<"$args"
		hpsort --extent "$extent" "$file" >out
	done
}

@test "an input that is cut short while it is read is an error" {
	hpgen 300000 f
	# Records that keep their order go out one by one from the file.
	cut_while_read f hpsort -F gensort -s f
	status_is 2
	stderr_has 'cut short'
	# The file is read in blocks, and cut when the first run is written.
	printf '%s\n' '#!/bin/sh' '[ "$1" = -d ] || truncate -s 1000 f' cat >pack
	chmod +x pack
	for o in '-F gensort' ''; do
		hpgen -a 300000 f
		# shellcheck disable=SC2086 # words
		run_ hpsort -S 8M --compress-program ./pack $o -o out f
		status_is 2
		stderr_is 'hpsort: f: cut short while it was read'
		[ ! -e out ]
	done
}

@test "a missing file, a directory or a wrong option exits 2 with a message" {
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
	for args in "''" "-o ''"; do
		eval "run_ hpsort $args"
		status_is 2
		stderr_is "hpsort: '': No such file or directory"
	done
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
	printf 'a\0\0' >names
	run_ hpsort --files0-from names
	status_is 2
	stderr_is 'hpsort: names:2: invalid zero-length file name'
	# One line, and nothing for the terminal to obey.
	printf 'a\n\033[31mb' >names
	run_ hpsort --files0-from names
	status_is 2
	stderr_is 'hpsort: a??[31mb: No such file or directory'
	run_ hpsort --files0-from f f
	status_is 2
	run_ hpsort --help
	status_is 0
	stdout_has 'usage: hpsort'
	run_ hpsort --version
	status_is 0
}

@test "a closed pipe ends the program without a message" {
	hpgen -F u32 200000 | od -An -v -w4 -tu4 >f
	run_ bash -c 'set -o pipefail; hpsort f | head -1 >/dev/null; exit ${PIPESTATUS[0]}'
	status_is 141
	stderr_is ''
}

@test "--progress prints the part that is done on standard error" {
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

@test "FIFOs are opened once, one after the other" {
	mkfifo one two
	for _ in 1 2 3 4 5; do
		printf 'b\n' >one &
		printf 'a\n' >two &
		run_ timeout 120 hpsort one two
		status_is 0
		stdout_is $'a\nb'
		wait
	done
}

@test "--dropped writes a summary of the records that -u drops, with the output" {
	printf '%s\n' b a b b >in
	run_ hpsort -u --dropped left -o out in
	status_is 0
	[ "$(cat out)" = $'a\nb' ]
	# As hpcheck sums up the same records.
	[ "$(jq -c '[.records, .bytes, .checksum]' left)" = \
		"$(printf 'b\nb\n' | hpcheck | jq -c '[.records, .bytes, .checksum]')" ]
	[ "$(jq -r .type left)" = dropped ]
	hpsort --dropped left -o out in
	[ "$(cat left)" = '{"type":"dropped","records":0,"bytes":0,"checksum":"0"}' ]
	rm left out
	# Not when there is no output, nor mixed with it.
	run_ hpsort -u --dropped left -o /dev/full in
	status_is 2
	[ ! -e left ]
	run_ hpsort -u --dropped nowhere/left -o out in
	status_is 2
	[ ! -e out ]
	run_ hpsort -u --dropped - in
	status_is 2
	stdout_is ''
	stderr_is 'hpsort: --dropped: standard output contains the records: use -o'
	run_ hpsort -c --dropped left in
	status_is 2
	[ ! -e left ]
	# Nor in the place of the output.
	for f in out ./out in link; do
		ln -sf in link
		run_ hpsort -u --dropped "$f" -o "${f#./}" in
		status_is 2
		stderr_is "hpsort: -o and --dropped name the same file: $f"
		[ ! -e out ]
	done
	cp in before
	run_ hpsort -u --dropped ./in -o out in
	status_is 2
	stderr_is 'hpsort: --dropped: ./in is an input'
	same in before
	[ ! -e out ]
	echo before >left
	run_ eval 'hpsort -u --dropped left in >>left'
	status_is 2
	stderr_is 'hpsort: --dropped: standard output contains the records: use -o'
	[ "$(cat left)" = before ]
}
