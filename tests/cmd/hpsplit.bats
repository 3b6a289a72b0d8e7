load common

# plan N1 N2...: the plan that gives node i its Ni records, in ./plan; $ranks.
plan() {
	local n rank=0 offset=0

	ranks=$(seq 0 $(($# - 1)))
	for n; do
		echo '{"type":"share","rank":'$rank',"node":"node'$rank'","n":'"$n"',"offset":'$offset',"seconds":1}'
		rank=$((rank + 1)) offset=$((offset + n))
	done >plan
	echo '{"type":"plan","n":'$offset',"nodes":'$rank',"method":"exact","cost":"n","makespan":1,"bound":1,"optimal":true,"unique":false}' >>plan
}

# extent RANK [DOCUMENT]: OFFSET:BYTES of a sublist.
extent() {
	sed -nE 's/.*"sublist":'"$1"',.*"offset":([0-9]+),"bytes":([0-9]+),.*/\1:\2/p' \
		"${2-deal}"
}

# bytes FILE OFFSET:BYTES
bytes() {
	tail -c "+$((${2%:*} + 1))" "$1" | head -c "${2#*:}"
}

# deal_out FILE [ORDER...]: sorted runs run.0, run.1, ... by the plan.
deal_out() {
	local i file=$1

	shift
	hpsplit deal -P plan "$file" >deal
	for i in $ranks; do
		bytes "$file" "$(extent "$i")" | sort "$@" >run."$i"
	done
}

# psrs FILE COUNT|'' [ORDER...]: extents ext.0, ext.1, ... of the runs.
psrs() {
	local i file=$1 count=$2

	shift 2
	deal_out "$file" "$@"
	for i in $ranks; do
		hpsplit sample -a regular ${count:+-c "$count"} -P plan \
			-N "$i" "$@" run."$i" >cand."$i"
	done
	hpsplit pivots -P plan -a psrs cand.* >sublists
	for i in $ranks; do
		hpsplit cut -L sublists --extents -N "$i" "$@" run."$i" >ext."$i"
	done
}

# The number of records of each sublist, of all nodes together.
sizes() {
	cat "$@" | sed -E 's/.*"sublist":([0-9]+),.*"records":([0-9]+).*/\1 \2/' |
		awk '{ n[$1] += $2; if ($1 > last) last = $1 }
			END { for (i = 0; i <= last; i++)
				printf "%s%d", i ? "," : "[", n[i]; print "]" }'
}

# All sublists in order, each merged from the nodes' parts of it.
result() {
	local s i

	for s in $ranks; do
		for i in $ranks; do
			bytes run."$i" "$(extent "$s" ext."$i")" >part."$i"
		done
		sort -m "$@" part.*
	done
}

@test "hpsplit --help and --version print the usage and the version" {
	run_ hpsplit --help
	status_is 0
	stdout_has 'usage: hpsplit deal'
	run_ hpsplit cut --version
	status_is 0
	stdout_has 'hpsplit (hptools)'
}

@test "hpsplit: usage errors exit 2" {
	plan 1 1
	for args in '' 'slice' 'deal' 'sample -a random -N 0 -P' \
		'sample -a random -c 1 /dev/null' 'cut -N 0 /dev/null' \
		'sample -a best -c 1 -N 0 /dev/null' 'pivots -P plan /dev/null' \
		'sample -a random -N 0 /dev/null' 'count -N zero /dev/null' \
		'count -N 0 --extent 1 /dev/null' 'count -N 0 a b' \
		'count -N 0 --extent -1:5 /dev/null' 'cut --nothing'; do
		# shellcheck disable=SC2086 # words
		run_ hpsplit $args
		status_is 2
		stdout_is ''
		stderr_has 'hpsplit: '
	done
	run_ hpsplit slice
	stderr_has "hpsplit: 'slice' is not an action"
	run_ hpsplit -N 0 count
	status_is 2
	stderr_has "hpsplit: '-N' is not an action"
	# Messages say which action it was.
	run_ hpsplit cut --nothing
	stderr_has "hpsplit: cut: unrecognized option '--nothing'"
	run_ hpsplit count -N zero /dev/null
	stderr_is "hpsplit: count: -N: node 'zero': neither a rank nor a name in -P or -L, which are missing"
}

@test "hpsplit deal: the extents are chunks of lines in rank order" {
	plan 3 0 2 1
	printf 'a\nbb\n\ndddd\nee\nlast' >in
	run_ hpsplit deal -P plan in
	status_is 0
	stdout_is '{"type":"extent","sublist":0,"rank":0,"offset":0,"bytes":6,"records":3}
{"type":"extent","sublist":1,"rank":1,"offset":6,"bytes":0,"records":0}
{"type":"extent","sublist":2,"rank":2,"offset":6,"bytes":8,"records":2}
{"type":"extent","sublist":3,"rank":3,"offset":14,"bytes":4,"records":1}'
}

@test "hpsplit deal: records may have a fixed size or end with NUL" {
	plan 2 1
	printf 123456789 >in
	hpsplit deal -P plan -F record:3 in | jq -c '[.offset,.bytes]' >got
	printf '[0,6]\n[6,3]\n' | same got -
	printf 'a\n\0b\0c' >in
	hpsplit deal -P plan -z in | jq -c '[.offset,.bytes]' >got
	printf '[0,5]\n[5,1]\n' | same got -
}

@test "hpsplit deal: lines of all lengths may cross block boundaries" {
	seq 1 7 200000 | awk '{ printf "%*s\n", $1 % 97, "" }' >in
	plan 1 12345 1 0 16225
	hpsplit deal -P plan in >deal
	for i in 0 1 2 3 4; do
		bytes in "$(extent $i)" | wc -l
	done >got
	printf '1\n12345\n1\n0\n16225\n' | same got -
	for i in 0 1 2 3 4; do
		bytes in "$(extent $i)"
	done | same - in
}

@test "hpsplit deal: the number of records must be that of the plan" {
	plan 2 2
	seq 5 >in
	run_ hpsplit deal -P plan in
	status_is 2
	stdout_is ''
	stderr_is 'hpsplit: deal: in: 5 records, but the plan is for 4'
	run_ hpsplit deal -P plan -F u32 in
	status_is 2
	stderr_has 'record 3: 2 bytes, but a record has 4'
}

@test "hpsplit: two nodes with the same name in a plan are refused" {
	plan 3 4 5
	sed -i 's/node[02]/"again\\"/' plan
	sed -i 's/""again/"\\"again/; 2s/^/\n/' plan
	seq 12 >in
	run_ hpsplit deal -P plan in
	status_is 2
	stdout_is ''
	stderr_is "hpsplit: deal: plan: line 4: node '\"again\"' appears twice, first in line 1"
}

@test "hpsplit deal: a pipe is refused" {
	plan 1
	run_ bash -c 'echo a | hpsplit deal -P plan'
	status_is 2
	stderr_has 'standard input: not a regular file'
	echo a >in
	run_ hpsplit deal -P plan <in
	status_is 0
}

@test "hpsplit sample regular: candidates are the middles of equal parts" {
	seq 100 199 >in
	hpsplit sample -a regular -c 5 -N 2 in | jq -c '[.rank,.index,.key,.records]' >got
	cat >want <<-'END'
		[2,10,"313130",100]
		[2,30,"313330",100]
		[2,50,"313530",100]
		[2,70,"313730",100]
		[2,90,"313930",100]
	END
	same got want
	hpsplit sample -a regular -c 500 -N 2 in | jq .index >got
	seq 0 99 | same got -
	: >empty
	hpsplit sample -a regular -c 5 -N 2 empty >got
	same got empty
}

@test "hpsplit sample regular: an input that is not sorted is refused" {
	# Records 2, 4, ..., of which "10" is the first after a larger one.
	seq 100 >in
	run_ hpsplit sample -a regular -c 50 -N 0 in
	status_is 2
	stdout_is ''
	stderr_has 'in: record 10 sorts before an earlier record: not sorted'
	run_ hpsplit sample -a regular -c 50 -N 0 -n in
	status_is 0
}

@test "hpsplit sample random: every candidate is in the input" {
	seq 1 3 90000 >in
	for count in 0 1 700 29999 30000 40000; do
		hpsplit sample -a random -c $count -N 3 in >cand
		jq .index cand | sort -n -u -C
		[ "$(wc -l <cand)" = $((count < 30000 ? count : 30000)) ]
	done
	hpsplit sample -a random -c 20 -N 3 in >cand
	for i in $(jq .index cand); do
		sed -n "$((i + 1))p" in | tr -d '\n' | od -An -tx1 | tr -d ' \n'
		echo
	done >want
	jq -r .key cand | same - want
}

@test "hpsplit sample random: the seed and the node decide which records are taken" {
	seq 10000 >in
	hpsplit sample -a random -c 50 -N 0 in | jq .index >a
	hpsplit sample -a random -c 50 -N 0 in | jq .index | same - a
	hpsplit sample -a random -c 50 -N 0 --seed 2 in | jq .index >b
	hpsplit sample -a random -c 50 -N 1 in | jq .index >c
	run ! cmp -s a b
	run ! cmp -s a c
	run ! cmp -s b c
}

@test "hpsplit sample: random accepts a pipe, regular does not" {
	seq 10000 >in
	# shellcheck disable=SC2002 # a pipe
	cat in | hpsplit sample -a random -c 50 -N 0 >cand
	[ "$(wc -l <cand)" = 50 ]
	jq .index cand | sort -n -u -C
	jq -r 'select(.records!=10000)' cand | same - /dev/null
	# shellcheck disable=SC2002
	[ "$(cat in | hpsplit sample -a random -c 20000 -N 0 | wc -l)" = 10000 ]
	run_ bash -c 'seq 5 | hpsplit sample -a regular -c 2 -N 0'
	status_is 2
	stderr_has 'standard input: not a regular file'
}

@test "hpsplit sample: the numbers of candidates are those of the papers" {
	plan 80000 50000 30000 10000
	# Lines of 6 bytes and a newline.
	seq 100000 179999 >in
	# P' = 17, 4 nodes: 51 and 6 * 17 log2 17 = 416, 8/17 of them here.
	[ "$(hpsplit sample -a psrs -P plan -N 0 in | wc -l)" = 24 ]
	[ "$(hpsplit sample -a regular -P plan -N node0 in | wc -l)" = 24 ]
	[ "$(hpsplit sample -a pss -P plan -N 0 in | wc -l)" = 196 ]
	[ "$(hpsplit sample -a pss -P plan -N node3 --extent 0:70000 in | wc -l)" = 25 ]
	run_ hpsplit sample -a pss -P plan -N 4 in
	status_is 2
	stderr_is "hpsplit: sample: -N: rank '4': must be 0 to 3"
}

@test "hpsplit pivots: if every record is a candidate, every target is met" {
	seq 1000 | shuf --random-source=<(yes) >uniform
	yes same | head -n 1000 >equal
	seq 1000 | awk '{ print $1 % 3 }' >few
	for file in uniform equal few; do
		for shares in '470 295 176 59' '0 0 1000 0' '1 998 1 0' '1000'; do
			rm -f cand.* ext.* run.* part.*
			# shellcheck disable=SC2086 # words
			plan $shares
			psrs $file 1000
			[ "$(sizes ext.*)" = "[${shares// /,}]" ]
			result >got
			sort $file | same got -
		done
	done
}

@test "hpsplit pivots psrs: no node gets more than twice its share" {
	seq 3400 | shuf --random-source=<(yes) >uniform
	yes same | head -n 3400 >equal
	sort -n uniform >sorted
	sort -nr uniform >reverse
	awk '{ print int(sqrt($1)) }' uniform >skewed
	plan 1600 1000 600 200
	for file in uniform equal sorted reverse skewed; do
		rm -f cand.* ext.* run.* part.*
		psrs $file '' -n
		sizes ext.* | jq -e '.[0]<=3200 and .[1]<=2000 and
			.[2]<=1200 and .[3]<=400' >/dev/null
		result -n >got
		sort -n $file | same got -
	done
}

@test "hpsplit pivots pss: the pivots are candidates at the cumulative targets" {
	plan 80000 50000 30000 10000
	seq 170000 | shuf --random-source=<(yes) >in
	hpsplit deal -P plan in >deal
	for i in 0 1 2 3; do
		# The nodes' candidates stand for unlike numbers of records.
		hpsplit sample -a random -c $((1000 * (i + 1))) -N $i \
			--extent "$(extent $i)" in >cand.$i
	done
	hpsplit pivots -P plan -a pss cand.* >sublists
	jq -e -s '.[0].candidates==10000 and .[0].method=="pss" and
		.[0].probability>0.999 and (map(.node)==
		["node0","node1","node2","node3"]) and .[3].until==null and
		(map(.sublist)==[0,1,2,3])' sublists >/dev/null
	# Within 5 standard deviations of the worst of 1000 candidates.
	hpsplit count -L sublists -N 1 in >counts
	sizes counts | jq -e '(.[0]-80000|fabs) < 13500 and
		((.[0]+.[1]-130000)|fabs) < 13500 and
		(.[3]-10000|fabs) < 6000' >/dev/null
}

@test "hpsplit pivots: an input without records, and one node, need no candidates" {
	plan 0 0
	hpsplit pivots -P plan -a psrs /dev/null >sublists
	[ "$(jq -s length sublists)" = 2 ]
	: >empty
	hpsplit cut -L sublists --extents -N 1 empty |
		jq -c '[.bytes,.records]' >got
	printf '[0,0]\n[0,0]\n' | same got -
	plan 7
	hpsplit pivots -P plan -a pss </dev/null >sublists
	seq 7 | hpsplit count -L sublists -N 0 | jq .records >got
	echo 7 | same got -
}

@test "hpsplit pivots: no candidates for a plan of several shares is an error" {
	plan 3 0 4
	: >empty
	for a in pss psrs psop exact; do
		run_ hpsplit pivots -P plan -a $a </dev/null
		status_is 2
		stdout_is ''
		stderr_is 'hpsplit: pivots: standard input: no candidate'
		run_ hpsplit pivots -P plan -a $a -u empty /dev/null
		status_is 2
		stderr_is 'hpsplit: pivots: empty and others: no candidate'
	done
	# Counts alone give no place to cut at, in any round.
	echo '{"type":"count","sublist":0,"rank":0,"records":7}' >count
	run_ hpsplit pivots -P plan -a exact count
	status_is 2
	stderr_is 'hpsplit: pivots: count: no candidate'
	echo '{"type":"candidate","key":"61","rank":0,"index":0,"records":7}' |
		hpsplit pivots -P plan -a exact >sublists || [ $? = 1 ]
	run_ hpsplit pivots -P plan -a exact --refine sublists count
	status_is 2
	stderr_is 'hpsplit: pivots: count: no candidate'
	# One share needs no place; nor does one sublist.
	plan 0 4 0
	for a in pss psrs psop exact; do
		hpsplit pivots -P plan -a $a empty >sublists
		jq -es 'length > 0' sublists >/dev/null
	done
	plan 3 4
	hpsplit pivots -P plan -a psop -c 1 empty | jq -es 'length == 1' >/dev/null
	# Where sublists are needed, an empty document has none.
	echo a >in
	for args in 'sample -a exact' deal cut; do
		# shellcheck disable=SC2086 # words
		run_ hpsplit $args -L empty -N 0 in
		status_is 2
		stderr_is "hpsplit: ${args%% *}: empty: contains no sublist"
	done
}

@test "hpsplit pivots: wrong candidates are refused" {
	plan 2 2
	good='{"type":"candidate","key":"61","rank":0,"index":0}'
	echo "$good" >cand
	echo '{"type":"candidate","key":"61","rank":2,"index":0}' >>cand
	run_ hpsplit pivots -P plan -a psrs cand
	status_is 2
	stderr_is 'hpsplit: pivots: cand: line 2: rank 2, but the plan has 2 nodes'
	echo '{"type":"candidate","key":"61","rank":1,"index":2}' >cand
	run_ hpsplit pivots -P plan -a psrs cand
	status_is 2
	stderr_has 'rank 1 has index 2, the node has 2 records'
	echo '{"type":"candidate","key":"61","rank":1,"index":2,"records":2}' >cand
	run_ hpsplit pivots -P plan -a psrs cand
	status_is 2
	stderr_is 'hpsplit: pivots: cand: line 1: index 2, but the node has 2 records'
	echo '{"type":"candidate","key":"6","rank":1,"index":0}' >cand
	run_ hpsplit pivots -P plan -a pss cand
	status_is 2
	stderr_has 'cand: line 1'
	run_ hpsplit pivots -P plan -a pss plan
	status_is 2
	stderr_has "plan: line 1: expected a candidate, this is a 'share'"
	printf '%s\n' '{"type":"candidate","key":"61","rank":1,"index":1}' \
		'{"type":"candidate","key":"62","rank":1,"index":0}' >cand
	run_ hpsplit pivots -P plan -a psrs cand
	status_is 2
	stderr_has 'not from a sorted input'
	run_ hpsplit pivots -P plan -a pss none
	status_is 2
	stderr_has 'none: No such file'
}

# Sublists that end before b, before the second m of rank 1, and at the end.
three() {
	echo '{"type":"sublist","sublist":0,"rank":0,"node":"x","until":{"key":"62","rank":0,"index":0}}'
	echo '{"type":"sublist","sublist":1,"rank":1,"node":"y","until":{"key":"6d","rank":1,"index":3}}'
	echo '{"type":"sublist","sublist":2,"rank":2,"node":"z"}'
}

@test "hpsplit count: the record of until is the first of the next sublist" {
	three >sublists
	printf '%s\n' a b m m z >in
	for rank in 0 1 2; do
		hpsplit count -L sublists -N $rank in | jq .records | paste -s >got
		case $rank in
		0) echo '1	3	1' ;;
		1) echo '1	2	2' ;;
		2) echo '1	1	3' ;;
		esac | same got -
		hpsplit count --sorted -L sublists -N $rank in |
			jq .records | paste -s | same - got
	done
	hpsplit count -L sublists -N y in | jq -c '[.rank,.records]' >got
	printf '[1,1]\n[1,2]\n[1,2]\n' | same got -
	run_ hpsplit count -L sublists -N w in
	status_is 2
	stderr_has "node 'w': neither a rank nor a name in the sublists"
}

