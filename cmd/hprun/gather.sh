# The result, out of the outputs of the nodes.

# The outputs of the nodes are the result, one after the other or in pieces.
gather() {
	case $algorithm in
	psop) collect='sh -e pieces' ;;
	*) collect="cat$(across out)" ;;
	esac
	if [ -z "$output" ]; then
		alone gather "$collect"
	elif [ -z "$beside" ]; then
		alone gather "$collect >$(quote "$output")"
	else
		new=$(quote "$beside") old=$(quote "$output")
		collect="$collect >$new"
		[ ! -e "$output" ] ||
			collect="$collect && chmod --reference=$old $new"
		alone gather "$collect && mv -f $new $old"
	fi
}
