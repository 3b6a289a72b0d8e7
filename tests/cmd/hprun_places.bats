# Parts of the input and the result in their places, the header, and usage.
# shellcheck shell=bash disable=SC2154
load common
load hprun

@test "--header keeps the first records on top, and does not count them" {
	lines 2000 | sort -R --random-source=<(yes) >body
	printf 'zz\naa\n' >titles
	cat titles body >in
	sort -k 2,2n -s body | cat titles - >want
	for a in exact psop range; do
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

@test "--in-place: the parts on the nodes may have any size" {
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
	stderr_has 'several nodes have'
	run_ hprun -j 4 --in-place 'part.{rank}' -o new
	status_is 2
	stderr_has "node3: $PWD/part.3: cannot be read"
	run_ hprun -j 3 --in-place 'part.{rank}' -o new in
	status_is 2
	empty_dir tmp
	[ ! -e new ]
}

@test "--in-place: every part that is missing is named, however many there are" {
	hosts a
	for i in {0..119}; do
		jq -nc --arg node "n$i" '{type: "node", $node, host: "a", speed: 1}'
	done >many
	run_ hprun -C many --transport ssh --rsh far --in-place '/none/in.{rank}' \
		--leave '/none/{rank}'
	status_is 2
	for i in {0..119}; do echo "n$i: /none/in.$i: cannot be read"; done >want
	sed -n 's/^hprun: \(.*cannot be read\)$/\1/p' <<<"$stderr" |
		sort -V | same - want
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
		case $a in
		exact | psop)
			hprun -a $a -j 2 --in-place 'part {rank}' --header 2 \
				-s -k 2,2n >out
			same out want
			;;
		esac
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
}

@test "--in-place with --header: the first file may be shorter than the header" {
	# Its last record has no delimiter.
	printf 'b\na' >'part 0'
	printf 'b\na\n1\n2\n' >want
	for a in exact psop; do
		printf '2\n1\n' >'part 1'
		hprun -a $a -j 2 --in-place 'part {rank}' --header 5 >out
		same out want
	done
}

@test "--in-place with --header works for records with -z and of a fixed size" {
	printf 'b\0a\0c' >'part 0'
	printf '2\0' >'part 1'
	hprun -z -j 2 --in-place 'part {rank}' --header 1 | tr '\0' ' ' >out
	[ "$(cat out)" = 'b 2 a c ' ]
	hpgen -F record:7 --seed 5 900 'part 0'
	: >'part 1'
	hpsort -F record:7 --header 3 'part 0' >want
	hprun -F record:7 --header 3 -j 2 --in-place 'part {rank}' >out
	same out want
}

@test "-a range needs an input that only this machine has, and no -u" {
	seq 10 >in
	for words in '-u in' '--in-place in' '--shared in'; do
		# shellcheck disable=SC2086 # words
		run_ hprun -a range -j 1 $words
		status_is 2
		stderr_has '-a range excludes --in-place, --shared and -u'
	done
}

@test "--in-place: a resumed run refuses a part that has changed" {
	lines 3000 >in
	split -n l/3 --numeric-suffixes=0 -a 1 in part.
	cp part.1 was.1
	touch -r part.1 was.1
	hprun -j 3 --in-place 'part.{rank}' --keep kept -o out
	hprun -j 3 --in-place 'part.{rank}' --resume kept -o out
	sort in | cmp - out
	rm out
	echo new >>part.1
	run_ hprun -j 3 --in-place 'part.{rank}' --resume kept -o out
	status_is 2
	stderr_is "hprun: node1: $PWD/part.1 has changed since the run in kept began: begin a new run"
	# The same size, another time.
	cp was.1 part.1
	run_ hprun -j 3 --in-place 'part.{rank}' --resume kept -o out
	status_is 2
	[ ! -e out ]
	touch -r was.1 part.1
	hprun -j 3 --in-place 'part.{rank}' --resume kept -o out
	sort in | cmp - out
}

@test "--leave in place of the input: a resumed run knows its own result" {
	lines 3000 >in
	split -n l/3 --numeric-suffixes=0 -a 1 in part.
	cp part.1 before.1
	both=(--in-place 'part.{rank}' --leave 'part.{rank}')
	# The run ends before the parts get their names.
	instead hpcheck <<-'EOF'
		case $* in
		*.1) exit 1 ;;
		*) exec "$real" "$@" ;;
		esac
	EOF
	run_ hprun -j 3 "${both[@]}" --keep kept
	status_is 2
	same part.1 before.1
	ln -sf "$HPBIN/hpcheck" bin
	echo new >>part.1
	run_ hprun -j 3 "${both[@]}" --resume kept
	status_is 2
	stderr_has 'part.1 has changed'
	cp before.1 part.1
	rm -r kept
	hprun -j 3 "${both[@]}" --keep kept >summary
	cat part.? | cmp - <(sort in)
	hprun -j 3 "${both[@]}" --resume kept >again
	same again summary
	cat part.? | cmp - <(sort in)
}

