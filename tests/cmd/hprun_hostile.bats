# A node that lies to the launcher: in what its programs answer, and on the
# connection of its agent.
# shellcheck shell=bash disable=SC2154
load common
load hprun

# What the launcher must not execute; HP_MARK is exported.
payload='$(touch $HP_MARK.pwned)'

not_executed() {
	[ ! -e "$HP_MARK.pwned" ] || fail "executed on the launcher: $*"
}

# answers PROGRAM ACTION TEXT: on host b, the program prints the text for this
# first word of its command line.
answers() {
	rm -rf bin
	instead "$1" <<-EOF
		case \$HOME/\$1 in
		*/home/b/$2*) printf '%s\n' $(printf %q "$3"); exit ;;
		esac
		exec "\$real" "\$@"
	EOF
}

# lies_in_sums TEXT: on host b, hpexchange writes the text in place of the
# checksums of what it sends.
lies_in_sums() {
	rm -rf bin
	instead hpexchange <<-EOF
		"\$real" "\$@" || exit
		case \$HOME in */home/b) ;; *) exit 0 ;; esac
		while [ \$# -gt 1 ]; do
			[ "\$1" != --sums ] || printf '%s\n' $(printf %q "$1") >"\$2"
			shift
		done
	EOF
}

# refused TEXT: the run ends with this message, and executes nothing.
refused() {
	run_ timeout 200 hprun -C cluster --rsh far "${words[@]}" -o out in
	not_executed "$1"
	status_is 2
	stderr_has "$1"
	[ ! -e out ] || fail "there is a result"
	clean
}

@test "no answer of a node is executed on the launcher" {
	words=(-a exact)
	seq 100 >in
	hosts a b
	for text in "$payload" "1;$payload" '1 2' -1 0 65536 ''; do
		answers hpexchange --free-port "$text"
		refused 'on b: no free port was found'
	done
	for text in "hpexchange (hptools) $payload" "'; ${payload:2:-1}; '"; do
		answers hpexchange --version "$text"
		refused "on b: hptools: $text, not "
	done
	words=(-a exact --transport ssh)
	for text in "$payload" '{"type":"candidates"}' "{\"type\":\"$payload\"}"; do
		answers hpsplit sample "$text"
		refused 'hpsplit: '
	done
	for text in "$payload" "{\"type\":\"sum\",\"records\":\"$payload\"}" \
		'{"type":"sum","records":1,"bytes":-1,"checksum":"0"}' \
		'{"type":"sum","records":1,"bytes":2,"checksum":"0","sublist":9}'; do
		words=(-a exact --transport ssh)
		lies_in_sums "$text"
		refused 'hprun: '
		words=(--transport ssh -a psop)
		answers hpcheck --sum "$text"
		refused 'hprun: '
	done
	answers hpsplit deal "{\"type\":\"extent\",\"bytes\":\"$payload\"}"
	refused 'hprun: '
}

@test "a node that reports too many bytes gets no room in the result" {
	seq 1000 >in
	hosts a b
	rm -rf bin
	instead hpexchange <<-'EOF'
		"$real" "$@" || exit
		case $HOME in */home/b) ;; *) exit 0 ;; esac
		while [ $# -gt 1 ]; do
			[ "$1" != --sums ] || sed -i 's/"bytes":/"bytes":9/' "$2"
			shift
		done
	EOF
	run_ timeout 200 hprun -C cluster --transport ssh --rsh far -a exact -o out in
	status_is 2
	stderr_is "hprun: on b: the records in run are not those given to the node
hprun: launcher: prove: failed"
	[ ! -e out ]
	clean
}

@test "a node that sends more than it says does not make others be lost" {
	seq 1000 >in
	hosts a b
	rm -rf bin
	# Host b sends a record that it has made up, but tells only of the others.
	instead hpsplit <<-'EOF'
		case $HOME/$1 in */home/b/cut) ;; *) exec "$real" "$@" ;; esac
		cat >"$HOME/sublists"
		cp run "$HOME/run"
		"$real" "$@" <"$HOME/sublists" >"$HOME/extents"
		{ echo 0; cat "$HOME/run"; } >run
		"$real" "$@" <"$HOME/sublists"
	EOF
	instead hpexchange <<-'EOF'
		"$real" "$@" || exit
		case $HOME in */home/b) ;; *) exit 0 ;; esac
		while [ $# -gt 1 ]; do
			[ "$1" != --sums ] ||
				hpcheck --extents "$HOME/extents" --sum "$HOME/run" >"$2"
			shift
		done
	EOF
	run_ timeout 200 hprun -C cluster --transport ssh --rsh far -a exact -o out in
	status_is 2
	stderr_has 'more records are returned than were sent to the node'
	[[ $stderr != *lost* ]]
	[ ! -e out ]
	rm home/b/sublists home/b/run home/b/extents
	clean
}

