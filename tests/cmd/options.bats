# shellcheck shell=bash disable=SC2154
# Options of all programs: what is said of bad values, and of a terminal that is
# read.
load common

# bad OPTION PROGRAM ARGUMENT...: the message names the option, and the synopsis
# does not hide it.
bad() {
	local option=$1

	shift
	run_ "$@" </dev/null
	status_is 2
	stdout_is ''
	stderr_has "$option"
	[[ $stderr != *usage:* ]] || fail "$*: $stderr"
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
}

# writes COMMAND...: prints what each write to standard error contains, as a line,
# with \n for a newline.
writes() {
	perl -MSocket -e '
		socketpair(my $in, my $out, AF_UNIX, SOCK_SEQPACKET, 0) or die;
		my $child = fork // die;
		if (!$child) {
			open STDERR, ">&", $out or die;
			exec @ARGV or die;
		}
		close $out;
		while (sysread $in, $_, 65536) { s/\n/\\n/g; print "$_\n" }
		waitpid $child, 0' "$@" </dev/null
}

@test "each line of a message is written by one system call" {
	local p

	for p in hpcheck hpmerge hpsolve\ -n1 hpsort 'hpexchange -Na -C'; do
		# shellcheck disable=SC2086 # words
		writes $p none >got
		[ "$(cat got)" = "${p%% *}: none: No such file or directory\n" ] ||
			fail "$(cat got)"
		writes "${p%% *}" --none >got
		[ "$(grep -cvxE '[^\\]+\\n' got)" = 0 ] || fail "$(cat got)"
	done
}

@test "hpsort, hpmerge, hpcheck, hpsplit: the message on a bad value names its option" {
	local p

	for p in hpsort hpmerge hpcheck 'hpsplit count -N 0'; do
		bad '-F: ' $p -F nothing
		bad '--format: ' $p --format=nothing
		bad '--sort: ' $p --sort x
		bad '--header: ' $p --header x
		bad 'field specification' $p -k 0
		bad 'tab' $p -t ab
	done
	for p in hpsort hpmerge; do
		bad '-S: ' $p -S x
		bad '--buffer-size: ' $p --buffer-size x
		bad '--batch-size: ' $p --batch-size 1
		bad '--compress: ' $p --compress=x
		bad '--parallel: ' $p --parallel 0
	done
	bad '--check=' hpsort --check=x
	bad '--extent: ' hpsort --extent 1 f
	bad '--merge: ' hpsort --merge=x
	bad '-a: ' hpsplit sample -a x -c 1 -N 0
	bad '-c: ' hpsplit sample -c x
	bad '-N: ' hpsplit count -N x
	bad '--cost: ' hpsplit assign --cost 'n+'
	bad '--extent: ' hpsplit count --extent 1
	bad '--seed: ' hpsplit sample --seed x
}

@test "all other programs: the message on a bad value names its option" {
	local p

	bad '-b: ' hpgen -b x 1
	bad '-d: ' hpgen -d x 1
	bad '-F: ' hpgen -F x 1
	bad '--seed: ' hpgen --seed x 1
	bad '--total: ' hpgen --total x 1
	bad '-c: ' hpsolve -n 1 -k 1 -c 'n+'
	bad '-k: ' hpsolve -n 1 -k 1,x
	bad '-m: ' hpsolve -n 1 -k 1 -m x
	bad '-n: ' hpsolve -n x
	bad '--at: ' hpsolve -n 1 -k 1 --at x
	bad '--at: ' hpsolve -n 1 -k 1 --at x=y
	bad '--beyond: ' hpsolve -n 1 -k 1 --beyond x
	bad '--block: ' hpsolve -n 1 -k 1 --block 0
	bad '-t: ' hpexchange -t x
	bad 'hpexchange-mpi' hpexchange -t mpi
	bad '--free-port: ' hpexchange --free-port=0
	bad '--threads: ' hpexchange --threads 1
	bad '--timeout: ' hpexchange --timeout 0
	bad '--timeout: ' hpexchange --timeout 1e9
	for p in --from --param --precision --runs --seconds --sizes --to; do
		bad "$p: " hpprofile $p x -- true
	done
	bad '--param: ' hpprofile --param a=1 --param a=2 -- true
}

@test "a usage error shows the synopsis" {
	for p in hpgen hpsort hpmerge hpcheck hpsplit hpsolve hpexchange hpprofile \
		hpplot; do
		run_ "$p" --nothing
		status_is 2
		stdout_is ''
		stderr_has "$p: "
		stderr_has 'usage: '
	done
}

@test "a program that waits for input from the terminal says so" {
	local p said='reading standard input (a terminal); --help lists the options'

	needs_terminal
	echo '{"type":"plan"}' >plan
	for p in 'hpsort -h' 'hpmerge' 'hpcheck -h' 'hpsolve -n 1' \
		'hpsplit count -N 0' 'hpplot plan'; do
		on_terminal "$p" >out || :
		grep -qF "${p%% *}: $said" out || fail "$p: $(cat out)"
	done
	: >f
	for p in 'hpsort f' 'hpsort - ' 'hpsort </dev/null' 'hpcheck f' \
		'hpsolve -n 1 -k 1' 'hpgen 1' 'hpsort --files0-from /dev/null'; do
		on_terminal "$p" >out || :
		! grep -F terminal out || fail "$p"
	done
	on_terminal 'timeout 5 hpprofile -h --sizes 10' >out || :
	grep -F 'hpprofile: measuring hpsort -h' out || fail "$(cat out)"
	on_terminal 'hpprofile --sizes 10 -- true' >out
	! grep -F measuring out
}

@test "documents have one object per line" {
	printf '{\n  "type": "node",\n' >f
	run_ hpsolve -n 10 f
	status_is 2
	stderr_is 'hpsolve: f: line 1: the line ends inside a value: write one object per line, as jq -c does'
	# A file cut short is not a file of more lines.
	printf '{"type":"no' >f
	run_ hpsolve -n 10 f
	status_is 2
	[[ $stderr != *jq* ]]
}
