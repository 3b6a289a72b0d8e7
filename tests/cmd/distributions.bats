# shellcheck shell=bash disable=SC2154,SC2094
# Every distribution of hpgen(1) through the programs that find it hard.
load common

distributions="uniform lcg46 gaussian zipf zipf:2,100 sorted reverse nearly:50
few equal bucket:4 staggered:4 g-group:4,2 dd rd:4,8"

@test "hpsort: every distribution is sorted without losing a record" {
	for d in $distributions; do
		for f in line record:16,5,2 u16 f32be; do
			hpgen -c -F "$f" -d "$d" 5k data 2>sum
			run_ hpcheck -F $f <(hpsort -F $f data)
			status_is 0
			[ "$(jq -r .checksum <<<"$output")" = "$(cat sum)" ] ||
				fail "$d $f: $output"
		done
	done
}

@test "hpsort: every distribution is sorted in little memory" {
	for d in $distributions; do
		hpgen -c -d "$d" 20k data 2>sum
		run_ hpcheck -F gensort <(hpsort -S 512K -F gensort data)
		status_is 0
		[ "$(jq -r .checksum <<<"$output")" = "$(cat sum)" ] ||
			fail "$d: $output"
	done
}

# The shares that psrs gives to nodes of speeds 3, 2, 2 and 1, against the plan.
@test "hpsplit: with psrs no node gets more than twice its share" {
	hpsolve -n 8000 -k 3,2,2,1 -m proportional >plan
	for d in $distributions; do
		hpgen -d "$d" 8000 data
		hpsplit deal -P plan -F gensort data >deal
		for i in 0 1 2 3; do
			hpsort -F gensort --extent "$(jq -r "select(.rank == $i) |
				\"\(.offset):\(.bytes)\"" deal)" -o run.$i data
			hpsplit sample -a psrs -P plan -N $i -F gensort run.$i \
				>candidates.$i
		done
		hpsplit pivots -a psrs -P plan -F gensort candidates.* >sublists
		for i in 0 1 2 3; do
			hpsplit count -L sublists -N $i --sorted -F gensort run.$i
		done >counts
		jq -es --slurpfile p plan '
			group_by(.sublist) | map(map(.records) | add) as $got |
			($got | add) == 8000 and
			([$p[] | select(.type == "share").n] |
				[., $got] | transpose | all(.[1] <= 2 * .[0]))' \
			counts >/dev/null || fail "$d: $(cat counts)"
	done
}
