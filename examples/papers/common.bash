# What the scripts on splitting share: machines, numbers, and the methods run
# without an exchange, so that only sizes are measured.
# shellcheck shell=bash
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
! bin=$(cd "${HPBIN:-$here/../../build/bin}" 2>&1 && pwd) || PATH=$bin:$PATH
LC_ALL=C
export PATH LC_ALL
dir=$(mktemp -d "${TMPDIR:-/var/tmp}/hpooc.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
: "${runs:=35}" # of each experiment

# machines PERF: ./cluster for a vector such as 1,3,5,8; $ranks.
machines() {
	local n=0 k

	rm -f cluster
	for k in ${1//,/ }; do
		echo '{"type":"node","node":"PID'$n'","speed":'"$k"'}'
		n=$((n + 1))
	done >cluster
	ranks=$(seq 0 $((n - 1)))
}

# numbers N SEED [DISTRIBUTION]: ./data, and the extents of the chunks.
numbers() {
	hpgen -F u64 -d "${3-lcg46}" --seed "$2" "$1" data
	[ -f chunks ] || hpsplit deal -P plan -F u64 data >chunks
}

chunk() {
	sed -nE 's/.*"rank":'"$1"',"offset":([0-9]+),"bytes":([0-9]+),.*/\1:\2/p' \
		chunks
}

# by_sampling METHOD TIMES SEED: sublists from TIMES the candidates of METHOD.
by_sampling() {
	local i t

	for i in $ranks; do
		for ((t = 0; t < $2; t++)); do
			hpsplit sample -a "$1" -P plan -N "$i" -F u64 \
				--seed $(($3 * $2 + t)) --extent "$(chunk "$i")" data
		done
	done | hpsplit pivots -a "$1" -P plan >sublists
}

counts() {
	local i

	for i in $ranks; do
		hpsplit count -L sublists -N "$i" -F u64 \
			--extent "$(chunk "$i")" data
	done
}

# The number of records of each node, one a line.
sums() {
	sed -E 's/.*"'"$1"'":([0-9]+).*"records":([0-9]+).*/\1 \2/' |
		awk '{ n[$1] += $2; if ($1 > last) last = $1 }
			END { for (i = 0; i <= last; i++) print n[i] + 0 }'
}

# Each prints the nodes' sizes.
pss() {
	by_sampling pss "${times:-1}" "$1"
	counts | sums sublist
}

pss4() {
	times=4 pss "$1"
}

# assigned SEED [OPTION]: the sizes of the nodes with the counted sublists.
assigned() {
	hpsplit assign -C cluster --cost n "${@:2}" tally."$1" | sums rank
}

psop() {
	by_sampling psop 1 "$1"
	counts >tally."$1"
	assigned "$1"
}

# The published method with $oversampling candidates for each pivot, not P' = 17,
# for {8,5,3,1}.
psop_oversampled() {
	local i k

	for i in $ranks; do
		k=$(cut -d , -f $((i + 1)) <<<8,5,3,1)
		hpsplit sample -a psop -c $((16 * k * ${oversampling:?})) -N "$i" -F u64 \
			--seed "$1" --extent "$(chunk "$i")" data
	done | hpsplit pivots -a psop -c 273 -P plan >sublists
	counts >tally."$1"
	assigned "$1" --no-exchange
}

# Over-partitioning as published, for the sublists of the last psop.
psop_published() {
	assigned "$1" --no-exchange
}

sort_chunks() {
	local i

	for i in $ranks; do
		hpsort -F u64 --extent "$(chunk "$i")" -o run."$i" data
	done
}

count_runs() {
	local i

	for i in $ranks; do
		hpsplit count --sorted -L "$1" -N "$i" -F u64 run."$i"
	done
}

psrs() {
	local i

	sort_chunks
	for i in $ranks; do
		hpsplit sample -a psrs -P plan -N "$i" -F u64 run."$i"
	done | hpsplit pivots -a psrs -P plan >sublists
	count_runs sublists | sums sublist
}

exact() {
	local i refine=()

	sort_chunks
	for i in $ranks; do
		hpsplit sample -a exact -P plan -N "$i" -F u64 run."$i"
	done >probes
	until count_runs probes | hpsplit pivots -a exact -P plan \
		"${refine[@]}" probes - >next; do
		mv next sublists
		refine=(--refine sublists)
		for i in $ranks; do
			hpsplit sample -a exact -L sublists -N "$i" -F u64 run."$i"
		done >probes
	done
	count_runs next | sums sublist
}

# measure METHOD N PERF [DISTRIBUTION]: $runs runs with the plan that hpsolve
# makes with $model, on new numbers unless $same is set; a line for each node: mean, standard deviation,
# mean/planned in %, sd/mean in %, max, min.
measure() {
	local seed

	machines "$3"
	rm -f chunks
	# shellcheck disable=SC2086 # words
	hpsolve -n "$2" ${model:--c n} cluster >plan
	for ((seed = 1; seed <= runs; seed++)); do
		[ -n "${same-}" ] || numbers "$2" $((2 * seed + 1)) "${4-lcg46}"
		"$1" "$seed" | paste -s
	done >sizes
	sed -nE 's/.*"share".*"n":([0-9]+).*/\1/p' plan | paste -s |
		cat - sizes | awk '
		NR == 1 { p = split($0, planned); next }
		{
			runs++
			for (i = 1; i <= p; i++) {
				s[i] += $i
				q[i] += $i * $i
				if (runs == 1 || $i > max[i]) max[i] = $i
				if (runs == 1 || $i < min[i]) min[i] = $i
			}
		}
		END {
			for (i = 1; i <= p; i++) {
				mean = s[i] / runs
				v = q[i] / runs - mean * mean
				sd = v > 0 ? sqrt(v * runs / (runs > 1 ? runs - 1 : 1)) : 0
				printf "%.0f %.0f %.2f %.2f %d %d\n", mean, sd,
					100 * mean / planned[i],
					100 * sd / mean, max[i], min[i]
			}
		}'
}
