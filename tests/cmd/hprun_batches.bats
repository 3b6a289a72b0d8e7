# hprun when no speed of the nodes is known: the input is dealt in batches.
# shellcheck shell=bash disable=SC2154
load common
load hprun

# An input that is large enough for batches of three nodes, and the same sorted.
setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	lines 800000 >in
	sort in >want
}

# many: that input, and what is wanted.
many() {
	cp "$BATS_FILE_TMPDIR"/{in,want} .
}

@test "nodes of unknown speed sort in batches, by every method that sorts first" {
	many
	sort -k 2,2n in >by-number
	unknown a b c
	for a in exact psrs; do
		run_ hprun -C cluster -a $a --trace trace -o out in
		status_is 0
		stderr_is ''
		same out want
		are_many sort trace 3
		[ "$(jq -s 'map(select(.step == "unite").records) | add' trace)" = 800000 ]
		rm out trace
	done
	hprun -C cluster -k 2,2n <in >out
	same out by-number
	rm out
	nothing_left
}

@test "hosts receive batches while they sort, and the result is proven" {
	many
	hosts a b
	forget_speeds
	jq -nc '{type: "node", node: "here"}' >>cluster
	run_ hprun -C cluster --transport ssh --rsh far --trace trace -o out in
	status_is 0
	stderr_is ''
	same out want
	are_many sort trace 3
	[ "$(jq -s 'map(select(.step == "send").node) | unique | length' trace)" = 2 ]
	jq -s -e 'map(select(.step == "prove")) | length > 0' trace
	rm out
	clean
}

@test "--leave: the shares follow the speeds that the batches show" {
	many
	unknown a b c
	# The first batch of node a ends when the others have sorted all the rest.
	instead hpsort <<-EOF
		case \$PWD in */node.0)
			for word; do
				case \$word in [0-9]*:[0-9]*) own=\${word#*:} ;; esac
			done
			until [ \$(($(stat -c %s in) - own)) -le \
				\$(cat ../node.[12]/run.* | wc -c) ]; do
				sleep 0.05
			done ;;
		esac
		exec "\$real" "\$@"
	EOF
	hprun -C cluster --leave 'part.{rank}' in >summary
	cat part.0 part.1 part.2 >out
	same out want
	[ $((2 * $(wc -l <part.0))) -lt "$(cat part.1 part.2 | wc -l)" ]
}

# dies_after N [HOST N]...: host b dies in a sort when N sorts have begun on all
# hosts together, and then each HOST when its N sorts have begun.  Sorts that
# begin later on other hosts wait until the launcher notices the death and ends
# them.
dies_after() {
	ends_hosts
	set -- b "$@"
	{
		cat <<-EOF
			[ "\$1" != --version ] || exec "\$real" "\$@"
			top=$(printf %q "$PWD")
			# how many hosts are dead, and at the end the number of the batch
			echo "\$(find "\$top" -maxdepth 1 -name 'dead *' | wc -l) \${*#in.}" \
				>>"\$top/begun"
			# dies HOST N
			dies() {
				[ ! -e "\$top/dead \$1" ] || return 0
				case \$PWD in
				*/home/\$1/*)
					until [ "\$(wc -l <"\$top/begun")" -ge \$2 ]; do
						sleep 0.05
					done
					exec "\$top/strike" \$1 ;;
				esac
				[ "\$(wc -l <"\$top/begun")" -ge \$2 ] || return 0
				until [ -e "\$top/dead \$1" ]; do
					sleep 0.05
				done
				# The launcher ends this sort.
				sleep 60
			}
		EOF
		while [ $# -gt 0 ]; do
			echo "dies $1 $2"
			shift 2
		done
		echo 'exec "$real" "$@"'
	} >wrapper
	instead hpsort <wrapper
}

# survives_b WORD...: the run loses the host b, and its result is right.
survives_b() {
	run_ hprun -C cluster --transport ssh --rsh far "$@" -o out in
	status_is 0
	stderr_is 'hprun: on b: lost; its share goes to the others'
	same out want
}

# becomes_slow DIR WORD...: the second and each later batch that the node with this
# directory sorts takes longer by this command.  The others wait for the second
# one, so that they do not sort all batches before it.
becomes_slow() {
	: >begun
	instead hpsort <<-EOF
		case \$PWD in
		*/$1)
			echo x >>"$PWD/begun"
			[ "\$(wc -l <"$PWD/begun")" -lt 2 ] || ${*:2}
			;;
		*/node.*)
			until [ "\$(wc -l <"$PWD/begun")" -ge 2 ]; do
				sleep 0.01
			done
			;;
		esac
		exec "\$real" "\$@"
	EOF
}

