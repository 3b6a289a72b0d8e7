# The picture: made by jq and gnuplot, and put where it belongs.
# shellcheck disable=SC2016,SC2148,SC2154 # a part, of which others have more

script=$(
	jq -nRr --arg how "$how" --arg kind "$kind" --argjson columns "$columns" \
		--argjson most_name "$([ "$how" = dumb ] && echo 20 || echo 40)" \
		"$read_document$write_script$functions"'
		try [document($kind) | '"$draw"'][] catch
		if type != "object" then error
		else "!" + (if .line then ": line \(.line)" else "" end) + .text end'
) || die "$name: cannot be drawn"
case $script in
!*) die "$name${script#!}" ;;
esac

# A character that no font has would become a box of any size, even larger than
# the page.  In a PNG, U+FFFD replaces it.  In the script, characters beyond ASCII
# are octal escapes of their bytes.
if [ "$how" = png ] && command -v fc-list >/dev/null; then
	missing=$(
		printf '%s\n' "$script" |
			grep -oE '\\3[0-5][0-9]\\2[0-7]{2}(\\2[0-7]{2})?' |
			sort -u | head -n 500 | while IFS= read -r bytes; do
			code=0
			for byte in $(printf '%s' "$bytes" | tr -c 0-9 ' '); do
				case $byte in
				2*) code=$((code * 64 + 0$byte - 128)) ;;
				3[0-3]*) code=$((0$byte - 192)) ;;
				*) code=$((0$byte - 224)) ;;
				esac
			done
			fc-list ":charset=$(printf %x "$code")" file | grep -q . ||
				printf 's/\\%s/\\\\357\\\\277\\\\275/g;' \
					"$(printf '%s' "$bytes" | sed 's/./&/; s/\\/\\\\/2g')"
		done
	)
	script=$(printf '%s\n' "$script" | sed "$missing")
fi

# The output of gnuplot: on a terminal without its first line and blanks at the
# ends of lines, in an SVG with the title of the picture.
finish() {
	case $how in
	dumb) # U+E000 stands behind characters of two columns
		awk 'NR > 1 { gsub(/\356\200\200/, ""); sub(/ +$/, ""); print }' | cat
		;;
	svg)
		title=$(printf '%s\n' "$script" | sed -n 's/^# title \(.*\) #$/\1/p') \
			awk '{
				at = index($0, "<title>Gnuplot</title>")
				# The titles of its parts are no use to readers.
				gsub(/<title>[^<]*<\/title>/, "")
				if (at && !done++)
					$0 = substr($0, 1, at - 1) "<title>" \
						ENVIRON["title"] "</title>"
				print
			}' | cat
		;;
	*) cat ;;
	esac
}

# draw: the picture to descriptor 4; fails if that, or gnuplot, does, and then $said
# is why.  The warnings of gnuplot, that a page is full, are of no use to who
# cannot change the script.
draw() {
	said=$(
		{
			{
				printf '%s\n' "$script" |
					LC_ALL=C.UTF-8 gnuplot -d 2>&3 ||
					echo 'gnuplot failed' >&3
			} | finish 2>&3 >&4
		} 3>&1
	)
	case $?$said in
	141*) # who reads standard output has gone
		trap - PIPE
		kill -s PIPE $$
		;;
	*'gnuplot failed')
		complain "$said"
		said='not written'
		false
		;;
	0*) ;;
	*)
		said=${said##*: }
		false
		;;
	esac
}

if [ -z "$output" ]; then
	(: 4>&1) 2>/dev/null || die 'standard output: Bad file descriptor'
	draw 4>&1 || die "standard output: $said"
	exit
fi
# A picture is a record, and hpsort writes it: so it appears whole or not at all,
# and where a link leads to.
beside=$(mktemp 2>&1) || die "${beside#mktemp: }"
exec 4<>"$beside"
rm -f -- "$beside"
draw || die "$output: $said"
PATH=${0%/*}:$PATH
said=$(hpsort -F "record:$(stat -Lc %s /dev/fd/4)" -o "$output" /dev/fd/4 2>&1) ||
	die "${said#hpsort: }"
