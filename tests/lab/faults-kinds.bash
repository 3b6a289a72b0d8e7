# What breaks, and how it is mended.
# shellcheck shell=bash disable=SC2154 # job, victim, ... are faults' own

# Each strikes the victim, and is undone by mend_ of the same name, if it has
# to be; a short one as soon as that, after $outage.
strike_none() { :; }
strike_pause() { lab freeze "$victim"; }
strike_blink() { lab cut "$victim"; }
strike_loss() { lab set "$victim" loss=5%; }
strike_flip() { lab flip "$victim"; }
strike_slow() { lab set "$victim" cpu=0.2; }
strike_kill() { lab kill "$victim"; }
strike_freeze() { lab freeze "$victim"; }
strike_cut() { lab cut "$victim"; }
strike_stop() { signal TERM "^ *[0-9]+ hpexchange -C"; }
strike_crash() {
	signal KILL "^ *[0-9]+ hpexchange -C"
	[ "$job" != exchange ] || exchange_again "$victim"
}
strike_truncate() { :; } # by exchange_start
strike_quit() { signal KILL "/hprun "; }
strike_end() { signal TERM "/hprun "; }
strike_hangup() { signal HUP "/hprun "; }
strike_interrupt() { signal INT "/hprun "; }
# Of hprun: its agent on the victim, the connection to that agent, the launcher,
# the link to one other node.
strike_agent() { signal_worker KILL "hprun --agent"; }
strike_stall() { signal_worker STOP "hprun --agent"; }
strike_sever() {
	processes_of hub | awk -v p="ssh .* $victim PATH=" '$0 ~ p { print $1 }' |
		xargs -r kill -KILL
} 2>/dev/null
strike_doze() { signal_all STOP "/hprun "; }
strike_link() { lab part "$victim" "$other"; }
# Two at once, of two nodes.
strike_two() {
	local node=$victim

	"strike_${pair[0]}"
	victim=$other
	"strike_${pair[1]}"
	victim=$node
}
mend_doze() { signal_all CONT "/hprun "; }
mend_link() { lab join "$victim" "$other"; }
mend_two() {
	local node=$victim

	! declare -F "mend_${pair[0]}" >/dev/null || "mend_${pair[0]}"
	victim=$other
	! declare -F "mend_${pair[1]}" >/dev/null || "mend_${pair[1]}"
	victim=$node
}
mend_pause() { lab thaw "$victim"; }
mend_blink() { lab mend "$victim"; }
mend_loss() { lab set "$victim" loss=; }
mend_flip() { lab exec "$victim" nft flush ruleset; }
mend_drop() { lab exec "$victim" nft flush ruleset; }
mend_slow() { lab set "$victim" cpu=; }
mend_kill() { lab boot "$victim"; }
mend_freeze() { lab thaw "$victim"; }
mend_cut() { lab mend "$victim"; }
mend_full() { rm -f "$(home_of "$victim")/ballast"; }

# What connects it to another: by ssh a process at one end or the other.
strike_drop() {
	case $way in
	ssh) signal KILL "/ssh -F|--serve" ;;
	tcp) lab reset "$victim" ;;
	esac
}

# No room is left on the disk of the victim.
strike_full() {
	lab exec "$victim" sh -c 'cat /dev/zero >ballast'
} 2>/dev/null

