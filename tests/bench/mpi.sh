#!/bin/bash
# hpexchange-mpi beside MPI_Alltoallv and hpexchange:
#
#	tests/bench/mpi.sh [MIB [PART...]]
#
# Four nodes send MIB (96, 1.5 GiB in all) to each node, itself too.  Each MPI
# that is installed is measured.  The parts, all without PART:
#
#	memory	the transfer alone, from memory to memory, as a ratio to
#		MPI_Alltoallv in the same processes; and both with the checksums
#		of hpexchange-mpi.  Beside the time are the processor times
#	files	from a file in memory to files in memory, beside hpexchange by
#		unix and tcp, from the start of the processes to their end
#	links	over links of MBIT (1000) of the lab, from memory to memory as
#		above, and from a file to /dev/null; the time of the latter is
#		less what an exchange of nothing takes.  net.sh measures iperf3
#		and hpexchange in the same way.  If other programs use the
#		processors, MBIT=200 CPU=0.45 shows what MPI makes of a link:
#		each node then has this share of a processor before them
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

# make_memory MPI: the program mpi_memory.
make_memory() {
	"mpicc.$1" -O2 -D_GNU_SOURCE -DLIBBSD_OVERLAY \
		-isystem /usr/include/bsd -I"$here/../../lib" \
		-I"$here/../../cmd/hpexchange-mpi" -o mpi_memory \
		"$here/mpi_memory.c" \
		"$here/../../cmd/hpexchange-mpi/mover.c" \
		"$here/../../lib/record/frame.c" \
		"$here/../../lib/base/err.c" -lxxhash -lbsd
}

memory() {
	local mpi

	for mpi in "${mpis[@]}"; do
		make_memory "$mpi"
		timeout -k 5 300 "mpirun.$mpi" -n $nodes ./mpi_memory "$mib" \
			"$ROUNDS" | awk -v name="$mpi" \
			-v mib=$((mib * nodes * nodes)) '
			{ for (i = 1; i <= 8; i++)
				if (NR == 1 || $i < s[i]) s[i] = $i }
			END {
				split("MPI_Alltoallv,mover,MPI_Alltoallv with checksums,mover with checksums",
					what, ",")
				for (i = 1; i <= 4; i++)
					printf "%-36s %5d ms %6.0f MB/s  ratio %.2f  processors %5d ms  ratio %.2f\n",
						name " " what[i], s[i] * 1000,
						mib * 1.048576 / s[i],
						s[1] / s[i], s[i + 4] * 1000,
						s[5] / s[i + 4]
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

# on_lab COMMAND...: by Open MPI, a process on each machine of the lab.
on_lab() {
	PATH=$LAB_DIR/bin:$PATH "$here/../lab/lab" exec hub timeout -k 5 300 \
		mpirun.openmpi --hostfile "$dir/hosts" --map-by node \
		--mca plm_rsh_agent "$LAB_DIR/bin/ssh" --mca btl tcp,self \
		--mca btl_tcp_if_include 10.77.0.0/16 \
		--mca oob_tcp_if_include 10.77.0.0/16 -n $nodes "$@" </dev/null
}

# over_lab EXTENTS: an exchange of these extents.
over_lab() {
	build openmpi
	on_lab "$program" -C "$dir/cluster" -i "$dir/in" \
		-x "$dir/$1.{rank}" -o "$dir/null"
}

# share NAME MS: of the link, which the bytes for the other nodes took.  The
# headers of packets take 66 bytes for each 1448.
share() {
	awk -v name="$1" -v ms="$2" -v mib=$((mib * (nodes - 1))) \
		-v mbit="$MBIT" 'BEGIN {
		printf "%-34s %6d ms  share of the line %.1f %%\n", name, ms,
			100 * mib * 8388.608 * 1514 / 1448 / ms / mbit
	}'
}

links() {
	local i ms0 specs=()

	if [[ " ${mpis[*]} " != *' openmpi '* ]] ||
		! "$here/../lab/lab" check >/dev/null 2>&1; then
		echo 'links: no Open MPI, or there can be no lab'
		return
	fi
	input
	make_memory openmpi
	for ((i = 0; i < nodes; i++)); do
		specs+=("${names[i]}:rate=${MBIT}mbit${CPU:+,cpu=$CPU}")
		ln -s /dev/null "null.$i"
	done
	printf '%s slots=1\n' "${names[@]}" >hosts
	"$here/../lab/lab" up "${specs[@]}"
	on_lab "$dir/mpi_memory" "$mib" "$ROUNDS" >seconds
	for ((i = 0; i < ROUNDS; i++)); do
		milliseconds over_lab ext >>ms.links
		milliseconds over_lab nothing >>ms0.links
	done
	"$here/../lab/lab" down
	echo "Links of $MBIT Mbit/s, $mib MiB from each for each"
	share MPI_Alltoallv "$(awk '{ print 1000 * $1 }' seconds | best)"
	share mover "$(awk '{ print 1000 * $2 }' seconds | best)"
	share 'mover with checksums' \
		"$(awk '{ print 1000 * $4 }' seconds | best)"
	ms0=$(best <ms0.links)
	share hpexchange-mpi $(($(best <ms.links) - ms0))
	echo "  and with nothing to send: $ms0 ms"
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