@test "hpsplit: a rank that the nodes of the sublists do not have is refused" {
	plan 2 1
	printf '%s\n' a b c >in
	hpsplit sample -a regular -c 3 -N 0 in |
		hpsplit pivots -a psrs -P plan >sublists
	for args in cut 'cut --extents' count 'count --sorted'; do
		# shellcheck disable=SC2086 # words
		run_ hpsplit $args -L sublists -N 2 in
		status_is 2
		stdout_is ''
		stderr_is "hpsplit: ${args%% *}: -N: rank '2': must be 0 to 1"
	done
	# Nodes without a sublist are nodes; where nothing tells of them, too.
	cluster 9 1
	echo '{"type":"count","sublist":0,"rank":0,"records":3}' |
		hpsplit assign -C cluster >assigned
	jq -c '[.rank,.nodes]' assigned | same - <(echo '[0,2]')
	hpsplit cut -L assigned -N 1 --extents in | jq .rank | same - <(echo 1)
	run_ hpsplit cut -L assigned -N 2 --extents in
	status_is 2
	jq -c 'del(.nodes)' assigned >untold
	hpsplit cut -L untold -N 2 --extents in | jq .rank | same - <(echo 2)
	# Lines that contradict each other.
	sed 's/"rank":1/"rank":5/' sublists >bad
	run_ hpsplit cut -L bad -N 1 in
	status_is 2
	stderr_is 'hpsplit: cut: bad: line 2: rank 5, but there are 2 nodes'
	sed '1s/"nodes":2/"nodes":3/' sublists >bad
	run_ hpsplit cut -L bad -N 1 in
	status_is 2
	stderr_is "hpsplit: cut: bad: line 2: 'nodes' differs from that of the previous line"
}