@test "--leave: an agent may be killed between the parts of its nodes" {
	local way part

	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	instead hpexchange <<-'EOF'
		unset LD_PRELOAD # it renames two files
		exec "$real" "$@"
	EOF
	lines 3000 >in
	for way in part out; do
		rm -rf home kept
		hosts a b
		# The first host has two nodes, whose agent is killed when it renames the
		# part of the second one.
		jq -c 'if .host == "b" then .host = "a" | .dir += " 2" else . end' cluster >one
		mv one cluster
		mkdir "$(jq -r 'select(.node == "on b").dir' cluster)"
		sed "s|^eval|[ -e '$PWD/struck' ] \|\| export LD_PRELOAD='$HPBIN/../tests/fault/ioerr.so' HP_FAULT=rename:2:-9; : >'$PWD/struck'; eval|" far >failing
		chmod +x failing
		for part in 0 1; do sed -n "$((part + 1))~2p" in >"part.$part"; done
		words=(-C cluster --transport unix -a exact --in-place "$PWD/part.{rank}"
			--leave "$PWD/$way.{rank}")
		run_ hprun "${words[@]}" --rsh "$PWD/failing" --keep kept
		stderr_has 'some parts may already have their final names'
		head -n "$(wc -l <$way.0)" <(sort in) | cmp - $way.0
		run_ hprun "${words[@]}" --rsh "$PWD/far" --resume kept
		status_is 0
		cat $way.[01] | cmp - <(sort in)
		rm -f struck $way.[01]
	done
}

@test "--leave elsewhere: a resumed run refuses a part that has changed" {
	lines 3000 >in
	split -n l/3 --numeric-suffixes=0 -a 1 in part.
	both=(--in-place 'part.{rank}' --leave 'out.{rank}')
	hprun -j 3 "${both[@]}" --keep kept >summary
	echo new >>part.1
	run_ hprun -j 3 "${both[@]}" --resume kept
	status_is 2
	stderr_has 'part.1 has changed'
	cat out.? | cmp - <(sort in)
}

@test "--leave: the parts stay if the summary cannot be written, and a message says so" {
	lines 3000 >in
	HP_RUN=$HP_MARK run_ sh -c \
		"exec hprun -j 2 --leave 'part.{rank}' in >/dev/full"
	status_is 2
	stderr_has 'hprun: the parts of the result are complete and have their final names'
	cat part.? | cmp - <(sort in)
	nothing_left
}

@test "--leave: only regular files and links to them are replaced" {
	lines 30 >in
	mkfifo part.0
	run_ hprun -j 2 --leave 'part.{rank}' in
	status_is 2
	stderr_has "hprun: node0: $PWD/part.0: not a regular file"
	[ -p part.0 ]
	[ ! -e part.1 ]
	rm part.0
	: >elsewhere
	ln -s elsewhere part.0
	hprun -j 2 --leave 'part.{rank}' in >summary
	[ ! -L part.0 ]
	[ ! -s elsewhere ]
	nothing_left
}

@test "--leave: a node may have no record" {
	for a in exact psrs pss psop range; do
		for n in 0 1 2; do
			seq $n >in
			run_ hprun -a $a -j 3 --leave 'part.{rank}' in
			status_is 0
			[ "$(jq .records <<<"$output")" -eq $n ]
			cat part.[0-2] | cmp - in
			rm part.[0-2]
		done
	done
}

@test "--leave and --header exclude each other" {
	seq 10 >in
	run_ hprun -j 2 --header 1 --leave 'left {rank}' in
	status_is 2
	stderr_has '--leave and --header cannot be combined'
}

@test "--leave: each node keeps its part, and the summary proves the whole" {
	lines 3000 >in
	mkdir parts
	for a in exact psrs pss range; do
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

@test "--leave: a node that cannot rename its part fails the run, with a message" {
	lines 3000 >in
	mkdir parts
	# What has the name of a part is a directory by the time of the rename.
	instead hpcheck <<-EOF
		case \$PWD in
		*/node.1) mkdir -p "$PWD/parts/1" ;;
		esac
		exec "\$real" "\$@"
	EOF
	HP_RUN=$HP_MARK run --separate-stderr -2 \
		hprun -j 2 --leave 'parts/{rank}' in
	stdout_is ''
	stderr_has "$PWD/parts/1: Is a directory"
	stderr_has 'hprun: node1: leave: failed'
	stderr_has 'hprun: some parts may already have their final names; these parts are complete'
	[ -d parts/1 ]
	[ ! -e parts/0 ] || hpcheck parts/0 >summary
	nothing_left
}

@test "--leave: the summary lists the parts, with psop several for one node" {
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
	stderr_has 'the summary is not that of a written part'
	empty_dir "par'ts"
	nothing_left
}

