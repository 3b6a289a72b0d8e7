# Memory and processors, of which the nodes of a machine have parts.

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
'' | *[!0-9]* | ????????????*) bad_usage "'$size' is not a size" ;;
esac
number=${number#"${number%%[!0]*}"} # an octal number otherwise
number=$((${number:-0} * scale))
processors=$(nproc)

# part_of RANK: in $memory and $threads, the node's part of its machine.
part_of() {
	shared=$nodes
	[ -z "$rsh" ] || [ -z "$cluster" ] || eval "shared=\$shared_$1"
	part=$((number / shared)) threads=$((processors / shared))
	[ "$part" -gt 0 ] || part=1
	[ "$threads" -gt 0 ] || threads=1
	memory="-S $part$unit"
}