@test "hpsplit count without sublists counts all records of files, extents and pipes" {
	printf 'a\n\nb' >in
	[ "$(hpsplit count -N 4 in)" = '{"type":"count","sublist":0,"rank":4,"records":3}' ]
	[ "$(hpsplit count -N 4 <in | jq .records)" = 3 ]
	# shellcheck disable=SC2002 # a pipe
	[ "$(cat in | hpsplit count -N 4 | jq .records)" = 3 ]
	[ "$(hpsplit count -N 4 --extent 2:2 in | jq .records)" = 2 ]
	[ "$(hpsplit count -N 4 -F u16 --extent 0:4 in | jq .records)" = 2 ]
	[ "$(hpsplit count -N 4 /dev/null | jq .records)" = 0 ]
	run_ hpsplit count -N 4 --extent 2:3 in
	status_is 2
	stderr_has 'in: the extent ends at byte 5, the file has 4'
	run_ hpsplit count -N 4 --extent 5:0 in
	status_is 2
	three >sublists
	for action in count cut; do
		run_ hpsplit $action -L sublists -N 0 --extent 2:3 in
		status_is 2
		stderr_is "hpsplit: $action: in: the extent ends at byte 5, behind the end of the file"
	done
	run_ hpsplit count -N 4 -F u32 --extent 0:3 in
	status_is 2
	stderr_has 'record 1: 3 bytes, but a record has 4'
}

@test "hpsplit count: -u keeps equal keys together" {
	three >sublists
	printf '%s\n' a b m m m z >in
	hpsplit count -u -L sublists -N 0 in | jq .records | paste -s >got
	printf '1\t1\t4\n' | same got -
	hpsplit count -u --sorted -L sublists -N 0 in | jq .records |
		paste -s | same - got
}

@test "hpsplit cut --extents prints the bytes and records of each sublist" {
	three >sublists
	printf '%s\n' aa b m m m zzz >in
	hpsplit cut -L sublists --extents -N 1 in >got
	cat >want <<-'END'
		{"type":"extent","sublist":0,"rank":1,"offset":0,"bytes":3,"records":1}
		{"type":"extent","sublist":1,"rank":1,"offset":3,"bytes":4,"records":2}
		{"type":"extent","sublist":2,"rank":1,"offset":7,"bytes":8,"records":3}
	END
	same got want
	# The same of the file from its second line on.
	hpsplit cut -L sublists --extents -N 1 --extent 3:12 in >got
	cat >want <<-'END'
		{"type":"extent","sublist":0,"rank":1,"offset":3,"bytes":0,"records":0}
		{"type":"extent","sublist":1,"rank":1,"offset":3,"bytes":6,"records":3}
		{"type":"extent","sublist":2,"rank":1,"offset":9,"bytes":6,"records":2}
	END
	same got want
}

