# shellcheck shell=bash disable=SC2154
load common
load hprun

# ---- the result -------------------------------------------------------------

# lines N: as many lines, of few and of many kinds, some equal.
lines() {
	seq "$1" | awk -v OFS='\t' '{ print $1 * 7919 % 1009, $1 * 31 % 7, $1 % 3 "x" }'
}

# as_sort ALGORITHM WORD...: hprun and sort agree on the words and ./in.
as_sort() {
	local algorithm=$1

	shift
	run_ hprun "$@" -a "$algorithm" --speeds 5,3,1 -o out in
	status_is 0
	stderr_is ''
	sort "$@" in >want
	same out want
	rm out
	empty_dir tmp
}

@test "every method gives what sort gives, under every kind of order" {
	lines 3000 >in
	for a in exact psrs pss psop; do
		as_sort $a
		as_sort $a -s -k 2,2n
		as_sort $a -u -t $'\t' -k 1,1nr
	done
	as_sort exact -r
	as_sort exact -n
	as_sort exact -k 2,2n -k 1,1
	as_sort exact -s -r -k 3,3
	as_sort exact -b -f -k 3
}

@test "equal lines keep the order of the input with -s, and the first stays with -u" {
	awk 'BEGIN { for (i = 0; i < 4000; i++) print "key", i }' >in
	for a in exact pss; do
		as_sort $a -s -k 1,1
		as_sort $a -u -k 1,1
	done
}

@test "no record, one record, fewer records than nodes" {
	for a in exact pss; do
		: >in
		as_sort $a
		printf '\n' >in
		as_sort $a
		printf 'no newline' >in
		as_sort $a
		printf 'b\na' >in
		as_sort $a
	done
	: >in
	as_sort psrs
	as_sort psop
}

@test "one node, and more nodes than processors" {
	lines 500 >in
	sort in >want
	for a in exact psop; do
		for n in 1 9; do
			run_ hprun -a $a -j $n -o out in
			status_is 0
			same out want
		done
	done
	empty_dir tmp
}

@test "all records equal, and empty lines" {
	yes same | head -n 2000 >in
	for a in exact psrs pss psop; do
		as_sort $a
	done
	yes '' | head -n 2000 >in
	as_sort psrs
	as_sort pss -s
}

@test "bytes of every kind, lines with NUL, long lines" {
	head -c 200000 /dev/urandom >in
	as_sort exact
	as_sort pss
	as_sort psrs -z
	as_sort psop -z -s
	{
		head -c 3000000 /dev/zero | tr '\0' x
		echo
		seq 100
		head -c 3000000 /dev/zero | tr '\0' w
	} >in
	as_sort exact
	as_sort psop
}

@test "records and numbers of every format" {
	for f in gensort u8 i32be f64 record:12,4,8; do
		for a in exact pss; do
			hpgen -F $f --seed 7 2000 in
			run_ hprun -F $f -a $a --speeds 2,1,1 -o out in
			status_is 0
			hpcheck -F $f in >before || true
			run_ hpcheck -F $f out
			status_is 0
			[ "$(jq -c '[.records, .checksum]' <<<"$output")" = \
				"$(jq -c '[.records, .checksum]' before)" ]
		done
	done
}

@test "the nodes get their shares" {
	hpgen -F gensort --seed 3 20000 in
	for a in psrs pss; do
		rm -f trace
		run_ hprun -F gensort -a $a --speeds 8,5,3,1 --trace trace \
			-o out in
		status_is 0
		run_ jq -s '[.[] | select(.step == "exchange")] | sort_by(.rank) |
			map(.records) | add == 20000 and
			.[0] > .[1] and .[1] > .[2] and .[2] > .[3]' trace
		stdout_is true
	done
}

@test "a random order is the same on all nodes" {
	seq 300 | sed p >in
	head -c 16 /dev/urandom >source
	hpsort -R --random-source=source in >want
	run_ hprun -R --random-source source -j 3 -o out in
	status_is 0
	same out want
	hprun --sort=random -j 2 in >out
	[ "$(uniq out | wc -l)" = 300 ]
	sort out | cmp - <(sort in)
}

# ---- input and output -------------------------------------------------------