@test "a batch that does not end moves to another node, and its command is killed" {
	many
	unknown a b c
	becomes_slow node.0 sleep 600
	run_ hprun -C cluster --trace trace -o out in
	status_is 0
	stderr_is ''
	same out want
	[ "$(jq -s 'map(select(.step == "sort" and .node == "a")) | length' trace)" = 1 ]
	[ "$(wc -l <begun)" -ge 2 ]
	rm out
	nothing_left
}

@test "a host that becomes slow gives its batches to others, those sorted before, too" {
	hpgen -F gensort 400000 in
	hpsort -F gensort in >want
	hosts a b c
	forget_speeds
	# Each node sorts at most 20 MB/s.  From its fifth batch on, a sorts 20 KB/s:
	# even on a busy machine, far less than the others.
	instead hpsort <<-EOF
		for word; do
			case \$word in in.[0-9]*) bytes=\$(stat -c %s "\$word") ;; esac
		done
		slow=1
		case \$PWD in */home/a/*)
			echo x >>"$PWD/begun"
			[ "\$(wc -l <"$PWD/begun")" -lt 5 ] || slow=1000 ;;
		esac
		sleep \$(awk "BEGIN { print \$bytes * \$slow / 20e6 }")
		exec "\$real" "\$@"
	EOF
	run_ hprun -C cluster -a exact --transport ssh --rsh far -F gensort \
		--trace trace -o out in
	status_is 0
	stderr_is ''
	same out want
	# A batch that moves is sorted twice.
	jq -se 'map(select(.step == "sort").records) | add > 400000' trace
	rm out
	clean
}

@test "-a range: each sorted batch of a host returns to its place in the result" {
	local words

	many
	hosts a b
	forget_speeds
	# hpcheck combines the summaries on this machine, at the end.
	instead hpcheck <<-EOF
		[ ! -e ranges ] || stat -c '%b %B' ranges >"$PWD/blocks"
		exec "\$real" "\$@"
	EOF
	for words in '' '-s -k 2,2n' '--header 3 -r'; do
		{ head -n 3 in && tail -n +4 in | sort -r; } >want
		# shellcheck disable=SC2086 # words
		[[ $words = --header* ]] || sort $words in >want
		# shellcheck disable=SC2086
		run_ hprun -C cluster --transport ssh --rsh far -a range $words \
			--trace trace -o out in
		status_is 0
		stderr_is ''
		same out want
		are_many sort trace 2
		jq -se 'map(.step) | all(IN("exchange", "merge", "unite") | not)' trace
		jq -se --argjson n "$([[ $words = --header* ]] && echo 799997 || echo 800000)" \
			'map(select(.step == "sort").records) | add == $n' trace
		# The copy of the input needs little room then.
		awk -v all="$(stat -c %s in)" '{ exit $1 * $2 > all / 10 }' blocks
		rm out trace
	done
	clean
}

@test "-a range: the input is divided while the launcher logs in to hosts" {
	many
	hosts a b
	forget_speeds
	# A login waits until the input is divided.
	sed -i '2i until ls "${0%/*}"/tmp/*/units.jsonl >/dev/null 2>&1; do sleep 0.05; done' \
		far
	run_ timeout 50 hprun -C cluster --transport ssh --rsh far -o out in
	status_is 0
	stderr_is ''
	same out want
	rm out
	clean
}

