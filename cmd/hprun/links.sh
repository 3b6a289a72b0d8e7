# The links: how the nodes find each other in the exchange.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

remote=''
for i in $ranks; do
	eval "remote=\$remote\$host_$i"
done
[ -z "$remote" ] || [ -n "$dry" ] || command -v "${rsh%% *}" >/dev/null ||
	die "${rsh%% *}: not found, by which hosts are reached"
case $transport in
'') transport=${remote:+ssh} ;;
esac
case $transport in
'' | unix) ;;
# A peer finds the program as the check has found it (greet).
ssh) exchange_options=${home:+" --remote-path $(quote "$home")"}$exchange_options ;;
tcp) exchange_options=" -K key$exchange_options" ;;
*) die "unknown transport '$transport'" ;;
esac
# What nodes send each other is stored on both sides, so that who is killed can
# go on, where hosts are; between processes of one machine that would cost more
# than the exchange.
stored=$keep$remote
exchange_options=" -t ${transport:-unix} --timeout $timeout$exchange_options"

# put FILE: a copy of a file of hprun's for every node, and nobody else.
put() {
	everywhere "umask 077 && cat >$1" "$1"
}

# make_links: every node gets to know all, and with tcp the key of the run.
make_links() {
	ports=''
	case $transport in
	tcp)
		find_ports
		alone setup '(umask 077 && head -c 32 /dev/urandom >key)'
		put key
		;;
	esac
	make_cluster
	put cluster.jsonl
}

# find_ports: the first node of each machine asks for as many as are there, so
# that they differ; $ports gets the words that tell each node's.
find_ports() {
	asked='' neighbours=''
	for i in $ranks; do
		eval "host=\$host_$i neighbours=\$neighbours_$i"
		first='' nth=1
		for j in $asked; do
			eval "[ \"\$host\" = \"\$host_$j\" ] || continue"
			: "${first:=$j}"
			nth=$((nth + 1))
		done
		[ -n "$first" ] || on "$i" setup \
			"hpexchange --free-port=$neighbours" '' ">ports.$i"
		ports="$ports \"\$(sed -n ${nth}p ports.${first:-$i})\""
		asked="$asked $i"
	done
	join
}

# make_cluster: the nodes, with the directories that they work in, and where the
# hosts find those that are here.
make_cluster() {
	dirs='' here='' address=''
	for i in $ranks; do
		eval "dirs=\"\$dirs \$(quote \"\$dir_$i\")\" address=\${address_$i-}"
		case $address in
		*.* | *:*) here=$address ;;
		esac
	done
	alone setup "$cluster_line jq -nc --arg here $(quote "$here") '
	[inputs | select(.type == \"node\")] | (reduce .[].node as \$n
	([]; if index(\$n) then . else . + [\$n] end)) as \$names | .[] |
	(.node as \$n | \$names | index(\$n)) as \$rank |
	.dir = \$ARGS.positional[\$rank] |
	\$ARGS.positional[\$rank + $nodes] as \$port |
	if \$port then .port = (\$port | tonumber) else . end |
	if .host or \$here == \"\" then . else .host = \$here end' \\
	--args$dirs$ports >cluster.jsonl"
}