@test "input from a pipe, from -, from several files, one without its last newline" {
	seq 900 | shuf --random-source=<(yes) >in
	sort in >want
	run_ hprun -j 2 -o out <in
	status_is 0
	same out want
	hprun -j 2 /dev/stdin <in >out
	same out want
	hprun -j 2 -o out in >&-
	same out want
	rm out
	run_ bash -c 'hprun -j 2 -o out <&-'
	status_is 2
	[ ! -e out ]
	cat in | hprun -j 2 >out
	same out want
	head -n 400 in | head -c -1 >one
	: >none
	head -n 500 in | tail -n 100 >'-two'
	tail -n 400 in | hprun -a pss -j 3 one none -o out -- ./-two -
	same out want
	printf 'b\0a' >one
	printf 'c' | hprun -z one - >out
	printf 'a\0b\0c\0' >want
	same out want
	hpgen -F u32 --seed 1 50 one
	hpgen -F u32 --seed 2 50 two
	hprun -F u32 -j 2 one two | hpcheck -F u32 | jq -e '.records == 100'
}

@test "the output may be an input, a link, a device, and keeps its mode" {
	seq 500 | shuf --random-source=<(yes) >in
	sort in >want
	chmod 604 in
	ln -s in link
	run_ hprun -j 2 -o link in
	status_is 0
	same in want
	[ -L link ]
	[ "$(stat -c %a in)" = 604 ]
	run_ hprun -j 2 -o /dev/null in
	status_is 0
	[ -c /dev/null ]
	(umask 027 && hprun -j 2 -o new in)
	[ "$(stat -c %a new)" = 640 ]
	hprun -j 2 -o - in >out
	same out want
}

@test "names with everything that a shell would take apart" {
	d='a $(touch pwned) "b" '\''c'\''; touch pwned
	d\n'
	mkdir "$d"
	seq 300 | shuf --random-source=<(yes) >"$d/-in; touch pwned"
	sort "$d/-in; touch pwned" >want
	jq -nc --arg n "n'\$(touch pwned)\"; touch pwned" '{type: "node", node: $n, speed: 1}, {type: "node", node: "b", speed: 2}' \
		>"$d/cluster"
	TMPDIR=$PWD/$d
	cd "$d"
	for a in exact pss; do
		run_ hprun -a $a -C cluster -o "out
" ./"-in; touch pwned"
		status_is 0
		stderr_is ''
		same "out
" ../want
		rm "out
"
	done
	[ "$(ls -A)" = "$(printf '%s\n' '-in; touch pwned' cluster)" ]
	[ ! -e ../pwned ]
}

@test "--dry-run prints commands that do the same in bash" {
	lines 1000 >'in '\'' 1'
	mkdir "f'ar"
	jq -nc --arg dir "$PWD/f'ar" '
		{type: "node", node: "a b", host: "h o;s`t", speed: 3, $dir},
		{type: "node", node: "c", host: "other", speed: 1, $dir}' >cluster
	printf '%s\n' '#!/bin/sh' 'echo "$1" >>hosts; shift; eval "$*"' >'rsh'
	chmod +x rsh
	for words in '-a psrs' '' '-a psop -u' '-a pss -s -k 2,2n' \
		'-a exact --transport unix' '--keep kept'; do
		words="$words --rsh $PWD/rsh"
		# shellcheck disable=SC2086 # words
		hprun $words -C cluster --dry-run -o 'o u t' 'in '\'' 1' >commands
		empty_dir tmp
		run_ bash -eu commands
		status_is 0
		stderr_is ''
		# shellcheck disable=SC2086
		hprun ${words/--keep kept} -C cluster "in ' 1" >want
		same 'o u t' want
		rm 'o u t'
		empty_dir tmp
	done
	[ -s kept/plan.jsonl ]
	hprun --dry-run <&- >commands
	grep -q 'cat -- - >input' commands
}

@test "--rsh runs the steps of nodes that have a host, through its shell" {
	lines 1000 >in
	sort in >want
	printf '%s\n' '#!/bin/sh' "host=\$1" 'shift' \
		"printf '%s\\n' \"\$host\" >>'$PWD/hosts'" \
		'exec sh -c "$*"' >remote
	chmod +x remote
	jq -nc '{type: "node", node: "a", host: "far $(id) away", speed: 3},
		{type: "node", node: "b", speed: 1}' >cluster
	for a in exact pss; do
		run_ hprun -a $a -C cluster --rsh "$PWD/remote " in
		status_is 0
		printf '%s\n' "$output" >out
		same out want
	done
	[ "$(sort -u hosts)" = 'far $(id) away' ]
	jq -nc '{type: "node", node: "a", host: "-oProxyCommand=x"}' >cluster
	run_ hprun -C cluster --rsh ssh in
	status_is 2
	stderr_has "must not begin"
}

