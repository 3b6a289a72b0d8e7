# The profile: the nodes whose speed was never measured are measured, at once,
# and the cluster file is written anew.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

profile_nodes() {
	unknown=''
	for i in $ranks; do
		eval "[ -n \"\$measured_$i\" ]" || {
			unknown="$unknown profile.$i"
			on "$i" profile "$(profile_line "$i")" '' ">profile.$i"
		}
	done
	[ -n "$unknown" ] || return 0
	join
	old=$(quote "$cluster") new=$(quote "$new_cluster")
	alone setup "cat$unknown >profiles.jsonl &&
	jq -c --slurpfile profile profiles.jsonl '.node as \$name |
	if .type == \"node\" and (.points | not) then
	. + (first(\$profile[] | select(.node == \$name)) // {}) else . end' $old >$new &&
	chmod --reference=$old $new && mv -f $new $old"
}

# profile_line RANK: with the records that are needed for it beside the others.
profile_line() {
	eval "set -- \"\$1\" \"\$name_$1\""
	say "TMPDIR=. hpprofile$order -N $(quote "$2") --seconds $profile"
}
