# shellcheck shell=bash disable=SC2154
# hpsort(1): the options of sort(1), and what was added to them
load common
load hpsort

# Few records: no work for several threads.
setup() {
	[ "${HP_SANITIZER-}" != thread ] || skip "one thread"
	begin
}

@test "-c and -C answer as sort does" {
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
	# A message that is lost is no answer; -C has none.
	for way in "-c f" "-C f"; do
		want=0 got=0
		# shellcheck disable=SC2086 # words
		sort $way 2>/dev/full || want=$?
		# shellcheck disable=SC2086
		hpsort $way 2>/dev/full || got=$?
		[ "$got" -eq "$want" ]
	done
	run_ hpsort -cC f
	status_is 2
	printf '\2\0\1\0' >f
	run_ hpsort -F u16 -c - <f
	status_is 1
	stderr_is 'hpsort: -:2: disorder: 0100'
	hpgen -F i32 1000 f
	run_ hpsort -F i32 -c f
	status_is 1
	hpsort -F i32 f | hpsort -F i32 -c
	hpsort -rF i32 f | hpsort -rF i32 -c
}

@test "-V orders all names of five characters as sort does" {
	local way

	awk 'function all(s, n, i) {
			print s
			for (i = 1; n > 0 && i <= 5; i++)
				all(s substr("a0.1~", i, 1), n - 1)
		}
		BEGIN { all("", 5) }' >f
	for way in -V -sV -uV -dV -Vr "-k1.2V -s"; do
		# shellcheck disable=SC2086 # words
		sort $way f >expected
		# shellcheck disable=SC2086
		hpsort $way f >actual
		same actual expected
	done
}

