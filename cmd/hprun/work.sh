# The work directory, and the processes that watch over it.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# work_directory: makes it, where it can be, and puts its path in $work.
work_directory() {
	set --
	private=''
	for parent in "$tmpdir" "${TMPDIR-}" "${directory-}" /var/tmp; do
		[ -n "$parent" ] || continue
		absolute "${parent%/}"
		set -- "$@" "$absolute"
		[ -z "$tmpdir" ] || break
	done
	[ -z "$tmpdir${TMPDIR-}" ] || private=$1
	case $dry in
	'') watch_here "$@" ;;
	*) work=$1/hprun.$$ ;;
	esac
}

# node_directories: puts into dir_RANK the path of the work directory of each
# node: in the `dir` of the cluster; else here in our own, on hosts in /var/tmp.
node_directories() {
	tag=$$
	[ -n "$dry" ] || tag=$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
	[ -z "$resume" ] || tag=$(cat -- "$work/tag") || finish 2
	case $tag in
	*[!0-9a-f]*) die "$keep: no run was kept there" ;;
	esac
	mark=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	for i in $ranks; do
		eval "set -- \"\$base_$i\" \"\$host_$i\""
		case ${1:+dir}/${2:+host} in
		/) set -- "$work/node.$i" ;;
		/host) set -- "/var/tmp/hprun.$tag.$i" ;;
		*)
			absolute "${1%/}"
			set -- "$absolute/hprun.$tag.$i"
			;;
		esac
		eval "dir_$i=\$1"
		[ -z "$leave" ] || eval "
			beside_$i=\${leave_$i%/*}/.hprun.$tag.$i
			out_$i=\$beside_$i
		"
	done
}

# identity: what must be the same when a run is taken up again.
identity() {
	say "$algorithm$order -F $format --header $header --method $method"
	say "$in_place" "$leave" "$operands"
	eval "$cluster_line" cat
	for file in "$@"; do
		case $file in
		-) ;;
		*) stat -Lc '%s bytes, changed %y' -- "$file" ;;
		esac
	done
}

# make_kept: the directory of a run that is to be kept.
make_kept() {
	make_directory
	[ -z "$(ls -A -- "$work")" ] || die "$keep: Directory not empty"
}

# make_directory: of our own, and for nobody else.
make_directory() {
	said=$(umask "$mask" && mkdir -p -- "$work" 2>&1) ||
		die "${said#mkdir: }"
	is_own
	chmod 700 -- "$work"
}

# is_own: what is kept is a part of command lines when the run is taken up.
is_own() {
	[ -O "$work" ] || die "$keep: belongs to another user"
}

# take_up: the state of a run that was kept.  Who was ended before he had told
# what it is had not begun, and nothing is lost: the run begins.
take_up() {
	if [ ! -e "$work" ] || ! find "$work/" -mindepth 1 -maxdepth 1 \
		! -name watch ! -name steps ! -name holds ! -name ends \
		! -name tag ! -name identity.new | grep -q .; then
		make_directory
		complain "$keep: nothing is kept there yet: the run begins"
		resume=''
		return
	fi
	is_own
	[ -f "$work/identity" ] || die "$keep: no run was kept there"
	[ "$was" = "$(cat -- "$work/identity")" ] ||
		die "$keep: is of a run with other options, nodes or input"
}

was=''
[ -z "$keep" ] || was=$(identity "$@")
trap 'interrupted HUP' HUP
trap 'interrupted INT' INT
trap 'interrupted TERM' TERM
[ -z "$keep" ] || {
	absolute "$keep"
	work=$absolute
	case $dry/$taken$resume in
	/) make_kept ;;
	/*) [ -n "$taken" ] || take_up ;;
	*/?*) bad_usage '--resume is without --dry-run' ;;
	esac
}
if [ -n "$taken" ]; then
	share=$taken
	take_names
elif [ -z "$dry" ] || [ -z "$keep" ]; then
	work_directory
fi
[ -n "$keep" ] || mess=$work
node_directories

if [ -n "$dry" ]; then
	[ -z "$home" ] || say "PATH=$(quote "$home"):\$PATH"
	# A directory that is there already may be somebody else's.
	say "mkdir ${keep:+-p }-m 700 $(quote "$work") && cd $(quote "$work") || exit"
	reach
else
	cd -- "$work" || die "$work: cannot enter"
	[ ! -e stages.done ] || {
		finished=$(wc -l <stages.done)
		# Of a stage that was not over all steps are done again.
		times=$(awk -v n="$finished" '$5 < n' steps.times)
		printf "%s${times:+\n}" "$times" >steps.times
	}
	[ -z "$keep" ] ||
		find . -maxdepth 1 "(" -name steps -o -name holds -o -name ends \
			-o -name "beat.*" ")" -exec rm -rf {} +
	said=$(mkdir steps holds 2>&1) || die "${keep:-$work}: ${said##*: }"
	said=$(mkfifo ends 2>&1) || die "${keep:-$work}: ${said##*: }"
	: >steps/alive
	: >holds/alive
	[ -z "$keep" ] || {
		rm -f identity.new
		[ -n "$resume" ] || {
			rm -f tag
			append "$tag
" tag
		}
		append "$was
" identity.new
		mv identity.new identity || finish 2
	}
	watched=yes
	reach
	# Both ends are opened here, so that no open can wait.
	exec 7<>ends
	exec 8<ends
	# Closed ones give an error to the step that wants them.
	if [ -e /proc/$$/fd/1 ]; then exec 5>&1; else exec 5</dev/null; fi
	if [ -e /proc/$$/fd/0 ]; then exec 6<&0; else exec 6>/dev/null; fi
fi
