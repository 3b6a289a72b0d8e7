# What a hostile node, or another user of a machine, cannot do: as a user sees it,
# whatever the launcher and the nodes say to each other.
# shellcheck shell=bash disable=SC2154
load common
load hprun

# harmless TEXT: it has no control characters but the ends of its lines.
harmless() {
	[[ $1 != *[$'\001'-$'\011'$'\013'-$'\037'$'\177']* ]] ||
		fail "$(printf %s "$1" | sed -n l)"
}

@test "control characters in messages of a node do not reach the terminal" {
	seq 100 >in
	hosts a b
	# At the login, from a step, and as the reason why the run cannot begin.
	sed -i '2i [ "$1" != b ] || printf "\\033]0;login\\007 \\302\\233\\177\\n" >&2' far
	instead hpsort <<-'EOF'
		printf 'gr\303\274n \033[2Jstep\r\n' >&2
		exec "$real" "$@"
	EOF
	run_ hprun -C cluster --rsh far -o out in
	status_is 0
	harmless "$stderr"
	stderr_has 'on b: \033]0;login\007 \302\233\177'
	stderr_has $'on b: gr\303\274n \\033[2Jstep'
	sort in | cmp - out
	rm out
	sed -i 2d far

	sed -i "s/work;/$(printf 'x\\\\u001b[2Jy')/" cluster
	run_ hprun -C cluster --rsh far -o out in
	status_is 2
	harmless "$stderr"
	stderr_has '[2Jy'
	clean
}

@test "control characters in what a login prints do not reach the terminal" {
	lines 3000 >in
	hosts a b
	sed -i '2i case $1/$* in b/*hpsplit?count*|b/*"$NOISE"*) printf "\\033[2JWelcome\\n" ;; esac' far
	for NOISE in 'cat sum' 'tee /dev' 'cat trace'; do
		export NOISE
		run_ hprun -C cluster --rsh far -o out in
		status_is 2
		harmless "$stderr"
		stderr_has '\033[2JWelcome'
	done
	clean
}
