# The check: everything that is wrong with the nodes, before the run begins.

# greet_nodes: has all nodes watched, and hears what they tell of themselves.
greet_nodes() {
	exec 7<>ends
	watch_nodes
	waiting=$ranks trouble=0
	while [ -n "$(without '' "$waiting")" ]; do
		read -r rank what code text <&8
		label "$rank"
		case $what/$text in
		report/'fault '*)
			complain "$label: ${text#fault }"
			[ "$trouble" -gt 0 ] || trouble=2
			;;
		report/'processors '*) eval "processors_$rank=\${text#* }" ;;
		report/'address '*) eval "address_$rank=\${text#* }" ;;
		report/'room '*) eval "room_$rank=\${text#* }" ;;
		report/ready) waiting=$(without "$rank" "$waiting") ;;
		hold/*)
			waiting=$(without "$rank" "$waiting")
			held=$(without "$rank" "$held")
			[ "$code" -eq 2 ] || {
				complain "$label: cannot be reached"
				trouble=3
			}
			;;
		esac
	done
	exec 7>&-
	[ "$trouble" = 0 ] || finish "$trouble"
}
