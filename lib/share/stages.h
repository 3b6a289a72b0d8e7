#ifndef HP_SHARE_STAGES_H
#define HP_SHARE_STAGES_H

/*
 * The time of a whole sort over a network, as five stages that do not overlap.
 * hp-plan(5) describes the model under "The stages". Each stage ends when its
 * last node and the launcher have ended. The makespan is the sum of the stages.
 *
 * Every machine has one port in each direction: its link rate limits the sum of
 * what it sends, and the sum of what it receives. This is the one-port model of
 * divisible load theory (Robertazzi, "Ten reasons to use divisible load
 * theory", Computer 36(5), 2003; Drozdowski, "Scheduling for Parallel
 * Processing", Springer, 2009) with a barrier after each stage.
 */

#include "share/problem.h"

enum stages_kind {
	STAGES_SEND,	 /* the launcher sends every host its part */
	STAGES_SORT,	 /* each node sorts its part */
	STAGES_EXCHANGE, /* each node sends the others what they merge */
	STAGES_MERGE,	 /* each node merges what it received */
	STAGES_GATHER,	 /* every host sends its part of the result back */
	STAGES
};

const char *stages_name(enum stages_kind);

/*
 * Returns whether whole runs are planned: the problem has the size of an item,
 * the cluster has the rates of some link, and no time decreases.
 */
bool stages_known(const struct problem *);

/*
 * Returns the time of one node with n of the problem's items in one stage, in
 * seconds. It does not decrease as n grows, with one exception: in the
 * exchange it grows up to half of all items and falls beyond.
 */
double
stages_node(const struct problem *, enum stages_kind, size_t rank, uint64_t n);

/*
 * Returns the time that the launcher needs to send or gather the items of all
 * hosts; 0 in the other stages.
 */
double
stages_launcher(const struct problem *, enum stages_kind, uint64_t remote);

/* Returns how many of the items n[p] are on hosts. */
uint64_t stages_remote(const struct problem *, const uint64_t *n);

/* Returns the time of the slowest node, or of the launcher, in a stage. */
double stages_time(const struct problem *, enum stages_kind, const uint64_t *n);
/* Returns the sum of the stages. */
double stages_makespan(const struct problem *, const uint64_t *n);
/* Returns the sum of the stages of one node: the time in which it works. */
double stages_busy(const struct problem *, size_t rank, uint64_t n);

/*
 * Returns the time in which the launcher sorts all items alone. Infinite if
 * the cluster does not have its speed, or if it cannot hold them.
 */
double stages_alone(const struct problem *);

/*
 * Return the largest number of items for which a node, or the launcher, ends
 * the stage by T: at most half of all items in the exchange. The search begins
 * at `near`.
 */
uint64_t stages_upto(const struct problem *, enum stages_kind, size_t rank,
    double T, uint64_t near);
uint64_t
stages_launcher_upto(const struct problem *, enum stages_kind, double T);

#endif
