# hprun when nodes are on other hosts: reached by a command that stands for ssh,
# or by ssh itself.
# shellcheck shell=bash disable=SC2154
load common
load hprun
load secure

@test "every method sorts over hosts, and leaves no file there" {
	lines 3000 >in
	hosts a b 'c $(touch pwned) "; touch pwned'
	# hprun.bats has every method with every order.
	while read -r a words; do
		# shellcheck disable=SC2086 # words
		run_ hprun -C cluster --transport ssh --rsh far -a $a $words -o out \
			in </dev/null
		status_is 0
		stderr_is ''
		# shellcheck disable=SC2086
		sort $words in >want
		same out want
		rm out
	done <<-'EOF'
		exact
		exact -s -k 2,2n
		psrs -u -k 1,1nr
		pss -s -k 2,2n
		psop -u -k 1,1nr
		range
		range -s -k 2,2n
	EOF
	clean
	[ -z "$(find . -name pwned)" ]
}

# wanted WORDS: what hprun gives for ./in with these words.
wanted() {
	case $1 in
	*header*) head -n 1 in; tail -n +2 in | sort ;;
	*-r*) sort -r in ;;
	*-k*) sort -s -k 1,1n in ;;
	*) sort in ;;
	esac
}

@test "hosts return their parts while they merge, and store no part" {
	local f

	lines 3000 >in
	hpgen -F gensort 3000 records
	hosts a b c
	instead hpmerge <<-EOF
		echo "\$@" >>"$PWD/merged"
		exec "\$real" "\$@"
	EOF
	instead hpcheck <<-EOF
		echo "\$@" >>"$PWD/checked"
		exec "\$real" "\$@"
	EOF
	for f in '-a exact' '-a psrs -r' '-a exact --header 1' '-a exact -s -k 1,1n'; do
		rm -f merged checked trace
		run_ hprun -C cluster --transport ssh --rsh far $f --trace trace -o out in
		status_is 0
		stderr_is ''
		wanted "$f" | cmp - out
		[ "$(wc -l <merged)" = 3 ]
		! grep -q -e ' -o ' merged || fail "$(cat merged)"
		# Only the summaries are read, which the launcher has made.
		[ "$(grep -c -v -e '--combine' checked)" = 0 ] || fail "$(cat checked)"
		[ "$(jq -r 'select(.step == "gather") | .node' trace | sort | xargs)" = \
			'on a on b on c' ]
	done
	run_ hprun -C cluster --transport ssh --rsh far -a exact -F gensort -o out records
	status_is 0
	hpsort -F gensort records | cmp - out
	# No record, and fewer records than nodes.
	for f in '' $'x\n' $'b\na\n'; do
		printf %s "$f" >few
		run_ hprun -C cluster --transport ssh --rsh far -a exact -o out few
		status_is 0
		sort few | cmp - out
	done
	rm out
	clean
}

@test "-a range: hosts return their parts while they sort, and exchange nothing" {
	local f

	lines 3000 >in
	hosts a b c
	instead hpsort <<-EOF
		echo "\$@" >>"$PWD/sorted"
		exec "\$real" "\$@"
	EOF
	for f in '' '-r' '--header 1' '-s -k 1,1n'; do
		rm -f sorted trace
		# shellcheck disable=SC2086 # words
		run_ hprun -C cluster --transport ssh --rsh far -a range $f --trace trace \
			-o out in
		status_is 0
		stderr_is ''
		wanted "$f" | cmp - out
		[ "$(wc -l <sorted)" = 3 ]
		! grep -q -e ' -o ' sorted || fail "$(cat sorted)"
		[ "$(jq -r 'select(.node != "launcher") | .step' trace | sort | uniq -c |
			xargs)" = '3 gather 3 send 3 sort' ] || fail "$(cat trace)"
	done
	for f in '' $'x\n' $'b\na\n'; do
		printf %s "$f" >few
		run_ hprun -C cluster --transport ssh --rsh far -a range -o out few
		status_is 0
		sort few | cmp - out
	done
	rm out
	clean
}