@test "--keep keeps all documents, in a directory that was empty" {
	lines 500 >in
	run_ hprun -j 2 --keep kept -o out in
	status_is 0
	for f in cluster plan deal sublists; do
		[ -s kept/$f.jsonl ]
	done
	cat kept/node.0/out kept/node.1/out >parts
	same parts out
	[ -z "$(find kept ! -type f ! -type d)" ]
	run_ hprun -j 2 --keep kept -o out in
	status_is 2
	stderr_has 'not empty'
}

@test "--trace tells of every step of every node" {
	lines 500 >in
	for a in psrs pss; do
		rm -f trace
		run_ hprun -a $a -j 3 --trace trace -o out in
		status_is 0
		run_ jq -sr 'all(.type == "step" and .end_s >= .start_s and
			.records >= 0 and .bytes >= 0)' trace
		stdout_is true
		jq -r '"\(.rank) \(.step)"' trace | sort | uniq -d >twice
		same twice /dev/null
		for s in sample cut exchange; do
			[ "$(jq -s "map(select(.step == \"$s\").records) | add" \
				trace)" = 500 ]
		done
		for s in count plan deal pivots; do
			jq -se "any(.step == \"$s\" and .node == \"launcher\")" \
				trace
		done
	done
}

@test "--trace adds to what is there, for hpprofile learn" {
	lines 500 >in
	hprun -j 2 --trace trace -o out in
	hprun -j 2 --trace trace -o out in
	[ "$(jq -s 'map(select(.step == "sort").records) | add' trace)" = 1000 ]
	[ "$(jq -s 'map(.run) | unique | map(length > 0) | length' trace)" = 2 ]
	jq -nc '{type: "node", node: "node0"}, {type: "node", node: "node1"}' >nodes
	hpprofile learn --whole nodes trace |
		jq -se 'all((.points | length > 0) and .seconds_per_item > 0)'
}

@test "--profile measures the nodes without points, and writes the cluster anew" {
	lines 3000 >in
	{
		echo '{"type":"node","node":"a b","speed":2}'
		echo '{"type":"node","node":"known","points":[{"n":10,"seconds":1}]}'
	} >cluster
	chmod 604 cluster
	ln -s cluster link
	run_ hprun -C link --profile=1 -n -o out in
	status_is 0
	sort -n in | cmp - out
	[ -L link ]
	[ "$(stat -c %a cluster)" = 604 ]
	[ "$(jq -c '[.node, .speed, (.points | length > 1)]' cluster)" = \
		'["a b",2,true]
["known",null,false]' ]
	jq -r 'select(.speed).workload' cluster | grep -q -- '-n'
	[ "$(sed -n 2p cluster)" = \
		'{"type":"node","node":"known","points":[{"n":10,"seconds":1}]}' ]
	# What is known is not measured again.
	cp cluster before
	hprun -C cluster --profile=1 -n -o out in
	same cluster before
	run_ hprun -j 2 --profile in
	status_is 2
	instead hpprofile <<<'echo no luck >&2; exit 2'
	sed -i '2s/points/other/' cluster
	cp cluster before
	run_ hprun -C cluster --profile=1 -o new in
	status_is 2
	stderr_has 'known: no luck'
	same cluster before
	[ -z "$(find . -name '.hprun*')" ]
}

@test "--progress tells steps, per cent, rate and time; else nothing does" {
	lines 30000 >in
	for a in exact psop; do
		run_ hprun --progress -a $a -j 2 -o out in
		status_is 0
		stderr_has 'hprun: plan'
		stderr_has 'hprun: gather, 100 %'
		grep -Eq '^hprun: exchange, [0-9]+ %' <<<"$stderr"
		run_ hprun -a $a -j 2 -o out in
		stderr_is ''
	done
}

@test "--header keeps the first records on top, and does not count them" {
	lines 2000 | sort -R --random-source=<(yes) >body
	printf 'zz\naa\n' >titles
	cat titles body >in
	sort -k 2,2n -s body | cat titles - >want
	for a in exact psop; do
		hprun -a $a -j 3 --header 2 -s -k 2,2n --trace trace.$a -o out in
		same out want
		hprun -a $a -j 3 --header 2 -s -k 2,2n <in >out
		same out want
		jq -se 'all(select(.step == "plan").records == 2000)' trace.$a
	done
	# More than there are, the last one without its end.
	printf 'b\na' >in
	printf 'b\na\n' >want
	hprun -j 2 --header 5 in >out
	same out want
	hprun -j 2 --header 2 in >out
	same out want
	printf 'b\0a\0c' >in
	hprun -j 2 -z --header 1 in | tr '\0' ' ' >out
	[ "$(cat out)" = 'b a c ' ]
	for f in gensort u16be record:7; do
		hpgen -F $f --seed 5 900 in
		hpsort -F $f --header 3 in >want
		hprun -F $f --header 3 -j 2 in >out
		same out want
	done
}

@test "--in-place: the parts are there already, as many as there are in each" {
	lines 3000 >in
	head -n 100 in >part.0
	: >part.1
	tail -n +101 in >part.2
	for a in exact psrs pss psop; do
		hprun -a $a -j 3 --in-place 'part.{rank}' --trace trace.$a -o out
		sort in | cmp - out
	done
	for a in exact psrs; do
		jq -se 'any(.step == "sort" and .node == "node2" and .records == 2900)' \
			trace.$a
	done
	same part.2 <(tail -n +101 in)
	run_ hprun -j 3 --in-place part.0 -o out
	status_is 2
	stderr_has 'is of several nodes'
	run_ hprun -j 4 --in-place 'part.{rank}' -o new
	status_is 2
	stderr_has "node3: $PWD/part.3: cannot be read"
	run_ hprun -j 3 --in-place 'part.{rank}' -o new in
	status_is 2
	empty_dir tmp
	[ ! -e new ]
}

@test "--in-place with --header: the first node's file has the header" {
	lines 3000 >in
	{
		printf 'zz\naa\n'
		head -n 1000 in
	} >'part 0'
	tail -n +1001 in >'part 1'
	cp 'part 0' before
	{
		printf 'zz\naa\n'
		sort -s -k 2,2n in
	} >want
	for a in exact psrs pss psop; do
		hprun -a $a -j 2 --in-place 'part {rank}' --header 2 -s -k 2,2n \
			--trace trace.$a -o out
		same out want
		hprun -a $a -j 2 --in-place 'part {rank}' --header 2 -s -k 2,2n >out
		same out want
		jq -se --argjson bytes "$(head -n 1000 in | wc -c)" 'any(.step == "count"
			and .node == "node0" and .records == 1000 and .bytes == $bytes)' \
			trace.$a
	done
	rm out
	hprun --dry-run -j 2 --in-place 'part {rank}' --header 2 -s -k 2,2n -o out \
		>commands
	bash -eu commands
	same out want
	same 'part 0' before
	# More than there are, the last one without its end.
	printf 'b\na' >'part 0'
	printf 'b\na\n1\n2\n' >want
	for a in exact psop; do
		printf '2\n1\n' >'part 1'
		hprun -a $a -j 2 --in-place 'part {rank}' --header 5 >out
		same out want
	done
	printf 'b\0a\0c' >'part 0'
	printf '2\0' >'part 1'
	hprun -z -j 2 --in-place 'part {rank}' --header 1 | tr '\0' ' ' >out
	[ "$(cat out)" = 'b 2 a c ' ]
	hpgen -F record:7 --seed 5 900 'part 0'
	: >'part 1'
	hpsort -F record:7 --header 3 'part 0' >want
	hprun -F record:7 --header 3 -j 2 --in-place 'part {rank}' >out
	same out want
	run_ hprun -j 2 --header 1 --leave 'left {rank}' in
	status_is 2
	stderr_has 'without --header'
}

@test "--leave: each node keeps its part, proven; the summary is of the whole" {
	lines 3000 >in
	mkdir parts
	for a in exact psrs pss; do
		run_ hprun -a $a --speeds 2,1,1 --leave 'parts/{node}' in
		status_is 0
		[ "$(jq -c '[.type, .records, .sorted]' <<<"$output")" = \
			'["summary",3000,true]' ]
		sort in | hpcheck | jq -r .checksum >want
		jq -r .checksum <<<"$output" >got
		same got want
		cat parts/node0 parts/node1 parts/node2 | cmp - <(sort in)
		rm parts/*
	done
	# In place and left in place.
	split -n l/3 --numeric-suffixes=0 -a 1 in parts/
	hprun -j 3 --in-place 'parts/{rank}' --leave 'parts/{rank}'
	cat parts/? | cmp - <(sort in)
	rm parts/*
	run_ hprun -j 2 --leave parts/all -o out in
	status_is 2
	run_ hprun -j 2 --leave 'nowhere/{rank}' in
	status_is 2
	stderr_has "nowhere/: cannot be written"
	instead hpcheck <<-'EOF'
		case $* in
		*.1) exit 1 ;;
		*) exec "$real" "$@" ;;
		esac
	EOF
	HP_RUN=$HP_MARK run_ hprun -j 2 --leave 'parts/{rank}' in
	status_is 2
	stderr_has 'node1: prove: failed'
	empty_dir parts
	nothing_left
}

@test "--leave: the summary tells where the parts are, of psop several on a node" {
	lines 3000 >in
	mkdir "par'ts"
	for words in 'psop' 'psop -u -k 1,1n' 'psop -s -k 2,2' 'exact'; do
		# shellcheck disable=SC2086 # words
		run_ hprun -a $words --speeds 3,2,1 --leave "par'ts/{node}" in
		status_is 0
		stderr_is ''
		printf '%s\n' "$output" >summary
		jq -r '.parts[] | "tail -c +\(.offset + 1) \(.path | @sh) | head -c \(.bytes)"' \
			summary | bash >joined
		# shellcheck disable=SC2086
		sort ${words#[a-z]*[pt]} in | cmp - joined
		for f in "par'ts"/*; do
			# shellcheck disable=SC2086
			sort -c ${words#[a-z]*[pt]} "$f"
		done
		jq -e '.sorted and .records == (.parts | map(.records) | add) and
			([.parts[].node] | [., .[1:]] | transpose[:-1] |
			all(.[0] != .[1]))' summary
		[ "$(hpcheck --combine summary)" = "$(jq -c 'del(.parts)' summary)" ]
		rm "par'ts"/*
	done
	: >in
	run_ hprun -a psop -j 2 --leave "par'ts/{rank}" in
	[ "$(jq -c '[.records, .parts]' <<<"$output")" = '[0,[]]' ]
	[ "$(stat -c %s "par'ts"/* | tr '\n' ' ')" = '0 0 ' ]
	rm "par'ts"/*
	# What is not what was written is not left.
	lines 3000 >in
	instead hpcheck <<-'EOF'
		case $PWD in
		*/node.1) head -n 1 | "$real" ;;
		*) exec "$real" "$@" ;;
		esac
	EOF
	HP_RUN=$HP_MARK run_ hprun -a psop -j 2 --leave "par'ts/{rank}" in
	status_is 2
	stderr_has 'a part is not what was written'
	empty_dir "par'ts"
	nothing_left
}

