# System calls that fail, outputs that are full: whatever goes wrong, a program
# says so and exits 2, and nothing wrong or partial gets its final name.

load common
load exchange

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	hpgen -a 3000 big
	hpgen -a -b 3000 500 small
	cat big small | LC_ALL=C sort >sorted
	LC_ALL=C sort big >sorted.big
	LC_ALL=C sort small >sorted.small
	hpgen -a 100k huge
	LC_ALL=C sort huge >sorted.huge
	seq 3 | jq -c '{type: "node", node: "n\(.)", speed: .}' >cluster
	hpsolve -n 3000 cluster >plan
	hpsplit sample -a regular -c 50 -N 0 sorted.big >candidates
	hpsplit pivots -P plan -a psrs candidates >sublists
}

setup() {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	begin
	ln -s "$BATS_FILE_TMPDIR"/* .
	ioerr=$HPBIN/../tests/fault/ioerr.so
	shopt -s dotglob
	before=(*)
}

# with FAULT COMMAND...: runs it so, its errors in the file err; its standard
# input is a pipe from the files in $stdin, or empty.  Programs whose calls a
# preload reaches come first.  There are thousands of runs, so each starts nothing
# but the command.
with() {
	[ ! -e mark ] || rm mark
	if [ -n "${stdin-}" ]; then
		# shellcheck disable=SC2086 # names are words
		cat $stdin | preloaded "$@"
	else
		preloaded "$@" </dev/null
	fi
}

preloaded() {
	LD_PRELOAD=$ioerr HP_FAULT=$1 HP_FAULT_MARK=$PWD/mark \
		PATH=${ioerr%/*}:$PATH "${@:2}" 2>err
}

# leaves_nothing: removes what a test made for itself; nothing else is there.
leaves_nothing() {
	local made=() there file

	for file in mark err out stdout; do
		[ ! -e $file ] || made+=("$file")
	done
	[ ${#made[@]} -eq 0 ] || rm "${made[@]}"
	there=(*)
	[ "${there[*]}" = "${before[*]}" ] || fail "left: ${there[*]}"
}

# message_of PROGRAM: the program has written a message to err.
message_of() {
	local lines line

	mapfile -t lines <err
	for line in "${lines[@]}"; do
		[[ $line != "$1: "* ]] || return 0
	done
	fail "no message of $1: ${lines[*]}"
}

# The numbers of calls that are tried: each of the first, fewer later on.
steps=({1..12} {15..60..7} {90..600..60})

# each_fails CALL WANT COMMAND...: COMMAND with `-o out` gets the Nth CALL to
# fail, for every N.  It must exit 2 with a message and without a file, or, if
# it could do without (malloc, mmap), make the right file.
each_fails() {
	local call=${1%:*} reason=${1#*:} want=$2 n rc tried=0

	shift 2
	for n in "${steps[@]}"; do
		rc=0
		with "$call:$n:$reason" "$@" >stdout || rc=$?
		if [ ! -e mark ]; then
			[ "$rc" = 0 ] || fail "$call $n: status $rc" "$(cat err)"
			same out "$want"
			rm -f out
			break
		fi
		tried=$((tried + 1))
		if [ $rc = 0 ]; then
			case $call in
			malloc | mmap) ;;
			*) fail "$call $n failed, but the status is 0" ;;
			esac
			same out "$want"
		else
			[ $rc = 2 ] || fail "$call $n: status $rc" "$(cat err)"
			[ ! -e out ] || fail "$call $n: status 2, but a file"
			message_of "${1##*/}"
		fi
		leaves_nothing
	done
	[ $tried -gt 0 ] || fail "no $call was ever made"
}

ENOENT=2 EIO=5 ENOMEM=12 EXDEV=18 ENOSPC=28

# ended_by SIGNAL CALL:N COMMAND...: it is at the Nth CALL, where no file can be
# without a name; and leaves nothing.
ended_by() {
	local rc=0

	HP_FAULT_NAMES=1 with "$2:-$1" env --default-signal="$1" "${@:3}" \
		>stdout || rc=$?
	[ -e mark ] || fail "$2 was never made"
	[ "$rc" = $((128 + $1)) ] || fail "status $rc" "$(cat err)"
	[ ! -s err ] || fail "it says: $(cat err)"
	[ ! -e out ] || fail "a file"
	leaves_nothing
}

@test "hpsort in memory: every failing read is reported" {
	stdin="big small"
	each_fails read:$EIO sorted hpsort -o out
}

