# The work directory, and the processes that watch over it.

# work_directory: makes it, and puts its path in $work.
work_directory() {
	for parent in "$tmpdir" "${TMPDIR-}" "${directory-}" /var/tmp; do
		[ -n "$parent" ] || continue
		absolute "${parent%/}"
		if [ -n "$dry" ]; then
			work=$absolute/hprun.$$
			return
		fi
		work=$(mktemp -d -- "$absolute/hprun.XXXXXX") && return
		[ -z "$tmpdir" ] || break
	done
	return 1
}

trap 'interrupted HUP' HUP
trap 'interrupted INT' INT
trap 'interrupted TERM' TERM
if [ -z "$keep" ]; then
	work_directory || die 'no place for temporary files'
	mess=$work
else
	absolute "$keep"
	work=$absolute
	[ -n "$dry" ] || mkdir -p -- "$work" || finish 2
	[ -n "$dry" ] || [ -z "$(ls -A -- "$work")" ] ||
		die "$keep: Directory not empty"
	kept=$work
fi

if [ -n "$dry" ]; then
	[ -z "$home" ] || say "PATH=$(quote "$home"):\$PATH"
	say "mkdir -p -m 700 $(quote "$work")"
	say "cd $(quote "$work")"
else
	cd -- "$work" || die "$work: cannot enter"
	# Both ends of each pipe are opened here, so that no open can wait.
	mkfifo janitor ends || finish 2
	# shellcheck disable=SC2094
	exec 9<>janitor 8<janitor
	setsid sh -c "$janitor" hprun "$mess" "$beside" \
		<&8 >/dev/null 2>&1 8<&- 9>&- &
	janitor_id=$!
	exec 7<>ends
	exec 8<ends 7>&-
	rm janitor
	# Closed ones give an error to the step that wants them.
	if [ -e /proc/$$/fd/1 ]; then exec 5>&1; else exec 5</dev/null; fi
	if [ -e /proc/$$/fd/0 ]; then exec 6<&0; else exec 6>/dev/null; fi
fi
