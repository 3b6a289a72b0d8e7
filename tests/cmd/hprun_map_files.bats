# Jobs on files of the launcher: hprun --map --files -- COMMAND.
# shellcheck shell=bash disable=SC1083,SC2016,SC2154 # $ is for the shell of a job
load common
load hprun

# tree: files of many sizes, in directories.
tree() {
	local i

	mkdir -p in/a in/b/c
	for i in {1..20}; do
		seq "$((i * i * 10))" >"in/a/$i"
		seq "$i" >"in/b/c/$i"
	done
	: >in/empty
	find in -type f | sort >list
}

@test "the output is that of xargs, on this machine, on hosts and in a dry run" {
	tree
	xargs sha256sum <list >want
	run_ hprun --map --files --speeds 5,3,1 -o out list -- sha256sum
	status_is 0
	stderr_is ''
	same out want
	hprun --map --files -j 3 -- sha256sum <list >out
	same out want
	rm out
	hosts a b
	echo '{"type":"node","node":"here","speed":2}' >>cluster
	run_ hprun --map --files -C cluster --rsh far -o out list -- sha256sum
	status_is 0
	stderr_is ''
	same out want
	rm out
	for sh in dash bash; do
		hprun --map --files -C cluster --rsh far --without here --dry-run -o out list -- \
			sha256sum >commands
		"$sh" commands
		same out want
		rm out
	done
	hprun --map --files -j 4 --dry-run -- sha256sum >commands
	dash commands <list >out
	same out want
	rm out
	clean
}

@test "a word with {file} runs the command once for each file" {
	tree
	while read -r file; do
		echo "<$file> $(wc -c <"$file") $(wc -l <"$file")"
	done <list >want
	hprun --map --files --speeds 3,1 list -- \
		sh -c 'echo "<$1> $(wc -c <"$2") $(wc -l <"$1")"' sh {file} ./{file} >out
	same out want
	hprun --map --files -j 2 list -- gzip -c >out.gz
	gzip -dc out.gz | cmp - <(xargs cat <list)
	hprun --map --files -j 1 list -- printf '%s:%s:%s:%s ' {first} {count} {rank} {file} >out
	[ "$(tr ' ' '\n' <out | head -n 2)" = $'0:41:0:in/a/1\n0:41:0:in/a/10' ]
}

@test "the files are divided by their sizes, or by --weights" {
	tree
	xargs stat -c %s <list >sizes
	hpsolve --weights sizes -k 3,1 -c n |
		jq -r 'select(.type == "share") | "\(.offset) \(.n)"' >want
	hprun --map --files --speeds 3,1 list -- sh -c 'echo "$0" "$1"' {first} {count} >out
	same out want
	seq 41 >weights
	hpsolve --weights weights -k 3,1 -c n |
		jq -r 'select(.type == "share") | "\(.offset) \(.n)"' >want
	hprun --map --files --weights weights --speeds 3,1 list -- \
		sh -c 'echo "$0" "$1"' {first} {count} >out
	same out want
	hprun --map --files --speeds 3,1 --trace trace list -- cat >out
	jq -n '[inputs | select(.step == "run").bytes] | add > 100000' trace | grep -qx true
	run_ hprun --map --files --speeds 3,1 --trace trace2 --progress list -- true
	status_is 0
	stderr_has 'hprun: run, 100 %'
	jq -n '[inputs | select(.step == "run").records] | add' trace2 | grep -qx 41
}

@test "no file, one empty file, many names: as many commands as xargs starts" {
	: >list
	run_ hprun --map --files -j 3 -o out list -- echo no
	status_is 0
	[ -f out ] && [ ! -s out ]
	hprun --map --files -j 2 --dry-run -o out2 list -- echo no >commands
	dash commands
	same out2 out
	: >empty
	for i in {1..9}; do echo empty; done >list
	hprun --map --files -j 2 list -- printf '%s\n' >out
	same out list
	name=$(printf 'n%.0s' {1..200})
	mkdir many
	for i in {1..1500}; do : >"many/$name$i"; done
	find many -type f >list
	hprun --map --files -j 1 list -- sh -c 'printf "%s\n" "$@"; echo $# >>"$0"' \
		"$PWD/runs" >out
	same out list
	[ "$(wc -l <runs)" = 3 ]
}

