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

usage='hpplot speed|cost|plan|compare|trace|balance [-o FILE.svg|FILE.png]
              [FILE]'

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

bad_usage() {
	[ $# -eq 0 ] || complain "$*"
	printf 'usage: %s\n' "$usage" >&2
	exit 2
}
