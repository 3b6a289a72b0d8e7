#ifndef HP_RECORD_WORDS_H
#define HP_RECORD_WORDS_H

/*
 * Writes the options of an order as words of a command line. So a program that
 * has parsed its options can pass the same order to other programs.
 */

#include "record/order.h"

/*
 * Returns the words that order_option needs to build an equal order: the
 * format, the field separator, the keys, the letters and --random-source. Call
 * it before or after order_ready.
 *   n  number of words, or NULL; 0 for the default order
 *
 * Each word is one option with its argument: "-Frecord:8,0,4", "-t,", "-k2,2n",
 * "-rsu", "--random-source=FILE". The words are canonical: "--sort=numeric" and
 * "-n" give the same one, and so do "+1 -2" and "-k2,2". A path stays as it was
 * given, so a caller that changes the directory sets order.random_source first.
 * -R without a source is random in each process.
 *
 * The array ends with NULL. It is one block with its text: free(3) it. Returns
 * NULL with HP_NOMEM.
 */
char **order_words(const struct order *, size_t *n, struct hp_err *);

#endif
