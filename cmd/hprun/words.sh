# Words: what is said to people, and what is quoted for shells.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

complain() {
	escape "$*"
	printf '%shprun: %s\n' "$clear" "$escaped" >&2
}

# escape TEXT: in $escaped, the text without control characters, which could
# change the user's terminal: each byte of one is a backslash and three octal
# digits.  Tabs and valid UTF-8 stay.
escape() {
	escaped=$1
	case $1 in
	*[!\ -~]*) escaped=$(printf '%s\n' "$1" | awk "$escape_program") ;;
	esac
}
escape_program='
	BEGIN {
		for (i = 1; i < 256; i++)
			code[sprintf("%c", i)] = i
	}
	# utf8_at(i): the length of the character that begins there; 0: none, or
	# one of U+0080 to U+009F, which are control characters, too.
	function utf8_at(i, first, len, k, next_code) {
		first = code[substr($0, i, 1)]
		len = first < 194 ? 0 : first < 224 ? 2 : first < 240 ? 3 : \
			first < 245 ? 4 : 0
		for (k = 1; k < len; k++) {
			next_code = code[substr($0, i + k, 1)] + 0
			if (next_code < (first == 194 ? 160 : 128) || next_code > 191)
				return 0
		}
		return len
	}
	{
		sub(/\r$/, "") # ssh ends its lines so
		text = ""
		for (i = 1; i <= length($0); i += len) {
			c = substr($0, i, 1)
			len = 1
			if (c >= " " && c <= "~" || c == "\t")
				text = text c
			else if (len = utf8_at(i))
				text = text substr($0, i, len)
			else {
				text = text sprintf("\\%03o", code[c])
				len = 1
			}
		}
		print text
	}'

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
