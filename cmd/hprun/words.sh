# Words: what is said to people, and what is quoted for shells.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

complain() {
	printf '%shprun: %s\n' "$clear" "$*" >&2
}

bad_usage() {
	[ $# -eq 0 ] || complain "$*"
	printf 'usage: %s\n' "$usage" >&2
	exit 2
}

say() {
	printf '%s\n' "$*"
}

# answer TEXT: all that was asked for.
answer() {
	say "$*" 2>/dev/null && exit
	complain 'standard output: not written'
	exit 2
}

# enquote WORD: in $quoted, as one word of a command line, for sh and bash.
enquote() {
	case $1 in
	'' | *[!A-Za-z0-9_./:,@%+-]*) ;;
	*)
		quoted=$1
		return
		;;
	esac
	# Split at the quotes: patterns would look at all the rest for each.
	quoted='' IFS=\'
	for piece in $1.; do
		quoted="$quoted'\\''$piece"
	done
	unset IFS
	quoted=${quoted#"'\\'"} quoted=${quoted%.}\'
}

quote() {
	enquote "$1"
	printf %s "$quoted"
}

# clock: in $time, the seconds since 1970, to a hundredth: to run date each time
# would take longer than a short step.
clock() {
	uptime
	set -- $((booted + up))
	time=${1%??}.${1#"${1%??}"}
}

# set_clock: in $booted, when the machine was started, in hundredths.
set_clock() {
	uptime
	booted=$(($(date +%s%N) / 10000000 - up))
}

# uptime: in $up, for how long it has run, in hundredths.
uptime() {
	read -r up idle </proc/uptime
	up=$((${up%.*} * 100 + 1${up#*.} - 100))
}

# absolute PATH: in $absolute, for steps run in the work directory.
absolute() {
	case $1 in
	/*) absolute=$1 ;;
	*) absolute=${PWD%/}/$1 ;;
	esac
}
