#!/bin/sh
# hpplot: draws the documents of the other programs; hpplot(1) describes it.
# The parts in cmd/hpplot, each one idea, are this one script once installed.
#
# jq reads the document and writes a script for gnuplot.  In that script are
# numbers and, of the texts of a document, only letters and octal escapes between
# double quotes: so no name can be taken for a command.

# Programs for jq stand in single quotes, and parts use what others set.
# shellcheck disable=SC2016,SC2034
set -fu
LC_ALL=C
export LC_ALL

usage='hpplot speed|cost|plan|compare|pareto|trace|balance|flow|pivots
              [-o FILE.svg|FILE.png] [FILE]'

# The options, one a line: letter, name, argument, text.
option_table='o|output|FILE|draw to FILE, which ends in .svg or .png
|help||print this text
|version||print the version'

complain() {
	printf 'hpplot: %s\n' "$*" >&2
}

die() {
	complain "$*"
	exit 2
}

# answer TEXT: all that was asked for.
answer() {
	printf '%s\n' "$*" 2>/dev/null || die 'standard output: not written'
	exit
}

# getopt's words for the letters and for the names in the table.
letters() {
	while IFS='|' read -r letter name arg text; do
		[ -z "$letter" ] || printf %s "$letter${arg:+:}"
	done <<-EOF
		$option_table
	EOF
}

names() {
	while IFS='|' read -r letter name arg text; do
		printf %s "$name${arg:+:},"
	done <<-EOF
		$option_table
	EOF
}

# The synopsis and a line for each option.
help() {
	printf 'usage: %s\n\n' "$usage"
	printf '%s\n' "$option_table" |
		while IFS='|' read -r letter name arg text; do
			[ -n "$letter" ] && letter="-$letter," || letter='   '
			printf '%-32s %s\n' "  $letter --$name${arg:+ $arg}" "$text"
		done
}

bad_usage() {
	[ $# -eq 0 ] || complain "$*"
	printf 'usage: %s\n' "$usage" >&2
	exit 2
}