@test "hpsplit cut --extents: an input that is not sorted, or a pipe, is refused" {
	three >sublists
	seq 1000 | shuf --random-source=<(yes) | sed 's/.*/m&/' >in
	echo '{"type":"sublist","sublist":0,"until":{"key":"6d35","rank":0,"index":0}}
{"type":"sublist","sublist":1}' >sublists
	run_ hpsplit cut -L sublists --extents -N 0 in
	status_is 2
	stdout_is ''
	stderr_has 'not sorted'
	run_ bash -c 'seq 5 | hpsplit cut -L sublists --extents -N 0'
	status_is 2
	stderr_has 'standard input: not a regular file'
}

@test "hpsplit range: the output is a regular file, and a message names a full one" {
	hpgen -F line 100 in
	hpsolve -n 100 -k 1,2 >plan
	mkfifo fifo
	for f in /dev/null fifo; do
		run_ hpsplit range -P plan -o $f in
		status_is 2
		stderr_is "hpsplit: range: $f: not a regular file"
	done
	run_ hpsplit range -P plan -o out --sums /dev/full in
	status_is 2
	stderr_is 'hpsplit: range: /dev/full: No space left on device'
	[ ! -e out ]
}

@test "hpsplit cut --extents -o moves records of files and pipes into pieces" {
	three >sublists
	printf '%s\n' zzz m aa b zz m >in
	printf q >>in
	cat >want <<-'END'
		{"type":"extent","sublist":0,"rank":1,"offset":0,"bytes":3,"records":1}
		{"type":"extent","sublist":1,"rank":1,"offset":3,"bytes":4,"records":2}
		{"type":"extent","sublist":2,"rank":1,"offset":7,"bytes":11,"records":4}
	END
	hpsplit cut -L sublists --extents -o moved -N 1 in >got
	same got want
	same moved <(printf '%s\n' aa m b zzz zz m q)
	# Both sublists of a node are one piece, in the order of the input.
	sed -i 's/"rank":[12],"node"/"rank":7,"node"/' sublists
	hpsplit cut -L sublists --extents --output moved -N 1 <in >got
	cat >want <<-'END'
		{"type":"extent","sublist":0,"rank":1,"offset":0,"bytes":3,"records":1}
		{"type":"extent","sublist":7,"rank":1,"offset":3,"bytes":15,"records":6}
	END
	same got want
	same moved <(printf '%s\n' aa zzz m b zz m q)
	hpsplit cut -L sublists --extents -o moved -N 1 /dev/null >got
	[ ! -s got ] && [ ! -s moved ]
}

@test "hpsplit cut --extents -o: a record of any length is in one piece" {
	three >sublists
	{
		echo a
		head -c 3000000 /dev/zero | tr '\0' q
	} >in
	hpsplit cut -L sublists --extents -o moved -N 1 in >got
	cat >want <<-'END'
		{"type":"extent","sublist":2,"rank":1,"offset":0,"bytes":3000001,"records":1}
		{"type":"extent","sublist":0,"rank":1,"offset":3000001,"bytes":2,"records":1}
	END
	same got want
	head -c 2 moved | tr '\n' ' ' >start
	[ "$(cat start)" = qq ]
}

@test "hpsplit cut --extents -o: the file appears when it is complete" {
	three >sublists
	seq 100000 >in
	run_ bash -c 'hpsplit cut -L sublists --extents -o moved -N 0 in >/dev/full'
	status_is 2
	stderr_is 'hpsplit: cut: standard output: No space left on device'
	[ ! -e moved ]
	run_ hpsplit cut -L sublists --extents -o /dev/full -N 0 in
	status_is 2
	stderr_is 'hpsplit: cut: /dev/full: No space left on device'
	for words in 'cut -L sublists' 'count -L sublists' 'count --extents'; do
		# shellcheck disable=SC2086 # words
		run_ hpsplit $words -o moved -N 0 in
		status_is 2
		stderr_is 'hpsplit: -o needs cut --extents'
	done
	[ ! -e moved ]
}

@test "hpsplit cut: contradictory sublists are refused" {
	three | tac >sublists
	run_ hpsplit cut -L sublists -N 0 /dev/null
	status_is 2
	stderr_has 'sublists: line 1: sublist 2, but sublist 0 is expected'
	three | head -n 2 >sublists
	run_ hpsplit cut -L sublists -N 0 /dev/null
	status_is 2
	stderr_has 'the last sublist must have no until'
	three | sed 's/"6d"/"61"/' >sublists
	run_ hpsplit cut -L sublists -N 0 /dev/null
	status_is 2
	stderr_has 'sublist 1 ends before the previous one'
	run_ hpsplit cut -L /dev/null -N 0 /dev/null
	status_is 2
	stderr_has '/dev/null: contains no sublist'
}

@test "hpsplit cut: an error in all sublists names their file" {
	echo '{"type":"sublist","sublist":0,"rank":0,"node":"a","until":{"key":"62","rank":0,"index":0}}' >L
	run_ hpsplit cut -L L -N 0 --extents /dev/null
	status_is 2
	stderr_is 'hpsplit: cut: L: the last sublist must have no until'
}

@test "hpsplit cut: the framed stream has all records, short and long" {
	three >sublists
	run_ hpsplit cut -L sublists -N 0 /dev/null
	status_is 0
	# Head 16, end 48 + 24.
	[ "$(hpsplit cut -L sublists -N 0 /dev/null | wc -c)" = 88 ]
	printf 'a\nb' >in
	# Each line has a frame (head: 48 bytes); the second gets its newline.
	[ "$(hpsplit cut -L sublists -N 0 in | wc -c)" = $((88 + 2 * 48 + 4)) ]
	head -c 3000000 /dev/zero | tr '\0' q >in
	[ "$(hpsplit cut -L sublists -N 0 in | wc -c)" = $((88 + 3 * 48 + 3000001)) ]
}

@test "hpsplit cut: sublists without nodes are refused" {
	local words

	plan 300 700
	hpgen -F line 1000 in
	for i in $ranks; do
		hpsplit sample -a psop -P plan -N "$i" in
	done | hpsplit pivots -a psop -P plan >sublists
	for words in '--extents -o out' '' '-P plan'; do
		# shellcheck disable=SC2086 # words
		run_ hpsplit cut -L sublists -N 0 $words in
		status_is 2
		stdout_is ''
		stderr_is 'hpsplit: cut: sublists: sublist 0 has no rank: use hpsplit assign'
		[ ! -e out ]
	done
	hpsort in -o run
	hpsplit cut -L sublists -N 0 --extents run | jq -s length |
		same - <(wc -l <sublists)
}

@test "hpsplit: a write error exits 2" {
	three >sublists
	seq 100000 >in
	run_ bash -c 'hpsplit cut -L sublists -N 0 in >/dev/full'
	status_is 2
	stderr_is 'hpsplit: cut: standard output: No space left on device'
	run_ bash -c 'hpsplit sample -a random -c 5000 -N 0 in >/dev/full'
	status_is 2
	stderr_has 'No space left on device'
	run_ bash -c 'hpsplit count -N 0 in >/dev/full'
	status_is 2
	stderr_has 'No space left on device'
}

# exact FILE COUNT [ORDER...]: rounds until the sublists end on their targets;
# $rounds of them, extents in ext.0, ext.1, ...
exact() {
	local i file=$1 count=$2 refine=()

	shift 2
	deal_out "$file" "$@"
	for i in $ranks; do
		hpsplit sample -a exact ${count:+-c "$count"} -P plan -N "$i" \
			"$@" run."$i"
	done >probes
	rounds=0 status=1
	while [ $status = 1 ]; do
		rounds=$((rounds + 1))
		for i in $ranks; do
			hpsplit count --sorted -L probes -N "$i" "$@" run."$i"
		done >counts
		hpsplit pivots -a exact -P plan "$@" "${refine[@]}" probes \
			counts >next && status=0 || status=$?
		mv next sublists
		refine=(--refine sublists)
		for i in $ranks; do
			[ $status = 1 ] || break
			hpsplit sample -a exact -L sublists -N "$i" "$@" run."$i"
		done >probes
	done
	[ $status = 0 ]
	for i in $ranks; do
		hpsplit cut -L sublists --extents -N "$i" "$@" run."$i" >ext."$i"
	done
}

