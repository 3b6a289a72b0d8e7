# Jobs on numbered items: hprun -n COUNT -- COMMAND.
# shellcheck shell=bash disable=SC1083,SC2016,SC2154 # $ is for the shell of a job
load common
load hprun
load secure

# What a job does in these tests: a line for each item, numbered from 0.
items='seq "$1" "$(($1 + $2 - 1))"'

@test "the outputs are in the order of the items, and the shares are hpsolve's" {
	seq 0 9999 >want
	run_ hprun --speeds 8,5,3,1 -n 10k -o out -- sh -c "$items" sh {first} {count}
	status_is 0
	stderr_is ''
	stdout_is ''
	same out want
	hprun --speeds 8,5,3,1 -n10k -- sh -c "$items" sh {first} {count} >out
	same out want
	hprun --speeds 8,5,3,1 -n 10k -- echo {first} {count} >out
	hpsolve -k 8,5,3,1 -n 10k -c n |
		jq -r 'select(.type == "share") | "\(.offset) \(.n)"' >want
	same out want
	hprun --speeds 8,5,3,1 --count 1M -c 'n^2' -- echo {first} {count} >out
	hpsolve -k 8,5,3,1 -n 1M -c 'n^2' |
		jq -r 'select(.type == "share") | "\(.offset) \(.n)"' >want
	same out want
	hprun --speeds 2,1 --method equal -n 10 -- echo {count} >out
	[ "$(paste -s -d ' ' out)" = '5 5' ]
	empty_dir tmp
}

@test "placeholders are replaced once, anywhere in a word; other braces stay" {
	jq -nc '{type: "node", node: "a{rank}"}, {type: "node", node: "b {count}"}' \
		>cluster
	run_ hprun -C cluster -n 4 -- printf '%s|' 'x{first}-{count}y' '{rank}{nodes}' \
		'{node}' '{' '{}' '{first' 'first}' '{{rank}}' '{Rank}' '{nodes }' ''
	status_is 0
	stdout_is "x0-2y|02|a{rank}|{|{}|{first|first}|{0}|{Rank}|{nodes }||\
x2-2y|12|b {count}|{|{}|{first|first}|{1}|{Rank}|{nodes }||"
	run_ hprun -j 1 -n 1 -- '{node}'
	status_is 127
	stderr_has 'node0: node0: not found'
}

@test "a dry run prints the umask and the locale of the commands" {
	hosts a
	jq -c . cluster >both
	echo '{"type":"node","node":"here","speed":1}' >>both
	shows='umask; echo "$LC_ALL"; : >f; stat -c %a f'
	umask 022
	export LC_ALL=C.UTF-8
	hprun -C both --rsh far -n 2 -o run -- sh -c "$shows"
	printf '%s\n' 0077 C 600 0077 C 600 | diff - run
	hprun -C both --rsh far -n 2 --dry-run -o out -- sh -c "$shows" >commands
	sh commands
	same out run
	[ "$(stat -c %a out)" = 644 ]
	rm out
	clean
}

