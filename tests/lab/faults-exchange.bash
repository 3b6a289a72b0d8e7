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

exchange_start() {
	local i rank=0 input=(-i job/in -x job/extents) how=(-t "$way")

	[ "$way" != tcp ] || how+=(-K job/key)
	what="exchange by $way"
	if [ $((RANDOM % 2)) -eq 1 ] || [ "$kind" = truncate ]; then
		input=()
		what="$what, stream"
	fi
	[ "$kind" != truncate ] || truncate -s $((RANDOM * 80)) \
		"$(home_of "$victim")/job/stream"
	runs=("${names[@]:0:nodes}")
	for i in "${runs[@]}"; do
		awaited "$i" hpexchange -C job/cluster -N "$rank" \
			"${how[@]}" --timeout "$TIMEOUT" "${input[@]}" \
			-o from <"$(home_of "$i")/job/stream" 2>>shell.log &
		rank=$((rank + 1))
	done
}

# exchange_right NODE: it has what belongs to it.
exchange_right() {
	cat "$(home_of "$1")"/from.* | summary | cmp -s - "$set/want.$1"
}

# exchange_keeps NODE FILE: such a file may be there at the end.
exchange_keeps() {
	case $2/$(cat "status.$1" 2>/dev/null) in
	from.*/0) ;;
	# Of one who was killed; the next one to start there replaces it.
	exchange.sock/1*) ;;
	*) return 1 ;;
	esac
}
