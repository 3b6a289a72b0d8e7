# Part of each script of the lesson: the ranks of the nodes, and some functions.
# shellcheck shell=sh disable=SC2034 # the scripts use what is set here
set -eu
lesson=$(cd "$(dirname "$0")" && pwd)
nodes='0 1 2'

# need FILE SCRIPT: runs an earlier script of the lesson if its file is missing.
need() {
	[ -e "$1" ] || "$lesson/$2" >/dev/null
}

# show FILE: prints its words in one line.
show() {
	printf '%s:%s\n' "$1" "$(sed 's/^/ /' "$1" | tr -d '\n')"
}

# ask LINE...: prints a question to answer before the next step.
ask() {
	printf '\nQuestion: %s\n' "$1"
	shift
	[ $# = 0 ] || printf '          %s\n' "$@"
}
