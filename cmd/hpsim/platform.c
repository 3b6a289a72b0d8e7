#include <sys/mman.h>

#include <stdio.h>
#include <unistd.h>

#include <simgrid/engine.h>

#include "platform.h"

/*
 * Options of SimGrid.  They switch off its models of TCP windows and
 * acknowledgements, because the rates of the cluster file were measured with
 * TCP.
 */
static char program[] = "hpsim", quiet[] = "--log=root.thresh:critical",
	    model[] = "--cfg=network/model:CM02",
	    window[] = "--cfg=network/TCP-gamma:0",
	    acknowledge[] = "--cfg=network/crosstraffic:0",
	    local_rate[] = "--cfg=network/loopback-bw:1e15",
	    local_latency[] = "--cfg=network/loopback-lat:0",
	    /*
	     * size of an actor's stack in KiB; 10,000 nodes need 10,000 stacks
	     */
    stack[] = "--cfg=contexts/stack-size:64",
	    /*
	     * no guard pages: one for each stack would exceed vm.max_map_count
	     */
    guard[] = "--cfg=contexts/guard-size:0";

void
platform_node(const struct work *w, size_t rank, char name[HOST_NAME])
{
	if (work_at_launcher(w, rank))
		snprintf(name, HOST_NAME, "L");
	else
		snprintf(name, HOST_NAME, "n%zu", rank);
}

void
platform_mover(const struct work *w, const struct movers *m, size_t mover,
    char name[HOST_NAME])
{
	if (m->v[mover].group)
		snprintf(name, HOST_NAME, "g%zu", mover);
	else
		platform_node(w, m->v[mover].rank, name);
}

void
platform_twin(size_t mover, char name[HOST_NAME])
{
	snprintf(name, HOST_NAME, "t%zu", mover);
}

static double
rate(double r)
{
	return r > 0 ? r : LINK_MOST;
}

/*
 * Writes the link of a host.  With half_duplex, both directions share one link.
 *
 * The links have no latency, because SimGrid would then give a message with a
 * smaller latency a larger part of a port.  Actors wait for the latency
 * themselves (actor_send).
 */
static void
put_link(FILE *f, const char *host, const struct link *l, bool half_duplex)
{
	fprintf(f,
	    "<link id=\"%s.up\" bandwidth=\"%.17gBps\" latency=\"0s\"/>\n",
	    host, rate(l->send));
	if (!half_duplex)
		fprintf(f,
		    "<link id=\"%s.down\" bandwidth=\"%.17gBps\" "
		    "latency=\"0s\"/>\n",
		    host, rate(l->receive));
}

static void
put_host(FILE *f, const char *host, const char *link, bool half_duplex)
{
	fprintf(f,
	    "<host id=\"%s\" speed=\"1f\"/>\n"
	    "<host_link id=\"%s\" up=\"%s.up\" down=\"%s.%s\"/>\n",
	    host, host, link, link, half_duplex ? "up" : "down");
}

static void
put_all(FILE *f, const struct work *w, const struct movers *m, bool half)
{
	char name[HOST_NAME], twin[HOST_NAME];

	fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM "
	      "\"https://simgrid.org/simgrid.dtd\">\n"
	      "<platform version=\"4.1\">\n"
	      "<zone id=\"cluster\" routing=\"Cluster\">\n",
	    f);
	put_link(f, "L", &w->cluster.launcher.link, half);
	put_host(f, "L", "L", half);
	for (size_t i = 0; i < w->cluster.n; i++) {
		if (work_at_launcher(w, i))
			continue;
		platform_node(w, i, name);
		put_link(f, name, work_link(w, i), half);
		put_host(f, name, name, half);
	}
	for (size_t g = 0; g < m->n; g++) {
		if (!m->v[g].group)
			continue;
		platform_mover(w, m, g, name);
		platform_twin(g, twin);
		put_link(f, name, &m->v[g].link, half);
		put_host(f, name, name, half);
		put_host(f, twin, name, half);
	}
	fputs("</zone>\n</platform>\n", f);
}

int
platform_make(const struct work *w, const struct movers *m, bool half_duplex,
    struct hp_err *e)
{
	char *argv[] = { program, quiet, model, window, acknowledge, local_rate,
		local_latency, stack, guard, NULL };
	int argc = sizeof argv / sizeof *argv - 1, bad;
	char path[64];
	FILE *f;
	int fd = memfd_create("platform", MFD_CLOEXEC);

	if (fd == -1 || (f = fdopen(fd, "w")) == NULL) {
		if (fd != -1)
			close(fd);
		return hp_fail_errno(e, HP_IO, "platform");
	}
	put_all(f, w, m, half_duplex);
	bad = fflush(f) == EOF || ferror(f);
	if (bad)
		hp_fail_errno(e, HP_IO, "platform");
	else {
		simgrid_init(&argc, argv);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		simgrid_load_platform(path);
	}
	fclose(f);
	return bad ? -1 : 0;
}
