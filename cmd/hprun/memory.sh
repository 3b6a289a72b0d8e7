# Memory and processors, of which the nodes of a machine have parts.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# The budget, half of the memory at first, as a number of smaller units.
size=${budget:-50%} scale=1024
case $size in
*%) unit=% scale=1 number=${size%?} ;;
*b) unit=b scale=1 number=${size%?} ;;
*[Kk]) unit=b number=${size%?} ;;
*M) unit=K number=${size%?} ;;
*G) unit=M number=${size%?} ;;
*T) unit=G number=${size%?} ;;
*) unit=b number=$size ;;
esac
case $number in
'' | *[!0-9]* | ????????????*) die "'$size' is not a size" ;;
esac
number=${number#"${number%%[!0]*}"} # an octal number otherwise
number=$((${number:-0} * scale))
case $unit in
%) [ "$number" -le 100 ] || die "'$size' is more than all memory" ;;
esac
processors=$(nproc)

# Equal parts until there is a plan.
for i in $ranks; do
	eval "part_$i=\$((number / neighbours_$i)) processors_$i=$processors"
done

# share_memory: parts in proportion to the plan's shares of the nodes.
share_memory() {
	host='' other='' n=0
	eval "$(sed -n 's/.*"rank":\([0-9]*\).*"n":\([0-9]*\).*/n_\1=\2/p' plan.jsonl)"
	for i in $ranks; do
		sum=0
		eval "host=\$host_$i"
		for j in $ranks; do
			eval "other=\$host_$j n=\$n_$j"
			[ "$host" != "$other" ] || sum=$((sum + n))
		done
		unit_n=$((sum / 65536 + 1)) # no product is too large
		[ "$sum" -eq 0 ] || eval "
			part_$i=\$((number * (n_$i / unit_n) / (sum / unit_n)))
		"
	done
}

# means_of RANK: in $means, the options for the node's part of its machine.
means_of() {
	eval "set -- \"\$part_$1\" \$((processors_$1 / neighbours_$1))"
	[ "$1" -gt 0 ] || set -- 1 "$2"
	[ "$2" -gt 0 ] || set -- "$1" 1
	means="-S $1$unit --parallel $2"
}
