# What breaks is an exchange: every node has a file of records in order, and
# sends parts of it, or the same as a stream.
# shellcheck shell=bash disable=SC2154,SC2034 # nodes, way, ... are faults' own

# exchange_prepare NODES DIR: for every node what it has, in DIR/NODE, and what
# records belong to it; its place in the order is the first byte.
exchange_prepare() {
	local i

	mkdir -p "$2"
	for ((i = 0; i < $1; i++)); do
		printf '{"type":"node","node":"%s","host":"%s",' \
			"${names[i]}" "${names[i]}" >&3
		printf '"dir":".","port":7000}\n' >&3
		printf '{"type":"sublist","sublist":%d,"rank":%d,"node":"%s"' \
			"$i" "$i" "${names[i]}"
		[ $((i + 1)) -eq "$1" ] || printf \
			',"until":{"key":"%02x","rank":0,"index":0}' \
			$((256 * (i + 1) / $1))
		printf '}\n'
	done 3>"$2/cluster" >"$2/sublists"
	for ((i = 0; i < $1; i++)); do
		exchange_node "$i" "$2" "$2/${names[i]}" || return
	done
	for ((i = 0; i < $1; i++)); do
		exchange_parts "$i" "$2" | summary >"$2/want.${names[i]}"
	done
}

# exchange_node RANK SET DIR
exchange_node() {
	mkdir -p "$3"
	cp "$2/cluster" "$3/cluster"
	(umask 077 && echo 'All of the bytes of this count.' >"$3/key")
	hpgen -b $(($1 * records)) "$records" | hpsort "${format[@]}" -o "$3/in"
	hpsplit cut "${format[@]}" -L "$2/sublists" -N "$1" --extents "$3/in" \
		>"$3/extents"
	hpsplit cut "${format[@]}" -L "$2/sublists" -N "$1" "$3/in" \
		>"$3/stream"
}

# exchange_parts RANK SET: the records that belong there, of all nodes.
exchange_parts() {
	local extents offset bytes

	for extents in "$2"/*/extents; do
		read -r offset bytes < <(jq -r \
			"select(.sublist == $1) | \"\(.offset) \(.bytes)\"" \
			"$extents")
		tail -c +$((offset + 1)) "${extents%extents}in" |
			head -c "$bytes"
	done
}

# exchange_launch NODE
exchange_launch() {
	local rank=0 words=(-t "$way")

	until [ "${names[rank]}" = "$1" ]; do
		rank=$((rank + 1))
	done
	[ "$way" != tcp ] || words+=(-K job/key)
	[ "$input" = pipe ] || words+=(-i job/in -x job/extents)
	[ -z "$kept" ] || words+=(--resume arriving)
	awaited "$1" hpexchange -C job/cluster -N "$rank" "${words[@]}" \
		--timeout "$TIMEOUT" -o from \
		<"$(home_of "$1")/job/stream" 2>>shell.log &
}

exchange_start() {
	local node

	# What is kept is a file and parts of it.
	[ -z "$kept" ] || input='file'
	[ "$kind" != truncate ] || {
		input=pipe kept=
		truncate -s $((RANDOM * 80)) \
			"$(home_of "$victim")/job/stream"
	}
	what="exchange by $way, $input${kept:+, kept}"
	runs=("${names[@]:0:nodes}")
	for node in "${runs[@]}"; do
		exchange_launch "$node"
	done
}

# exchange_resume: those who are not done, and those who are still to tell them
# something.
exchange_resume() {
	local node

	for node in "${runs[@]}"; do
		[ "$(cat "status.$node")" != 0 ] ||
			[ -d "$(home_of "$node")/arriving" ] || continue
		rm "status.$node"
		exchange_launch "$node"
	done
}

# exchange_again NODE: who was killed is started again, at once.
exchange_again() {
	local end

	[ -n "$kept" ] || return 0
	end=$(($(now_ms) + 2000))
	until [ -s "status.$1" ]; do
		[ "$(now_ms)" -lt "$end" ] || return 0
		sleep 0.02
	done
	[ "$(cat "status.$1")" = 137 ] || return 0
	rm "status.$1"
	exchange_launch "$1"
}

# exchange_right NODE: it has what belongs to it.
exchange_right() {
	cat "$(home_of "$1")"/from.* | summary | cmp -s - "$set/want.$1"
}

# exchange_keeps NODE FILE: such a file may be there at the end.
exchange_keeps() {
	case $2/$(cat "status.$1" 2>/dev/null) in
	from.*/0) ;;
	arriving/[!0]*) [ -n "$kept" ] ;;
	# As long as somebody may ask.
	arriving/0) [ -n "$kept" ] && grep -qvx 0 status.* ;;
	# Of one who was killed; the next one to start there replaces it.
	exchange.sock/1*) ;;
	*) return 1 ;;
	esac
}