@test "-a range: if a login fails, the run does not wait until the input is divided" {
	many
	hosts a b
	forget_speeds
	instead hpsplit <<-EOF
		[ "\$1" != range ] || { : >"$PWD/divides" && sleep 100; }
		exec "\$real" "\$@"
	EOF
	cat >late <<-EOF
		#!/bin/sh
		until [ -e "$PWD/divides" ]; do sleep 0.05; done
		[ "\$1" != b ] || exit 127
		exec "$PWD/far" "\$@"
	EOF
	chmod +x late
	run_ timeout 50 hprun -C cluster --transport ssh --rsh late -o out in
	status_is 3
	stderr_is 'hprun: on b: cannot be reached'
	[ ! -e out ]
	clean
}

@test "-a range: if the input cannot be divided, the run does not wait for logins" {
	many
	hosts a b
	forget_speeds
	instead hpsplit <<-EOF
		[ "\$1" != range ] || { echo 'no room' >&2 && exit 2; }
		exec "\$real" "\$@"
	EOF
	sed -i '2i [ "$1" != b ] || exec sleep 100' far
	run_ timeout 50 hprun -C cluster --transport ssh --rsh far -o out in
	status_is 2
	stderr_has 'no room'
	stderr_has 'launcher: deal: failed'
	[ ! -e out ]
	clean
	# The agent that divides is killed.
	instead hpsplit <<-EOF
		[ "\$1" != range ] || { kill -KILL \$PPID && sleep 100; }
		exec "\$real" "\$@"
	EOF
	run_ timeout 50 hprun -C cluster --transport ssh --rsh far -o out in
	status_is 3
	stderr_is 'hprun: launcher: lost'
	[ ! -e out ]
	clean
}

@test "-a range -R: hosts of unknown speed, and the same order as hpsort" {
	seq 3000 >in
	seq 100 >source
	hosts a b
	forget_speeds
	hpsort -R --random-source source in >want
	run_ hprun -C cluster --transport ssh --rsh far -a range -R \
		--random-source source -o out in
	status_is 0
	same out want
	rm out
	hprun -C cluster --transport ssh --rsh far -a range -R -o out in
	sort out | cmp - <(sort in)
	rm out
	clean
}

@test "the method is range if all nodes are hosts and the result is a file" {
	local method words exchanges

	many
	hosts a b
	forget_speeds
	sort -u in >unique
	sort in >want
	while read -r method words; do
		# shellcheck disable=SC2086 # words
		run_ hprun -C cluster --transport ssh --rsh far --trace trace $words in
		status_is 0
		exchanges=$(jq -s 'any(.[]; .step == "exchange")' trace)
		case $method:$exchanges in
		exact:true | range:false) ;;
		*) fail "$words: $(cat trace)" ;;
		esac
		case $words in
		--leave*) ;;
		-u*) same out unique ;;
		-*) same out want ;;
		*) same - want <<<"$output" ;;
		esac
		rm -rf out trace kept
	done <<-'end'
		range -o out
		range -s -o out
		exact -a exact -o out
		exact -u -o out
		exact --keep kept -o out
		exact --method equal -o out
		exact
		exact --leave part
	end
	rm -rf home/*/*/{part,hprun.*}
	# Hosts of known speed also return their batches.
	hosts a b
	hprun -C cluster --transport ssh --rsh far --trace known -o out in
	same out want
	are_many sort known 2
	# But not if a node can take only so many records.
	jq -c '.capacity = 500000' cluster >limited
	hprun -C limited -a range --transport ssh --rsh far --trace few -o out in
	same out want
	[ "$(batches sort few)" = '2 2' ]
	hprun -C limited --transport ssh --rsh far --trace exchanged -o out in
	same out want
	jq -se 'any(.[]; .step == "exchange")' exchanged
	rm out
	clean
}

