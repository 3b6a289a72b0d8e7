# Which host a run goes on without after an exchange has failed: the reports of
# the nodes tell, and not which node failed first.
# shellcheck shell=bash disable=SC2154
load common
load hprun

# reports TIMES LINE...: the first TIMES starts of hpexchange fail on all hosts;
# later ones work.  When it fails, a node first reports the peers that it does
# not reach.  Each LINE is one of these reports: NODE PEER WHY BACK.  Node 0
# ends first, after all nodes have reported.
reports() {
	local times=$1

	shift
	rm -rf home bin tries said
	mkdir said
	printf '%s\n' "$@" | while read -r rank peer why back; do
		[ -z "$rank" ] || printf '{"type":"unreached","rank":%d,"node":"on %c","peer":%d,"peer_node":"on %c","why":"%s","seconds":7.25,"back":%s}\n' \
			"$rank" "$(letter "$rank")" "$peer" "$(letter "$peer")" \
			"${why/_/ }" "$back" >>"said/$rank"
	done
	hosts a b c d
	instead hpexchange <<-EOF
		[ "\$1" = -C ] || exec "\$real" "\$@"
		rank=\$4
		echo >>"$PWD/tries.\$rank"
		[ "\$(wc -l <"$PWD/tries.\$rank")" -le $times ] ||
			exec "\$real" "\$@"
		cat "$PWD/said/\$rank" >report 2>/dev/null
		[ "\$rank" = 0 ] || sleep 600
		# Not before all others have reported.
		for i in 1 2 3; do
			until [ "\$(cat "$PWD/tries.\$i" | wc -l)" = \
				"\$(wc -l <"$PWD/tries.0")" ]; do sleep 0.05; done
		done 2>/dev/null
		sleep 0.3
		exit 3
	EOF
	rm -f tries.*
}

letter() {
	printf '%b' "\\$(printf '%o' $((97 + $1)))"
}

# sorts WORD...: the run is right, and says these words.
sorts() {
	run_ timeout 200 hprun -a exact -C cluster --rsh far --transport unix --timeout 60 \
		-o out in
	status_is 0
	same out want
	rm out
	stderr_is "$1"
	clean
}

setup_votes() {
	lines 3000 >in
	sort in >want
}

@test "a cut link: the end with the smaller share is dropped" {
	setup_votes
	reports 1 '1 3 silent false' '3 1 silent false'
	sorts 'hprun: on b: no link to on d (silent for 7 s); its share goes to the others'
}

@test "a node that is cut off from all others is dropped" {
	setup_votes
	reports 1 '0 3 silent false' '1 3 silent false' '2 3 no_route false' \
		'3 0 silent false' '3 1 silent false' '3 2 silent false'
	sorts 'hprun: on d: no link to on a and 2 others (silent for 7 s); its share goes to the others'
}

@test "two cut links: each link costs one of its ends" {
	setup_votes
	reports 1 '0 1 broken false' '1 0 broken false' '2 3 never false' \
		'3 2 never false'
	sorts 'hprun: on a: no link to on b (broken for 7 s); its share goes to the others
hprun: on c: no link to on d (no connection in 7 s); its share goes to the others'
}

@test "no node is dropped if links have recovered or only one end complains" {
	setup_votes
	for way in '1 3 silent true' '1 3 silent false' '1 3 ended false'; do
		reports 1 "$way"
		sorts 'hprun: on a: exchange: failed; trying again'
	done
	reports 1 '1 3 silent false' '3 1 silent true'
	sorts 'hprun: on a: exchange: failed; trying again'
}

@test "a failure that no node explains drops no node" {
	setup_votes
	reports 9 '1 3 silent false'
	run_ timeout 200 hprun -a exact -C cluster --rsh far --transport unix --timeout 60 \
		-o out in
	status_is 3
	stderr_is 'hprun: on a: exchange: failed; trying again
hprun: on a: exchange: failed; trying again
hprun: on a: exchange: failed'
	clean
}

@test "a node that most nodes miss at every attempt is dropped" {
	setup_votes
	reports 3 '0 3 silent false' '1 3 silent false' '2 3 silent false'
	sorts 'hprun: on a: exchange: failed; trying again
hprun: on a: exchange: failed; trying again
hprun: on d: not heard by on a and 2 others (silent for 7 s); its share goes to the others'
}

@test "a report counts only for the node that wrote it, with valid words" {
	setup_votes
	reports 1 ''
	# Node 1 says what 3 and 1 would have to say.
	for rank in 1 3; do
		printf '{"type":"unreached","rank":%d,"node":"on b","peer":%d,"peer_node":"on d","why":"silent","seconds":7,"back":false}\n' \
			$rank $((4 - rank))
	done >said/1
	sorts "hprun: on b: report.1: line 2: 'rank' is 3, but this is node 1
hprun: on a: exchange: failed; trying again"
	reports 1 ''
	echo '{"type":"\u001b[31m"}' >said/2
	run_ timeout 200 hprun -a exact -C cluster --rsh far --transport unix --timeout 60 \
		-o out in
	status_is 0
	stderr_has 'hprun: on c: report.2: line 1: '
	[[ $stderr != *$'\033'* ]]
	same out want
	rm out
	clean
}

@test "with --in-place, the message names the node at fault" {
	reports 9 '1 3 silent false' '3 1 silent false'
	for h in a b c d; do
		lines 100 >"home/$h/work; \"x' y/in"
	done
	run_ timeout 200 hprun -C cluster --rsh far --transport unix --timeout 60 --in-place in
	status_is 3
	stderr_is 'hprun: on b: no link to on d (silent for 7 s)'
	rm home/*/work*/in
	clean
}

@test "a run without hosts asks for no reports" {
	lines 100 >in
	run_ hprun -j 2 --dry-run in
	[[ $output != *--report* ]]
	hosts a b
	run_ hprun -C cluster --rsh far --dry-run in
	stdout_has '--report report'
}
