#!/bin/bash
# What the data path of hprun costs beside a sort on one machine:
#
#	tests/bench/path.sh [RECORDS [ROUNDS [OTHER]]]
#
# RECORDS of gensort (4000000) are sorted ROUNDS times (5), in turn, by
#
#	hpsort	on one thread
#	local	hprun on 4 nodes of this machine
#	tcp	hprun on 4 hosts, which are this machine under 4 addresses.  An
#		--rsh reaches them by sh -c.  The nodes exchange by tcp (-a exact).
#	range	the same, but the launcher divides the records by key (-a range)
#	ssh	as tcp, but ssh reaches them, by a server that this script starts.
#		Its processor time, and that of ssh, is counted.
#	here	4 nodes of this machine sort parts that they have (--in-place) and
#		keep the result (--leave)
#	place	the 4 hosts do the same
#
# The first table has the least processor time (user and system, all processes) of
# each, its ratio to that of hpsort, and the median ratio of the rounds.  The
# columns of bytes come from one more run below strace(1), as a multiple of the
# input: read from files and written to them, and read and written by pipes and
# sockets.  A program that maps a file reads only the pages that it touches, so
# the bytes that it maps have their own column, which is an upper bound.
#
# The second table has the processor time of each step, from one more run whose
# programs are started by time(1).  The rest is that of hprun: launcher, agents,
# and what starts them.
#
# OTHER is the directory of other programs to run in turn with those of HPBIN
# (build/bin).

set -euo pipefail
records=${1:-4000000} rounds=${2:-5} other=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
HPBIN=$(cd "${HPBIN:-$here/../../build/bin}" && pwd)
[ -z "$other" ] || other=$(cd "$other" && pwd)
path=$PATH
dir=$(mktemp -d "/dev/shm/hppath.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
export LC_ALL=C TMPDIR=$dir
TIMEFORMAT='%U %S'
kinds='hpsort local tcp range ssh here place'
port=$((20000 + RANDOM % 10000))
cd "$dir"

# begin KIND: what a run needs that is not part of it.
begin() {
	rm -f out host.*/out
}

# served PROGRAMS COMMAND...: runs a command, with a server of ssh meanwhile, which
# this shell waits for: so its processor time counts.
served() {
	local server code

	sed "s:PROGRAMS:$1:" sshd_config >sshd_now
	/usr/sbin/sshd -D -f sshd_now &
	server=$!
	shift
	until : 2>/dev/null </dev/tcp/127.0.0.1/$port; do
		sleep 0.01
	done
	"$@"
	code=$?
	sleep 0.1 # it reaps its children
	kill $server
	wait $server || :
	return $code
}

# run PROGRAMS KIND [WORD...]: one run, started by these words.
run() {
	local programs=$1 kind=$2

	shift 2
	case $kind in
	hpsort) PATH=$programs:$path "$@" hpsort -F gensort --parallel 1 -o out g ;;
	local) PATH=$programs:$path "$@" hprun -F gensort -j 4 -o out g ;;
	tcp) PATH=$programs:$path "$@" hprun -a exact -F gensort -C cluster \
		--rsh "$dir/reach" --transport tcp -o out g ;;
	range) PATH=$programs:$path "$@" hprun -a range -F gensort -C cluster \
		--rsh "$dir/reach" --transport tcp -o out g ;;
	ssh) PATH=$programs:$path served "$programs" "$@" hprun -a exact -F gensort \
		-C cluster --rsh "$dir/login" --transport tcp -o out g ;;
	here) PATH=$programs:$path "$@" hprun -F gensort -j 4 \
		--in-place 'host.{rank}/g' --leave 'host.{rank}/out' >left ;;
	place) PATH=$programs:$path "$@" hprun -F gensort -C cluster --rsh "$dir/reach" \
		--transport tcp --in-place g --leave out >left ;;
	esac
}

# timed FILE PROGRAMS KIND: appends the run's processor time to the file.
timed() {
	begin "$3"
	{ time run "$2" "$3" 2>errors; } 2>took || {
		cat errors >&2
		exit 1
	}
	awk '{ print $1 + $2 }' took >>"$1.$3"
	check
}

# check: the result is that of hpsort.
check() {
	if [ -e host.0/out ]; then
		cat host.*/out | cmp - sorted
	else
		cmp out sorted
	fi
}