@test "by tcp, the key of the run is not visible to other processes" {
	lines 3000 >in
	sort in >want
	hosts 127.0.0.1 127.0.0.2 127.0.0.3
	for a in exact pss; do
		run_ hprun -C cluster --rsh far --transport tcp -a $a -o out in
		status_is 0
		stderr_is ''
		same out want
		rm out
	done
	clean
	hprun -j 3 --transport tcp --keep kept in >out
	same out want
	[ -z "$(find kept -name key)" ]
	[ "$(jq -s 'map(.port) | unique | length' kept/cluster.jsonl)" = 3 ]
}

@test "--threads: each exchange gets it, and the result is the same" {
	lines 3000 >in
	LC_ALL=C sort in >want
	hosts a b c
	for n in 0 2; do
		run_ hprun -C cluster --transport ssh --rsh far --threads $n \
			-o out in
		status_is 0
		stderr_is ''
		same out want
		rm out
		hprun -C cluster --rsh far --threads $n --dry-run in >commands
		[ "$(grep -c "hpexchange .*--threads $n" commands)" = 3 ]
	done
	hprun -C cluster --rsh far --dry-run in >commands
	grep -q "hpexchange -C" commands
	[ "$(grep -c -e --threads commands)" = 0 ]
	run_ hprun --threads 1 in
	status_is 2
	stderr_has "threads '1': must be 0 or 2"
}

@test "--in-place and --leave: input and result stay on the hosts" {
	lines 3000 >in
	hosts a b c
	split -n l/3 --numeric-suffixes=0 -a 1 in part
	i=0
	for h in a b c; do
		mv part$i "home/$h/work; \"x' y/in 'p\"ut"
		i=$((i + 1))
	done
	run_ hprun -C cluster --transport ssh --rsh far --in-place "in 'p\"ut" \
		--leave "o'ut"
	status_is 0
	[ "$(jq .records <<<"$output")" = 3000 ]
	for h in a b c; do
		cat "home/$h/work; \"x' y/o'ut"
		rm "home/$h/work; \"x' y/o'ut" "home/$h/work; \"x' y/in 'p\"ut"
	done >out
	sort in | cmp - out
	rm out
	clean
	run_ hprun -C cluster --transport ssh --rsh far -a psop --leave "o'ut" in
	status_is 0
	jq -r '.parts[] | "tail -c +\(.offset + 1) \(.path | @sh) | head -c \(.bytes)"' \
		<<<"$output" | bash | cmp - <(sort in)
	rm home/*/work*/*
	clean
}

@test "hosts that share a file system need different paths for their parts" {
	lines 3000 >in
	hosts a b c
	for a in exact range; do
		run_ hprun -C cluster --transport ssh --rsh far -a $a \
			--leave "$PWD/same" in
		status_is 2
		stderr_has "hprun: --leave: nodes on a and on "
		stderr_has "have the same file '$PWD/same': write {node} or {rank} in the path"
		[ ! -e same ]
		clean
	done
	run_ hprun -C cluster --transport ssh --rsh far --in-place "$PWD/in" -o out
	status_is 0
	stderr_is "hprun: on a and on b may share the file $PWD/in: then its records are sorted twice (write {node} or {rank} in --in-place)"
	[ "$(wc -l <out)" = 9000 ]
	rm out
	clean
	hprun -C cluster --transport ssh --rsh far --leave "$PWD/part {rank}" in >summary
	cat part* | cmp - <(sort in)
	# Equal paths of files that are not the same.
	mkdir -p home/{a,b,c}/own
	jq -c --arg home "$PWD/home" '.dir = "\($home)/\(.host)/own"' cluster >apart
	for h in a b c; do
		cp -p in "home/$h/own/in"
	done
	run_ hprun -C apart --transport ssh --rsh far --in-place in --leave out
	status_is 0
	stderr_is ''
	[ "$(jq .records <<<"$output")" = 9000 ]
	rm -r home/*/own
	clean
}

@test "--in-place: of hosts with equal paths, those that share a file are named" {
	lines 3000 >in
	hosts a b c
	for h in a b; do
		cp -p in home/$h/own
	done
	# Each agent finds a file of its own there.  The steps find none, because they
	# run in other directories.
	own=/proc/self/cwd/own
	run_ hprun -C cluster --transport ssh --rsh far --without 'on c' \
		--in-place $own -o out
	status_is 2
	# The steps `count` and `sum` run at the same time.
	[[ $stderr =~ ': '(count|sum)': failed' ]]
	[[ $stderr != *'may share'* ]]
	ln home/a/own home/c/own
	run_ hprun -C cluster --transport ssh --rsh far --in-place $own -o out
	status_is 2
	stderr_has "hprun: on a and on c may share the file $own"
}

@test "--in-place with --header: the header is that of the file on the first host" {
	hosts a b
	printf '%s\n' title 5 3 >"home/a/work; \"x' y/in"
	printf '%s\n' 4 2 1 >"home/b/work; \"x' y/in"
	for a in exact psop; do
		run_ hprun -C cluster --transport ssh --rsh far -a $a --in-place in --header 1
		status_is 0
		stdout_is "$(printf '%s\n' title 1 2 3 4 5)"
	done
	rm home/*/work*/in
	clean
}