@test "hostile names arrive unchanged, and name no file outside the directory of the node" {
	hosts a b
	mkdir -p x/y/work 'd ir' one two
	echo up >x/y/up
	cd x/y/work
	names=('with blank' $'two\nlines' '-rf' '--version' '$(touch pwned)' '`touch pwned`'
		'"' "'" '\' '*' '~' $'\xff\xfe' $'\x01a' '{file}' '{first}' 'd ir/./x' './d//y'
		names tree out in lock)
	mkdir 'd ir' d
	for name in "${names[@]}"; do
		printf '<%s>' "$name" >./"$name"
	done
	mkdir one two
	echo 1 >one/base
	echo 2 >two/base
	names+=(one/base two/base ../up "$PWD/one/base")
	printf '%s\0' "${names[@]}" >list
	for name in "${names[@]}"; do
		case $name in
		-*) printf './%s\n' "$name" ;;
		../*) printf '%s\n' "${name#../}" ;;
		/*) printf '%s\n' "${name#/}" ;;
		*) printf '%s\n' "$name" ;;
		esac
		cat ./"$name" 2>/dev/null || cat "$name"
	done >want
	for words in '-j 3' '-C ../../../cluster --rsh far'; do
		# shellcheck disable=SC2086 # words
		run_ hprun --map --files -z $words -o out2 list -- \
			sh -c 'for f; do printf "%s\n" "$f"; cat "$f"; done' sh
		status_is 0
		stderr_is ''
		same out2 want
		# shellcheck disable=SC2086 # words
		run_ hprun --map --files -z $words -o out2 list -- \
			sh -c 'printf "%s\n" "$1"; cat "$1"' sh {file}
		status_is 0
		same out2 want
		rm out2
	done
	cd ../../..
	clean
	[ -z "$(find . -name pwned)" ]
}

@test "names that cannot be sent are all reported, and nothing is run" {
	mkdir dir sub
	mkfifo fifo
	: >unreadable
	: >file
	: >sub/file
	chmod 0 unreadable
	ln -s none dangling
	printf '%s\n' file none dir fifo dangling sub/../file '' /dev/null dir/ >list
	[ "$(id -u)" -eq 0 ] || echo unreadable >>list
	run_ timeout 60 hprun --map --files -j 2 -o out list -- touch "$PWD/ran"
	status_is 2
	for text in 'none: No such file' 'dir: Is a directory' 'fifo: Not a regular file' \
		'dangling: No such file' "sub/../file: must not have .. after a directory" \
		'line 7: the name is empty' '/dev/null: Not a regular file' \
		'dir/: Is a directory'; do
		stderr_has "$text"
	done
	[ "$(id -u)" -eq 0 ] || stderr_has 'unreadable: Permission denied'
	[ ! -e ran ] && [ ! -e out ]
	mkdir -p "sub$PWD/sub"
	echo other >"sub$PWD/sub/file"
	printf '%s\n' "$PWD/sub/file" file >list
	cd sub
	echo "${PWD#/}/file" >>../list
	run_ hprun --map --files -j 2 ../list -- true
	status_is 2
	stderr_has 'another file of the list has the same name on a node'
	cd ..
	printf 'a\0b\n' >list
	run_ hprun --map --files -j 2 list -- true
	status_is 2
	stderr_has 'the name contains a NUL byte'
	nothing_left
}

@test "files that are named twice, links, modes and times arrive as they are" {
	echo one >file
	ln -s file link
	printf '#!/bin/sh\necho run "$0"\n' >job
	chmod +x job
	touch -d '2001-02-03 04:05:06.789' file
	printf '%s\n' file file link ./job >list
	hprun --map --files -j 1 list -- stat -c '%n %F %s %y' | head -n 3 >out
	TZ=UTC0 stat -L -c '%n %F %s %y' file file link >want
	same out want
	[ "$(echo ./job | hprun --map --files -j 1 -- sh -c '"$1"' sh)" = 'run ./job' ]
	[ "$(hprun --map --files -j 1 list -- stat -c %a)" = $'600\n600\n600\n700' ]
}

@test "a command may change its copies, never the files" {
	tree
	cp -a in before
	run_ hprun --map --files -j 2 list -- sh -c 'for f; do echo x >"$f"; done; rm -r in' sh
	status_is 0
	diff -r in before
}

@test "a failing command: the message names the file and the status" {
	tree
	run_ hprun --map --files -j 2 -o out list -- \
		sh -c 'cat "$1"; [ "$1" != in/a/7 ] || exit 5' sh {file}
	status_is 2
	stderr_has 'the command failed on in/a/7'
	stderr_has 'run: failed with exit status 5'
	[ ! -e out ]
	run_ hprun --map --files -j 1 list -- none
	status_is 127
	stderr_has 'none: not found'
	: >cannot
	run_ hprun --map --files -j 1 list -- "$PWD/cannot"
	status_is 126
	run_ hprun --map --files -j 1 list -- sh -c 'kill -KILL $$'
	status_is 3
	stderr_has 'node0: run: killed by signal 9'
	for words in '-F u16' '--method equal'; do
		# shellcheck disable=SC2086 # words
		run_ hprun --map --files -j 1 $words list -- true
		status_is 2
		stderr_has '--files and'
	done
	run_ hprun --map --files -j 1 list
	status_is 2
	stderr_has 'COMMAND'
	run_ hprun --files -n 1 -- true
	status_is 2
	nothing_left
}

@test "a host dies: the other nodes get its files; a killed command runs again" {
	tree
	xargs cat <list >want
	cat >job <<-'EOS'
		#!/bin/sh
		top=$1
		shift
		case $PWD in
		*/home/b/*)
			if [ -e "$top/kill" ]; then
				rm "$top/kill" "$@"
				kill -KILL $$
			elif [ -e "$top/die" ]; then
				: >"$top/dead b"
				kill -KILL 0 $(cat "$top/logins.b")
			fi
			;;
		esac
		exec cat "$@"
	EOS
	chmod +x job
	hosts a b
	# A host ends when its logins do.
	sed -i '2i echo $$ >>"${0%/*}/logins.$1"' far
	: >./kill
	run_ hprun --map --files -C cluster --rsh far -o out list -- "$PWD/job" "$PWD"
	status_is 0
	stderr_has 'on b: run: killed by signal 9; trying again'
	same out want
	: >die
	rm -f logins*
	run_ timeout 500 hprun --map --files -C cluster --timeout 300 --rsh far -o out \
		-- "$PWD/job" "$PWD" <list
	status_is 0
	stderr_has 'on b: lost; its share goes to the others'
	same out want
	rm -r out home/b
	clean
}

@test "--resume continues with the files as they were" {
	tree
	xargs cat <list >want
	job='echo "$1" >>"$2/runs"; shift 2; cat "$@"; [ -e "$0/ready" ] || [ "$RANK" != 1 ]'
	run_ hprun --map --files -j 3 --keep kept -o out list -- \
		sh -c "RANK={rank}; $job" "$PWD" {rank} "$PWD"
	status_is 2
	stderr_has '--resume kept'
	[ ! -e out ]
	: >ready
	rm -r in
	run_ hprun --map -j 3 --resume kept -o out list -- \
		sh -c "RANK={rank}; $job" "$PWD" {rank} "$PWD"
	status_is 2
	stderr_has 'other options'
	run_ hprun --map --files -j 3 --resume kept -o out list -- \
		sh -c "RANK={rank}; $job" "$PWD" {rank} "$PWD"
	status_is 0
	same out want
}

@test "a damaged bundle writes nothing outside of the tree" {
	entry() {
		printf '%s' "$1" >data
		perl -e 'print pack("Q<q<L<L<L<L<", 3, 0, 0, length($ARGV[0]), 0, 0),
			$ARGV[0], "abc"' -- "$1"
	}
	for name in ../out "$PWD/out" a/../../out .. a/.. ''; do
		entry "$name" >bundle
		run_ hprun --do unpack <bundle
		status_is 2
		stderr_has damaged
		[ ! -e out ] && [ ! -e ../out ]
	done
	entry good >bundle
	for n in 1 31 33 35 38; do
		run_ hprun --do unpack < <(head -c "$n" bundle)
		status_is 2
		stderr_has 'are cut short'
	done
	hprun --do unpack <bundle
	[ "$(<tree/good)" = abc ]
	cat bundle bundle >two
	hprun --do unpack 39 39 two
	[ "$(find tree -type f)" = tree/good ]
}
