#!/bin/bash
# hpexchange-mpi beside MPI_Alltoallv and hpexchange:
#
#	tests/bench/mpi.sh [MIB [PART...]]
#
# Four nodes send MIB (96, 1.5 GiB in all) to each node, itself too.  Each MPI
# that is installed is measured.  The parts, all without PART:
#
#	memory	the transfer alone, from memory to memory, as a ratio to
#		MPI_Alltoallv in the same processes; and with both checksums
#	files	from a file in memory to files in memory, beside hpexchange by
#		unix and tcp, from the start of the processes to their end
#	links	over links of MBIT (1000) of the lab, from a file to /dev/null;
#		the time is less what an exchange of nothing takes
#
# Rounds alternate, and each figure is the best of ROUNDS (3): other load only
# makes a round slower.

set -eu
mib=${1:-96} nodes=4
: "${MBIT:=1000}" "${ROUNDS:=3}"
shift $(($# > 0))
[ $# -gt 0 ] || set -- memory files links
here=$(cd "$(dirname "$0")" && pwd)
HPBIN=$(cd "${HPBIN:-$here/../../build/bin}" && pwd)
PATH=$HPBIN:$PATH:/usr/sbin
dir=$(mktemp -d "/dev/shm/hpmpi.XXXXXX")
export PATH LC_ALL=C LAB=hpi$$ LAB_DIR=$dir/lab
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
trap '"$here/../lab/lab" down; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cd "$dir"
names=(a b c d)
mpis=()
for mpi in openmpi mpich; do
	! command -v mpicc.$mpi mpirun.$mpi >/dev/null || mpis+=("$mpi")
done
[ ${#mpis[@]} -gt 0 ] || {
	echo "mpi.sh: no MPI: run \`make deps WITH=mpi\`"
	exit 0
}

# build MPI: hpexchange-mpi for it, as $program.
build() {
	program=${HPBIN%/bin}/tests/mpi/$1/hpexchange-mpi
	[ -x "$program" ] || make -s -C "$here/../.." WITH=mpi \
		BUILD="${HPBIN%/bin}" "$program"
}

best() {
	sort -n | head -n 1
}

milliseconds() {
	local start=${EPOCHREALTIME/./}

	"$@" >/dev/null
	echo $(((${EPOCHREALTIME/./} - start) / 1000))
}

# row NAME MS MIB MS_OF_PEER
row() {
	awk -v name="$1" -v ms="$2" -v mib="$3" -v peer="$4" 'BEGIN {
		printf "%-34s %6d ms %7.0f MB/s  ratio %.2f\n", name, ms,
			mib * 1.048576 / ms * 1000, peer / ms
	}'
}

memory() {
	local mpi

	for mpi in "${mpis[@]}"; do
		"mpicc.$mpi" -O2 -D_GNU_SOURCE -DLIBBSD_OVERLAY \
			-isystem /usr/include/bsd -I"$here/../../lib" \
			-I"$here/../../cmd/hpexchange-mpi" -o mpi_memory \
			"$here/mpi_memory.c" \
			"$here/../../cmd/hpexchange-mpi/mover.c" \
			"$here/../../lib/base/err.c" -lxxhash -lbsd
		timeout -k 5 300 "mpirun.$mpi" -n $nodes ./mpi_memory "$mib" \
			"$ROUNDS" | awk -v name="$mpi" \
			-v mib=$((mib * nodes * nodes)) '
			{ for (i = 1; i <= 3; i++)
				if (NR == 1 || $i < s[i]) s[i] = $i }
			END {
				split("MPI_Alltoallv,mover,mover with checksums",
					what, ",")
				for (i = 1; i <= 3; i++)
					printf "%-34s %6d ms %7.0f MB/s  ratio %.2f\n",
						name " " what[i], s[i] * 1000,
						mib * 1.048576 / s[i], s[1] / s[i]
			}'
	done
}

# input: the files of all nodes, which are the same, and their extents.
input() {
	local i j

	head -c $((mib * nodes << 20)) /dev/urandom >in
	for ((i = 0; i < nodes; i++)); do
		for ((j = 0; j < nodes; j++)); do
			printf '{"type":"extent","sublist":%d,"rank":%d,' \
				"$j" "$i"
			printf '"offset":%d,"bytes":%d,"records":%d}\n' \
				$((j * mib << 20)) $((mib << 20)) "$mib"
		done >"ext.$i"
		: >"nothing.$i"
	done
	(umask 077 && head -c 32 /dev/urandom >key)
	mapfile -t ports < <(hpexchange --free-port=$nodes)
	for ((i = 0; i < nodes; i++)); do
		mkdir "d$i"
		printf '{"type":"node","node":"%s","dir":"d%d","port":%d}\n' \
			"${names[i]}" "$i" "${ports[i]}"
	done >cluster
}

# by_mpi MPI [EXTENTS]
by_mpi() {
	build "$1"
	timeout -k 5 300 "mpirun.$1" -n $nodes "$program" -C cluster -i in \
		-x "${2-ext}.{rank}" -o 'to{rank}' </dev/null
	rm -f to*
}

# by_hpexchange OPTION...
by_hpexchange() {
	local i

	for ((i = 0; i < nodes; i++)); do
		hpexchange -C cluster -N "$i" -i in -x "ext.$i" -o "to$i" "$@" &
	done
	wait
	rm -f to*
}

files() {
	local i mpi unix total=$((mib * nodes * nodes))

	input
	for ((i = 0; i < ROUNDS; i++)); do
		milliseconds by_hpexchange -t unix >>ms.unix
		milliseconds by_hpexchange -t tcp -K key >>ms.tcp
		for mpi in "${mpis[@]}"; do
			milliseconds by_mpi "$mpi" >>"ms.$mpi"
			milliseconds by_mpi "$mpi" nothing >>"ms0.$mpi"
		done
	done
	unix=$(best <ms.unix)
	row 'hpexchange -t unix' "$unix" $total "$unix"
	row 'hpexchange -t tcp' "$(best <ms.tcp)" $total "$unix"
	for mpi in "${mpis[@]}"; do
		row "hpexchange-mpi, $mpi" "$(best <"ms.$mpi")" $total "$unix"
		echo "  of which with nothing to send: $(best <"ms0.$mpi") ms"
	done
	rm -rf d? in
}

# over_lab EXTENTS: by Open MPI, each node on a machine of the lab.
over_lab() {
	build openmpi
	PATH=$LAB_DIR/bin:$PATH "$here/../lab/lab" exec hub timeout -k 5 300 \
		mpirun.openmpi --hostfile "$dir/hosts" --map-by node \
		--mca plm_rsh_agent "$LAB_DIR/bin/ssh" --mca btl tcp,self \
		--mca btl_tcp_if_include 10.77.0.0/16 \
		--mca oob_tcp_if_include 10.77.0.0/16 -n $nodes "$program" \
		-C "$dir/cluster" -i "$dir/in" -x "$dir/$1.{rank}" \
		-o "$dir/null" </dev/null
}

links() {
	local i specs=()

	if [[ " ${mpis[*]} " != *' openmpi '* ]] ||
		! "$here/../lab/lab" check >/dev/null 2>&1; then
		echo 'links: no Open MPI, or there can be no lab'
		return
	fi
	input
	for ((i = 0; i < nodes; i++)); do
		specs+=("${names[i]}:rate=${MBIT}mbit")
		ln -s /dev/null "null.$i"
	done
	printf '%s slots=1\n' "${names[@]}" >hosts
	"$here/../lab/lab" up "${specs[@]}"
	for ((i = 0; i < ROUNDS; i++)); do
		milliseconds over_lab ext >>ms.links
		milliseconds over_lab nothing >>ms0.links
	done
	"$here/../lab/lab" down
	# The heads of packets take 66 bytes for each 1448.
	awk -v ms="$(best <ms.links)" -v ms0="$(best <ms0.links)" \
		-v mib=$((mib * (nodes - 1))) -v mbit="$MBIT" 'BEGIN {
		bits = mib * 8388.608 * 1514 / 1448
		printf "links of %d Mbit/s: %d ms, %d of them with nothing to " \
			"send; of the line rate: %.0f %%\n", mbit, ms, ms0,
			100 * bits / (ms - ms0) / mbit
	}'
	rm -rf d? in
}

for part; do
	case $part in
	memory | files | links) "$part" ;;
	*)
		echo "mpi.sh: part '$part': must be memory, files or links" >&2
		exit 2
		;;
	esac
done