@test "hpsort in memory: every failing write is reported" {
	each_fails write:$ENOSPC sorted hpsort -o out big small
}

@test "hpsort: an output that cannot be named, closed or renamed is reported" {
	each_fails linkat:$EIO sorted hpsort -o out big small
	each_fails close:$EIO sorted hpsort -o out big small
	each_fails rename:$EXDEV sorted hpsort -o out big small
}

@test "without unnamed files, a signal leaves no file behind" {
	local call signal rc=0

	HP_FAULT_NAMES=1 with none hpsort -S 8M -T . -o out huge
	same out sorted.huge
	rm out err
	for call in open:1 write:1; do
		for signal in 1 2 13 15; do
			ended_by $signal $call hpsort -o out big small
		done
		ended_by 15 $call hpmerge -o out sorted.big sorted.small
		ended_by 15 $call hpgen -a 3000 out
		ended_by 15 $call hpsplit cut -L sublists -N 0 --extents \
			-o out big
	done
	# A temporary file is just to lose its own, and cannot.
	ended_by 15 unlink:1 hpsort -S 8M -T . -o out huge
	HP_FAULT_NAMES=1 with unlink:1:$EIO hpsort -S 8M -T . -o out huge ||
		rc=$?
	[ "$rc" = 2 ] || fail "status $rc" "$(cat err)"
	[ ! -e out ] || fail "a file"
	leaves_nothing
	HP_FAULT_NAMES=1 each_fails write:$ENOSPC sorted hpsort -o out \
		big small
	HP_FAULT_NAMES=1 each_fails open:$EIO sorted hpsort -o out big small
}

@test "hpexchange: a signal during renaming takes effect after the last rename" {
	local n

	mkdir x
	cd x
	cluster 3
	for n in 0 1 2; do
		input $n 100 200 300
		extents $n
	done
	for n in 1 2 3; do
		start whole 1 -o got.1
		start whole 2 -o got.2
		LD_PRELOAD=$ioerr HP_FAULT=rename:$n:-15 start whole 0 -o got.0
		ended 0 143
		ended 1 0
		ended 2 0
		[ ! -s err.0 ] || fail "$(cat err.0)"
		cat got.0.[012] | sort | cmp - <(want 0)
		rm got.*
		[ -z "$(find . -name '.*' -type f)" ]
	done
}

@test "hpsort: the output gets its name through /proc if linkat on the descriptor fails" {
	local n

	for n in 1 2; do
		with linkat:$n:$ENOENT hpsort -o out big small
		[ -e mark ]
		same out sorted
		leaves_nothing
	done
}

@test "hpsort: every failing allocation is reported" {
	each_fails malloc:$ENOMEM sorted hpsort -o out big small
	each_fails mmap:$ENOMEM sorted hpsort -o out big small
}

@test "hpsort with temporary files: every failing read, write and allocation is reported" {
	local z

	for z in "" --compress=zstd; do
		# shellcheck disable=SC2086 # an option or none
		set -- sorted.huge hpsort -S 8M $z -o out huge
		each_fails read:$EIO "$@"
		each_fails write:$EIO "$@"
		each_fails malloc:$ENOMEM "$@"
		with short "${@:2}"
		same out sorted.huge
		rm out
	done
}

@test "hpsort with temporary files: an output larger than the disk is reported" {
	local n rc

	hpgen -a 1200k larger
	for n in 1 3; do
		rc=0
		with sync:$n:$EIO hpsort -S 8M --parallel 1 -T . -o out larger ||
			rc=$?
		# Where the disk is slow or none, it is not waited for.
		if [ ! -e mark ]; then
			[ "$rc" = 0 ] || fail "status $rc" "$(cat err)"
			hpcheck out
			break
		fi
		[ "$rc" = 2 ] || fail "status $rc" "$(cat err)"
		[ ! -e out ] || fail "a file"
		[ "$(cat err)" = "hpsort: out: Input/output error" ] ||
			fail "message: $(cat err)"
	done
}

@test "hpmerge: every failing read, write and allocation is reported" {
	each_fails read:$EIO sorted hpmerge -o out sorted.big sorted.small
	stdin=sorted.big
	each_fails read:$EIO sorted hpmerge -o out - sorted.small
	stdin=
	each_fails write:$ENOSPC sorted hpmerge -o out sorted.big sorted.small
	each_fails rename:$EXDEV sorted hpmerge -o out sorted.big sorted.small
	each_fails malloc:$ENOMEM sorted hpmerge -o out sorted.big sorted.small
}