@test "hpsplit exact: every share has the exact number of records, on every input" {
	for file in uniform gaussian zipf sorted reverse staggered bucket \
		g-group equal few; do
		hpgen -F line -d $file 4000 >$file
		# shellcheck disable=SC2041 # one word of four
		for shares in '3000 0 941 59'; do
			rm -f ext.* run.* part.*
			# shellcheck disable=SC2086 # words
			plan $shares
			exact $file 10
			[ "$(sizes ext.*)" = "[${shares// /,}]" ]
			[ $rounds -le 3 ]
			result >got
			sort $file | same got -
		done
	done
}

@test "hpsplit exact: the result is stable, in every order" {
	seq 3000 | shuf --random-source=<(yes) | awk '{ print $1 % 7, NR }' >in
	plan 1000 10 1990
	exact in 4 -s -k1,1n
	[ "$(sizes ext.*)" = '[1000,10,1990]' ]
	result -s -k1,1n >got
	sort -s -k1,1n in | same got -
	rm ext.* run.* part.*
	exact in 4 -nr
	[ "$(sizes ext.*)" = '[1000,10,1990]' ]
	result -nr >got
	sort -nr in | same got -
}

@test "hpsplit exact: there may be no records, or one node" {
	: >empty
	plan 0 0
	exact empty ''
	[ "$rounds" = 1 ]
	[ "$(sizes ext.*)" = '[0,0]' ]
	seq 10 99 >in
	plan 90
	exact in ''
	[ "$rounds" = 1 ]
	[ "$(sizes ext.0)" = '[90]' ]
}

@test "hpsplit exact: if all records are candidates, no counts are needed" {
	seq 900 | shuf --random-source=<(yes) | awk '{ print $1 % 7, NR }' >in
	plan 250 0 640 10
	for order in -n '-s -k 1,1n' -u; do
		rm -f run.* ext.*
		# shellcheck disable=SC2086 # words
		exact in '' $order
		[ "$rounds" = 1 ]
		for i in $ranks; do
			# shellcheck disable=SC2086 # words
			hpsplit sample -a exact -P plan -N "$i" $order run."$i"
		done >probes
		# shellcheck disable=SC2086 # words
		hpsplit pivots -a exact -P plan $order probes >got
		same got sublists
		sed -i 100d probes
		# shellcheck disable=SC2086 # words
		run_ hpsplit pivots -a exact -P plan $order probes
		status_is 1
	done
}

@test "hpsplit exact: -u keeps equal keys together" {
	seq 3000 | awk '{ print int($1 / 10) % 5 }' >in
	plan 1000 10 1990
	exact in 4 -u
	[ "$(cat ext.* | jq -s 'map(.records)|add')" = \
		"$(cat run.* | wc -l)" ]
	for i in $ranks; do
		for k in $ranks; do
			bytes run."$k" "$(extent "$i" ext."$k")"
		done | sort -u
	done >got
	sort -u in | same got -
}

@test "hpsplit exact: documents that do not fit together are refused" {
	plan 2 2
	echo '{"type":"candidate","key":"61","rank":0,"index":0,"records":2}' >cand
	run_ hpsplit pivots -a exact -P plan cand
	status_is 1
	stdout_has '"target":2,"low":{"below":0},"high":{"below":4}'
	stderr_is ''
	hpsplit pivots -a exact -P plan cand >sublists || [ $? = 1 ]
	echo '{"type":"count","sublist":0,"rank":0,"records":3}' >count
	run_ hpsplit pivots -a exact -P plan --refine sublists cand count
	status_is 2
	stderr_has 'the counts add up to 3 records, but the plan is for 4'
	echo '{"type":"count","sublist":2,"rank":0,"records":4}' >count
	run_ hpsplit pivots -a exact -P plan --refine sublists cand count
	status_is 2
	stderr_has 'a count is for sublist 2, but there are only 2'
	{
		printf '{"type":"candidate","key":"61","rank":%d,"index":0,"records":2}\n' 0 1
		printf '{"type":"count","sublist":0,"rank":%d,"records":%d}\n' 0 2 1 1 2 1
	} >both
	run_ hpsplit pivots -a exact -P plan both
	status_is 2
	stdout_is ''
	stderr_is 'hpsplit: pivots: a count is for rank 2, but the plan has only 2 nodes'
	plan 1 3
	run_ hpsplit pivots -a exact -P plan --refine sublists cand
	status_is 2
	stderr_has 'sublist 0 has the target 2, but the plan requires 1'
	plan 4
	run_ hpsplit pivots -a exact -P plan --refine sublists cand
	status_is 2
	stderr_has 'sublists: 2 sublists, but the plan has 1 nodes'
}

# cluster SPEED...: ./cluster
cluster() {
	local n=0 speed

	for speed; do
		echo '{"type":"node","node":"node'$n'","speed":'"$speed"'}'
		n=$((n + 1))
	done >cluster
}

@test "hpsplit psop: 277 sublists give each node its share within 0.1 %" {
	cluster 8 5 3 1
	plan 80000 50000 30000 10000
	seq 170000 | shuf --random-source=<(yes) >in
	hpsplit deal -P plan in >deal
	for i in 0 1 2 3; do
		hpsplit sample -a psop -P plan -N $i --extent "$(extent $i)" \
			in >cand.$i
	done
	hpsplit pivots -a psop -P plan cand.* >sublists
	[ "$(jq -s length sublists)" = 277 ]
	jq -e -s 'all(.[]; .rank == null and .candidates >= 4725)' \
		sublists >/dev/null
	for i in 0 1 2 3; do
		hpsplit count -L sublists -N $i --extent "$(extent $i)" in \
			>count.$i
	done
	hpsplit assign -C cluster --cost n -L sublists count.* >assigned
	jq -e -s 'map(.records) | add == 170000' assigned >/dev/null
	jq -e -s '. as $s | all(range(1; length);
		$s[.].offset == $s[. - 1].offset + $s[. - 1].records)' \
		assigned >/dev/null
	# Within 0.1 % of each share.
	jq -s -c 'group_by(.rank)|map(map(.records)|add)' assigned >got
	jq -e '[., [80000,50000,30000,10000]] | transpose |
		all(.[]; (.[0] / .[1] - 1 | fabs) < 0.001)' got >/dev/null
	# What each node then sorts, and where it goes.
	hpsplit count -L assigned -N node2 in | jq .rank | sort -u >got
	echo 2 | same got -
	jq -r 'select(.rank==3)|"\(.offset) \(.records)"' assigned |
		while read -r offset records; do
			seq 170000 | sort | tail -n +$((offset + 1)) |
				head -n "$records"
		done >out.3
	hpsplit deal -L assigned -N node3 out.3 >pieces
	jq -c '[.sublist,.records]' pieces >got
	jq -c 'select(.rank==3)|[.sublist,.records]' assigned | same got -
	[ "$(jq -s 'map(.bytes)|add' pieces)" = "$(wc -c <out.3)" ]
	run_ hpsplit deal -L assigned -N 2 out.3
	status_is 2
	stderr_has 'out.3: '
}

@test "hpsplit psop: the nodes get their shares even if there are few records" {
	cluster 8 5 3 1
	for n in 100 300 500; do
		seq 1000 $((999 + n)) | shuf --random-source=<(yes) >in
		hpsolve -n $n cluster >plan
		hpsplit deal -P plan in >deal
		for i in 0 1 2 3; do
			hpsplit sample -a psop -P plan -N $i --extent "$(extent $i)" in
		done | hpsplit pivots -a psop -P plan >sublists
		for i in 0 1 2 3; do
			hpsplit count -L sublists -N $i --extent "$(extent $i)" in
		done | hpsplit assign -C cluster -L sublists |
			jq -s 'group_by(.rank) | map(map(.records) | add)' >got
		jq -s 'map(select(.type == "share").n)' plan >shares
		jq -e -s --argjson n $n 'transpose |
			all(.[]; .[0] - .[1] | fabs < 4 + $n / 20)' got shares >/dev/null ||
			fail "$n: $(jq -c . got shares)"
	done
}