@test "nodes on hosts and on this machine sort standard input to standard output" {
	lines 3000 >in
	sort in >want
	hosts a b
	echo '{"type":"node","node":"here","speed":2}' >>cluster
	for a in exact psop range; do
		hprun -C cluster --transport ssh --rsh far -a $a <in >out
		same out want
	done
	rm out
	clean
}

@test "a random order is the same on all hosts" {
	seq 300 | sed p >in
	hosts a b
	echo 0123456789abcdef >source
	hpsort -R --random-source=source in >want
	hprun -R --random-source source -C cluster --transport ssh --rsh far in >out
	same out want
}

@test "all problems of hosts are printed together, with the names of the nodes" {
	seq 10 >in
	hosts a b c d
	rm -r home/b
	mv home/c/work* home/c/gone
	mkdir bin
	printf '#!/bin/sh\necho "hpexchange (hptools) 0.0"\n' >bin/hpexchange
	chmod +x bin/hpexchange
	sed "s|^shift|[ \"\$1\" != d ] \|\| PATH='$PWD/bin':\$PATH; shift|" far >near
	chmod +x near
	cp "$HPBIN/hprun" .
	PATH=$PWD:$PATH
	run_ ./hprun -C cluster --transport ssh --rsh near -o out in
	status_is 3
	stderr_has 'on b: cannot be reached'
	stderr_has 'on c: mkdir: cannot create directory'
	stderr_has 'on d: hptools: hpexchange (hptools) 0.0, not'
	[[ $stderr != *'on a'* ]]
	clean
	sed -i 2d cluster
	run_ ./hprun -C cluster --transport ssh --rsh near -o out in
	status_is 2
	stderr_has 'on c:'
	stderr_has 'on d:'
}

@test "errors of a host are printed, whatever else its login prints" {
	seq 10 >in
	hosts a b
	mv home/b/work* home/b/gone
	sed -i '2i [ "$1" != b ] || echo Welcome' far
	run_ hprun -C cluster --transport ssh --rsh far -o out in
	status_is 2
	stderr_has "hprun: on b: mkdir: cannot create directory"
	stderr_has "on b: the login prints 'Welcome' on its standard output"
	clean
}

@test "a host that refuses all logins is not retried for the whole timeout" {
	seq 10 >in
	hosts a
	# Slower than a refusal is elsewhere.
	cat >slow <<-EOF
		#!/bin/sh
		echo >>"$PWD/tries"
		sleep 2
		echo 'u@a: Permission denied (publickey).' >&2
		exit 255
	EOF
	chmod +x slow
	run_ hprun -C cluster --transport ssh --rsh slow --timeout 300 -o out in
	status_is 3
	stderr_is 'on a: u@a: Permission denied (publickey).
hprun: on a: cannot be reached'
	[ "$(wc -l <tries)" = 2 ]
}