@test "hpmerge with several threads: every failing read, write and allocation is reported" {
	local s

	hpsort huge -o sorted.huge2
	before=(*)
	LC_ALL=C sort -m sorted.huge sorted.huge2 >"$BATS_TEST_TMPDIR.want"
	# Large and small buffers.
	for s in 1G 20M; do
		set -- "$BATS_TEST_TMPDIR.want" hpmerge --parallel 4 -S $s \
			-o out sorted.huge sorted.huge2
		each_fails read:$EIO "$@"
		each_fails write:$ENOSPC "$@"
		each_fails malloc:$ENOMEM "$@"
		with short "${@:2}"
		same out "$1"
		rm out
	done
}

@test "hpgen: every failing write and allocation is reported" {
	each_fails write:$ENOSPC big hpgen -a 3000 out
	each_fails rename:$EXDEV big hpgen -a 3000 out
	each_fails malloc:$ENOMEM big hpgen -a 3000 out
}

# reads_fail CALL COMMAND...: to standard output, the Nth CALL fails.
reads_fail() {
	local call=$1 n rc

	shift
	for n in "${steps[@]}"; do
		rc=0
		with "$call:$n:$EIO" "$@" >stdout || rc=$?
		[ -e mark ] || break
		[ $rc = 2 ] || fail "$call $n: status $rc" "$(cat err)"
		grep -q "^${1##*/}: .*Input/output error" err ||
			fail "message: $(cat err)"
	done
	[ "$n" -gt 1 ] || fail "no $call was ever made"
	[ "$rc" = 0 ] || fail "status $rc without a fault" "$(cat err)"
}

@test "hpcheck and hpsplit: every failing read is reported" {
	reads_fail read hpcheck sorted
	stdin=big
	reads_fail read hpsplit cut -L sublists -N 0
}

# agrees COMMAND...: prints the same with short reads and writes as without.
agrees() {
	# shellcheck disable=SC2086 # names are words
	cat /dev/null ${stdin-} | "$@" >stdout.want
	with short "$@" >stdout.got || fail "status $?" "$(cat err)"
	same stdout.got stdout.want
}

@test "short reads and writes change nothing" {
	agrees hpsort big small
	agrees hpmerge sorted.big sorted.small
	agrees hpgen -a 3000
	agrees hpcheck sorted
	agrees hpsplit deal -P plan big
	agrees hpsplit sample -a regular -c 50 -N 0 sorted.big
	stdin=big agrees hpsplit cut -L sublists -N 0
	with short hpsort -o out big small
	same out sorted
}

# full COMMAND...: with a standard output where nothing fits.
full() {
	run_ bash -c '"$@" >/dev/full' bash "$@"
	status_is 2
	stderr_has "No space left on device"
}

@test "every program reports a full standard output" {
	full hpsort big
	full hpsort -S 1M big
	full hpmerge sorted.big sorted.small
	full hpgen 10
	full hpgen 100000
	full hpcheck sorted
	full hpsolve -n 10 -k 1,2
	full hpsplit deal -P plan big
	full hpsplit sample -a regular -c 5 -N 0 sorted
	full hpsplit cut -L sublists -N 0 big
	full hpsort -o /dev/full big
	full hpgen 10 /dev/full
}

@test "every program reports a full standard output for --help and --version" {
	local p

	for p in "$HPBIN"/*; do
		[ -f "$p" ] || continue
		run_ bash -c '"$1" --help >/dev/full' bash "$p"
		status_is 2
		[ -n "$stderr" ]
		run_ bash -c '"$1" --version >/dev/full' bash "$p"
		status_is 2
		[ -n "$stderr" ]
	done
}

@test "every program reports a closed standard output" {
	local p

	for p in "$HPBIN"/*; do
		[ -f "$p" ] || continue
		run_ bash -c '"$1" --version >&-' bash "$p"
		status_is 2
		[ -n "$stderr" ]
	done
}

@test "a program whose reader exits ends without a message" {
	run_ bash -c 'hpgen 1000000 | head -c 100 >/dev/null
		echo "${PIPESTATUS[0]}"'
	stdout_is 141
	stderr_is ""
	run_ bash -c 'hpgen -a 100000 | hpsort | head -n 1 >/dev/null
		echo "${PIPESTATUS[1]}"'
	stdout_is 141
	stderr_is ""
}
