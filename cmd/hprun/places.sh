# Places on the nodes: where each has its part of the input, with --in-place,
# and where it leaves its part of the result, with --leave.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# place RANK PATTERN: in $place, the path that the pattern is on the node, from
# the directory of the node on.
place() {
	eval "set -- \"\$1\" \"\$2\" \"\$name_$1\" \"\$base_$1\" \"\$host_$1\""
	expand "$2" '{rank}' "$1"
	expand "$place" '{node}' "$3"
	case $place in
	/*) return ;;
	esac
	case ${4:+dir}/${5:+host} in
	/host) die "'$place' is not absolute, and node $3 has no dir" ;;
	/) absolute "$place" ;;
	*) absolute "${4%/}/$place" ;;
	esac
	place=$absolute
}

# expand TEXT NAME VALUE: in $place, the text with the value for the name.
expand() {
	place=''
	while :; do
		case $1 in
		*"$2"*) place=$place${1%%"$2"*}$3 ;;
		*) break ;;
		esac
		set -- "${1#*"$2"}" "$2" "$3"
	done
	place=$place$1
}

# two_of PREFIX OPTION: no two nodes of a machine have the same place.
two_of() {
	for i in $ranks; do
		for j in $(seq 0 $((i - 1))); do
			eval "set -- $1 $2 \"\$host_$i:\$$1_$i\" \"\$host_$j:\$$1_$j\""
			[ "$3" != "$4" ] ||
				die "$2: '${3#*:}' is of several nodes:" \
					'{node} or {rank} in it tells them apart'
		done
	done
}

for i in $ranks; do
	eval "in_$i='' leave_$i='' beside_$i='' out_$i=out"
	[ -z "$in_place" ] || {
		place "$i" "$in_place"
		eval "in_$i=\$place"
	}
	[ -z "$leave" ] || {
		place "$i" "$leave"
		eval "leave_$i=\$place"
	}
done
[ -z "$in_place" ] || two_of in --in-place
[ -z "$leave" ] || two_of leave --leave