@test "the login shell of a host may be any shell" {
	lines 3000 >in
	hosts a b
	# It knows quotes, but neither variables nor assignments, as csh has others.
	cat >plain <<-'EOF'
		#!/bin/sh
		shift
		exec env -S "${*#exec }"
	EOF
	chmod +x plain
	run_ hprun -C cluster --rsh plain -a range -o out in
	status_is 0
	sort in | cmp - out
}

@test "a host name that only ssh knows is told" {
	lines 3000 >in
	# The empty part of these names spares a question to a name server.
	hosts a..x b..x
	run_ hprun -C cluster --rsh far -a psrs -o out in
	status_is 2
	stderr_has 'by tcp, nodes find each other by these names, which need not be those of ssh'
	run_ hprun -C cluster --rsh far -a psrs --transport ssh -o out in
	status_is 0
	rm out
	clean
}

@test "by tcp, the user before the name of a host is ignored" {
	lines 3000 >in
	hosts me@127.0.0.1 you@127.0.0.2
	run_ hprun -C cluster --rsh far -a exact -o out in
	status_is 0
	sort in | cmp - out
	rm out
	clean
}

@test "--without leaves out nodes, by name" {
	lines 3000 >in
	hosts a 'b; c' d
	rm -r 'home/b; c'
	run_ hprun -C cluster --transport ssh --rsh far --without 'on b; c' --trace trace \
		-o out in
	status_is 0
	sort in | cmp - out
	[ "$(jq -r 'select(.step == "sort").node' trace | sort | tr '\n' ,)" = \
		'on a,on d,' ]
	sed 's/on b; c/-n/' cluster >dashed
	run_ hprun -C dashed --transport ssh --rsh far --without -n in
	status_is 0
	stdout_is "$(sort in)"
	run_ hprun -C cluster --transport ssh --rsh far --without 'on a' --without 'on b' in
	status_is 2
	stderr_has "no node is named 'on b'"
}

