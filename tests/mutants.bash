# shellcheck shell=bash disable=SC2154 # tests/mutate sets $tree and $work
# Which suites tests/mutate runs for a file, and what they need.

# here: of these files, those whose code the processor runs.
here() {
	if grep -qsw avx512f /proc/cpuinfo; then
		cat
	else
		grep -v /avx512
	fi
}

# suites_of FILE: the suites that test a file and match SUITES.
suites_of() {
	all_suites_of "$1" | grep -E -- "$SUITES"
}

# all_suites_of FILE: the tests in C that include a header of its area, and those
# that this table adds.
all_suites_of() {
	local area=${1#*/}

	area=${area%%[./]*}
	case $1 in
	lib/base/*) echo \
		cmd/{hpsort,hpsort-external,fault,hpsolve,hpcheck,hpexchange}.bats ;;
	lib/record/*) echo unit/share/vectors_test prop/check_prop \
		cmd/{hpcheck,hpsort-language,hpsort-formats,hpsplit}.bats ;;
	lib/gen/*) echo cmd/{hpgen,distributions}.bats ;;
	lib/check/*) echo fuzz/summary_fuzz cmd/hpcheck.bats ;;
	lib/cost/learned.c) echo prop/learn_prop cmd/hpsolve.bats ;;
	lib/cost/*) echo fuzz/cluster_fuzz cmd/hpsolve.bats ;;
	lib/share/assign.c) echo cmd/hpsplit.bats ;;
	lib/share/*) echo cmd/hpsolve.bats ;;
	lib/profile/*) echo prop/learn_prop cmd/hpprofile.bats ;;
	lib/split/*) echo cmd/hpsplit.bats ;;
	lib/kernel/* | lib/numbers/*) echo prop/{number,rounds,sort}_prop \
		unit/{numbers/number,numbers/numbers,sort/sortfiles}_test \
		cmd/hpsort{,-formats,-language}.bats ;;
	lib/run/*) echo prop/{sort,number}_prop unit/sort/sortfiles_test \
		cmd/hpsort-{external,formats,ordered}.bats \
		cmd/{hpmerge,fault}.bats ;;
	lib/sort/* | lib/bucket/* | lib/input/*) echo unit/sort/sortfiles_test \
		cmd/hpsort{,-external,-formats,-language,-ordered,-signals}.bats \
		cmd/{hpmerge,fault}.bats ;;
	lib/link/* | lib/net/*) echo cmd/hpexchange{,-report,-resume,-tcp,-ssh}.bats ;;
	lib/job/allocation.c | lib/job/call.c | lib/job/callers.c | \
		lib/job/launcher_call.c | lib/job/nodelist.c | lib/job/srun.c) echo \
		cmd/hprun_allocation.bats ;;
	lib/job/*) echo unit/job/{agent,agenthostile,agentlife,launcher}_test \
		unit/job/launcher_{judge,lost,many}_test \
		cmd/hprun{,_files,_lost,_places,_resume,_security,_votes}.bats ;;
	lib/doc/*) echo cmd/documents.bats && suites_of_document "$1" ;;
	cmd/hprun/* | cmd/hpsort/* | cmd/hpmerge.c | cmd/hpcheck.c | cmd/hpsplit/*)
		(cd "$tree/tests" && echo cmd/"$area"*.bats) && echo cmd/header.bats
		;;
	cmd/hp*) (cd "$tree/tests" && echo cmd/"$area"*.bats) ;;
	*) echo cmd/{options,completions,hpsort,hpmerge,hpsolve,hpcheck}.bats \
		cmd/{hpexchange,hprun_files,hprun_count}.bats ;;
	esac | tr ' ' '\n'
	[[ $1 != lib/* ]] || (
		cd "$tree/tests" && grep -l "^#include \"$area/" unit/*/*_test.c \
			prop/*_prop.c fuzz/*_fuzz.c
	) | sed 's/\.c$//'
}

# suites_of_document FILE: those of a program that reads or writes it.
suites_of_document() {
	case ${1##*/} in
	cluster.c | digest.c | hints.c | plan.c) echo cmd/hpsolve.bats ;;
	candidates.c | extents.c | sublists.c | flat.c) echo cmd/hpsplit.bats ;;
	summary.c) echo cmd/hpcheck.bats ;;
	learn.c | whole.c | profile.c) echo cmd/hpprofile.bats ;;
	trace.c | unreached.c) echo cmd/hpexchange.bats ;;
	nodes.c | parts.c) echo cmd/hprun_places.bats ;;
	measured.c) echo cmd/hprun_files.bats ;;
	without.c) echo cmd/hprun_lost.bats ;;
	*) echo cmd/hp{check,solve,split}.bats ;;
	esac
}

# nearest_to FILE: an extended regular expression.  The suites of bats that match
# it run first, because they use the file most.
nearest_to() {
	case $1 in
	cmd/hprun/*) echo "/hprun($(nearest_of_hprun "$1"))\\.bats" ;;
	*) echo . ;;
	esac
}

nearest_of_hprun() {
	case ${1##*/} in
	batch* | growing.c | learn.c | rewrite.c) echo _batches ;;
	profile* | types.c) echo '_files|_batches|_probe|_allocation' ;;
	count.c | job.c | fill.c) echo _count ;;
	map.c | mode.c | each.c) echo '_map|_count' ;;
	mapfiles.c | bundle.c | clashes.c | list.c | pack.c | unpack.c)
		echo _map_files ;;
	estimate*) echo _estimate ;;
	again.c | judge.c | kept.c) echo '_lost|_votes' ;;
	identity.c | trace.c) echo '_lost|_files' ;;
	balance.c | prove.c | sumtap.c) echo _proof ;;
	places.c | leave.c) echo _places ;;
	slurm.c | ranked.c) echo _allocation ;;
	mpi.c | ways.c) echo _mpi ;;
	links.c | rsh.c | serve.c | exchange.c) echo '_hosts|_security' ;;
	files.c | gather.c | collect.c | checktap.c | store.c | file.c | \
		memory.c | progress.c | work.c) echo _files ;;
	room.c) echo '_faults|_hosts' ;;
	print* | quote.c) echo '_files|_count' ;;
	*) echo '|_files' ;;
	esac
}

# targets SUITE...: what they run.
targets() {
	local suite

	for suite; do
		case $suite in
		cmd/*) echo all build/tests/fault/{ioerr.so,hpsort,hpmerge} ;;
		*) echo "build/tests/$suite" ;;
		esac
	done | tr ' ' '\n' | sort -u
}

# Ends a suite of bats at its first failure.
bats_that_stops() {
	mkdir "$work/bin"
	cat >"$work/bin/bats" <<-END
		#!/bin/bash
		set -m
		exec 3< <(exec "$(command -v bats)" "\$@")
		pid=\$!
		rc=0
		while IFS= read -r line <&3; do
			printf '%s\n' "\$line"
			[[ \$line == 'not ok'* ]] || continue
			rc=1
			kill -INT -- -\$pid || kill -INT \$pid
			break
		done
		cat <&3
		wait \$pid || rc=1
		exit \$rc
	END
	chmod +x "$work/bin/bats"
}
