# What gpc.sh needs of the lab: nodes, their input, runs and figures of runs.
# shellcheck shell=bash
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
! bin=$(cd "${HPBIN:-$here/../../build/bin}" 2>&1 && pwd) || PATH=$bin:$PATH
export PATH LC_ALL=C LAB=hpgpc$$ LAB_DIR
: "${seed:=$((10#$(date +%s) % 100000))}" # of the order of the runs
records=    # of a run
programs=   # of a run
within=()   # command in front of the run
names=()    # of the nodes

note() {
	echo "gpc: $*" >&2
}

[ -x "$top/tests/lab/lab" ] || {
	note 'no lab, which only the sources of hptools have (tests/lab)'
	exit 2
}
bin=$(command -v hprun) || {
	note 'no hprun in PATH'
	exit 2
}
bin=${bin%/*}
programs=$bin

lab() {
	"$top/tests/lab/lab" "$@"
}

# cluster_up NAME:LIMITS@SPEED...: starts the nodes; sets $names, and writes
# $scratch/cluster.
cluster_up() {
	local word specs=() disk=${HP_GPC_DISK-4G}

	names=()
	for word; do
		specs+=("${word%@*}${disk:+,disk=$disk}")
		names+=("${word%%:*}")
		printf '{"type":"node","node":"%s","host":"%s","dir":"%s",' \
			"${word%%:*}" "${word%%:*}" "$LAB_DIR/home"
		printf '"speed":%s}\n' "${word##*@}"
	done >"$scratch/cluster"
	lab up "${specs[@]}"
}

# begin: makes $scratch, which is removed at the end, as is the lab.
begin() {
	local why

	why=$(lab check 2>&1) || {
		note "$why"
		exit 2
	}
	scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/hpgpc.XXXXXX")
	trap 'lab down; rm -rf "$scratch"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	LAB_DIR=$scratch/lab
}

cluster_down() {
	lab down
	names=()
}

# give_input FILE RECORDS METHOD [CLUSTER]: each node's part of the records, in
# $home/FILE; $checksum of all.
give_input() {
	local node n first=0 sum total=0

	hpsolve -n "$2" -m "$3" "$scratch/${4-cluster}" >"$scratch/plan.$1"
	while read -r node n; do
		sum=$(hpgen -c -b $first "$n" "$LAB_DIR/nodes/$node/home/$1" 2>&1)
		total=$((total + 16#$sum))
		first=$((first + n))
	done < <(jq -r 'select(.type == "share") | "\(.node) \(.n)"' \
		"$scratch/plan.$1")
	printf -v checksum '%x' $total
}

# figures FILE: of the trace of a run, in one line: seconds from the first step
# to the last merge; of sort and merge; of the exchange; by how much the finish
# times differ, in percent of the last; of the sort; of the merge; then the finish
# time of each node.
figures() {
	jq -rs '
		map(select(.rank != null)) as $steps |
		($steps | map(.start_s) | min) as $begin |
		def span($step): $steps | map(select(.step == $step)) |
			(map(.end_s) | max) - (map(.start_s) | min);
		($steps | map(select(.step == "merge")) | sort_by(.rank) |
			map(.end_s - $begin)) as $finish |
		($finish | max) as $last |
		[$last, span("sort") + span("merge"), span("exchange"),
			100 * ($last - ($finish | min)) / $last,
			span("sort"), span("merge")] + $finish |
		map(. * 1000 | round / 1000) | join(" ")' "$1"
}

# sort_once LABEL CLUSTER WORD...: one run on the nodes, which is verified; its
# figures go to $scratch/results.LABEL.
sort_once() {
	local label=$1 cluster=$2

	shift 2
	rm -f "$scratch/trace"
	"${within[@]}" "$top/tests/lab/lab" exec hub \
		env PATH="$programs:$LAB_DIR/bin:$PATH" \
		hprun -C "$scratch/$cluster" -F gensort --leave sorted \
		--transport tcp --timeout 120 \
		--trace "$scratch/trace" "$@" >"$scratch/summary"
	jq -e --arg checksum "$checksum" --argjson n "$records" '.sorted and
		.records == $n and .checksum == $checksum' \
		"$scratch/summary" >/dev/null || {
		note "$label: WRONG RESULT: $(jq -c 'del(.first_rest, .last_rest)' \
			"$scratch/summary")"
		return 1
	}
	figures "$scratch/trace" >>"$scratch/results.$label"
	note "$label: $(tail -n 1 "$scratch/results.$label")"
}

# in_random_order TIMES LABEL...: calls run_LABEL so often each.
in_random_order() {
	local times=$1 label

	shift
	for label in $(printf '%s\n' "$@" | awk -v times="$times" -v seed="$seed" '
		BEGIN { srand(seed) }
		{ for (i = 0; i < times; i++) print rand(), $1 }' |
		sort -g | cut -d ' ' -f 2); do
		"run_$label"
	done
}

# median LABEL COLUMN [FORMAT]
median() {
	cut -d ' ' -f "$2" "$scratch/results.$1" | sort -g |
		awk -v format="${3-%.2f}" '{ v[NR] = $1 } END {
			printf format, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# range LABEL COLUMN
range() {
	cut -d ' ' -f "$2" "$scratch/results.$1" | sort -g |
		awk '{ v[NR] = $1 } END { printf "%.2f to %.2f", v[1], v[NR] }'
}

# finishes LABEL: the median finish time of each node.
finishes() {
	local i comma=

	for i in "${!names[@]}"; do
		printf '%s%s %s s' "$comma" "${names[i]}" "$(median "$1" $((i + 7)))"
		comma=', '
	done
}

# ratio LABEL LABEL COLUMN: of two medians.
ratio() {
	awk -v a="$(median "$1" "$3")" -v b="$(median "$2" "$3")" \
		'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }'
}

# row TEXT LABEL [TEXT]: of a table of runs.
row() {
	printf '| %s | %s%s s | %s s | %s s | %s s | %s |\n' "$1" \
		"${3:+$3 | }" "$(median "$2" 1)" "$(range "$2" 1)" \
		"$(median "$2" 2)" "$(median "$2" 3)" "$(finishes "$2")"
}

# verdict TEXT TARGET SIGN VALUE UNIT: a row of the table of targets.
verdict() {
	awk -v text="$1" -v target="$2" -v sign="$3" -v value="$4" -v unit="$5" '
		BEGIN {
			met = sign == ">=" ? value >= target : value <= target
			printf "| %s | %s %s%s | %s%s | %s |\n", text,
				sign == ">=" ? "at least" : "at most", target,
				unit, value, unit, met ? "met" : "missed"
		}'
}
