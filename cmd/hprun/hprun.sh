#!/bin/sh
# hprun: the whole sort, made of the other programs; hprun(1) describes it.
# The parts in cmd/hprun, each one idea, are this one script once installed.
#
# Each step is one command line for the shell, run here or on a node, in a work
# directory that hprun has there.  Documents go to the steps and come from them
# by standard input and output, so that hprun has them all, and a node what it
# needs.  A dry run prints the lines; a run starts the same lines, each in a
# session of its own, so that all that a step has started can be ended at once.
# On every machine a watch waits for the end of hprun, whatever ended it: then
# it kills the steps that still run there and removes the work directory.
#
# Descriptors: 5 and 6 are hprun's own output and input, 7 and 8 the two ends
# of the pipe that tells how steps ended, 9 the pipe to the watch, and 4 one that
# ends when the watch does.

# Lines for other shells stand in single quotes, and parts use what others set.
# shellcheck disable=SC2016,SC2034
set -fu
LC_ALL=C # all nodes agree on the order of bytes
export LC_ALL
# What it stores of the records is for nobody else; the mask of the caller is for
# what the caller wants to have.
mask=$(umask)
umask 077

# The programs beside this one, before all others of their names.
home=''
case $0 in
*/*)
	home=$(cd -- "${0%/*}/" && pwd) || exit 2
	PATH=$home:$PATH
	;;
esac

usage='hprun [-bdfghiMnRrsuVz] [-a exact|psrs|pss|psop]
             [-C CLUSTER | -j NODES | --speeds K1,K2,...] [-F FORMAT]
             [-k POS1[,POS2]] [-o FILE] [-S SIZE] [-T DIR] [-t CHAR]
             [--dry-run] [--header N] [--in-place PATH] [--keep DIR]
             [--leave PATH] [--method METHOD] [--profile[=SECONDS]]
             [--progress] [--random-source FILE] [--resume DIR]
             [--rsh COMMAND] [--sort WORD] [--timeout SECONDS] [--trace FILE]
             [--transport ssh|tcp|unix] [--without NAME]... [FILE ...]'

# On a terminal a line tells how far the run is; messages go over it.  It is no
# longer than the terminal is wide, or it could not be erased.
clear='' erase='' columns=0
case ${TERM:-dumb} in
dumb) ;;
*)
	[ ! -t 2 ] || {
		erase=$(printf '\r\033[K') columns=$(stty size <&2 2>/dev/null)
		columns=${columns#* }
		[ "${columns:-0}" -gt 1 ] || columns=80
	}
	;;
esac