# ---- usage ------------------------------------------------------------------

@test "usage, --help and --version" {
	run_ hprun --help
	status_is 0
	stdout_has 'usage: hprun'
	run_ hprun --version
	status_is 0
	[[ $output == 'hprun (hptools) '[0-9]* ]]
	run_ bash -c 'hprun --help >/dev/full'
	status_is 2
	for words in --nonsense '-j 0' '-j x' '-j 2 --speeds 1,2' '-a nonsense' \
		'--speeds 1,,2' '--speeds a' '--speeds 1.2.3' '--speeds 1,0' \
		'--speeds 0.0' '--speeds .' '-S much' '-S 101%' '-o' \
		'-S 9999999999999999999' '-j 2 --without node2' \
		'-j 2 --rsh ./far' '-j 2 --rsh=bin/far'; do
		# shellcheck disable=SC2086
		run_ hprun $words
		status_is 2
		stdout_is ''
		stderr_has usage
	done
}

@test "what is wrong is said before the work begins, with exit 2" {
	seq 10 >in
	run_ hprun -j 2 nothing
	status_is 2
	stderr_has 'nothing: No such file'
	run_ hprun -j 2 -o here/out in
	status_is 2
	stderr_has 'here/out: No such file'
	run_ hprun -j 2 -o . in
	status_is 2
	stderr_has 'Is a directory'
	run_ hprun -j 2 in .
	status_is 2
	stderr_has 'Is a directory'
	run_ hprun -C nothing in
	status_is 2
	stderr_has nothing
	echo '{"type":"node"}' >cluster
	run_ hprun -C cluster in
	status_is 2
	stderr_has 'cluster: line 1'
	run_ hprun -C <(echo '{"type":"node","node":"a","speed":1}') in
	status_is 2
	stderr_has 'must be a file'
	echo '{"type":"node","node":"a","host":"b","dir":"c","speed":1}' >cluster
	run_ hprun -C cluster in
	status_is 2
	stderr_has 'cluster: a: dir c on a host must be absolute'
	mkdir here.0 here.1
	run_ hprun -j 2 --leave 'here.{rank}' in
	status_is 2
	stdout_is ''
	stderr_has 'node0: '
	stderr_has 'here.1: Is a directory'
	rmdir here.0 here.1
	run_ hprun -T nothing in
	status_is 2
	empty_dir tmp
}