@test "hpsplit assign: the largest sublist first, to the node with the smallest sum" {
	cluster 2 1
	printf '{"type":"count","sublist":%d,"rank":1,"records":%d}\n' \
		0 10 1 40 2 30 3 20 4 0 >counts
	# 40 to 0 (20); 30 to 1 (30) or 0 (35): 1; 20: 0 (30), 1 (50): 0;
	# 10: 0 (35), 1 (40): 0; 0 to 1, the smaller sum.
	hpsplit assign -C cluster --cost n counts |
		jq -c '[.sublist,.node,.offset,.records]' >got
	cat >want <<-'END'
		[0,"node0",0,10]
		[1,"node0",10,40]
		[2,"node1",50,30]
		[3,"node0",80,20]
		[4,"node1",100,0]
	END
	same got want
}

@test "hpsplit assign: --no-exchange does not exchange sublists afterwards" {
	cluster 1 1
	printf '{"type":"count","sublist":%d,"rank":0,"records":%d}\n' \
		0 3 1 3 2 2 3 2 4 2 >counts
	# Largest first: 3 to 0, 3 to 1, 2 to 0, 2 to 1, 2 to 0, which ends at 7.
	hpsplit assign -C cluster --cost n --no-exchange counts | jq .rank |
		paste -s -d ' ' | same <(echo 0 1 0 1 0) -
	hpsplit assign -C cluster --cost n counts |
		jq -s -c 'group_by(.rank) | map(map(.records) | add)' |
		same <(echo '[6,6]') -
}

@test "hpsplit assign: capacities are respected, and wrong documents refused" {
	echo '{"type":"node","node":"a","speed":9,"capacity":35}
{"type":"node","node":"b","speed":1,"capacity":50}' >cluster
	printf '{"type":"count","sublist":%d,"rank":0,"records":%d}\n' \
		0 40 1 30 >counts
	hpsplit assign -C cluster counts | jq -r .node | paste -s >got
	printf 'b\ta\n' | same got -
	printf '{"type":"count","sublist":%d,"rank":0,"records":%d}\n' \
		0 40 1 30 2 15 >counts
	run_ hpsplit assign -C cluster counts
	status_is 1
	stdout_is ''
	stderr_is 'hpsplit: assign: sublist 2: no node has room for its 15 records'
	printf '{"type":"count","sublist":%d,"rank":0,"records":%d}\n' 0 40 1 30 >counts
	for cost in -n 1/0 0/0 1000-n; do
		run_ hpsplit assign -C cluster --cost $cost counts
		status_is 2
		stdout_is ''
		stderr_has "cost '$cost'"
	done
	run_ hpsplit assign -C cluster cluster
	status_is 2
	stderr_has "expected a count, this is a 'node'"
	run_ hpsplit assign counts
	status_is 2
	: >none
	for words in '' - none '-L none none' 'none none'; do
		# shellcheck disable=SC2086 # words
		run_ hpsplit assign -C cluster $words </dev/null
		status_is 2
		stdout_is ''
		case $words in
		'' | -) stderr_is 'hpsplit: assign: standard input: no count' ;;
		'none none') stderr_is 'hpsplit: assign: none and others: no count' ;;
		*) stderr_is 'hpsplit: assign: none: no count' ;;
		esac
	done
	printf '{"type":"sublist","sublist":%d,"rank":0,"node":"a"%s}\n' \
		0 ',"until":{"key":"62","rank":0,"index":0}' 1 '' >sublists
	printf '{"type":"count","sublist":%d,"rank":0,"records":1}\n' 0 1 2 >three
	run_ hpsplit assign -C cluster -L sublists three
	status_is 2
	stdout_is ''
	stderr_is 'hpsplit: assign: a count is for sublist 2, but sublists has only 2'
	# Candidates bound sublists for count alone.
	: >candidates
	run_ hpsplit assign -C cluster -L candidates counts
	status_is 2
	stderr_is 'hpsplit: assign: candidates: contains no sublist'
	printf '{"type":"count","sublist":0,"rank":0,"records":0}\n' >none
	hpsplit assign -C cluster none | jq -c '[.rank, .records]' | same <(echo '[0,0]') -
}

# random METHOD FILE: its sublists, from random candidates, and their counts.
random() {
	local i

	hpsplit deal -P plan -F u64 "$2" >deal
	for i in $ranks; do
		hpsplit sample -a "$1" -P plan -N "$i" -F u64 \
			--extent "$(extent "$i")" "$2"
	done | hpsplit pivots -a "$1" -P plan >sublists
	for i in $ranks; do
		hpsplit count -L sublists -N "$i" -F u64 \
			--extent "$(extent "$i")" "$2"
	done >counts
}

# within PERCENT: standard input has sizes like [1,2,3,4], and ./plan shares.
within() {
	tr -d '[]' | tr , '\n' |
		paste -d ' ' - <(sed -nE 's/.*"share".*"n":([0-9]+).*/\1/p' plan) |
		awk -v p="$1" '{ off = 100 * ($1 / $2 - 1); n++ }
			off > p || off < -p { print $1, "is not near", $2; bad = 1 }
			END { exit bad || n != 4 }' >&2
}

@test "hpsplit pss and psop: the parts are near the shares, on every input" {
	cluster 8 5 3 1
	plan 80000 50000 30000 10000
	for file in uniform lcg46 gaussian zipf sorted reverse staggered \
		bucket g-group equal few; do
		hpgen -F u64 -d $file 170000 $file
		random psop $file
		hpsplit assign -C cluster --cost n counts | sed 's/"sublist":[0-9]*,//
			s/"rank"/"sublist"/' >assigned
		sizes assigned | within 0.1
		# 5 standard deviations of the smallest, 1/17 with 416 candidates.
		random pss $file
		sizes counts | within 100
		rm $file
	done
}

@test "hpsplit psop: nodes write their pieces of one file in place" {
	local i from to n

	for i in 0 1 2; do
		mkdir dir$i
		echo '{"type":"node","node":"n'$i'","speed":'$((3 - i))',"dir":"dir'$i'"}'
	done >cluster
	plan 15000 10000 5000
	hpgen -F u64 -d few:40 30000 in
	random psop in
	hpsplit assign -C cluster --cost n -L sublists counts >assigned
	for i in $ranks; do
		hpsplit cut -L assigned -N n$i -F u64 --extent "$(extent $i)" in |
			hpexchange -C cluster -N $i |
			hpsort -F u64 -o out.$i &
	done
	wait
	for i in $ranks; do
		hpsplit deal -L assigned -N n$i -F u64 out.$i |
			sed -E 's/.*"sublist":([0-9]+),.*"offset":([0-9]+),"bytes":([0-9]+).*/\1 \2 \3/' |
			while read -r n from bytes; do
				to=$(sed -nE 's/.*"sublist":'"$n"',.*"offset":([0-9]+).*/\1/p' assigned)
				dd if=out.$i of=result bs=8 skip=$((from / 8)) \
					seek="$to" count=$((bytes / 8)) \
					conv=notrunc status=none
			done
	done
	hpsort -F u64 in -o want
	same result want
}

# texts [FILE...]: the text of each place; null if it has none.
texts() {
	jq -c '.. | objects | select(has("key")) | .text' "$@"
}

