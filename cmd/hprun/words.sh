# Words: what is said to people, and what is quoted for shells.

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

# quote WORD: as one word of a command line, for sh and bash.
quote() {
	case $1 in
	'' | *[!A-Za-z0-9_./:,@%+-]*)
		rest=$1
		printf "'"
		while :; do
			case $rest in
			*\'*) printf '%s%s' "${rest%%\'*}" "'\\''" ;;
			*) break ;;
			esac
			rest=${rest#*\'}
		done
		printf "%s'" "$rest"
		;;
	*) printf %s "$1" ;;
	esac
}

# absolute PATH: in $absolute, for steps run in the work directory.
absolute() {
	case $1 in
	/*) absolute=$1 ;;
	*) absolute=${PWD%/}/$1 ;;
	esac
}