@test "-g reads numbers of any length" {
	local zeros nines tiny way

	zeros=$(printf '%040000d' 0)
	nines=${zeros//0/9}
	# In the middle between 1 and what follows it: the digits behind decide.
	tiny=1.0000000000000000000542101086242752217003726400434970855712890625
	printf '%s\n' 2 1 -1 0 -3 inf "${zeros}2" "1${zeros}" "-1$zeros" \
		"1${zeros}e-40000" "-1${zeros}e-40001" "0.${zeros}15e40001" \
		"0.${zeros}1e40002x" "1.${zeros}1" "1$zeros.5E-39999" \
		"0x1${zeros}p-159999" "0x.${zeros}1p160003" "0X${zeros}3p0" \
		"1e${zeros}3" "1e-${nines}" "1e$nines" "-1e+$nines" "0.$nines" \
		"$tiny" "$tiny${zeros}1" "$tiny$zeros" "-$tiny${zeros}1" \
		"${nines}e-40000" "$zeros" "-$zeros." ".${zeros}x" "x$zeros" >f
	for way in -g -gs -gu; do
		sort $way f >expected
		hpsort $way f >actual
		same actual expected
	done
}

@test "-R with --random-source gives the order of sort" {
	local way

	printf '%s\n' 'b 3' 'a 2 b' 'B 3' '' ' a-1' 'b 3' $'\t' 'a 2 b x' >f
	seq 1000 >>f
	head -c 100 /dev/urandom >source
	for way in -R -Rr -Ru -Rs -fR -dR -iR -bR -VR "-R -k2" "-k2R -k1,1" \
		"-k2,2R -u" "-n -k1,1R" "-k1,1Rr -k2r" "-R -t3 -k1.2,2"; do
		# shellcheck disable=SC2086 # words
		sort $way --random-source=source f >expected
		# shellcheck disable=SC2086
		hpsort $way --random-source=source f >actual
		same actual expected
		# shellcheck disable=SC2086
		hpmerge $way --random-source=source actual expected >merged
		# shellcheck disable=SC2086
		sort -m $way --random-source=source actual expected >expected2
		same merged expected2
	done
}

@test "a missing file is reported before the program waits for a FIFO" {
	local way

	mkfifo p
	printf 'b\n' >out
	for way in "" -m; do
		# shellcheck disable=SC2086 # words
		run_ timeout 60 hpsort $way p nofile -o out
		status_is 2
		stderr_is 'hpsort: nofile: No such file or directory'
	done
	[ "$(cat out)" = b ]
}

@test "-m merges files as sort does" {
	words 3000 | sort >f
	words 5000 | sort >g
	hpsort -m f g >actual
	sort -m f g >expected
	same actual expected
}

@test "obsolete keys such as +1 -2 may stand among files and options" {
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

@test "obsolete keys may follow each other" {
	printf 'b 3 a\na 2 b\nc 1 b x\n' >f
	_POSIX2_VERSION=200112 sort +1 -2 +0 f >expected
	_POSIX2_VERSION=200112 hpsort +1 -2 +0 f >actual
	same actual expected
}

@test "with POSIXLY_CORRECT, only the option -o may follow a file" {
	local way

	printf 'b\na\n' >f
	printf 'c\n' >g
	for way in "f -o out" "f g -oout" "f -o out g" "+0 f -o out"; do
		rm -f out
		# shellcheck disable=SC2086 # words
		POSIXLY_CORRECT=1 sort $way
		mv out expected
		# shellcheck disable=SC2086
		POSIXLY_CORRECT=1 hpsort $way
		same out expected
	done
	for way in "f -r" "f -o" "-c f -o out" "f -- -o out" "f -ro out"; do
		# shellcheck disable=SC2086
		POSIXLY_CORRECT=1 run_ hpsort $way
		status_is 2
	done
	POSIXLY_CORRECT=1 _POSIX2_VERSION=200112 run_ hpsort f -o out
	status_is 2
	stderr_is 'hpsort: -o: No such file or directory'
}

@test "-y is ignored, with any digits after it" {
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

@test "sizes and numbers of threads have the forms that sort accepts" {
	local size n

	printf 'b\na\n' >f
	for size in 1 5b 1K 1k 2m 1g 1t 1P 1E 15E +1M ' 1M' M 10% +5% 0% 150% \
		1Z 1R 1B 1KB 1KiB % +% b 1.5M 0x10 1e3 1bb -1 '' - + '1 M' \
		16E 99999999999999999999; do
		run_ sort -S "$size" f
		want=$status stdout=$output
		run_ hpsort -S "$size" f
		status_is "$want"
		stdout_is "$stdout"
	done
	for n in 1 2 +2 ' 2' 16 02 0 -1 2x '' x; do
		run_ sort --parallel "$n" f
		want=$status stdout=$output
		run_ hpsort --parallel "$n" f
		status_is "$want"
		stdout_is "$stdout"
	done
	# Of so many sort says that memory is exhausted.
	for n in 18446744073709551615 99999999999999999999999; do
		[ "$(hpsort --parallel $n f | paste -sd,)" = a,b ]
	done
}

@test "numbers in keys have the forms that sort accepts" {
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

@test "a second, different compress program or output is refused" {
	printf 'a\n' >f
	hpsort --compress-program=gzip --compress-program=gzip -o x -o x f
	run_ hpsort --compress-program=gzip --compress-program=cat f
	status_is 2
	stderr_is 'hpsort: multiple compress programs specified'
	for program in hpsort hpmerge; do
		run_ $program -o x -o y f
		status_is 2
		stderr_is "$program: multiple output files specified"
	done
	[ ! -e y ]
}

@test "--debug prints what sort prints" {
	printf '%s\n' 'a 5. x' '	b,-2.5K  Jan' '3,feb,1e3' '' ' . -inf,07' \
		$'\1x\351 9k' '     7' >f
	for args in "" -r -n "-nr -s" -f "-b -k2" "-k1.2,2.1b -k2n" "-t, -k2n" \
		"-t. -k1,2n" "-t- -k1n" "-t+ -k2g" "-k3M -k2,2h" -u "-u -r -k2" \
		"-M -k1n,4" "+1 -2" "+0.1n" "-d -i -k1" "-V -k2,2" "-g -k2,1" \
		"-s -k1,1 -k2.3bf,3.2" "-k3n,1" "-k3M,1.1" "-k3g,2.2" "-k2n,1" \
		"-k3h,1 -k4.2,2" "-k1b,1.1" "-k1n,1.1" "-k1.2b,1.1"; do
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

@test "options may be abbreviated as in sort, and --files0-from=- reads no name -" {
	printf 'b 1\na 1\nc 0\n' >f
	for way in "--p=1 --rev" "--st -k2" "--sta -k2" "--sta -k2 --para 2" \
		"--co=gzip" "--comp gzip --rev" "--compres=gzip -k2" "--u --k=2,2" "--num -k2" "--sort=num -k2" "--parallel=100000"; do
		# shellcheck disable=SC2086 # words
		sort $way f >expected
		# shellcheck disable=SC2086
		hpsort $way f >actual
		same actual expected
	done
	hpsort --he >actual
	hpsort --help >expected
	same actual expected
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

@test "--header drops all headers except the first, which goes on top" {
	local n big

	words 3000 >f
	words 50 >g
	for n in 0 1 2 700 2999 3000 5000; do
		{
			head -n "$n" f
			{ tail -n +"$((n + 1))" f; tail -n +"$((n + 1))" g; } | sort -k2n
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
	# A file shorter than N is all header.  An empty file has none.
	printf 'z' >short
	printf 'z\nb\na\n' >second
	hpsort --header 3 short second >actual
	printf 'z\n' >expected
	same actual expected
	: | hpsort --header 1 - second >actual
	printf 'z\na\nb\n' >expected
	same actual expected
}

@test "--header with -m, -c, -z, --debug and records of a fixed size" {
	printf 'title\na\nc\n' >f
	printf 'title\nb\nd\n' >g
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
