# Jobs on records: hprun --map -- COMMAND.
# shellcheck shell=bash disable=SC1083,SC2016,SC2154 # $ is for the shell of a job
load common
load hprun
load secure

@test "the outputs are in the order of the input, for every format" {
	lines 3000 >in
	sed 's/1/one/g' in >want
	run_ hprun --map --speeds 5,3,1 -o out in -- sed 's/1/one/g'
	status_is 0
	stderr_is ''
	stdout_is ''
	same out want
	hprun --map -j 2 -- sed 's/1/one/g' <in >out
	same out want
	for f in gensort u16 record:7; do
		hpgen -F "$f" --seed 3 3500 in
		run_ hprun --map -F "$f" --speeds 5,3,1 -o out in -- cat
		status_is 0
		same out in
	done
	hpgen -F u16 3500 in
	hprun --map -F u16 --speeds 3,1 in -- wc -c >out
	[ "$(paste -s -d ' ' out)" = '5250 1750' ]
	printf 'a\nb\0c\0d' >in
	hprun --map -z -j 3 in -- sh -c 'echo "$1 $2:"; cat; echo' sh {first} {count} >out
	printf '0 1:\na\nb\0\n1 1:\nc\0\n2 1:\nd\n' >want
	same out want
	empty_dir tmp
}

@test "the shares are hpsolve's, and each node filters its part only" {
	seq 1000 >in
	hprun --map --speeds 8,5,3,1 in -- sh -c \
		'echo {rank} {node} {nodes} {first} {count} $(wc -l)' >out
	hpsolve -k 8,5,3,1 -n 1000 -c n | jq -r 'select(.type == "share") |
		"\(.rank) \(.node) 4 \(.offset) \(.n) \(.n)"' >want
	same out want
	hprun --map --speeds 2,1 -c 'n*log(n)' in -- wc -l >out
	hpsolve -k 2,1 -n 1000 | jq -r 'select(.type == "share") | .n' >want
	same out want
}

@test "the input may be several files, -, or the output, without a final newline" {
	printf '1\n2' >a
	printf '3\n4' >b
	hprun --map -j 3 a - b -- cat <a >out
	same out <(printf '1\n2\n1\n2\n3\n4')
	run_ hprun --map -j 2 -o a a -- tr 12 xy
	status_is 0
	same a <(printf 'x\ny')
	: >empty
	run_ hprun --map -j 2 -o out empty -- cat
	status_is 0
	[ -f out ] && [ ! -s out ]
	hprun --map -j 5 -- cat <b >out
	same out b
	run_ hprun --map none -- cat
	status_is 2
	stderr_has 'none: No such file'
	run_ hprun --map -- 
	status_is 2
	stderr_has 'COMMAND'
	run_ hprun --map a
	status_is 2
	stderr_has 'COMMAND'
}

@test "a filter may leave its input unread, or read it late" {
	hpgen -F gensort 50000 in
	run_ hprun --map -F gensort -j 2 in -- head -c 100
	status_is 0
	[ "${#output}" -gt 0 ]
	hprun --map -F gensort -j 2 in -- head -c 100 >out
	[ "$(stat -c %s out)" = 200 ]
	hprun --map -F gensort -j 2 in -- true >out
	[ ! -s out ]
	hprun --map -F gensort -j 2 in -- sh -c 'sleep 0.2; cat' >out
	same out in
}

@test "a failing filter: the message names node, step and status; no output appears" {
	seq 100 >in
	echo before >out
	run_ hprun --map -j 3 -o out in -- sh -c 'cat; exit {rank}'
	status_is 2
	[[ $stderr == 'hprun: node'[12]': run: failed with exit status '[12] ]]
	[ "$(<out)" = before ]
	run_ hprun --map -j 3 in -- sh -c 'cat; exit {rank}'
	status_is 2
	stdout_is ''
	rm out
	nothing_left
}

