#ifndef HP_CMD_HPRUN_PACK_H
#define HP_CMD_HPRUN_PACK_H

/* Packs the files of --files into the bundle. */

#include "bundle.h"

/*
 * Copies files into the bundle: `hprun --do pack FORMAT LIST DIR`.  LIST
 * contains the names of the files, relative to DIR.  The bundle is created in
 * the current directory.  If a name is not that of a readable regular file,
 * prints a line about it and fails.
 */
int pack_do(char *words[], struct hp_err *);
/*
 * Writes the sizes of the files, one on each line, without reading the files.
 *   delim  ends each name of the list
 */
int bundle_sizes(
    const char *list, int delim, const char *dir, FILE *to, struct hp_err *);

#endif
