# What a hostile node, or another user of a machine, cannot do: as a user sees it,
# whatever the launcher and the nodes say to each other.
# shellcheck shell=bash disable=SC2154
load common
load hprun

# harmless TEXT: it has no control characters but the ends of its lines.
harmless() {
	[[ $1 != *[$'\001'-$'\011'$'\013'-$'\037'$'\177']* ]] ||
		fail "$(printf %s "$1" | sed -n l)"
}

@test "control characters in messages of a node do not reach the terminal" {
	seq 100 >in
	hosts a b
	# At the login, from a step, and as the reason why the run cannot begin.
	sed -i '2i [ "$1" != b ] || printf "\\033]0;login\\007 \\302\\233\\177\\n" >&2' far
	instead hpsort <<-'EOF'
		printf 'gr\303\274n \033[2Jstep\r\n' >&2
		exec "$real" "$@"
	EOF
	run_ hprun -C cluster --transport ssh --rsh far -o out in
	status_is 0
	harmless "$stderr"
	stderr_has 'on b: \033]0;login\007 \302\233\177'
	stderr_has $'on b: gr\303\274n \\033[2Jstep'
	sort in | cmp - out
	rm out
	sed -i 2d far

	sed -i "s/work;/$(printf 'x\\\\u001b[2Jy')/" cluster
	run_ hprun -C cluster --transport ssh --rsh far -o out in
	status_is 2
	harmless "$stderr"
	stderr_has '[2Jy'
	clean
}

@test "control characters in what a login prints do not reach the terminal" {
	lines 3000 >in
	hosts a b
	sed -i '2i [ "$1" != b ] || printf "\\033[2JWelcome\\n"' far
	run_ hprun -C cluster --transport ssh --rsh far -o out in
	harmless "$stderr"
	stderr_has "on b: the login prints '\\033[2JWelcome'"
	rm -f out
	clean
}

@test "a symbolic link planted beside the output or the cluster is not followed" {
	seq 100 >in
	echo precious >target
	cp target before
	mkdir public
	jq -nc '{type: "node", node: "a", speed: 1}' >public/cluster
	for words in '-o public/out' '-o public/out --profile=1 -C public/cluster'; do
		# Names with the number of the process are known before it runs.
		# shellcheck disable=SC2016
		run_ sh -c 'ln -s "$PWD/target" public/.hprun.$$
			ln -s "$PWD/target" public/.hprun.$$.cluster
			exec hprun "$@" in' sh $words
		status_is 0
		same target before
		[ ! -L public/out ]
		sort in | cmp - public/out
		find public -lname "$PWD/target" -delete
		rm public/out
		[ "$(ls -A public)" = cluster ]
	done
}

@test "no symbolic link can be planted where a node leaves its part" {
	seq 100 >in
	echo precious >target
	cp target before
	mkdir public
	# In a directory such as /tmp, other users can make a link where no file is,
	# but not replace a file.
	instead hpsort <<-EOF
		tag=\${PWD##*hprun.}
		ln -s "$PWD/target" "$PWD/public/.hprun.\${tag%%/*}.0" 2>>"$PWD/exists"
		exec "\$real" "\$@"
	EOF
	hprun -j 2 --leave "$PWD/public/part.{rank}" in >summary
	grep -q 'File exists' exists
	same target before
	sort in | cmp - <(cat public/part.0 public/part.1)
	[ ! -L public/part.0 ]
}

@test "commands of --dry-run do not use an existing directory" {
	seq 100 >in
	hprun --dry-run -j 2 -o out in >commands
	dir=$(sed -n 's/^work=//p' commands)
	[ -n "$dir" ]
	mkdir "$dir"
	bash commands 2>/dev/null && false
	empty_dir "$dir"
	[ ! -e out ]
	# Nor through a link that stands where the output is made.
	hprun --dry-run -j 2 --keep kept -o out in >commands
	echo precious >target
	ln -s target "$(sed -n "s|.*>$PWD/\(\.hprun[^ )]*\).*|\1|p" commands | head -n 1)"
	bash -e commands 2>/dev/null && false
	[ "$(cat target)" = precious ]
}