@test "range: a node of this machine sorts batches, too, and receives none" {
	many
	hosts a b
	jq -nc '{type: "node", node: "here", speed: 1}' >>cluster
	run_ hprun -C cluster --transport ssh --rsh far --trace trace -o out in
	status_is 0
	stderr_is ''
	same out want
	are_many sort trace 3
	jq -se 'map(.step) | all(IN("exchange", "merge", "unite") | not)' trace
	[ "$(jq -r 'select(.step == "send").node' trace | sort -u | paste -sd ,)" = 'on a,on b' ]
	jq -se 'map(select(.step == "sort").records) | add == 800000' trace
	# The host is lost, and then one node or two are left, on this machine.
	for n in 1 2; do
		rm -rf out trace begun bin dead*
		hosts b
		seq $n | jq -c '{type: "node", node: "here\(.)"}' >>cluster
		forget_speeds
		dies_after 4
		survives_b --trace trace
		# Nodes of one machine merge, and do not divide the input by key.
		jq -se 'any(.[]; .step == "merge")' trace
		rm -r out home/b
		clean
	done
}

@test "range: a wrong batch of a node of this machine fails the proof" {
	many
	hosts a
	jq -nc '{type: "node", node: "here"}' >>cluster
	forget_speeds
	instead hpsort <<-EOF
		case "\$*" in
		*--extent*) "\$real" "\$@" | tr 1 2 ;;
		*) exec "\$real" "\$@" ;;
		esac
	EOF
	run_ hprun -C cluster --transport ssh --rsh far -o out in
	status_is 2
	stderr_has 'here: the records of a batch are not those sent to the node'
	[ ! -e out ]
	clean
}

@test "-a range: many equal keys, and records larger than a batch" {
	hosts a b c
	forget_speeds
	{
		yes 0123456789 | head -n 600000
		head -c 9000000 /dev/zero | tr '\0' x
		echo
		seq 100000
	} >in
	sort in >want
	run_ hprun -C cluster --transport ssh --rsh far -a range -o out in
	status_is 0
	stderr_is ''
	same out want
	rm out
	clean
}

