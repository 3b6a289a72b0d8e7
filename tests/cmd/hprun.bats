# The result of hprun: what sort(1) gives.
# shellcheck shell=bash disable=SC2154
load common
load hprun

speeds=2,1

# as_sort ALGORITHM WORD...: hprun and sort agree on the words and ./in.
as_sort() {
	local algorithm=$1

	shift
	run_ hprun "$@" -a "$algorithm" --speeds "$speeds" -o out in
	status_is 0
	stderr_is ''
	sort "$@" in >want
	same out want
	rm out
	empty_dir tmp
}

@test "every method gives what sort gives, under every kind of order" {
	speeds=5,3,1
	lines 3000 >in
	for a in exact psrs pss psop; do
		as_sort $a
		as_sort $a -s -k 2,2n
		as_sort $a -u -t $'\t' -k 1,1nr
	done
	as_sort range
	as_sort range -s -k 2,2n
	as_sort range -t $'\t' -k 1,1nr
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
	as_sort range -s -k 1,1
}

@test "equal lines keep their order, whatever sublists of a node they are in" {
	# So much that some frames are full before others.
	awk 'BEGIN { for (i = 0; i < 300000; i++) print "key", i }' >in
	run_ hprun -a psop -j 2 -s -k 1,1 -o out in
	status_is 0
	same out in
}

@test "the input may have no record, one record, or fewer records than nodes" {
	speeds=5,3,1
	for a in exact pss range; do
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

@test "there may be one node, or more nodes than processors" {
	lines 500 >in
	sort in >want
	for a in exact psop range; do
		for n in 1 9; do
			run_ hprun -a $a -j $n -o out in
			status_is 0
			same out want
		done
	done
	empty_dir tmp
}

@test "a limit of the size of files is an error" {
	seq 60000 >in
	for way in '-a pss -j 3' '-a exact --keep kept -j 2' '--map -j 1'; do
		read -r -a words <<<"$way -o out in"
		[[ $way != --map* ]] || words+=(-- cat)
		run_ bash -c 'ulimit -f 100; exec hprun "$@"' - "${words[@]}"
		status_is 2
		stderr_has 'File too large'
		[ ! -e out ]
	done
}

@test "a parent that ignores SIGCHLD hides no failure" {
	lines 3000 >in
	run_ env --ignore-signal=CHLD hprun -j 2 -o out in missing
	status_is 2
	run_ env --ignore-signal=CHLD hprun --map -j 2 -o out in -- false
	status_is 2
	stderr_has 'run: failed'
	printf '{"type":"node","node":"a","host":"far"}\n' >cluster
	run_ env --ignore-signal=CHLD hprun -C cluster --rsh false -o out in
	status_is 3
	[ ! -e out ]
	run_ env --ignore-signal=CHLD hpsort -S 100K --compress-program gzip -o out in
	status_is 0
	sort in | same out -
	run_ env --ignore-signal=CHLD hpprofile --sizes 10,20 -- true
	status_is 0
}

@test "equal records and empty lines are sorted" {
	yes same | head -n 2000 >in
	for a in exact psrs pss psop range; do
		as_sort $a
	done
	yes '' | head -n 2000 >in
	as_sort psrs
	as_sort pss -s
}

@test "lines may have any bytes and any length" {
	hpgen -F u8 --seed 5 200000 in
	as_sort exact
	as_sort pss
	as_sort psrs -z
	as_sort psop -z -s
	as_sort range -z -s
	{
		head -c 3000000 /dev/zero | tr '\0' x
		echo
		seq 100
		head -c 3000000 /dev/zero | tr '\0' w
	} >in
	as_sort exact
	as_sort psop
	as_sort range
}

@test "records and numbers of every format are sorted" {
	for way in 'gensort exact' 'gensort pss' 'u8 exact' 'i32be pss' 'f64 exact' \
		'record:12,4,8 exact' 'record:12,4,8 pss' 'f64 range' \
		'record:12,4,8 range'; do
		f=${way% *}
		hpgen -F $f --seed 7 2000 in
		run_ hprun -F $f -a "${way#* }" --speeds 2,1,1 -o out in
		status_is 0
		hpcheck -F $f in >before || true
		hpcheck -F $f out >after
		jq -se 'map([.records, .checksum]) | .[0] == .[1]' before after
	done
}

@test "each node gets its share of the plan" {
	hpgen -F gensort --seed 3 20000 in
	for a in psrs pss; do
		rm -f trace
		run_ hprun -F gensort -a $a --speeds 8,5,3,1 --trace trace \
			-o out in
		status_is 0
		run_ jq -s '[.[] | select(.step == "gather")] | sort_by(.rank) |
			map(.records) | add == 20000 and
			.[0] > .[1] and .[1] > .[2] and .[2] > .[3]' trace
		stdout_is true
	done
}

@test "the trace counts what a node received, also in the last steps of a node" {
	hpgen 4000 in
	hprun -F gensort -a psop --speeds 3,1 --trace psop -o out in
	hprun -F gensort -a psrs --speeds 3,1 --trace left --leave 'part.{rank}' in >summary
	for steps in psop:deal:sort left:leave:merge; do
		IFS=: read -r trace step like <<<"$steps"
		jq -es --arg step $step --arg like $like 'map(select(.rank != null)) |
			def counts($s): map(select(.step == $s) |
				[.rank, .records, .bytes]) | sort;
			[counts($step), counts($like)] |
			(.[0] | length) == 2 and .[0] == .[1]' $trace ||
			fail "$(cat $trace)"
	done
}

@test "a random order is the same on all nodes" {
	seq 300 | sed p >in
	echo 0123456789abcdef >source
	hpsort -R --random-source=source in >want
	run_ hprun -R --random-source source -j 3 -o out in
	status_is 0
	same out want
	hprun --sort=random -j 2 in >out
	[ "$(uniq out | wc -l)" = 300 ]
	sort out | cmp - <(sort in)
}

@test "inputs and the random source may be pipes that the shell names" {
	seq 300 >in
	sort in in >want
	run_ hprun -j 2 -o out <(cat in) <(cat in)
	status_is 0
	stderr_is ''
	same out want
	# Only some of its bytes count, and they can be read only once.
	seq 100 >source
	hpsort -R --random-source source in >want
	for bytes in 16 292; do
		hprun -R --random-source <(head -c $bytes source) -j 2 in >out
		same out want
	done
	for source in - /dev/stdin; do
		hprun -R --random-source $source -j 2 in <source >out
		same out want
	done
}
