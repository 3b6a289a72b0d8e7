# shellcheck shell=bash
# hosts HOST=CORES[,MEMORY]...: for a script to source, beside at-speed.  Makes
# the hosts and an empty directory, where the script goes on; both are gone when
# it ends.
# shellcheck disable=SC2034 # scratch is for the script
hosts() {
	scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/hphosts.XXXXXX")
	AT_SPEED=$(at-speed --up "$@") || {
		rm -rf "$scratch"
		exit 1
	}
	export AT_SPEED
	trap 'cd /; wait; at-speed --down; rm -rf "$scratch"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	cd "$scratch" || exit
}