# A byte of a file that a program of the victim has stored is another one.
strike_rot() {
	local files size

	mapfile -t files < <(find "$(home_of "$victim")"/hprun.* -type f -size +0 \
		\( -name in -o -name 'in.*' -o -name run -o -name 'run.*' \
		-o -name cut -o -name out -o -name 'from.*' -o -name 'part.*' \) |
		sort)
	[ ${#files[@]} -gt 0 ] || return
	one_of "${files[@]}"
	size=$(stat -c %s "$one") || return
	printf '\132' | dd of="$one" bs=1 conv=notrunc status=none \
		seek=$(((RANDOM * 32768 + RANDOM) % size))
} 2>/dev/null

# on_victim COMMAND...: it finds the files that what comes by ssh finds there.
on_victim() {
	nsenter --mount --target "$(cat "$LAB_DIR/nodes/$victim/pid")" "$@"
}

# Nothing can be written: root may do all else.
strike_deny() { on_victim mount -o remount,bind,ro "$LAB_DIR/home"; }
mend_deny() { on_victim mount -o remount,bind,rw "$LAB_DIR/home"; }

# A program that is not there.
strike_lack() { on_victim mount --bind /dev/null "$HPBIN/hpmerge"; }
mend_lack() { on_victim umount "$HPBIN/hpmerge"; }

# The key is another one: of the exchange by tcp, else that of the host.
strike_lock() {
	case $job/$way in
	exchange/tcp) sed -i 's/All/Not/' "$(home_of "$victim")/job/key" ;;
	*)
		cp "$LAB_DIR/known_hosts" known_hosts
		sed -i "s/^\($victim .*\)...\$/\1AAA/" "$LAB_DIR/known_hosts"
		;;
	esac
}
mend_lock() {
	case $job/$way in
	exchange/tcp) sed -i 's/Not/All/' "$(home_of "$victim")/job/key" ;;
	*) [ ! -e known_hosts ] || mv known_hosts "$LAB_DIR/known_hosts" ;;
	esac
}

# early: it has broken before all begins.
early() {
	[[ $kind =~ ^(deny|lack|lock)$ ]]
}

# of_hub: it is the launcher that breaks.
of_hub() {
	[[ $kind =~ ^(quit|end|hangup|interrupt|doze)$ ]] ||
		{ [ "$job" != exchange ] && [ "$kind" = full ] && [ $((RANDOM % 2)) = 0 ]; }
}

# possible KIND: the job has what breaks.
possible() {
	case $job/$1 in
	exchange/agent | exchange/stall | exchange/sever | exchange/doze | \
		exchange/link | exchange/two) return 1 ;;
	exchange/quit | exchange/end | exchange/hangup | exchange/interrupt | \
		exchange/rot | exchange/deny | exchange/lack | \
		hprun/truncate | batches/truncate)
		return 1
		;;
	esac
}

# guilty NODE: the run may do without it.
guilty() {
	case $kind/$1 in
	kill/"$victim" | freeze/"$victim" | cut/"$victim" | full/"$victim" | \
		slow/"$victim" | loss/"$victim" | stop/"$victim" | \
		link/"$victim" | link/"$other" | two/"$victim" | two/"$other") ;;
	*) return 1 ;;
	esac
}

survivable() {
	[[ $job/$1 =~ /(none|pause|blink|loss|flip|drop|slow)$ ]] ||
		[[ $job/$1 =~ ^(hprun|batches)/(agent|stall|sever|doze|crash)$ ]] ||
		[[ $job/$1/$input =~ ^(hprun|batches)/link/(file|pipe)$ ]] ||
		[ "$job/$1/$kept" = exchange/crash/yes ]
}

# processes_of NODE: number and command line of each.
processes_of() {
	lab pids "$1" | xargs -r ps -o pid=,args= -p
}

# signal SIGNAL PATTERN: to the first such process of the victim.
signal() {
	processes_of "$victim" | awk -v p="$2" '$0 ~ p { print $1; exit }' |
		xargs -r kill "-$1"
} 2>/dev/null

# signal_worker SIGNAL PATTERN: to the first such process whose parent, its
# guard, is another one.  Process numbers wrap, so their order tells nothing.
signal_worker() {
	lab pids "$victim" | xargs -r ps -o pid=,ppid=,args= -p |
		awk -v p="$2" '$0 ~ p { parent[$1] = $2 }
			END {
				for (pid in parent)
					if (parent[pid] in parent &&
						!(parent[parent[pid]] in parent))
						print pid
			}' | head -n 1 | xargs -r kill "-$1"
} 2>/dev/null
# signal_all SIGNAL PATTERN: to all of them.
signal_all() {
	processes_of "$victim" | awk -v p="$2" '$0 ~ p { print $1 }' |
		xargs -r kill "-$1"
} 2>/dev/null

mend() {
	! declare -F "mend_$kind" >/dev/null || "mend_$kind"
}