@test "a bad order or a bad record fails the run with the program's message" {
	seq 10 >in
	run_ hprun -j 2 -k 0 in
	status_is 2
	stderr_has 'hpsplit: field number is zero'
	for format in nonsense '' u record:0 record:x; do
		run_ hprun -j 2 -F "$format" --header 1 in
		status_is 2
		stdout_is ''
		[[ $stderr == 'hpsplit: format '* && $stderr != *$'\n'* ]]
	done
	printf '123456789' >in
	run_ hprun -j 2 -F u64 -o out in
	status_is 2
	[ ! -e out ]
	empty_dir tmp
}

@test "an answer of no is passed on" {
	seq 100 >in
	echo '{"type":"node","node":"a","capacity":10,"speed":1}' >cluster
	run_ hprun -C cluster -o out in
	status_is 1
	stderr_has 'launcher: hpsolve'
	[ ! -e out ]
	empty_dir tmp
}

# ---- faults -----------------------------------------------------------------

# a_bad_run CODE: hprun of ./in fails with the code and leaves nothing.
a_bad_run() {
	local code=$1

	shift
	HP_RUN=$HP_MARK run --separate-stderr -"$code" timeout 60 hprun "$@" \
		-j 3 -o out in
	stdout_is ''
	nothing_left
}