@test "hpsplit: printable keys are shown as text beside the key" {
	plan 4 4
	printf '%s\n' a 'b "c"' $'tab\there' café $'esc\e' $'bad\xff' \
		"$(printf '%64s' '')" "$(printf '%65s' '')" >in
	hpsplit sample -a pss -c 8 -N 0 in >cand
	texts cand >got
	cat >want <<-'end'
		"a"
		"b \"c\""
		"tab\there"
		"café"
		null
		null
		"                                                                "
		null
	end
	same got want
	[ "$(head -n 1 cand)" = '{"type":"candidate","key":"61","text":"a","rank":0,"index":0,"records":8}' ]
	# The bytes of numbers, of reversed keys and of several parts are no text.
	for order in '-F u16' -r -k1,1 -n '-F gensort'; do
		[ "$order" = '-F gensort' ] && head -c 200 /dev/zero >in
		[ "$order" = '-F u16' ] && printf 'abcd' >in
		# shellcheck disable=SC2086 # words
		hpsplit sample $order -a pss -c 2 -N 0 in >cand
		[ "$(texts cand | sort -u)" = null ] || fail "$order: $(<cand)"
		[[ $order != '-F u16' ]] || printf 'a b\nc d\n' >in
	done
	# A field that is the whole key is text.
	printf '1 x\n2 y\n' >in
	hpsplit sample -s -k2,2 -b -a pss -c 2 -N 0 in | texts >got
	same got - <<<$'"x"\n"y"'
}

@test "hpsplit uses the key, and ignores the text beside it" {
	plan 4 4
	for text in '' '"text":"b",' '"text":"zzz",' '"text":7,' '"text":null,'; do
		printf '{"type":"candidate","key":"6%d",%s"rank":%d,"index":1}\n' \
			1 "$text" 0 2 "$text" 1 >cand
		hpsplit pivots -P plan -a psrs cand >sublists
		jq -c 'del(.until.text?)' sublists >got
		[ "$text" ] || cp got want
		same got want
		# Whoever copies a text writes that of the key.
		[ -z "$text" ] || [ "$(texts sublists)" = '"b"' ] || fail "$text"
		[ "$text" ] || [ "$(texts sublists)" = null ]
		printf '%s\n' a b c >run.0
		hpsplit cut -L sublists --extents -N 0 run.0 >extents
		[ "$(jq -s -c 'map(.records)' extents)" = '[2,1]' ]
	done
}

@test "hpsplit show prints keys as the line, the field or the number" {
	# shown WANT PRINTF [ORDER...]: texts of the records in that format.
	shown() {
		local want=$1 in=$2

		shift 2
		# shellcheck disable=SC2059 # it is a format
		printf -- "$in" >in
		hpsplit sample "$@" -a pss -c 9 -N 0 in >cand
		hpsplit show "$@" cand >show
		[ "$(jq -s -c 'map(.text)' show)" = "$want" ] ||
			fail "$*: $(jq -s -c 'map(.text)' show), expected $want"
		# Nothing else changes.
		jq -cS 'del(.text)' show | same - <(jq -cS 'del(.text)' cand)
	}
	# The order by all bytes keeps the line.
	for order in -n -r -f -k2,2 -k2n -M -V -R -g -h -d; do
		shown '["b 10","A 9"]' 'b 10\nA 9\n' $order
	done
	shown '["-12.5","0","10000000000000000000000"]' '-12.50\n00\n10000000000000000000000\n' -n -s
	shown '["x\t-3","y\t0.25"]' 'x,-3\ny,.25\n' -t, -k1,1 -k2n -s
	shown '["1.5M","-2K"]' '1.5M\n-2K\n' -h -s
	shown '["JAN","","DEC"]' 'january\nxyz\nDec\n' -M -s
	shown '["1e+20","-0.1","-inf"]' '1e20\n-0.1\n-inf\n' -g -s
	shown '["LIB2.10.SO","A"]' 'lib2.010.so\na\n' -V -f -s
	shown '["abc"]' 'abc\n' -r -s
	shown '["0","65535"]' '\0\0\377\377' -F u16
	shown '["0","-1","-32768"]' '\0\0\377\377\200\0' -F i16be -r
	shown '["1.5","-0.1"]' '\0\0\300\077\315\314\314\275' -F f32
	shown '["-2.5"]' '\0\0\0\0\0\0\004\300' -F f64
	shown '["bc"]' 'abcd' -F record:4,1,2
	shown '["\\001\\377"]' '\001\377' -F record:2
	shown '["esc\\033[1m"]' 'esc\033[1m\n'
}

@test "hpsplit show prints the first and the last key of a summary" {
	# ends WANT PRINTF [ORDER...]: texts of the summary of the records.
	ends() {
		local want=$1

		# shellcheck disable=SC2059
		printf -- "$2" >in
		shift 2
		hpcheck "$@" in >summary
		hpsplit show "$@" summary >show
		[ "$(jq -c '[.first_text, .last_text]' show)" = "$want" ] ||
			fail "$*: $(cat show), expected $want"
		jq -c 'del(.first_text, .last_text)' show |
			same - <(jq -c 'del(.first_text, .last_text)' summary)
	}
	ends '["a 1","b 2"]' 'a 1\nb 2\n'
	ends '["-2","10"]' '-2\n10\n' -n -s
	ends '["-2 x","10 y"]' '-2 x\n10 y\n' -n
	ends '["b 1","a 2"]' 'b 1\na 2\n' -k2
	ends '["0","65535"]' '\0\0\377\377' -F u16
	ends '[null,null]' ''
	hpsplit show -F u32 <<<'{"type":"summary","first":"62","first_text":"b"}' |
		jq -c '[.first_text, .last_text]' | grep -Fx '[null,null]'
}

@test "hpsplit show prints all keys of sublists, and refuses other documents" {
	three | hpsplit show >shown
	[ "$(texts shown | tr '\n' ' ')" = '"b" "m" ' ]
	three | jq -c '.low = {below: 1, key: "6161", rank: 0, index: 0} |
		.high = {below: 9}' | hpsplit show | texts | grep -c aa | grep -x 3
	# No number has such a key; its text is removed.
	three | jq -c '.until.text? = "x"' | hpsplit show -F u32 >shown
	[ "$(texts shown | sort -u)" = null ]
	printf '{"type":"count","sublist":0,"rank":0,"records":7}\n' >count
	hpsplit show count | same - count
	hpsplit show count count | wc -l | grep -x 2
	plan 1 2
	run_ hpsplit show plan
	status_is 2
	stderr_is "hpsplit: show: plan: line 1: expected a candidate, a sublist or a summary, this is a 'share'"
	run_ hpsplit show <<<'{"type":"candidate","key":"6","rank":0,"index":0}'
	status_is 2
	stderr_has 'line 1'
	run_ bash -c 'three() { echo "{\"type\":\"sublist\",\"sublist\":0}"; }; three | hpsplit show >/dev/full'
	status_is 2
}