@test "-S: the nodes of a machine divide the memory" {
	printf 'b\na\n' >in
	while read -r all each; do
		hprun --dry-run -j 2 -S "$all" in >script
		[ "$(grep -oE -- '-S [0-9]+[a-zA-Z%]' script | sort -u)" = "-S $each" ]
	done <<-'EOF'
		7 3584b
		5K 2560b
		5k 2560b
		3M 1536K
		3m 1572864b
		3G 1536M
		2T 1024G
		1P 562949953421312b
		100b 50b
		1b 1b
		30% 15%
	EOF
	hprun --dry-run -j 2 in | grep -q -- '-S 25%'
}

@test "wrong usage is refused; --help and --version print" {
	run_ hprun --help
	status_is 0
	stdout_has 'usage: hprun'
	run_ hprun --version
	status_is 0
	[[ $output == 'hprun (hptools) '[0-9]* ]]
	run_ bash -c 'hprun --help >/dev/full'
	status_is 2
	stderr_is 'hprun: standard output: No space left on device'
	: >usage
	for words in --nonsense '-j 0' '-j x' '-j 2 --speeds 1,2' '-a nonsense' \
		'--speeds 1,,2' '--speeds 1,2,' '--speeds ,1' '--speeds a' '--speeds 1.2.3' '--speeds 1,0' \
		'--speeds 0.0' '--speeds .' '-S much' '-S 101%' '-o' \
		'-S 9999999999999999999' '-j 2 --without node2' \
		'-j 2 --rsh ./far' '-j 2 --rsh=bin/far' '--method nonsense' \
		'--keep a --resume b' '--resume b --keep a' \
		'-R --random-source nothing' '--trace o -o o' \
		'-j 2 --trace usage usage'; do
		# shellcheck disable=SC2086
		run_ hprun $words
		status_is 2
		stdout_is ''
		grep -Eq '^(usage: |hprun: (only one of )?(-|nothing: ))' <<<"$stderr" ||
			fail "$words: $stderr"
	done
	# The synopsis, which is long, does not hide what is wrong with a value.
	while read -r option words; do
		# shellcheck disable=SC2086
		run_ hprun $option $words usage
		status_is 2
		[[ $stderr =~ ^"hprun: $option: "[^$'\n']*$ ]] || fail "$stderr"
	done <<-'EOF'
		-S much
		-S 101%
		--rsh ./far -j 2
		--without nobody -j 2
		--speeds 1,x
		--speeds 1,
	EOF
	hprun --speeds 1e1,+5 -n 30 -- echo '{count}' >got
	printf '20\n10\n' | cmp - got
	run_ hprun -j 100000
	status_is 2
	stderr_has "hprun: -j: number of nodes '100000'"
}

@test "a missing file, or a directory for a file, is reported before the work" {
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
	mkdir here.0 here.1
	run_ hprun -j 2 --leave 'here.{rank}' in
	status_is 2
	stdout_is ''
	stderr_has 'node0: '
	stderr_has 'here.1: Is a directory'
	run_ hprun -T nothing in
	status_is 2
	empty_dir tmp
}

@test "a method that cannot plan for the cluster is refused before any login" {
	seq 10 >in
	run_ hprun -j 2 --method fpm in
	status_is 2
	stderr_has "hprun: method fpm: the method needs points, and node 'node0' has none"
	jq -nc '{type: "node", node: "a", host: "b"}' >cluster
	run_ hprun -C cluster --method fpm --rsh false in
	status_is 2
	stderr_has "hprun: method fpm: the method needs points, and node 'a' has none"
	empty_dir tmp
}

@test "a bad cluster or login command is reported before the work" {
	seq 10 >in
	jq -nc '{type: "node", node: "a", host: "b"}' >cluster
	run_ hprun -C cluster --rsh nothing in
	status_is 2
	stderr_is 'hprun: nothing: not found; hosts are reached by this command (--rsh)'
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
	empty_dir tmp
}

@test "a bad order or a bad record fails the run with the program's message" {
	seq 10 >in
	run_ hprun -j 2 -k 0 in
	status_is 2
	stderr_has 'hprun: field number is zero'
	for format in nonsense '' u record:0 record:x; do
		run_ hprun -j 2 -F "$format" --header 1 in
		status_is 2
		stdout_is ''
		[[ $stderr == 'hprun: -F: format '* && $stderr != *$'\n'* ]]
	done
	printf '123456789' >in
	run_ hprun -j 2 -F u64 -o out in
	status_is 2
	[ ! -e out ]
	empty_dir tmp
}

@test "exit status 1 of a program is passed on" {
	seq 100 >in
	echo '{"type":"node","node":"a","capacity":10,"speed":1}' >cluster
	run_ hprun -C cluster -o out in
	status_is 1
	stderr_has 'launcher: hpsolve'
	[ ! -e out ]
	empty_dir tmp
}