@test "a node cannot send more to another one than the whole input" {
	seq 1000 >in
	hosts a b
	rm -rf bin
	instead hpsplit <<-'EOF'
		case $HOME/$1 in
		*/home/b/cut) { yes 0 | head -n 100000; cat run; } >"$HOME/run"; mv "$HOME/run" run ;;
		esac
		exec "$real" "$@"
	EOF
	run_ timeout 200 hprun -C cluster --transport ssh --rsh far -a exact -o out in
	status_is 2
	stderr_has "a: hpexchange: on b: sends more than $(($(wc -c <in) + 2)) bytes"
	[ ! -e out ]
	clean
}

@test "a node that counts wrongly cannot prolong the search for pivots" {
	hosts a b
	# In this order, the first round does not find the pivots.  One of 20 orders
	# would end the search there.
	seq 20000 | LC_ALL=C sort -R --random-source=<(yes) >in
	rm -rf bin
	# From the second round on, all records of b are in the last sublist.
	instead hpsplit <<-'EOF'
		case $HOME/$1 in
		*/home/b/count)
			[ -e "$HOME/counted" ] || { : >"$HOME/counted"; exec "$real" "$@"; }
			"$real" "$@" | jq -sc 'last + {records: map(.records) | add}'
			exit
			;;
		esac
		exec "$real" "$@"
	EOF
	run_ timeout 200 hprun -C cluster --transport ssh --rsh far -a exact -o out in
	status_is 2
	stderr_is 'hprun: no pivots after 64 rounds: a node counts its records wrongly'
	[ ! -e out ]
	rm home/b/counted
	clean
}

@test "a document with very many values does not fill the memory" {
	hosts a b
	seq 100 >in
	rm -rf bin
	instead hpsplit <<-'EOF'
		case $HOME/$1 in
		*/home/b/sample)
			printf '{"type":"candidate","x":[{}'
			yes ',{}' | head -n 9000000 | tr -d '\n'
			echo ']}'
			exit
			;;
		esac
		# AddressSanitizer reserves terabytes of addresses.
		[ -n "${HP_SANITIZER-}" ] || ulimit -v 2000000
		exec "$real" "$@"
	EOF
	run_ timeout 200 hprun -C cluster --transport ssh --rsh far -a exact -o out in
	status_is 2
	stderr_has 'the line has more than 1000000 values'
	clean
}

@test "a document of a node is not executed when progress is shown" {
	hosts a b
	for h in a b; do
		seq 100 >"home/$h/work; \"x' y/in"
	done
	answers hpsplit count "{\"bytes\":\"$payload\"}"
	run_ timeout 200 hprun --progress -C cluster --rsh far --in-place in -o out
	not_executed
	status_is 2
	stderr_has 'hprun: parts.1: line 1: '
	rm home/*/work*/in
	clean
}

# altered FILTER: what the agent of host b sends passes through the filter.
altered() {
	hosts a b
	sed -i "s/^eval.*/case \$PWD in *\\/home\\/b) eval \"\$line\" | $1 ;; *) eval \"\$line\" ;; esac/" far
}

@test "a connection with altered data is closed, and no file remains" {
	seq 100 >in
	for filter in 'sed -u s\/processors\/processorz\/' \
		'sed -u s\/processors\":[0-9]*\/processors\":-1\/' \
		'{ cat; yes; }' 'cat - \/dev\/zero' 'head -c 100' true; do
		altered "$filter"
		run_ timeout 200 hprun -C cluster --transport ssh --timeout 4 \
			--rsh far -o out in
		[ "$status" -le 3 ] || fail "status $status"
		if [ "$status" = 0 ]; then
			# Without the host, or with what it said before.
			sort in | cmp - out
			rm out
		else
			stderr_has 'on b'
			[ ! -e out ] || fail "there is a result"
		fi
		clean
	done
}
