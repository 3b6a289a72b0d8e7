# The run: from the nodes and the input to the result.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# on_each_directory COMMAND: a line of the dry run for each.
on_each_directory() {
	for i in $ranks; do
		eval "dir=\$dir_$i"
		enquote "$dir"
		over "$i" "$1 $quoted"
		say "$line"
	done
}

if [ -n "$dry" ]; then
	on_each_directory 'mkdir -m 700'
else
	greet_nodes
fi
store
case $in_place in
'') count_input ;;
*) count_parts ;;
esac
[ -z "$profile" ] || {
	passing profile_nodes
	[ -z "$keep" ] || [ -n "$dry" ] || identity "$@" >"$work/identity"
}
passing make_links
# A random order must be the same on all nodes.
if [ -n "$random" ]; then
	case $source in
	'') alone setup 'head -c 16 /dev/urandom >random' ;;
	*) alone setup "cat $(quote "$source") >random" ;;
	esac
	put random
	order="$order --random-source random"
fi
plan
[ -n "$in_place" ] || deal_input
measure
[ -n "$in_place" ] || send_parts
"$algorithm"
gather

if [ -n "$dry" ]; then
	[ -n "$keep" ] || on_each_directory 'rm -r'
	echo 'cd "$OLDPWD"'
	[ -n "$keep" ] || say "rm -r $(quote "$work")"
	exit
fi
[ -z "$trace" ] || write_trace || finish 2
finish 0
