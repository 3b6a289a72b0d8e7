# Writes the completions of a program for one shell, from what `PROGRAM --help`
# prints.  That text is made from the tables of options (cmd/options.h), so no
# option is listed twice.
#
#	PROGRAM --help | awk -v shell=bash|zsh|fish -f cmd/completions.awk
#
# A value such as `ssh|tcp` is completed by these words, DIR by directories and
# COMMAND by commands.  All other values and operands are completed by files.

/^usage: |^       [a-z]/ {
	if (prog == "")
		prog = $2
	first = $1 == "usage:" ? $3 : $2
	if (first ~ /^[a-z|]+$/ && !(first in seen))
		actions = add(actions, " ", words(first))
	seen[first]
	next
}

/^  +-/ {
	n++
	line = $0
	sub(/^ +/, "", line)
	if (match(line, /^-[A-Za-z]/)) {
		letter[n] = substr(line, 2, 1)
		line = substr(line, 3)
		sub(/^, /, "", line)
	}
	if (match(line, /^--[a-z0-9-]+/)) {
		name[n] = substr(line, 3, RLENGTH - 2)
		line = substr(line, RLENGTH + 1)
	}
	# After one blank or "[=", there is a value; after two, the description.
	if (match(line, /^\[=[^]]*\]/)) {
		optional[n] = 1
		value[n] = substr(line, 3, RLENGTH - 3)
		line = substr(line, RLENGTH + 1)
	} else if (match(line, /^ [^ ]+/)) {
		value[n] = substr(line, 2, RLENGTH - 1)
		line = substr(line, RLENGTH + 1)
	}
	sub(/^ +/, "", line)
	text[n] = line
}

# Returns how a value is completed: "words", "dir", "command" or "file".
function kind(i) {
	if (value[i] ~ /^[a-z0-9]+([|][a-z0-9]+)*$/)
		return "words"
	if (value[i] == "DIR")
		return "dir"
	return value[i] == "COMMAND" || value[i] == "PROG" ? "command" : "file"
}

function words(list) {
	gsub(/[|]/, " ", list)
	return list
}

# Returns the text in quotes of a shell.
function quoted(s) {
	gsub(/'/, "'\\''", s)
	return "'" s "'"
}

# Returns the option as a pattern of the shell: -a|--all|--all=.  An optional
# value follows only "--all=".
function pattern(i) {
	if (optional[i])
		return "--" name[i] "="
	return (i in letter ? "-" letter[i] : "") \
	    (i in letter && i in name ? "|" : "") \
	    (i in name ? "--" name[i] "|--" name[i] "=" : "")
}

# Prints a branch of a case: what to do behind an option.
function branch(patterns, action) {
	if (patterns != "")
		print "\t" patterns ")\n\t\t" action "return\n\t\t;;"
}

function compgen(what) {
	return "mapfile -t COMPREPLY < <(compgen " what " -- \"$word\")"
}

function add(list, separator, word) {
	return list == "" ? word : list separator word
}

function bash(    i, all, behind) {
	for (i = 1; i <= n; i++) {
		if (i in letter)
			all = add(all, " ", "-" letter[i])
		if (i in name)
			all = add(all, " ", "--" name[i])
		if (i in value && kind(i) != "words")
			behind[kind(i)] = add(behind[kind(i)], "|", pattern(i))
	}
	print "_" prog "()\n{"
	print "\tlocal word=$2 option=$3 equals='' i\n"
	print "\tCOMPREPLY=()"
	print "\t# Readline makes three words of --option=value."
	print "\tcase $word,$option in"
	print "\t=,*) word='' equals='=' ;;"
	print "\t*,=) option=${COMP_WORDS[COMP_CWORD - 2]} equals='=' ;;"
	print "\tesac"
	print "\t# Without a reply, readline completes names of files."
	print "\tfor ((i = 1; i < COMP_CWORD; i++)); do"
	print "\t\t[[ ${COMP_WORDS[i]} != -- ]] || return 0"
	print "\tdone"
	print "\tcase $option$equals in"
	for (i = 1; i <= n; i++)
		if (i in value && kind(i) == "words")
			branch(pattern(i), compgen("-W " quoted(words(value[i]))) "\n\t\t")
	branch(behind["command"], compgen("-c") "\n\t\t")
	branch(behind["dir"], "compopt -o filenames 2>/dev/null\n\t\t" compgen("-d") "\n\t\t")
	branch(behind["file"], "")
	print "\tesac"
	print "\tif [[ $word == -* ]]; then"
	print "\t\t" compgen("-W " quoted(all))
	if (actions != "") {
		print "\telif [ \"$COMP_CWORD\" = 1 ]; then"
		print "\t\t" compgen("-W " quoted(actions))
	}
	print "\tfi\n}"
	print "complete -o bashdefault -o default -F _" prog " " prog
}

function zsh(    i, how, spec, desc) {
	print "_arguments -s -S \\"
	for (i = 1; i <= n; i++) {
		how = ""
		if (i in value) {
			if (kind(i) == "words")
				how = "(" words(value[i]) ")"
			else if (kind(i) == "dir")
				how = "_files -/"
			else if (kind(i) == "command")
				how = "_command_names -e"
			else
				how = "_files"
			desc = value[i]
			gsub(/[:\[\]\\]/, "\\\\&", desc)
			how = (optional[i] ? "::" : ":") desc ":" how
		}
		desc = text[i]
		gsub(/[\[\]\\:]/, "\\\\&", desc)
		spec = "[" desc "]" how
		if (i in letter)
			print "\t" quoted("*-" letter[i] \
			    (i in value && !optional[i] ? "+" : "") \
			    (optional[i] ? "[" desc "]" : spec)) " \\"
		if (i in name)
			print "\t" quoted("*--" name[i] \
			    (optional[i] ? "=-" : i in value ? "=" : "") spec) " \\"
	}
	if (actions != "")
		print "\t" quoted("1:action:(" actions ")") " \\"
	print "\t" quoted("*:file:_files")
}

function fish(    i, line) {
	for (i = 1; i <= n; i++) {
		line = "complete -c " prog
		if (i in letter)
			line = line " -s " letter[i]
		if (i in name)
			line = line " -l " name[i]
		if (i in value && kind(i) == "words")
			line = line (optional[i] ? " -f" : " -x") " -a " quoted(words(value[i]))
		else if (i in value && kind(i) == "dir")
			line = line " -x -a '(__fish_complete_directories)'"
		else if (i in value && kind(i) == "command")
			line = line " -x -a '(__fish_complete_command)'"
		else if (i in value && !optional[i])
			line = line " -r"
		desc = text[i]
		gsub(/'/, "\\'", desc)
		print line " -d '" desc "'"
	}
	if (actions != "")
		print "complete -c " prog " -n __fish_is_first_arg -a " \
		    quoted(actions)
}

END {
	if (prog == "" || n == 0) {
		print "completions.awk: this is no output of --help" >"/dev/stderr"
		exit 1
	}
	print shell == "zsh" ? "#compdef " prog : "# Completion of " prog "(1)."
	if (shell == "bash")
		bash()
	else if (shell == "zsh")
		zsh()
	else
		fish()
}
