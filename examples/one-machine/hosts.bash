# shellcheck shell=bash
# A function for scripts to source: hosts HOST=CORES[,MEMORY]...
# It creates hosts with at-speed, and changes to a new empty directory.  When the
# script exits, the hosts and the directory are removed.
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
