#!/bin/bash
# Records trace.jsonl and plan.jsonl for the picture of a trace: three million
# records of the Sort Benchmark, on four hosts of this machine.  The hosts have
# 0.32, 0.20, 0.12 and 0.04 of a processor, which are speeds of 8, 5, 3 and 1.
#
#	examples/pictures/record-trace.sh [DIR]
#
# DIR, by default the directory of this script, gets the files.  The script needs the
# right to create control groups.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
! bin=$(cd "${HPBIN:-$here/../../build/bin}" 2>&1 && pwd) || PATH=$bin:$PATH
PATH=$here/../one-machine:$PATH
to=$(cd "${1:-$here}" && pwd)
# shellcheck source=examples/one-machine/hosts.bash
. "$here/../one-machine/hosts.bash"
hosts a=0.32 b=0.20 c=0.12 d=0.04

for host in a:8 b:5 c:3 d:1; do
	printf '{"type":"node","node":"%s","host":"%s","speed":%d}\n' \
		"${host%:*}" "${host%:*}" "${host#*:}"
done >cluster.jsonl
hpgen 3M records
# Without -a, hprun would send batches, and the picture would lack the exchange.
hprun -C cluster.jsonl --rsh at-speed --transport unix -F gensort -a exact \
	--trace trace.jsonl -o sorted records
hpcheck -F gensort sorted >/dev/null
hpsolve -n 3M cluster.jsonl >"$to/plan.jsonl"
jq -c 'del(.run)' trace.jsonl >"$to/trace.jsonl"