@test "-a range: a batch that does not end moves, and its late output is dropped" {
	many
	hosts a b
	forget_speeds
	# The second batch of a returns half of its records, and no more.
	instead hpsort <<-EOF
		case \$PWD in
		*/home/a/*)
			echo x >>"$PWD/begun"
			[ "\$(wc -l <"$PWD/begun")" -ne 2 ] || {
				trap '' TERM
				"\$real" "\$@" | head -c 100000
				sleep 600
			} ;;
		*) # The other host does not sort all batches before that one.
			until [ "\$(cat "$PWD/begun" 2>/dev/null | wc -l)" -ge 2 ]; do
				sleep 0.01
			done ;;
		esac
		exec "\$real" "\$@"
	EOF
	run_ hprun -C cluster --transport ssh --rsh far -a range --trace trace -o out in
	status_is 0
	stderr_is ''
	same out want
	[ "$(jq -s 'map(select(.step == "sort" and .node == "on a")) | length' trace)" = 1 ]
	rm out
	clean
}

@test "-a range: a batch that returns changed or short fails the proof" {
	local how said

	many
	while IFS=: read -r how said; do
		rm -rf bin
		hosts a b
		forget_speeds
		instead hpsort <<-EOF
			case "\$PWD \$*" in
			*/home/b/*in.[0-9]*) "\$real" "\$@" | $how ;;
			*) exec "\$real" "\$@" ;;
			esac
		EOF
		run_ hprun -C cluster --transport ssh --rsh far -a range -o out in
		status_is 2
		stderr_has "$said"
		[ ! -e out ]
		clean
	done <<-'end'
		tr 1 2:on b: the records of a batch are not those sent to the node
		tac:on b: the records of a batch are not in order
		head -c -1:on b: the records of a batch are not those sent to the node
	end
}

@test "a result that another process removes, shortens or lengthens does not appear" {
	local how method said

	many
	mkdir d
	while IFS=: read -r method how said; do
		rm -rf bin once
		hosts a b
		forget_speeds
		# Before the result is proven.
		instead hpcheck <<-EOF
			[ "\$1" != --combine ] || ! mkdir "$PWD/once" 2>/dev/null ||
				(cd "$PWD/d" && $how)
			exec "\$real" "\$@"
		EOF
		run_ hprun -C cluster -a "$method" --transport ssh --rsh far -o d/out in
		status_is 2
		stderr_has "$said"
		[ -d once ]
		[ -z "$(ls -A d)" ]
		clean
	done <<-'end'
		range:rm .hprun.*:d/out: No such file
		range:truncate -s -1 .hprun.*:d/out: has the wrong size
		range:truncate -s +1 .hprun.*:d/out: has the wrong size
		exact:truncate -s -1 .hprun.*:d/out: has the wrong size
	end
	# While batches return.
	rm -rf bin
	hosts a b
	forget_speeds
	instead hpsort <<-EOF
		echo >>"$PWD/sorts"
		[ "\$(wc -l <"$PWD/sorts")" -lt 6 ] || rm -f "$PWD"/d/.hprun.*
		exec "\$real" "\$@"
	EOF
	run_ hprun -C cluster -a range --transport ssh --rsh far -o d/out in
	status_is 2
	stderr_has 'No such file'
	[ -z "$(ls -A d)" ]
	clean
}

@test "-a range: a host dies during the batches: its share goes to the other nodes" {
	many
	hosts a b c
	forget_speeds
	dies_after 4
	instead hpsplit <<-EOF
		echo "\$1" >>"$PWD/divided"
		exec "\$real" "\$@"
	EOF
	survives_b -a range --trace trace
	# The input is not divided again, and what has returned is not sorted again.
	[ "$(grep -c range divided)" = 1 ]
	[ "$(sorted_in trace)" -lt 800000 ]
	rm -r out home/b
	clean
}

# sorted_in TRACE: how many records the nodes have sorted.
sorted_in() {
	jq -s 'map(select(.step == "sort").records) | add' "$1"
}

@test "-a range: hosts die one after the other: what has returned stays, also twice" {
	many
	hosts a b c d
	forget_speeds
	dies_after 8 c 14
	printf 'head\n' | cat - in in >headed
	run_ hprun -C cluster --transport ssh --rsh far --header 1 --trace trace \
		-o out headed
	status_is 0
	stderr_is 'hprun: on b: lost; its share goes to the others
hprun: on c: lost; its share goes to the others'
	{ echo head && sort -m want want; } | same - out
	[ "$(sorted_in trace)" -lt 1600000 ]
	# An attempt numbers its batches from those that are kept on.  Of the second
	# attempt, all are kept that had begun, but for one or two of each host, and
	# all of the first attempt.
	sort -u begun | awk '{ n[$1]++; if (!($1 in least) || $NF < least[$1]) least[$1] = $NF }
		END { exit !(least[1] > 3 && least[2] > least[1] + n[1] - 6) }' ||
		fail "$(cat begun)"
	rm -r out home/[bc]
	clean
}

@test "-a range: a host that dies during the proof costs no batch" {
	many
	hosts a b c
	forget_speeds
	ends_hosts
	# hpcheck combines the summaries on this machine.
	instead hpcheck <<-EOF
		case \$* in
		*--combine*)
			[ -e "$PWD/dead b" ] || {
				"$PWD/strike" b
				# Until the launcher knows it
				sleep 60
			} ;;
		esac
		exec "\$real" "\$@"
	EOF
	survives_b -a range --trace trace
	# The second attempt had nothing to sort.
	jq -se 'all(.[]; .step != "sort")' trace
	rm -r out home/b
	clean
}

@test "-a range: the input is cut short when a host is lost: the divided copy counts" {
	many
	hosts a b c
	forget_speeds
	dies_after 6
	sed -i "s|exec.*strike|truncate -s 2000000 '$PWD/in'; &|" bin/hpsort
	survives_b -a range
	[ "$(stat -c %s in)" = 2000000 ]
	rm -r out home/b
	clean
}

@test "-a range: units that are not those of the input are refused" {
	many
	hosts a b
	forget_speeds
	instead hpsplit <<-'EOF'
		[ "$1" = range ] || exec "$real" "$@"
		"$real" "$@" >units && head -n -1 units
	EOF
	run_ hprun -C cluster --transport ssh --rsh far -a range -o out in
	status_is 2
	stderr_has 'units.sums: belongs to other units'
	instead hpsplit <<-'EOF'
		[ "$1" = range ] || exec "$real" "$@"
		"$real" "$@" >units && tail -n +2 units &&
			head -n 1 units | jq -c '.records -= 1'
	EOF
	run_ hprun -C cluster --transport ssh --rsh far -a range -o out in
	status_is 2
	stderr_has 'units.jsonl: belongs to another input'
	[ ! -e out ]
	clean
}

@test "-a range: after a loss, what a node of this machine still reads is not cut off" {
	lines 3000000 >in
	sort in >want
	hosts a b c
	{
		jq -nc '{type: "node", node: "here"}'
		cat cluster
	} >nodes && mv nodes cluster
	forget_speeds
	dies_after 8
	# The node of this machine is the last to begin in the second attempt.
	sed -i "\$i case \"\$*\" in\
		*--extent*) [ ! -e '$PWD/dead b' ] ||\
			mkdir '$PWD/once' 2>/dev/null && sleep 1 ;;\
	esac" bin/hpsort
	survives_b -a range --trace trace
	[ -d once ]
	rm -r out home/b
	clean
}

@test "-a range: a host keeps few batches at a time, and no batch is empty" {
	# There are hardly more records than units, so some units are empty.
	seq 129 | shuf --random-source=<(yes) | awk -v x="$(head -c 100000 /dev/zero |
		tr '\0' x)" '{ printf "%03d %s\n", $1, x }' >in
	sort in >want
	hosts a b
	forget_speeds
	instead hpsort <<-EOF
		case \$PWD in */home/*) ls in.* | wc -l >>"$PWD/held" ;; esac
		exec "\$real" "\$@"
	EOF
	run_ hprun -C cluster --transport ssh --rsh far -a range --trace trace -o out in
	status_is 0
	stderr_is ''
	same out want
	are_many sort trace 2
	[ "$(sort -n held | tail -n 1)" -le 3 ]
	jq -se 'map(select(.step == "sort").records) | all(. > 0)' trace
	rm out
	clean
}

@test "-a range: another attempt needs no more room on the disk of the launcher" {
	many
	unshare -m true 2>/dev/null || skip 'no right to mount'
	hosts a b c
	forget_speeds
	# The host dies when parts of the result have returned.
	dies_after 5
	# Room for the stored input, its divided copy and the result, and half as much.
	cat >small <<-EOF
		mount -t tmpfs -o size=$(($(stat -c %s in) * 7 / 2)) none tmp &&
			hprun -C cluster --transport ssh --rsh far -a range -o tmp/out - <in &&
			cp tmp/out out
	EOF
	HP_RUN=$HP_MARK run_ timeout 200 unshare -m bash small
	status_is 0
	stderr_is 'hprun: on b: lost; its share goes to the others'
	same out want
	rm -r out home/b
	clean
}

@test "small inputs, equal keys in input order and known speeds get one batch" {
	unknown a b c
	lines 2 >in
	for words in '' '-s -k 2,2n' '-u -k 1,1nr'; do
		# shellcheck disable=SC2086 # words
		run_ hprun -C cluster $words --trace trace -o out in
		status_is 0
		# shellcheck disable=SC2086
		sort $words in >want
		same out want
		[ "$(jq -s 'map(select(.step == "sort")) | length' trace)" = 3 ]
		rm out trace
		[ -s large ] || many
		cp in large
	done
	: >in
	hprun -C cluster in >out
	[ ! -s out ]
}

@test "lines may be longer than a batch, or have one byte" {
	unknown a b
	{
		seq 100000
		head -c 9000000 /dev/zero | tr '\0' x
		echo
		seq 100000
	} >in
	sort in >want
	hprun -C cluster in >out
	same out want
	yes '' | head -n 5000000 >in
	hprun -C cluster in >out
	same out in
	head -c 5000000 /dev/zero >in
	hprun -C cluster -z in >out
	same out in
}

@test "records of a fixed size, pipes and headers are sorted in batches" {
	unknown a b
	hpgen -F gensort 60000 >in
	hpsort -F gensort in >want
	hprun -C cluster -F gensort <in >out
	same out want
	many
	{ head -n 1 in && tail -n +2 in | sort; } >want
	hprun -C cluster --header 1 --trace trace in >out
	same out want
	are_many sort trace 2
}

@test "a host dies during the batches: its share goes to the other nodes" {
	many
	hosts a b
	forget_speeds
	jq -nc '{type: "node", node: "here"}' >>cluster
	# The host dies in its first batch, when another node has sorted one.
	dies_after 4
	survives_b
	rm -r out home/b
	clean
}

@test "a killed batch is sorted again, the others are not" {
	local a

	many
	hosts a b
	forget_speeds
	instead hpsort <<-EOF
		case \$PWD in
		*/home/b/*) echo "\$*" >>"$PWD/b"
			[ "\$(wc -l <"$PWD/b")" != 1 ] || kill -KILL \$\$ ;;
		esac
		exec "\$real" "\$@"
	EOF
	for a in exact range; do
		run_ hprun -C cluster -a $a --transport ssh --rsh far --trace trace -o out in
		status_is 0
		stderr_is 'hprun: on b: sort: killed by signal 9; trying again'
		same out want
		sort b | uniq -d >twice
		head -n 1 b | cmp - twice
		rm out b
		clean
	done
}

@test "the launcher killed during the batches: --resume repeats no batch that was sorted" {
	many
	hosts a b
	forget_speeds
	instead hpsort <<-EOF
		echo "\$*" >>"$PWD/begun"
		if [ "\$(wc -l <"$PWD/begun")" -ge 3 ] &&
			mkdir "$PWD/struck" 2>/dev/null; then
			until [ -s "$PWD/hprun" ]; do sleep 0.02; done
			kill -KILL "\$(cat "$PWD/hprun")"
			sleep 600
		fi
		exec "\$real" "\$@"
	EOF
	env HP_RUN="$HP_MARK" hprun -C cluster --transport ssh --rsh far --keep kept \
		-o out in 2>err 3>&- &
	echo $! >number
	mv number hprun
	wait $! || true
	soon none_running
	# The index of a step in the journal is its line in batches.jsonl.
	awk '$4 == "sort" { print $2 }' kept/journal |
		jq --slurpfile step kept/batches.jsonl -r '"run.\($step[.].batch)"' >sorted
	[ -s sorted ]
	rm begun
	# On a full disk, the last line may be incomplete.
	printf '{"type":"bat' >>kept/batches.jsonl
	run_ hprun -C cluster --transport ssh --rsh far --resume kept --trace trace \
		-o out in
	status_is 0
	stderr_is ''
	same out want
	[ "$(jq -s 'map(select(.step == "unite").records) | add' trace)" = 800000 ]
	[ -s begun ]
	run_ grep -wFf sorted begun
	status_is 1
}

@test "a byte of a batch that changes fails the proof; --resume starts over" {
	many
	hosts a b
	forget_speeds
	instead hpsort <<-EOF
		case "\$*" in
		*in.[0-9]*) ! mkdir "$PWD/changed" 2>/dev/null ||
			printf '\\1' | dd of="\${!#}" bs=1 seek=700 conv=notrunc 2>/dev/null ;;
		esac
		exec "\$real" "\$@"
	EOF
	run_ hprun -C cluster --transport ssh --rsh far --keep kept -o out in
	[ -e changed ]
	status_is 2
	stderr_has 'the records in run are not those given to the node'
	[ ! -e out ]
	run_ hprun -C cluster --transport ssh --rsh far --resume kept -o out in
	status_is 0
	stderr_is ''
	same out want
}

@test "--resume knows batches of records that are larger than a unit" {
	seq -f '%03.0f' 140 -1 1 | while read -r i; do
		printf '%s%200000s\n' "$i" ''
	done >in
	sort in >want
	unknown a b
	instead hpmerge <<<'exit 2'
	run_ hprun -C cluster --keep kept -o out in
	status_is 2
	ln -sf "$HPBIN/hpmerge" bin/
	run_ hprun -C cluster --resume kept -o out in
	status_is 0
	stderr_is ''
	same out want
}

@test "--profile=learn: the next run plans with the times of the batches" {
	many
	sort in >want
	unknown a b c
	chmod 604 cluster
	run_ hprun -C cluster --profile=learn -o out in
	status_is 0
	stderr_is ''
	same out want
	[ "$(stat -c %a cluster)" = 604 ]
	jq -se 'map(.node) == ["a", "b", "c"] and
		all((.points | length > 0) and (.learned.runs | length > 0))' cluster
	rm out
	cp cluster learned
	run_ hprun -C cluster --profile=learn --keep kept --trace trace -o out in
	status_is 0
	stderr_is ''
	same out want
	[ "$(jq -s 'map(select(.step == "sort")) | length' trace)" = 3 ]
	# The plan is that of the learned points; the run is learned, too.
	hpsolve -n 800000 learned | cmp - kept/plan.jsonl
	jq -s '(map(.learned.runs | length) | add) + 3' learned >sum
	jq -s 'map(.learned.runs | length) | add' cluster | cmp - sum
	rm out
	nothing_left
}

@test "--profile=learn: a run that fails or sorts nothing leaves the cluster as it is" {
	many
	unknown a b
	cp cluster before
	: >empty
	run_ hprun -C cluster --profile=learn -o out empty
	status_is 0
	stderr_has 'hprun: nothing was learned: no step'
	same cluster before
	rm out
	# Of some nodes only, the next run could make no plan.
	unknown a b c
	cp cluster before
	run_ hprun -C cluster --without b --profile=learn -o out in
	status_is 0
	stderr_is "hprun: nothing was learned: node 'b' sorted nothing, and has no points"
	same cluster before
	rm out
	for words in '-C cluster --dry-run' '-C cluster --estimate' '-j 2'; do
		# shellcheck disable=SC2086 # words
		run_ hprun $words --profile=learn in
		status_is 2
		stderr_has --profile
	done
	instead hpmerge <<<'exit 2'
	run_ hprun -C cluster --profile=learn -o out in
	status_is 2
	same cluster before
	nothing_left
}

@test "--in-place without speeds: a message tells of the equal shares" {
	unknown a b
	seq 1000 >part.0
	seq 5 >part.1
	run_ hprun -C cluster --in-place 'part.{rank}' -o out
	status_is 0
	stderr_is 'launcher: hpsolve: no node has a speed or points: all count as equally fast'
	cat part.0 part.1 | sort | cmp - out
}

@test "the room that --keep needs includes the batches" {
	unshare -m true 2>/dev/null || skip 'no right to mount'
	hosts a b
	forget_speeds
	# A half of it, three MiB and a little less, is for a.
	hpgen -F u64 --seed 1 785432 in
	cat >small <<-'EOF'
		mount -t tmpfs -o size=10m none home/a/work* || exit
		hprun -C cluster --transport ssh --rsh far -F u64 -o out "$@" in
	EOF
	run_ unshare -m bash small --keep kept
	status_is 2
	stderr_has ': 12 MiB are needed, 10 MiB are free'
	run_ unshare -m bash small
	status_is 0
}