@test "the room that a host needs includes the records it sends and receives" {
	unshare -m true 2>/dev/null || skip 'no right to mount'
	hosts a b
	# A third of it, two MiB and a little less, is for a.
	hpgen -F u64 --seed 1 785432 in
	cat >small <<-'EOF'
		mount -t tmpfs -o size=$1m none home/a/work* || exit
		shift
		hprun -C cluster --transport ssh --rsh far -F u64 --method proportional \
			-o out "$@" in
	EOF
	for way in '4 3 -a exact' '6 4 -a pss' '6 4 -a psop' \
		'6 4 -a exact --keep kept' '10 4 -a pss --keep kept'; do
		# shellcheck disable=SC2086 # words
		run_ unshare -m bash small ${way#* }
		status_is 2
		read -r need free way <<<"$way"
		stderr_has ": $need MiB are needed, $free MiB are free"
		nothing_left
		rm -rf kept home/b/work*/*
	done
}

@test "disks with room for one to six times the input are checked" {
	local times kib words

	unshare -m true 2>/dev/null || skip 'no right to mount'
	hosts a
	hpgen -F u64 --seed 1 130000 in # a little less than a MiB
	mkdir small
	cat >small.sh <<-'EOF'
		mount -t tmpfs -o size=$1k none small || exit
		mount --bind small home/a/work* || exit
		# Not by TMPDIR, where each program under TSan keeps 512 KiB.
		HP_RUN=$HP_MARK exec hprun -T small -F u64 -o out "${@:2}" in
	EOF
	while read -r times words; do
		kib=$((times * 1040000 / 1024))
		case $words in
		-C*) words="$words --transport ssh --rsh far" ;;
		esac
		# shellcheck disable=SC2086 # words
		run_ unshare -m bash small.sh $((kib - 300)) $words
		status_is 2
		stderr_has ": $times MiB are needed, $((times - 1)) MiB are free"
		rm -rf kept
		# The documents take some room, too.
		# shellcheck disable=SC2086 # words
		run_ unshare -m bash small.sh $((kib + 1500)) $words
		status_is 0
		stderr_is ''
		hpcheck -F u64 out >/dev/null
		rm -rf out kept
	done <<-'EOF'
		1 -j 1
		2 -j 1 -u
		2 -C cluster -a exact
		3 -C cluster -a exact --keep kept
		3 -C cluster -a pss
		5 -C cluster -a pss --keep kept
		1 -C cluster -a range
	EOF
}

@test "an input that cannot be read while it is sent ends the run" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	hpgen -F u64 --seed 1 1000000 in
	hosts a b
	# Only the launcher meets with it.
	sed -i '2i unset LD_PRELOAD' far
	for program in hpcheck hpsolve hpsplit; do
		instead $program <<-'EOF'
			unset LD_PRELOAD
			exec "$real" "$@"
		EOF
	done
	for n in 60 90; do
		LD_PRELOAD=$HPBIN/../tests/fault/ioerr.so HP_FAULT=read:$n:5 \
			run_ hprun -a exact -C cluster --transport ssh --rsh far -F u64 \
			-o out in
		status_is 2
		stderr_has "hprun: $PWD/in: Input/output error"
		stderr_has ': send: failed'
		clean
	done
}

@test "a host that does not answer at first is retried until the timeout" {
	lines 300 >in
	hosts a b
	sed -i '2i [ -e "$0.once" ] || { : >"$0.once"; sleep 2; exit 255; }' far
	run_ hprun -C cluster --transport ssh --rsh far --timeout 60 -o out in
	status_is 0
	sort in | cmp - out
}

@test "a login that breaks is retried" {
	lines 300 >in
	hosts a b
	sed -i '2i [ -e "$0.once" ] || { : >"$0.once"; exit 255; }' far
	run_ hprun -C cluster --transport ssh --rsh far -o out in
	status_is 0
	sort in | cmp - out
}

@test "ssh gives up a host after the timeout" {
	hosts a
	: >in
	for seconds in 4 30; do
		run_ hprun -C cluster --timeout $seconds --dry-run in
		status_is 0
		stdout_has "ConnectTimeout=$((seconds < 10 ? seconds : 10))'"
	done
}

@test "by real ssh, over one connection per node" {
	secure
	hosts a b c
	lines 20000 >in
	sort in >want
	run_ hprun -a exact -C cluster --transport ssh --rsh "ssh -T" -o out in
	status_is 0
	same out want
	rm out
	clean
	# One of hprun at each host, and one of each node at each other.
	[ "$(wc -l <served)" = 9 ]
}

@test "a host with many nodes is logged in to once" {
	hosts a
	for i in {1..9}; do
		mkdir "home/a/$i"
		jq -c --arg i "$i" --arg dir "$PWD/home/a/$i" \
			'.node += $i | .dir = $dir' <(head -n 1 cluster)
	done >>cluster
	sed -i '2i echo >>"${0%/*}/logins"' far
	lines 3000 >in
	run_ hprun -C cluster --transport unix --rsh far -o out in
	status_is 0
	sort in | cmp - out
	rm out
	clean
	[ "$(wc -l <logins)" = 1 ]
}

@test "text that a login prints is shown with its host, and not in the result" {
	local who noise

	lines 3000 >in
	hosts 127.0.0.1 127.0.0.2
	sort in >want
	for who in 127.0.0.1 127.0.0.2; do
		for noise in 'Welcome!\n' 'Welcome!' 'hpstream\0Welcome\n'; do
			sed "2i [ \"\$1\" != $who ] || printf '$noise'" far >noisy
			chmod +x noisy
			run_ hprun -C cluster --rsh noisy -o out in
			status_is 0
			stderr_has "on $who: the login prints "
			stderr_has Welcome
			same out want
			rm out
		done
	done
	clean
	# By ssh from node to node, where frames follow, it is an error.
	sed -i '2i case $1/$* in 127.0.0.2/*--serve*) echo Welcome ;; esac' far
	run_ hprun -a exact -C cluster --transport ssh --rsh far -o out in
	status_is 2
	stderr_has "is no hpexchange: 'Welcome'"
	[ ! -e out ]
	clean
}

@test "an agent that is killed while it makes its directory leaves nothing" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	lines 1000 >in
	hosts a
	# Its first open of a new file is that of the lock, behind mkdir.
	sed "s|^eval|export LD_PRELOAD=$HPBIN/../tests/fault/ioerr.so HP_FAULT_MARK=$PWD/mark HP_FAULT=open:1:-9\neval|" \
		far >broken
	chmod +x broken
	run_ hprun -C cluster --timeout 4 --rsh broken -o out in
	status_is 3
	[ -e mark ]
	[ ! -e out ]
	clean
}

@test "--agent says that only hprun starts it when no launcher is at the other end" {
	for input in /dev/null in; do
		: >in
		run_ hprun --agent <$input
		status_is 2
		stdout_is ''
		stderr_is 'hprun: --agent: standard input is no connection: hprun starts agents itself'
	done
	run_ bash -c 'sleep 5 | hprun --agent >/dev/full'
	status_is 2
	stderr_is 'hprun: --agent: standard output is no connection: hprun starts agents itself'
	yes | { hprun --agent || echo "$?" >code; } 2>err | cat >said
	[ "$(cat code)" = 2 ]
	[ "$(cat err)" = 'hprun: --agent: launcher: not a framed stream' ]
}

@test "hprun needs no programs but those of hptools, on hosts and on this machine" {
	lines 500 >in
	hosts 127.0.0.1 127.0.0.2
	# Each login has a shell.
	mkdir login
	ln -s /bin/sh login/sh
	while read -r words; do
		# shellcheck disable=SC2086 # words
		run_ env -i PATH="$HPBIN:$PWD/login" HP_RUN="$HP_MARK" TMPDIR="$TMPDIR" \
			"$HPBIN/hprun" $words <in
		status_is 0
		stderr_is ''
		[ -s out ] || stdout_has 1x
		rm -rf out kept
	done <<-EOF
		-j 2 -a exact -o out in
		-j 2 -a psrs -u --keep kept -o out in
		-j 2 -a pss --header 2
		-j 2 -a psop -R in -
		--rsh $PWD/far -C cluster -o out
		--rsh $PWD/far -C cluster -a psop -u --transport ssh in
		--rsh $PWD/far -C cluster -a pss -o out --trace trace in
	EOF
	clean
}

@test "a host whose ports cannot be reached: the message suggests ssh" {
	lines 300 >in
	# Of the two, the second has an address that nobody has.
	hosts 127.0.0.1 192.0.2.1
	run_ hprun -a exact -C cluster --timeout 3 --rsh far -o out in
	stderr_has 'may exchange by --transport ssh'
	if [ "$status" = 0 ]; then
		sort in | cmp - out
		rm out
	else
		status_is 3
	fi
	clean
}

@test "--launch local needs neither hosts nor a login command" {
	local a

	seq 3000 | shuf >in
	sort in >want
	{
		echo '{"type":"node","node":"here","speed":1}'
		printf '{"type":"node","node":"h%d","host":"h%d.invalid","dir":"%s","speed":1}\n' \
			1 1 "$PWD" 2 2 "$PWD"
	} >cluster
	for a in exact psop; do
		run_ hprun -C cluster --launch local --rsh nosuchcmd -a $a -o out in
		status_is 0
		stderr_is ''
		same out want
		rm out
	done
	nothing_is_left || fail "left: $left"
	# The nodes log in to each other by this transport.
	run_ hprun -C cluster --launch local --transport ssh --rsh nosuchcmd -o out in
	status_is 2
	stderr_is 'hprun: nosuchcmd: not found; hosts are reached by this command (--rsh)'
	# The printed commands log in to the hosts.
	hprun -C cluster --launch local --dry-run -o out in | grep -q -e '-t tcp'
}