# parts FILE: the extents that hpsplit range has printed tell the whole file.
parts() {
	jq -se --argjson size "$(stat -c %s "$1")" '
		[.[].offset] == (. as $x | [range(length)] |
			map($x[:.] | map(.bytes) | add // 0)) and
		(map(.bytes) | add) == $size and
		map(.sublist) == map(.rank) and map(.rank) == [range(length)]' deal >/dev/null ||
		fail "$(cat deal)"
}

# ranged FILE [ORDER...]: FILE is divided by the plan; the sorted parts are the
# sorted file, and each has its share.
ranged() {
	local i file=$1

	shift
	hpsplit range -P plan -o out --sums sums "$@" "$file" >deal
	parts out
	jq -s 'map(select(.type == "share").n)' plan | same - <(jq -s 'map(.records)' deal)
	for i in $ranks; do
		hpsort "$@" --extent "$(extent "$i")" out
	done | same - <(hpsort "$@" "$file")
	for i in $ranks; do
		bytes out "$(extent "$i")" >part
		hpcheck --sum "$@" part | jq -c '[.records, .bytes, .checksum]'
	done | same - <(jq -c '[.records, .bytes, .checksum]' sums)
}

@test "hpsplit range: the sorted parts are the sorted file, on every input" {
	plan 10000 0 25000 1 15000 0
	for distribution in uniform equal sorted reverse zipf few; do
		hpgen -F u64 -d $distribution 50001 >in
		ranged in -F u64
		hpgen -F line -d $distribution 50001 >in
		ranged in
		ranged in -r
		ranged in -k1.2,1.3 -s
	done
	seq 50001 | shuf --random-source=<(yes) | paste -d ' ' - <(yes x | head -50001) >in
	ranged in -n
	ranged in -n -r
	tr '\n' '\0' <in >in0
	ranged in0 -z
}

@test "hpsplit range --approximate: no share is far from the planned one" {
	plan 10000 0 25000 1 15000
	for distribution in uniform equal sorted reverse; do
		hpgen -F u64 -d $distribution 50001 >in
		hpsplit range --approximate -P plan -o out --sums sums -F u64 in >deal
		parts out
		jq -se 'map(.records) as [$a, $b, $c, $d, $e] |
			def near($x; $n): ($x - $n | fabs) < 500;
			near($a; 10000) and near($b; 0) and near($c; 25000) and
			near($d; 1) and near($e; 15000)' deal >/dev/null || fail "$(cat deal)"
		for i in $ranks; do
			hpsort -F u64 --extent "$(extent "$i")" out
		done | same - <(hpsort -F u64 in)
		for i in $ranks; do
			bytes out "$(extent "$i")" >part
			hpcheck --sum -F u64 part | jq -c '[.records, .bytes, .checksum]'
		done | same - <(jq -c '[.records, .bytes, .checksum]' sums)
	done
	run_ hpsplit count --approximate -N 0 -F u64 in
	status_is 2
	stderr_is 'hpsplit: --approximate needs the action range'
}

@test "hpsplit range: there may be no records, one node, and no last newline" {
	: >empty
	plan 0 0
	ranged empty
	plan 3
	printf 'b\na\nc' >in
	ranged in
	[ "$(cat out)" = "$(cat in)" ]
	plan 1 1 1
	ranged in
	printf 'a\nb\nc\n' | same out -
}

@test "hpsplit range --parallel: any number of threads gives the same output" {
	plan 10000 0 25000 1 15000
	hpgen -F line -d few 50001 | paste -d ' ' - <(seq 50001) >in
	printf '%s' "$(cat in)" >unended
	for file in in unended; do
		for words in '-k 1,1' '-k 2,2n -r' '-k 1,1 --approximate'; do
			# shellcheck disable=SC2086 # words
			hpsplit range --parallel 1 -P plan -o one --sums sums.one $words $file >deal.one
			for n in 2 3 17; do
				# shellcheck disable=SC2086
				hpsplit range --parallel $n -P plan -o out --sums sums $words $file >deal
				cmp one out
				cmp deal.one deal
				cmp sums.one sums
			done
		done
	done
	# One record that is longer than all chunks, and more threads than records.
	plan 2
	{ head -c 300000 /dev/zero | tr '\0' b; echo; echo a; } >in
	hpsplit range --parallel 5 -P plan -o out in >deal
	same out in
	run_ hpsplit range --parallel 0 -P plan -o out in
	status_is 2
	run_ hpsplit count --parallel 2 -N 0 in
	status_is 2
	stderr_is 'hpsplit: --parallel needs the action range'
}

@test "hpsplit range: a header, and an extent, are left out" {
	seq 1000 | shuf --random-source=<(yes) >body
	{ echo head; cat body; } >in
	plan 300 700
	hpsplit range -P plan -o out --header 1 in >deal
	bytes out "$(extent 0)" | sort | same - <(sort body | head -300)
	bytes out "$(extent 1)" | sort | same - <(sort body | tail -700)
	plan 2 1
	printf '9\n5\n3\n1\n' >in
	run_ hpsplit range -P plan -o none --extent 2:7 in
	status_is 2
	stderr_has 'in: the extent ends at byte 9, behind the end of the file'
	[ ! -e none ]
	hpsplit range -P plan -o out --extent 2:6 - <in >deal
	[ "$(tr '\n' ' ' <out)" = '3 1 5 ' ]
}

@test "hpsplit range: a record of any length is copied" {
	{
		head -c 300000 /dev/zero | tr '\0' b
		echo
		echo a
		head -c 5000000 /dev/zero | tr '\0' a
		echo
		seq 20000
	} >in
	plan 10000 10002 1
	ranged in
}

@test "hpsplit range: what is wrong is refused, and no output appears" {
	seq 100 >in
	plan 50 51
	run_ hpsplit range -P plan -o out --sums sums in
	status_is 2
	stderr_is 'hpsplit: range: in: 100 records, but the plan is for 101'
	plan 50 50
	run_ bash -c 'cat in | hpsplit range -P plan -o out'
	status_is 2
	stderr_is 'hpsplit: range: standard input: not a regular file: it must be read twice'
	run_ hpsplit range -P plan in
	status_is 2
	stderr_has '-o, the output file, is needed'
	run_ hpsplit range -P plan -o out -u in
	status_is 2
	stderr_has '-u cannot be used with range'
	run_ hpsplit deal -P plan --sums sums in
	status_is 2
	run_ hpsplit range -P plan -o out -F u64 in
	status_is 2
	run_ hpsplit range -P plan -o out --sums ./out in
	status_is 2
	stdout_is ''
	stderr_is 'hpsplit: -o and --sums name the same file: ./out'
	for f in in plan; do
		run_ hpsplit range -P plan -o out --sums $f in
		status_is 2
		stderr_is "hpsplit: --sums: $f is an input"
	done
	run_ bash -c 'hpsplit range -P plan -o out in >/dev/full'
	status_is 2
	run_ bash -c 'hpsplit range -P plan -o /dev/full in'
	status_is 2
	run_ bash -c 'hpsplit range -P plan -o out --sums /dev/full in'
	status_is 2
	[ ! -e out ] && [ ! -e sums ]
}

@test "an option of another action is an error, and the message names the action" {
	seq 10 >in
	hpsolve -n 10 -k 1,1 >plan
	while IFS=: read -r words message; do
		# shellcheck disable=SC2086 # words
		run_ hpsplit $words in
		status_is 2
		stdout_is ''
		stderr_is "hpsplit: $message"
	done <<-'END'
		count -N 0 -c 3:-c needs the action pivots or sample
		assign -C in -P plan:-P needs the action count or cut or deal or pivots or range or sample
		assign -C in -r:-r needs the action count or cut or deal or pivots or range or sample or show
		pivots -P plan -a pss --header 1:--header needs the action count or cut or deal or range or sample
		range -P plan -o out --seed 1:--seed needs the action sample
		show -P plan:-P needs the action count or cut or deal or pivots or range or sample
		pivots -P plan -a psop --refine plan:pivots: --refine needs -a exact
		pivots -P plan -a pss -c 3:pivots: -c needs -a psop
		deal -P plan -N 0:deal: -N needs -L, the sublists
		deal -P plan -L in -N 0:deal: -P and -L exclude each other
	END
	[ ! -e out ]
}

@test "deal divides the part of the file that --extent selects" {
	seq 10 19 >in
	hpsolve -n 4 -k 1,1 >plan
	run_ hpsplit deal -P plan --extent 6:12 in
	status_is 0
	jq -c '[.offset, .bytes, .records]' <<<"$output" >got
	printf '%s\n' '[6,6,2]' '[12,6,2]' >want
	same got want
}