@test "a step that fails fails the run, with its words and its exit status" {
	seq 2000 >in
	instead hpsort <<-'EOF'
		case $PWD in
		*/node.1) echo "hpsort: no luck" >&2; exit 2 ;;
		*) sleep 600 ;;
		esac
	EOF
	a_bad_run 2 -a psrs
	stderr_is 'node1: hpsort: no luck
hprun: node1: sort: failed'
}

@test "every program may fail" {
	seq 2000 >in
	for way in exact/hpsolve exact/hpsplit exact/hpsort exact/hpmerge \
		exact/hpexchange pss/hpsplit pss/hpexchange psop/hpsort; do
		rm -rf bin
		instead ${way#*/} <<-'EOF'
			case $PWD/$* in
			*/node.1/-[!-]* | */node.1/[!-]* | */-n\ *) exit 2 ;;
			*) exec "$real" "$@" ;;
			esac
		EOF
		a_bad_run 2 -a ${way%/*}
		stderr_has 'failed'
	done
}

@test "a program killed midway: exit 3, and all others end" {
	seq 20000 >in
	for way in exact/hpsort exact/hpmerge pss/hpexchange; do
		rm -rf bin
		instead ${way#*/} <<-'EOF'
			case $PWD/$* in
			*/node.1/-[!-]*) kill -KILL $$ ;;
			*) exec "$real" "$@" ;;
			esac
		EOF
		a_bad_run 3 -a ${way%/*}
		stderr_has 'node1'
	done
}

@test "a program that is not there is said before the run" {
	seq 20 >in
	instead hpmerge </dev/null
	rm bin/hpmerge
	PATH=$PWD/bin:/usr/bin:/bin
	a_bad_run 2 -a psrs
	stderr_has 'node0: hpmerge: not found'
	stderr_has 'node2: hpmerge: not found'
}

# slow_run WORD...: starts hprun, with steps that do not end, in a session of
# its own with the signals as a terminal has them; waits for the steps; $pid.
slow_run() {
	instead hpsort <<-'EOF'
		echo >>ready
		sleep 600
	EOF
	rm -f pids
	HP_RUN=$HP_MARK setsid env --default-signal=INT,TERM,HUP,PIPE \
		hprun -a psrs -j 3 "$@" in 3>&- >stdout 2>stderr &
	pid=$!
	for _ in {1..100}; do
		[ "$(cat tmp/*/*/ready 2>/dev/null | wc -l)" = 3 ] && break
		sleep 0.1
	done
	[ -z "$(left_running)" ] || return 0
	fail 'the steps did not start' "$(cat stderr)"
}

