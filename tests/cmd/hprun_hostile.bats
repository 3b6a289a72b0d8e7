# A node that lies in its answers to the launcher, the lines that begin with "@ ".
# shellcheck shell=bash disable=SC2154
load common
load hprun

# What the launcher must not execute; HP_MARK is exported.
payload='$(touch $HP_MARK.pwned)'

not_executed() {
	[ ! -e "$HP_MARK.pwned" ] || fail "executed on the launcher: $*"
}

# answers_by SCRIPT: what the watch on host b answers passes through the sed script.
answers_by() {
	hosts a b
	printf '%s\n' "$1" >script
	sed -i 's/^eval.*/case "$PWD $line" in\
	*"\/home\/b "*"setsid -w"*) eval "$line" | sed -u -f "${0%\/*}\/script" ;;\
	*) eval "$line" ;;\
	esac/' far
}

# refused SHELL SCRIPT: such answers end the run before it begins, and are shown.
refused() {
	answers_by "$2"
	run_ timeout 200 "$1" "$HPBIN/hprun" -C cluster --rsh far -o out in
	not_executed "$2"
	status_is 2
	stderr_has 'on b: an answer that no node gives: @ '
	clean
}

@test "no answer of a node is executed on the launcher" {
	seq 100 >in
	for sh in sh bash; do
		refused $sh "s/^@ room .*/@ room $payload 1/"
		refused $sh "s/^@ room .*/@ room 1 a[$payload]/"
		refused $sh "s/^@ address.*/@ address 1.2'; ${payload:2:-1}; : '/"
		refused $sh "s/^@ processors .*/@ processors number[$payload]/"
	done
	refused bash "s/^@ processors .*/@ size number[$payload]\n&/"
	refused bash "s/^@ processors .*/@ written a[$payload]\n&/"
	refused bash "s/^@ ready/@ ready $payload\n&/"
	refused bash "s/^@ ready/@ $payload\n&/"
}

@test "numbers that a shell does not take do not end the launcher" {
	seq 100 >in
	refused sh 's/^@ processors .*/@ processors 08/'
	refused sh 's/^@ processors .*/@ processors -1/'
	refused sh 's/^@ room .*/@ room 1 99999999999999999999/'
	refused sh 's/^@ room .*/@ room 1/'
}

@test "a line longer than a write to a pipe does not become an answer of another node" {
	seq 100 >in
	refused sh "s/^@ ready/@ written$(printf '%03000d' 0 | sed 's/0/ 1/g')\n&/"
	refused sh "s/^@ ready/@ written $(printf '%04085d' 1)0 sort 0 1$payload\n&/"
}

@test "a node cannot write that its watch has ended, though it knows its directory" {
	seq 100 >in
	answers_by ''
	sed -i 's/| sed -u -f.*script" ;;/| { tag=$(ls -d work*\/hprun.*.1)\
		tag=${tag%.1} tag=${tag##*hprun.}\
		sed -u "s\/^@ ready\/\&\\\\nnoise $tag 0\/"; } ;;/' far
	# shellcheck disable=SC2016
	sed -i 's/| { tag=$(ls/| { until ls -d work*\/hprun.*.1; do sleep 0.1; done >\/dev\/null 2>\&1\
		tag=$(ls/' far
	run_ timeout 200 hprun -C cluster --rsh far -o out in
	status_is 0
	[[ $stderr == 'on b: noise '*' 0' ]] || fail "$stderr"
	sort in | cmp - out
	rm out
	clean
}

@test "a document of a node is not executed when progress is shown" {
	hosts a b
	for h in a b; do
		seq 100 >"home/$h/work; \"x' y/in"
	done
	instead hpsplit <<-'EOF'
		case $PWD/$1 in
		*/home/b/*/count)
			"$real" "$@"
			printf '%s\n' '{"bytes":"$(touch $HP_MARK.pwned)"}' \
				'{"rank":1,"records":0}'
			exit
			;;
		esac
		exec "$real" "$@"
	EOF
	run_ timeout 200 hprun --progress -C cluster --rsh far --in-place in -o out
	not_executed
	status_is 2
	stderr_has 'a node says that it has "$(touch '
	rm home/*/work*/in
	clean
}
