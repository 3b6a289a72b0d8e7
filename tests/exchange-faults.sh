#!/bin/bash
# Runs exchanges and injects a fault at a random time.  Either every node
# succeeds and the output is correct, or some node fails with a message.  No
# node may hang.  Faults that a node can survive must not make it fail.
#
# HP_ROUNDS is the number of exchanges (9).  HP_SEED is the seed (random; it is
# printed).

set -u
cd "$(dirname "$0")/.." || exit 2
HPBIN=$(cd "${HPBIN:-build/bin}" && pwd) || exit 2
PATH=$HPBIN:$PATH
export LC_ALL=C
RANDOM=$((${HP_SEED:-$(date +%s)} % 32768))
seed=$RANDOM
dir=$(mktemp -d "${TMPDIR:-/tmp}/hpfaults.XXXXXX") || exit 2
trap 'kill -9 $(jobs -p) 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 2

# Half of the rounds use a replacement for ssh that runs on this machine.
ways=('-t unix' '-t ssh --rsh ./rsh')

# prepare NODES: makes random numbers of 12-byte records, framed for each node.
prepare() {
	local i

	rm -rf ./*
	printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >rsh
	chmod +x rsh
	for ((i = 0; i < $1; i++)); do
		mkdir "d$i"
		printf '{"type":"node","node":"n%d","host":"h%d","dir":"d%d"}\n' \
			"$i" "$i" "$i" >&3
		printf '{"type":"sublist","sublist":%d,"rank":%d,"node":"n%d"' \
			"$i" "$i" "$i"
		[ $((i + 1)) -eq "$1" ] || printf \
			',"until":{"key":"%02x","rank":0,"index":0}' \
			$((256 * (i + 1) / $1))
		printf '}\n'
		hpgen -F record:12,0,12 -d uniform --seed $((seed + i)) \
			$((RANDOM * 20)) "in.$i"
	done 3>cluster >sublists
	for ((i = 0; i < $1; i++)); do
		hpsplit cut -F record:12,0,12 -L sublists -N "$i" "in.$i" \
			>"stream.$i" || exit 2
	done
}

# node I: runs a node.  Half of the nodes write files.  The others write to a
# reader that reads its first bytes slowly.
node() {
	# shellcheck disable=SC2086 # words
	set -- "$1" $way
	if [ $(($1 % 2)) -eq 0 ]; then
		exec hpexchange -C cluster -N "$1" --timeout $timeout_s \
			"${@:2}" -o "out.$1" <"stream.$1" 2>"err.$1"
	fi
	exec hpexchange -C cluster -N "$1" --timeout $timeout_s "${@:2}" \
		<"stream.$1" 2>"err.$1" >"pipe.$1"
}

# nap: sleeps up to 100 ms.
nap() {
	sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
}

damage() {
	local size at

	size=$(stat -c %s "stream.$1")
	case $2 in
	flip)
		at=$((RANDOM * 32768 + RANDOM))
		printf '\377\0\377\0' | dd of="stream.$1" conv=notrunc bs=1 \
			seek=$((at % (size - 4))) status=none
		;;
	truncate) truncate -s $((size - 1 - RANDOM % size)) "stream.$1" ;;
	absent) mv "d$1" away ;;
	esac
}

strike() {
	case $2 in
	cut) # what carries bytes to the victim, if anything does
		kill -9 "$(pgrep -P "$(IFS=, && echo "${pid[*]}")" -f -- \
			"--serve '?d$1" | head -n 1)"
		;;
	kill) kill -9 "${pid[$1]}" ;;
	freeze) kill -STOP "${pid[$1]}" ;;
	stop) kill -TERM "${pid[$1]}" ;;
	pause)
		kill -STOP "${pid[$1]}"
		sleep 0.5
		kill -CONT "${pid[$1]}"
		;;
	esac 2>/dev/null
}

# summary FILE...: prints the order-free checksum of the records.
summary() {
	cat "$@" | hpcheck -F record:12,0,12 2>/dev/null |
		jq -c 'if .records == 0 then {} else {records, checksum} end'
}

# right NODES: checks that each node has its own records and none is missing.
right() {
	local i want

	for ((i = 0; i < $1; i++)); do
		if [ $((i % 2)) -eq 0 ]; then
			cat "out.$i".*
		else
			cat "got.$i"
		fi >"all.$i" || return
		hpsplit count -F record:12,0,12 -L sublists -N "$i" "all.$i" |
			jq -es "all(.sublist == $i or .records == 0)" \
				>/dev/null || return
	done
	want=$(summary in.*)
	[ -n "$want" ] && [ "$(summary all.*)" = "$want" ]
}

# round NODES VICTIM FAULT: runs one exchange with a fault.
round() {
	local nodes=$1 victim=$2 fault=$3 i rc ok=0 start late timeout_s=2

	# Faults that must be survived must be survived on a slow machine, too.
	[[ ! $fault =~ none|pause|cut ]] || timeout_s=60
	prepare "$nodes"
	damage "$victim" "$fault"
	for ((i = 1; i < nodes; i += 2)); do
		mkfifo "pipe.$i"
		(sleep 0.1 && cat) <"pipe.$i" >"got.$i" &
	done
	pid=()
	for ((i = 0; i < nodes; i++)); do
		node "$i" &
		pid[i]=$!
	done
	nap
	strike "$victim" "$fault"
	start=$SECONDS
	for ((i = 0; i < nodes; i++)); do
		# The kill below ends the stopped node.
		[ "$fault" = freeze ] && [ "$i" -eq "$victim" ] && continue
		wait "${pid[$i]}"
		rc=$?
		[ $rc -eq 0 ] || [ -s "err.$i" ] || [ "$i" -eq "$victim" ] || {
			echo "# node $i: status $rc and no message"
			return 1
		}
		ok=$((ok + (rc == 0)))
	done
	late=$((SECONDS - start))
	[ "$fault" != freeze ] || kill -9 "${pid[$victim]}"
	wait
	# Other processes share the processors, so 5 s could be too short.
	[ $late -le $((timeout_s + 60)) ] || {
		echo "# ended after $late s"
		return 1
	}
	case $fault in
	none | pause | cut) [ $ok -eq "$nodes" ] || {
		cat err.* | sed 's/^/# /'
		return 1
	} ;;
	esac
	# The damage may hit a node that is already done, or have no effect.
	[ $ok -lt "$nodes" ] || right "$nodes"
}

faults=(none kill freeze stop pause flip truncate absent cut)
echo "# HP_SEED=$seed"
failed=0
rounds=${HP_ROUNDS:-9}
for ((r = 1; r <= rounds; r++)); do
	fault=${faults[r % ${#faults[@]}]}
	nodes=$((RANDOM % 4 + 2))
	victim=$((RANDOM % nodes))
	way=${ways[RANDOM % 2]}
	what="$fault of node $victim of $nodes, ${way:0:7}"
	if round "$nodes" "$victim" "$fault"; then
		echo "ok $r - $what"
	else
		failed=1
		echo "not ok $r - $what"
	fi
done
echo "1..$rounds"
exit $failed
