# What breaks is a sort by hprun, which the hub starts and whose input and
# output are there.  In the job `batches`, the nodes have no speeds, so hprun deals
# the input in batches.
# shellcheck shell=bash disable=SC2154,SC2034 # nodes, way, ... are faults' own

# hprun_prepare NODES DIR [RECORDS]: these many of each node.
hprun_prepare() {
	local i n=${3:-$((records / 3))}

	mkdir -p "$2/hub"
	for ((i = 0; i < $1; i++)); do
		printf '{"type":"node","node":"%s","host":"%s","speed":%d}\n' \
			"${names[i]}" "${names[i]}" $((2 + i % 3))
		mkdir "$2/${names[i]}"
		hpgen -b $((i * n)) "$n" "$2/${names[i]}/part"
	done >"$2/hub/cluster"
	cat "$2"/?/part >"$2/hub/input"
	summary <"$2/hub/input" >"$2/want"
}

hprun_start() {
	local words=() cluster from=/dev/null

	what="hprun -a $algorithm by $way, $input to $output${kept:+, kept}"
	cluster=$(home_of hub)/job/cluster
	jq -c --arg dir "$LAB_DIR/home" '.dir = $dir' "$set/hub/cluster" \
		>"$cluster"
	[ -z "$kept" ] || words=("${again:+--resume}" kept)
	[ -z "$kept" ] || [ -n "$again" ] || words=(--keep kept)
	[ -z "$traced" ] || words+=(--trace "$traced")
	case $output in
	file) words+=(-o sorted) ;;
	place) words+=(--leave sorted) ;;
	esac
	case $input in
	file) words+=(job/input) ;;
	place) words+=(--in-place job/part) ;;
	pipe) from=$set/hub/input ;;
	esac
	runs=(hub)
	awaited hub env --default-signal=HUP,INT "$HPBIN/hprun" -C job/cluster \
		"${format[@]}" -a "$algorithm" --transport "$way" \
		--timeout "$TIMEOUT" "${words[@]}" < <(exec cat "$from") \
		2>>shell.log &
}

# evicted: the nodes that the run did without.
evicted() {
	sed -n 's/^hprun: \([a-z]\): .*its share goes to the others$/\1/p' err.hub
}

hprun_resume() {
	rm -f status.hub
	hprun_start
}

# hprun_result: all records, in their order.
hprun_result() {
	local node offset bytes

	[ "$output" != file ] || {
		cat "$(home_of hub)/sorted"
		return
	}
	jq -r '.parts[] | "\(.node) \(.offset) \(.bytes)"' out.hub |
		while read -r node offset bytes; do
			tail -c +$((offset + 1)) "$(home_of "$node")/sorted" |
				head -c "$bytes"
		done
}

hprun_right() {
	hprun_result >result
	summary <result | cmp -s - "$set/want" &&
		hpcheck "${format[@]}" result >/dev/null
}

# named NODE: what was killed, lost or interrupted while parts got their names has
# said so, if it could; and what has one is in order.
named() {
	[ "$output" = place ] && [ "$(cat status.hub)" != 0 ] &&
		{ [ "$(cat status.hub)" = 137 ] ||
			grep -q 'some parts may already have their final names' err.hub; } &&
		hpcheck "${format[@]}" "$(home_of "$1")/sorted" >/dev/null
}

# hprun_keeps NODE FILE: such a file may be there at the end.
hprun_keeps() {
	case $1/$2/$kind/$(cat status.hub) in
	hub/sorted/*/0) [ "$output" = file ] ;;
	*/sorted/*/0) [ "$output" = place ] ;;
	*/sorted/*) named "$1" ;;
	# Nobody is left there to remove it.
	"$victim"/hprun.*/kill/* | "$victim"/.hprun.*/kill/*) ;;
	"$other"/hprun.*/two/* | "$other"/.hprun.*/two/*)
		[ -n "$kept" ] || [ "${pair[1]}" = kill ]
		;;
	hub/kept/* | */hprun.* | */.hprun.*) [ -n "$kept" ] ;;
	*) return 1 ;;
	esac
}

# ---- batches ------------------------------------------------------------------

# batches_prepare NODES DIR: each node gets several batches.
batches_prepare() {
	hprun_prepare "$1" "$2" $((records * 2 / 3))
	jq -c 'del(.speed)' "$2/hub/cluster" >"$2/without"
	mv "$2/without" "$2/hub/cluster"
}

# batches_start: of what is sorted first, or by key, and is not at the nodes.
batches_start() {
	case $algorithm in
	pss) algorithm=psrs ;;
	psop) algorithm=exact ;;
	# Only a file that is not kept gets batches by key.
	range) [ "$output$kept" = file ] || algorithm=exact ;;
	esac
	[ "$input" != place ] || input='file'
	traced=job/trace
	hprun_start
	what="batches, $what"
}

batches_resume() {
	rm -f status.hub
	batches_start
}

# batches_right: the run that shows how long it takes has dealt batches.
batches_right() {
	hprun_right || return
	[ "$kind" != none ] || [ "$(jq -s 'map(select(.step == "sort")) | length' \
		"$(home_of hub)/job/trace")" -gt "$nodes" ]
}

batches_keeps() {
	hprun_keeps "$@"
}