@test "no word reaches a shell, also on hosts and in a dry run" {
	hosts a 'b $(touch pwned) "; touch pwned'
	words=("a 'b\" \$(touch pwned)" '`touch pwned`' $'two\nlines' $'\x01$(touch pwned)'
		'; touch pwned' '*' '' $'\xff\xfe' '\' '~' '$HOME' '-n' '--' '--map')
	printf '%s\n' "${words[@]}" "${words[@]}" >want
	run_ hprun -C cluster --rsh far -n 3 -o out -- printf '%s\n' "${words[@]}"
	status_is 0
	stderr_is ''
	same out want
	for sh in dash bash; do
		rm out
		hprun -C cluster --rsh far -n 3 --dry-run -o out -- \
			printf '%s\n' "${words[@]}" >commands
		"$sh" commands
		same out want
	done
	rm out
	clean
	[ -z "$(find . -name pwned)" ]
}

@test "the command runs in the directory of its node, with an empty input" {
	mkdir d
	jq -nc --arg d "$PWD/d" '{type: "node", node: "a", dir: $d}' >cluster
	yes | hprun -C cluster -n 1 -- sh -c 'pwd; wc -c' >out
	[ "$(sed -n 2p out)" = 0 ]
	[[ $(head -n 1 out) == "$PWD/d/hprun."* ]]
	empty_dir d
	empty_dir tmp
}

@test "a node without a share runs nothing; without items the output is empty" {
	hprun -j 4 -n 2 -- echo {rank} >out
	[ "$(paste -s -d ' ' out)" = '0 1' ]
	run_ hprun -j 2 -n 0 -o out -- echo no
	status_is 0
	[ -f out ] && [ ! -s out ]
	jq -nc '{type: "node", node: "a", capacity: 3}' >cluster
	run_ hprun -C cluster -n 4 -- echo no
	status_is 1
	stdout_is ''
}

@test "a failing command: the message names node, step and status; no output appears" {
	echo before >out
	run_ hprun -j 3 -n 9 -o out -- \
		sh -c 'echo output; [ "$1" != 1 ] || { echo why >&2; exit 7; }' sh {rank}
	status_is 2
	stderr_is 'node1: why
hprun: node1: run: failed with exit status 7'
	[ "$(<out)" = before ]
	run_ hprun -j 3 -n 9 -- sh -c 'echo output; exit "$1"' sh {rank}
	status_is 2
	stdout_is ''
	stderr_has 'hprun: node'
	run_ hprun -j 1 -n 9 -- sh -c 'kill -KILL $$'
	status_is 3
	stderr_is 'hprun: node0: run: killed by signal 9'
	run_ hprun -j 1 -n 9 -- ./none
	status_is 127
	: >cannot
	run_ hprun -j 1 -n 9 -- "$PWD/cannot"
	status_is 126
	rm out
	nothing_left
}

@test "exit status 3 or 255 of a command does not mean a lost host" {
	hosts a b
	for code in 3 255; do
		run_ hprun -C cluster --rsh far -n 9 -o out -- \
			sh -c 'echo {rank} >>"$3/runs"; exit "$(($1 * $2))"' sh {rank} $code "$PWD"
		status_is 2
		stderr_is "hprun: on b: run: failed with exit status $code"
		[ ! -e out ]
		[ "$(grep -c 1 runs)" = 1 ]
		rm runs
	done
	clean
}

@test "a job runs on hosts and on this machine, to a file and to standard output" {
	hosts a b
	echo '{"type":"node","node":"here","speed":2}' >>cluster
	seq 0 999 >want
	for to in '' '-o out'; do
		# shellcheck disable=SC2086 # words
		run_ hprun -C cluster --rsh far -n 1k $to -- sh -c "$items" sh {first} {count}
		status_is 0
		stderr_is ''
		[ -n "$to" ] || printf '%s\n' "$output" >out
		same out want
		rm out
	done
	hprun -C cluster --rsh far -n 1k --without here --dry-run -o out -- \
		sh -c "$items" sh {first} {count} >commands
	dash commands
	same out want
	rm out
	clean
}

@test "a host dies: the other nodes get its items" {
	hosts a b
	seq 0 999 >want
	cat >job <<-'EOF'
		#!/bin/sh
		case $PWD in
		*/home/b/*)
			: >"$3/dead b"
			kill -KILL 0 $(cat "$3/logins.b")
			;;
		esac
		seq "$1" "$(($1 + $2 - 1))"
	EOF
	chmod +x job
	# A host ends when its logins do.
	sed -i '2i echo $$ >>"${0%/*}/logins.$1"' far
	run_ timeout 500 hprun -C cluster --timeout 300 --rsh far -n 1k -o out -- \
		"$PWD/job" {first} {count} "$PWD"
	status_is 0
	stderr_has 'on b: lost; its share goes to the others'
	same out want
	rm -r out home/b
	clean
}

@test "a command that is killed on a host is restarted there" {
	hosts a b
	run_ hprun -C cluster --rsh far -n 9 -- sh -c '
		[ "$1" = 0 ] || [ -e "$2/killed" ] || {
			: >"$2/killed"
			kill -KILL $$
		}
		echo "$1"' sh {rank} "$PWD"
	status_is 0
	stdout_is $'0\n1'
	stderr_has 'on b: run: killed by signal 9; trying again'
	clean
}

@test "--resume runs unfinished steps, and only with the same command" {
	job='echo "$1" >>"$2/runs"; [ "$1" != 1 ] || [ -e "$2/ready" ] || {
		until [ "$(wc -l <"$2/runs")" -ge 3 ]; do sleep 0.05; done
		sleep 0.3
		exit 1
	}; echo "out $1"'
	run_ hprun -j 3 -n 9 --keep kept -o out -- sh -c "$job" sh {rank} "$PWD"
	status_is 2
	stderr_has '--resume kept'
	: >ready
	for words in '-n 8 -- sh' '-n 9 -c n^2 -- sh' '-n 9 -- sh x'; do
		# shellcheck disable=SC2086 # words
		run_ hprun -j 3 --resume kept -o out $words -c "$job" sh {rank} "$PWD"
		status_is 2
		stderr_has 'belongs to a run with other options'
	done
	run_ hprun -j 3 -n 9 --resume kept -o out -- sh -c "$job" sh {rank} "$PWD"
	status_is 0
	[ "$(<out)" = $'out 0\nout 1\nout 2' ]
	[ "$(sort runs | paste -s -d ' ')" = '0 1 1 2' ]
	[ -e kept/node.1/out ]
}

@test "--trace has the items of each node, and hpprofile learns from it" {
	hprun --speeds 3,1 -n 4k --trace trace -- sleep 0.1 >out
	jq -c 'select(.step == "run") | [.node, .records]' trace | sort >steps
	[ "$(<steps)" = $'["node0",3000]\n["node1",1000]' ]
	jq -nc '{type: "node", node: ("node0", "node1")}' >cluster
	hpprofile learn --step run cluster trace | jq -e .points
}

@test "--progress counts items" {
	run_ hprun --progress --speeds 3,1 -n 4k -- sh -c 'sleep "$1"' sh {rank}
	status_is 0
	stderr_has 'hprun: run, 75 %'
	stderr_has 'hprun: run, 100 %'
}

@test "-n COUNT needs a command after --; otherwise -n is numeric order" {
	printf '%s\n' 10 9 >./5
	cp 5 -- -x
	sort -n 5 >numbers
	sort -rn 5 5 >backwards
	while read -r want words; do
		# shellcheck disable=SC2086 # words
		hprun -j 2 $words <./5 >got
		[ ! -e out ] || mv out got
		same got "$want"
	done <<-'EOF'
		numbers -n 5
		numbers -n -- 5
		numbers -n --
		numbers -o out -n
		numbers -n -- -x
		numbers -T . -n -- 5
		backwards -n -r -- 5 5
		backwards -rn 5 -- 5
	EOF
	sort 5 | cmp - <(hprun -j 2 -- 5)
	run_ hprun -j 2 -n 5x -- cat
	status_is 2
	stderr_has "-n: count '5x'"
	run_ hprun -j 2 -n -1 -- cat
	status_is 2
	stderr_has "-n: count '-1'"
	run_ hprun -j 2 -n 5 file -- cat
	status_is 2
	stderr_has '-n and a FILE cannot be combined'
	run_ hprun -j 2 -c n -- cat
	status_is 2
	stderr_has 'needs -n COUNT, --weights or --map'
	run_ hprun -j 2 --count 5
	status_is 2
	stderr_has 'a COMMAND is needed'
	run_ hprun -j 2 -n 5 -r -- cat
	status_is 2
	stderr_has usage
	run_ hprun -j 2 -n 5 --resume kept --dry-run -- cat
	status_is 2
}

@test "--weights divides the items by weight, with or without -n" {
	seq 20 >weights
	hpsolve --weights weights -k 8,5,3,1 -c n |
		jq -r 'select(.type == "share" and .n > 0) | "\(.offset) \(.n)"' >want
	hprun --weights weights --speeds 8,5,3,1 -- echo {first} {count} >out
	same out want
	hprun --weights - -n 20 --speeds 8,5,3,1 -- echo {first} {count} <weights >out
	same out want
	hprun --weights <(cat weights) --speeds 8,5,3,1 -- echo {first} {count} >out
	same out want
	hprun --weights weights --speeds 8,5,3,1 --dry-run -- echo {first} {count} >commands
	dash commands >out
	same out want
	run_ hprun --weights weights -n 21 -j 2 -- echo no
	status_is 2
	stdout_is ''
	stderr_has 'has 20 weights, but there are 21 items'
	run_ hprun --weights none -j 2 -- echo no
	status_is 2
	stderr_has 'none: No such file'
	run_ hprun --weights weights --method equal -j 2 -- echo no
	status_is 2
	run_ hprun -j 2 --keep kept --weights weights -- false
	status_is 2
	seq 21 >weights
	run_ hprun -j 2 --resume kept --weights weights -- false
	status_is 2
	stderr_has 'belongs to a run with other options'
}