# moved KIND: bytes through files and through connections, in multiples of the input.
moved() {
	local calls=read,write,pread64,pwrite64,readv,writev,preadv,pwritev,preadv2
	calls+=,pwritev2,sendfile,copy_file_range,splice,sendto,recvfrom,sendmsg,recvmsg,mmap

	begin "$1"
	run "$HPBIN" "$1" strace -f -y -qq -s 0 -e "trace=$calls" -o calls 2>errors
	awk -v all="$((records * 100))" '
	# How many bytes went through descriptor n of the line, counted from 1.
	function through(n, bytes, to,    part, s) {
		s = $0
		while (n-- > 0) {
			if (!match(s, /[0-9]+<[^>]*>/))
				return
			part = substr(s, RSTART, RLENGTH)
			s = substr(s, RSTART + RLENGTH)
		}
		sub(/^[0-9]+</, "", part)
		sum[to (part ~ /^\// ? "file" : "link")] += bytes
	}
	/unfinished/ { begun[$1] = $0; sub(/ <unfinished.*/, "", begun[$1]); next }
	/resumed>/ {
		pid = $1
		end = $0
		sub(/.*resumed>/, "", end)
		$0 = begun[pid] end
	}
	{
		bytes = $NF
		for (i = NF; i > 1 && $i != "="; i--)
			bytes = $i
		call = $2
		sub(/\(.*/, "", call)
	}
	call == "mmap" && /[0-9]+<\// && !/PROT_EXEC/ {
		split($0, f, /, */)
		if (f[2] >= 1048576 && !/PROT_WRITE.*MAP_SHARED/)
			through(1, f[2], "m")
		next
	}
	bytes !~ /^[0-9]+$/ { next }
	call ~ /^(read|pread|recv)/ { through(1, bytes, "r") }
	call ~ /^(write|pwrite|send(to|msg))/ { through(1, bytes, "w") }
	call ~ /^(copy_file_range|splice)/ { through(1, bytes, "r"); through(2, bytes, "w") }
	call == "sendfile" { through(2, bytes, "r"); through(1, bytes, "w") }
	END {
		printf "%.1f %.1f %.1f %.1f %.1f\n", sum["rfile"] / all,
			sum["mfile"] / all, sum["wfile"] / all, sum["rlink"] / all,
			sum["wlink"] / all
	}' calls
	rm -f calls
}

# steps KIND: the processor time of each program and its first word.
steps() {
	local program

	rm -rf wrapped steps
	mkdir wrapped
	for program in "$HPBIN"/*; do
		cat >"wrapped/${program##*/}" <<-END
			#!/bin/bash
			TIMEFORMAT='%U %S'
			case \${1-} in
			[a-z]*) name="${program##*/} \$1" ;;
			--sum) name="${program##*/} \$1" ;;
			*) name=${program##*/} ;;
			esac
			exec {err}>&2
			{ time "$program" "\$@" 2>&\$err; } 2>>"$dir/took.\$\$"
			code=\$?
			sed "s/^/\$name,/" "$dir/took.\$\$" >>"$dir/steps"
			rm -f "$dir/took.\$\$"
			exit \$code
		END
		chmod +x "wrapped/${program##*/}"
	done
	cp --remove-destination "$HPBIN/hprun" wrapped/hprun
	begin "$1"
	{ time run "$dir/wrapped" "$1" 2>errors; } 2>took
	awk -F '[, ]' -v kind="$1" '
	FILENAME == "steps" {
		name = $1
		if (NF > 3)
			name = $1 " " $2
		user[name] += $(NF - 1)
		sys[name] += $NF
		left -= $(NF - 1) + $NF
		next
	}
	{ left += $1 + $2 }
	END {
		for (name in user)
			if (user[name] + sys[name] >= 0.02)
				printf "%-7s %-20s %6.2f s user %6.2f s system\n", kind, name,
					user[name], sys[name]
		printf "%-7s %-20s %6.2f s\n", kind, "rest", left
	}' steps took | sort
}

median() {
	sort -n | awk '{ v[NR] = $1 }
		END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# row NAME KIND BYTES: of the times in the files NAME.KIND.
row() {
	awk -v name="$2" -v least="$(sort -n "$1.$2" | head -1)" \
		-v base="$(sort -n "$1.hpsort" | head -1)" \
		-v median="$(paste "$1.$2" "$1.hpsort" | awk '{ print $1 / $2 }' | median)" \
		-v moved="$3" 'BEGIN {
		split(moved, m, " ")
		printf "%-8s %7.2f s %6.2f %7.2f  %8s %6s %7s  %8s %7s\n", name, least,
			least / base, median, m[1], m[2], m[3], m[4], m[5]
	}'
}

records=$((records - records % 4))
part=$((records * 25))
"$HPBIN/hpgen" "$records" g
"$HPBIN/hpsort" -F gensort -o sorted g
for i in 0 1 2 3; do
	mkdir "host.$i"
	printf '{"type":"node","node":"h%d","host":"127.0.0.%d","dir":"%s","speed":1}\n' \
		"$i" "$((i + 1))" "$dir/host.$i"
	dd if=g of="host.$i/g" bs=100K iflag=skip_bytes,count_bytes status=none \
		skip=$((i * part)) count=$part
done >cluster
cat >reach <<'END'
#!/bin/sh
shift
exec sh -c "$*"
END
ssh-keygen -q -t ed25519 -N '' -f host_key
ssh-keygen -q -t ed25519 -N '' -f user_key
# The depth of its shells keeps bash from reading ~/.bashrc.
cat >sshd_config <<END
Port $port
ListenAddress 127.0.0.1
ListenAddress 127.0.0.2
ListenAddress 127.0.0.3
ListenAddress 127.0.0.4
HostKey $dir/host_key
AuthorizedKeysFile $dir/user_key.pub
StrictModes no
PidFile none
SetEnv PATH=PROGRAMS:/usr/bin:/bin TMPDIR=$dir SHLVL=1
END
cat >login <<END
#!/bin/sh
exec ssh -q -p $port -i "$dir/user_key" -o BatchMode=yes -o UserKnownHostsFile=/dev/null \\
	-o StrictHostKeyChecking=no "\$@"
END
chmod +x reach login

for ((i = 0; i < rounds; i++)); do
	for kind in $kinds; do
		timed ours "$HPBIN" "$kind"
		[ -z "$other" ] || timed other "$other" "$kind"
	done
done
echo "$records records; bytes in multiples of the input"
echo '               cpu  ratio  median  files: r mapped written  links: r written'
for kind in $kinds; do
	row ours "$kind" "$(moved "$kind")"
	[ -z "$other" ] || row other "$kind" ''
done
for kind in $kinds; do
	[ "$kind" = hpsort ] || [ "$kind" = ssh ] || { echo; steps "$kind"; }
done
