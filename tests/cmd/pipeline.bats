# shellcheck shell=bash disable=SC2154
# The sort over three nodes, chained by hand as hp(7) shows it.
load common

# plan: the parts of ./in for nodes of speeds 5, 3 and 1.
plan() {
	jq -nc '("a", "b", "c") as $n | {type: "node", node: $n, dir: $n,
		speed: {a: 5, b: 3, c: 1}[$n]}' >cluster
	mkdir -p a b c
	hpsolve -n "$(hpsplit count "$@" -N 0 in | jq .records)" cluster >plan
	hpsplit deal "$@" -P plan in >deal
}

part() {
	jq -r "select(.rank == $1) | \"\\(.offset):\\(.bytes)\"" deal
}

all_done() {
	local pid

	for pid in $pids; do
		wait "$pid"
	done
	cat out.0 out.1 out.2
	rm -f out.? from.*
}

# sort_first METHOD WORD...
sort_first() {
	local i method=$1 pids=''

	shift
	for i in 0 1 2; do
		hpsort "$@" --extent "$(part $i)" -o run.$i in
		hpsplit sample "$@" -a "$method" -P plan -N $i run.$i
	done >candidates
	hpsplit pivots "$@" -a "$method" -P plan candidates >sublists ||
		[ "$method/$?" = exact/1 ]
	mkfifo from.{0,1,2}.{0,1,2}
	for i in 0 1 2; do
		hpsplit cut "$@" -L sublists -N $i --extents run.$i >extents.$i
		hpexchange -C cluster -N $i -i run.$i -x extents.$i -o from.$i \
			3>&- &
		pids="$pids $!"
		hpmerge "$@" -o out.$i from.$i.{0,1,2} 3>&- &
		pids="$pids $!"
	done
	all_done
}

# sort_last WORD...: by the method pss.
sort_last() {
	local i pids=''

	for i in 0 1 2; do
		hpsplit sample "$@" -a pss -P plan -N $i --extent "$(part $i)" in
	done | hpsplit pivots "$@" -a pss -P plan >sublists
	for i in 0 1 2; do
		hpsplit cut "$@" -L sublists -N $i --extent "$(part $i)" in |
			hpexchange -C cluster -N $i |
			hpsort "$@" -o out.$i 3>&- &
		pids="$pids $!"
	done
	all_done
}

# chained WORD...: both ways give ./want.
chained() {
	plan "$@"
	sort_first psrs "$@" >out
	same out want
	sort_last "$@" >out
	same out want
}

@test "the pipeline sorts lines, by keys and in reverse" {
	seq 5000 | awk '{ print $1 * 7919 % 1009, $1 % 13 }' >in
	sort -k 2,2n -k 1,1r in >want
	chained -k 2,2n -k 1,1r
}

@test "the pipeline sorts lines that are all equal" {
	yes word | head -n 5000 >in
	cp in want
	chained
	# Even so every node gets its share.
	for i in 0 1 2; do
		hpsplit count -L sublists -N $i --extent "$(part $i)" in
	done | jq -s 'group_by(.sublist) | map(map(.records) | add)' >counts
	jq -e '.[0] > .[1] and .[1] > .[2] and .[2] > 0' counts
}

@test "the pipeline sorts gensort's records and numbers" {
	for f in gensort u32 i64be; do
		hpgen -F $f --seed 5 4000 in
		hpsort -F $f in >want
		chained -F $f
	done
}

@test "the sublists of the first round of exact can be used for a cut" {
	seq 4000 | awk '{ print $1 * 7919 % 1009 }' >in
	sort in >want
	plan
	sort_first exact >out
	same out want
}

@test "the pipeline sorts no records, and fewer records than nodes" {
	: >in
	: >want
	chained
	printf 'b\na\n' >in
	sort in >want
	chained
}
