# What breaks is a sort by hprun, which the hub starts and whose input and
# output are there.
# shellcheck shell=bash disable=SC2154,SC2034 # nodes, way, ... are faults' own

# hprun_prepare NODES DIR
hprun_prepare() {
	local i

	mkdir -p "$2/hub"
	for ((i = 0; i < $1; i++)); do
		printf '{"type":"node","node":"%s","host":"%s","speed":%d}\n' \
			"${names[i]}" "${names[i]}" $((2 + i % 3))
	done >"$2/hub/cluster"
	hpgen $((records * $1 / 3)) "$2/hub/input"
	summary <"$2/hub/input" >"$2/want"
}

hprun_start() {
	local one words=() cluster

	[ -n "$again" ] || {
		one_of exact psrs pss psop
		algorithm=$one
	}
	what="hprun -a $algorithm by $way${kept:+, kept}"
	cluster=$(home_of hub)/job/cluster
	jq -c --arg dir "$LAB_DIR/home" '.dir = $dir' "$set/hub/cluster" \
		>"$cluster"
	[ -z "$kept" ] || words=("${again:---keep}" kept)
	runs=(hub)
	awaited hub env --default-signal=HUP,INT "$HPBIN/hprun" -C job/cluster \
		"${format[@]}" -a "$algorithm" --transport "$way" \
		--timeout "$TIMEOUT" "${words[@]}" -o sorted job/input \
		</dev/null 2>>shell.log &
}

# hprun_resume: what ended cleanly goes on now that all is mended.
hprun_resume() {
	local err

	[ -n "$kept" ] || return 0
	err=$(cat err.hub)
	rm -f status.hub
	again=--resume
	hprun_start
	ended_by $(($(now_ms) + 60000))
	wait
	if [ "$(cat status.hub)" = 0 ] && hprun_right; then
		verdict=clean,resumed
	else
		verdict=STUCK
	fi
	printf '%s\n' 'before:' "$err" >>err.hub
}

hprun_right() {
	local sorted

	sorted=$(home_of hub)/sorted
	summary <"$sorted" | cmp -s - "$set/want" &&
		hpcheck "${format[@]}" "$sorted" >/dev/null
}

# hprun_keeps NODE FILE: such a file may be there at the end.
hprun_keeps() {
	case $1/$2/$kind/$(cat status.hub) in
	hub/sorted/*/0) ;;
	"$victim"/hprun.*/kill/*) ;; # nobody is left there to remove it
	hub/kept/* | */hprun.*) [ -n "$kept" ] ;;
	*) return 1 ;;
	esac
}