@test "no word reaches a shell, also on hosts and in a dry run" {
	hosts a 'b $(touch pwned) "; touch pwned'
	seq 9 >"in '\$(touch pwned)\""
	words=("a 'b\" \$(touch pwned)" '`touch pwned`' $'two\nlines' $'\x01$(touch pwned)'
		'; touch pwned' '*' '')
	for part in 1,6 7,9; do
		sed -n "${part}p" "in '\$(touch pwned)\""
		printf '%s\n' "${words[@]}" "${part%,*}"
	done >want
	filter=(sh -c 'cat; printf "%s\n" "$@"; echo $((${0} + 1))' {first} "${words[@]}")
	sed -i 's/"speed":1/"speed":20/; s/"speed":2}/"speed":10}/' cluster
	run_ hprun --map -C cluster --rsh far -o out "in '\$(touch pwned)\"" -- "${filter[@]}"
	status_is 0
	stderr_is ''
	same out want
	for sh in dash bash; do
		rm out
		hprun --map -C cluster --rsh far --dry-run -o out "in '\$(touch pwned)\"" -- \
			"${filter[@]}" >commands
		"$sh" commands
		same out want
	done
	rm out
	clean
	[ -z "$(find . -name pwned)" ]
}

@test "a job runs on hosts and on this machine; the commands of --dry-run give the same" {
	lines 3000 >in
	hosts a b
	echo '{"type":"node","node":"here","speed":2}' >>cluster
	for to in '' '-o out'; do
		# shellcheck disable=SC2086 # words
		run_ hprun --map -C cluster --rsh far $to -- cat <in
		status_is 0
		stderr_is ''
		[ -n "$to" ] || printf '%s\n' "$output" >out
		same out in
		rm out
	done
	hprun --map -j 3 --dry-run -- cat >commands
	dash commands <in >out
	same out in
	hprun --map -j 4 --dry-run -- sh -c 'wc -l; echo {rank}' >commands
	dash commands <<<one >out
	same out <(printf '1\n0\n')
	rm out
	clean
}

@test "a host dies: the other nodes get its records, also from a pipe" {
	lines 3000 >in
	cat >job <<-'EOF'
		#!/bin/sh
		case $PWD in
		*/home/b/*)
			: >"$1/dead b"
			kill -KILL 0 $(cat "$1/logins.b")
			;;
		esac
		exec cat
	EOF
	chmod +x job
	for from in in ''; do
		hosts a b
		# A host ends when its logins do.
		sed -i '2i echo $$ >>"${0%/*}/logins.$1"' far
		rm -f dead* logins*
		# shellcheck disable=SC2086 # words
		run_ timeout 500 hprun --map -C cluster --timeout 300 --rsh far -o out $from \
			-- "$PWD/job" "$PWD" <in
		status_is 0
		stderr_has 'on b: lost; its share goes to the others'
		same out in
		rm -r out home/b
	done
	clean
}

@test "--resume continues with the stored input" {
	seq 30 >in
	job='echo {rank} >>"$1/runs"; cat; [ {rank} != 1 ] || [ -e "$1/ready" ] || {
		until [ "$(wc -l <"$1/runs")" -ge 3 ]; do sleep 0.05; done
		sleep 0.3
		exit 1
	}'
	run_ hprun --map -j 3 --keep kept -o out -- sh -c "$job" sh "$PWD" <in
	status_is 2
	: >ready
	run_ hprun --map -j 3 --resume kept -o out -- sh -c "$job" sh "$PWD" </dev/null
	status_is 0
	same out in
	[ "$(sort runs | paste -s -d ' ')" = '0 1 1 2' ]
	[ -e kept/node.1/in ]
}

@test "--trace has the records and bytes of each node, --progress the part that is done" {
	seq 1000 1999 >in
	run_ hprun --map --speeds 3,1 --trace trace --progress -o out in -- cat
	status_is 0
	stderr_has 'hprun: run, 100 %'
	jq -c 'select(.step == "run") | [.rank, .records, .bytes]' trace | sort >steps
	[ "$(<steps)" = $'[0,750,3750]\n[1,250,1250]' ]
}

@test "--weights divides the records by weight" {
	seq 20 >weights
	hpsolve --weights weights -k 8,5,3,1 -c n |
		jq -r 'select(.type == "share" and .n > 0).n' >want
	hprun --map --weights weights --speeds 8,5,3,1 weights -- wc -l >out
	same out want
	hprun --map --weights weights --speeds 8,5,3,1 -- cat <weights >out
	same out weights
	run_ hprun --map --weights - -j 2 -- cat <weights
	status_is 2
	stderr_has 'either FILE or weights'
}