@test "SIGINT, SIGTERM and SIGHUP end the run, and hprun dies of them" {
	seq 2000 >in
	for s in INT TERM HUP; do
		rm -rf bin
		slow_run -o out
		# As the terminal does: the whole group of processes.
		kill -s $s -- "-$pid"
		run wait "$pid"
		wait "$pid" && false
		[ $? = $((128 + $(kill -l $s))) ]
		nothing_left
		same stderr /dev/null
	done
}

@test "hprun killed by SIGKILL: the janitor ends the steps and cleans" {
	seq 2000 >in
	slow_run -o out
	kill -KILL "$pid"
	wait "$pid" || true
	nothing_left
	rm -rf bin
	slow_run
	kill -KILL -- "-$pid"
	wait "$pid" || true
	nothing_left
}

@test "a reader of standard output that goes away ends the run quietly" {
	seq 200000 >in
	set +o pipefail
	hprun -j 2 in 2>stderr | head -n 1
	[ "${PIPESTATUS[0]}" = 141 ]
	same stderr /dev/null
	run_ bash -c 'hprun -j 2 in >/dev/full'
	status_is 2
	stderr_has 'No space left'
	nothing_left
}

@test "a run that cannot begin leaves no directory" {
	seq 10 >in
	mkdir other
	cat >other/mktemp <<-EOF
		#!/bin/sh
		$(command -v mktemp) "\$@" | tee -a "$PWD/made"
	EOF
	cat >other/mkfifo <<-EOF
		#!/bin/sh
		[ "\$1" != watch ] && exec $(command -v mkfifo) "\$@"
	EOF
	chmod +x other/*
	run_ env PATH="$PWD/other:$PATH" hprun -j 2 in
	status_is 2
	[ "$(wc -l <made)" = 2 ]
	while read -r name; do
		[ ! -e "$name" ]
	done <made
}

@test "a full disk, in the work directory and at the output" {
	unshare -m true 2>/dev/null || skip 'no right to mount'
	seq 200000 >in
	mkdir small
	cat >full <<-'EOF'
		mount -t tmpfs -o size=$1 none small
		if [ "$2" = work ]; then TMPDIR=$PWD/small; else out=small/; fi
		hprun -j 2 -a "$3" -o "${out-}out" <in
		status=$?
		rm -f small/ballast
		ls -A small >left
		exit $status
	EOF
	# Others fill it, once it is known that there is room.
	instead hpsort <<-EOF
		! mountpoint -q "$PWD/small" || cat /dev/zero >"$PWD/small/ballast" || :
		exec "\$real" "\$@"
	EOF
	for way in '1200k work exact' '9m work exact' '9m work pss' \
		'9m output exact'; do
		# shellcheck disable=SC2086 # words
		HP_RUN=$HP_MARK run_ timeout 60 unshare -m bash full $way
		status_is 2
		stderr_has 'No space left'
		same left /dev/null
		nothing_left
	done
	# Of what was stored it is known then.
	for way in '2m work' '1200k output'; do
		# shellcheck disable=SC2086 # words
		HP_RUN=$HP_MARK run_ timeout 60 unshare -m bash full $way exact
		status_is 2
		stderr_has 'MiB are needed'
		[ ! -s left ]
		nothing_left
	done
	run_ unshare -m sh -c 'mount -t tmpfs -o size=1200k none small &&
		exec hprun -j 2 -o small/out in'
	status_is 2
	stderr_is "hprun: launcher: $PWD/small: 2 MiB are needed, 1 MiB are free"
	# Of a file it is known before.
	run_ unshare -m sh -c 'mount -t tmpfs -o size=2m none small &&
		exec hprun -j 2 -T small -o out in'
	status_is 2
	stderr_has 'node0: '
	stderr_has 'MiB are needed, 2 MiB are free'
	stderr_has 'node1: '
	nothing_left
}