@test "--keep: the directory is for its owner only, and so are all files in it" {
	seq 100 >in
	mkdir there
	chmod 777 there
	umask 022
	for words in '--keep new/er' '--keep there' '--resume other -C cluster --transport ssh --rsh far'; do
		hosts a b
		# shellcheck disable=SC2086 # words
		run_ hprun -j 2 $words --trace trace -o out <in
		# shellcheck disable=SC2086
		[ "$status" = 0 ] || run_ hprun ${words} --trace trace -o out <in
		status_is 0
	done
	for dir in new/er there other; do
		[ "$(stat -c %a $dir)" = 700 ]
		[ -s $dir/input ]
		find $dir -mindepth 1 -perm /077 >open
		same open /dev/null
	done
	find home/*/work* -mindepth 2 -type f -perm /077 >open
	same open /dev/null
	# What is made for the user has the mode that new files have.
	[ "$(stat -c %a new out trace | xargs)" = '755 644 644' ]
	hprun -j 2 --leave 'part.{rank}' in >summary
	hprun -C cluster --transport ssh --rsh far --leave 'part' in >summary
	[ "$(stat -c %a part.0 part.1 home/*/work*/part | sort -u)" = 644 ]
}

@test "all files of a run are accessible only to their owner" {
	seq 3000 >in
	hosts a b
	umask 000
	for program in hpmerge hpexchange hpsort; do
		instead $program <<-EOF
			find "$PWD/tmp" "$PWD"/home/*/work* -mindepth 1 \
				! -type l -perm /077 >>"$PWD/open" 2>/dev/null
			exec "\$real" "\$@"
		EOF
	done
	for words in '-j 2' '-j 2 -a pss' '-C cluster --transport ssh --rsh far' \
		'-C cluster --transport ssh --rsh far -a psop'; do
		rm -f open
		# shellcheck disable=SC2086 # words
		hprun $words -o out <in
		[ -e open ]
		same open /dev/null
		[ "$(stat -c %a out)" = 666 ]
		rm out
	done
	clean
}

@test "a new output has the owner of the old one, and nobody else reads it before" {
	local mode

	[ "$(id -u)" = 0 ] || skip 'only root may give files away'
	lines 3000 >in
	sort in >want
	hosts a b
	instead hpsort <<-EOF
		stat -c %a "$PWD"/.hprun.* >>"$PWD/modes"
		exec "\$real" "\$@"
	EOF
	for mode in 600 640 4755; do
		for words in '-j 2' "-C cluster --transport ssh --rsh far" \
			"-C cluster --transport ssh --rsh far -a range"; do
			cp in out
			chown 1:2 out
			chmod $mode out
			# shellcheck disable=SC2086 # words
			run_ hprun $words -o out in
			status_is 0
			same out want
			[ "$(stat -c '%a %u %g' out)" = "$mode 1 2" ]
		done
	done
	[ "$(sort -u modes)" = 600 ]
	# A new file is as umask wants it.
	rm out
	(umask 027 && hprun -j 2 -o out in)
	[ "$(stat -c '%a %u' out)" = '640 0' ]
	rm out
	clean
}

@test "--keep and --resume refuse a directory of another user" {
	[ "$(id -u)" = 0 ] || skip 'only root can give a directory away'
	seq 100 >in
	mkdir kept
	chown 65534 kept
	for word in --keep --resume; do
		run_ hprun -j 2 $word kept -o out in
		status_is 2
		stderr_is 'hprun: kept: belongs to another user'
		empty_dir kept
	done
	chown 0 kept
	hprun -j 2 --keep kept -o out in
	chown 65534 kept
	run_ hprun -j 2 --resume kept -o out in
	status_is 2
	stderr_is 'hprun: kept: belongs to another user'
}

# with_tmp OPTIONS COMMAND...: in a mount namespace whose /tmp has these options, in
# a directory that is seen as /mnt.
with_tmp() {
	local options=$1

	shift
	unshare -m bash -c 'mount --bind "$PWD" /mnt && cd /mnt &&
		mount -t tmpfs -o "$0" none /tmp && "$@" && ls -A /tmp >in.tmp' \
		"$options" "$@"
}

may_mount() {
	unshare -m true 2>/dev/null || skip 'no right to mount'
	[[ $HPBIN != /tmp/* ]] || skip 'the programs are in /tmp'
}

@test "a read-only /tmp is no problem if -T or TMPDIR names another place" {
	may_mount
	seq 100 | shuf --random-source=<(yes) >in
	sort -n in >want
	mkdir other
	TMPDIR='' run_ with_tmp ro hprun -n -j 2 -o out in
	status_is 0
	stderr_is ''
	same out want
	# In each step, while it is at work.
	instead hpsort <<-'EOF2'
		ls -A /tmp >>/mnt/seen
		exec "$real" "$@"
	EOF2
	mkdir -p /mnt 2>/dev/null || true
	for words in 'TMPDIR=/mnt/other' '-T /mnt/other' '-T other'; do
		rm -f seen
		case $words in
		TMPDIR*) set -- env "PATH=/mnt/bin:$PATH" "$words" hprun ;;
		*) set -- env "PATH=/mnt/bin:$PATH" TMPDIR= hprun $words ;;
		esac
		run_ with_tmp rw "$@" -n -j 2 -o out in
		status_is 0
		same out want
		same seen /dev/null
		empty_dir other
	done
}

@test "a read-only file system and a full one are named, without usage" {
	may_mount
	seq 20000 >in
	mkdir small
	run_ unshare -m bash -c 'echo old >small/old &&
		mount -t tmpfs -o ro none small && exec hprun -j 2 -o small/x in'
	status_is 2
	stderr_is "hprun: small/x: Read-only file system"
	run_ unshare -m bash -c 'mount -t tmpfs none small && echo >small/x &&
		mount -o remount,ro small && exec hprun -j 2 -o small/x in'
	status_is 2
	stderr_is "hprun: small/x: Read-only file system"
	run_ unshare -m bash -c 'mount -t tmpfs -o ro none small &&
		exec hprun -j 2 --keep small/x -o out in'
	status_is 2
	stderr_is "hprun: cannot create directory '$PWD/small/x': Read-only file system"
	run_ unshare -m bash -c 'mount -t tmpfs -o ro none small &&
		exec hprun -j 2 -T small -o out in'
	status_is 2
	stderr_has 'Read-only file system'
	[[ $stderr != *usage* && $stderr != *$'\n'* ]]
	# However much room is left, nothing else than the cause is told.
	for blocks in 0 4 8 16; do
		run_ unshare -m bash -c 'mount -t tmpfs -o size=1m none small &&
			mkdir small/kept &&
			{ cat /dev/zero >small/fill || truncate -s -'$blocks'k small/fill; } 2>/dev/null
			exec hprun -j 2 --keep small/kept -o out <in'
		status_is 2
		[[ $stderr == *"No space left on device"* && $stderr == *small/kept* &&
			! $stderr =~ usage|removed|I/O ]] || fail "$blocks: $stderr"
	done
	[ ! -e out ]
	nothing_left
}

@test "by ssh, nodes find the programs beside hprun without PATH" {
	lines 3000 >in
	hosts a b c
	sed -i '2i PATH=/usr/bin:/bin' far
	for a in exact pss; do
		run_ "$HPBIN/hprun" -C cluster --transport ssh -a $a --rsh "$PWD/far" -o out in
		status_is 0
		stderr_is ''
		sort in | cmp - out
		rm out
	done
	clean
}

@test "a node whose hpexchange is missing ends the run and is named" {
	lines 300 >in
	hosts a b
	sed -i 's/^line=/case $PWD:$* in *home\/b:*--serve*)\
	echo "sh: 1: hpexchange: not found" >\&2; exit 127 ;; esac\n&/' far
	run_ hprun -a exact -C cluster --transport ssh --rsh far -o out in
	status_is 2
	stderr_has 'on a: hpexchange: on b: sh: 1: hpexchange: not found'
	stderr_has 'exchange: failed'
	clean
}
