# hptools.  From the caller: CC CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR BUILD.
# Who packages for GNU writes prefix.

VERSION = 0.1
PREFIX ?= /usr/local
prefix ?= $(PREFIX)
BINDIR ?= $(prefix)/bin
MANDIR ?= $(prefix)/share/man
BUILD ?= build
CFLAGS ?= -O2 -g
CLANG ?= clang
CLANG_FORMAT ?= clang-format

# The areas of each program, upper layers first (tests/layers.sh holds it).
hpgen_AREAS = gen record base
hpcheck_AREAS = doc check record base
hpprofile_AREAS = doc profile share cost record base
hpsolve_AREAS = doc share cost record base
hpsplit_AREAS = doc split share cost record base
hpsort_AREAS = sort run kernel record base
hpmerge_AREAS = sort run kernel record base
hpexchange_AREAS = doc net share cost record base
ALL_AREAS = doc net sort run kernel split profile share cost check gen record base

PROGS = hpgen hpcheck hpprofile hpsolve hpsplit hpsort hpmerge hpexchange
SCRIPTS = hprun hpplot
# A script is its parts in this order.
hpplot_PARTS = $(addprefix cmd/hpplot/,hpplot.sh document.sh gnuplot.sh rows.sh \
	lines.sh pictures.sh curves.sh options.sh draw.sh)
hprun_PARTS = $(addprefix cmd/hprun/,hprun.sh words.sh watch.sh end.sh \
	again.sh steps.sh progress.sh check.sh profile.sh lines.sh deal.sh \
	methods.sh prove.sh gather.sh trace.sh options.sh nodes.sh places.sh \
	links.sh memory.sh files.sh work.sh run.sh)
LIBS = -ljansson -lssl -lcrypto -lxxhash -lzstd -llz4 -ldeflate -lmd -lbsd -lm -ldl

# To load libraries takes longer than to sort a few lines: what needs only these
# has its own copies where there are static ones, and what sorts of libc, too,
# as long as it still goes to addresses at random and bears no sanitizer: where
# it would not, the link fails or warns.  SORT_LIBS='$(OWN_LIBS)' shares libc, for
# who wants its updates, or to load a library before it.
STATIC_LIBS = -lbsd -lmd -ljansson -lzstd -llz4 -ldeflate
BUT_LIBC = -Wl,-Bstatic $(STATIC_LIBS) -Wl,-Bdynamic
ALL_OF_IT = -static-pie $(STATIC_LIBS)
links = $(shell echo 'int puts(const char *); \
	int main(void) { return puts("") < 0; }' | \
	$(CC) $(HP_CFLAGS) $(HP_LDFLAGS) -Wl,--fatal-warnings -x c \
	-o /dev/null - $(1) 2>/dev/null && echo '$(1)')
OWN_LIBS = $(or $(call links,$(BUT_LIBC)),$(LIBS))
SORT_LIBS = $(or $(call links,$(ALL_OF_IT)),$(OWN_LIBS))
hpcheck_LIBS = $(OWN_LIBS) -lm
hpsort_LIBS = $(SORT_LIBS)
hpmerge_LIBS = $(SORT_LIBS)
hpgen_LIBS = $(OWN_LIBS) -lm
hpprofile_LIBS = $(OWN_LIBS) -lxxhash -lm -ldl
hpsolve_LIBS = $(OWN_LIBS) -lxxhash -lm -ldl
hpsplit_LIBS = $(OWN_LIBS) -lxxhash -lm -ldl
hpexchange_LIBS = $(OWN_LIBS) -lssl -lcrypto -lxxhash -lm -ldl

HP_CPPFLAGS = -D_GNU_SOURCE -DLIBBSD_OVERLAY -isystem /usr/include/bsd -Ilib -Icmd \
	-DHP_VERSION='"$(VERSION)"' $(CPPFLAGS)
HP_CFLAGS = -std=c11 -pthread -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wformat=2 -Wcast-qual $(CFLAGS)
# In one segment with what is only read, code takes fewer mappings and pages.
HP_LDFLAGS = -pthread -Wl,--as-needed -Wl,-z,noseparate-code $(LDFLAGS)

bins := $(PROGS:%=$(BUILD)/bin/%) $(SCRIPTS:%=$(BUILD)/bin/%)
# A program is one file, or a directory of its parts, and what some share.
hpsort_SHARED = cmd/job.c
hpmerge_SHARED = cmd/job.c
prog_objs = $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/$(1).c cmd/$(1)/*.c) \
	$($(1)_SHARED))
area_objs = $(patsubst %.c,$(BUILD)/%.o,$(wildcard lib/$(1)/*.c))
area_libs = $(foreach a,$(1),$(if $(wildcard lib/$(a)/*.c),$(BUILD)/lib/$(a).a))

# As in `make deps check`: nothing is built before deps is done, -j or not.
deps_first := $(filter deps,$(MAKECMDGOALS))

all: $(bins)

# Its loops over registers must be unrolled.
$(BUILD)/lib/kernel/avx512.o $(BUILD)/lib/kernel/avx2.o: HP_CFLAGS += -O3

# What a compiler says stays beside what it makes, for tests/lint.sh.
SAID = 2>$@.said || code=$$?; cat $@.said >&2; exit $${code:-0}

$(BUILD)/%.o: %.c Makefile | $(deps_first)
	@mkdir -p $(@D)
	$(CC) $(HP_CPPFLAGS) $(HP_CFLAGS) -MMD -MP -c -o $@ $< $(SAID)

define area_rule
$(BUILD)/lib/$(1).a: $(call area_objs,$(1))
	@rm -f $$@
	$(AR) rcs $$@ $$^
endef
$(foreach a,$(ALL_AREAS),$(eval $(call area_rule,$(a))))

define prog_rule
$(BUILD)/bin/$(1) $(BUILD)/tests/fault/$(1): $(call prog_objs,$(1)) \
    $(BUILD)/cmd/cmd.o $(BUILD)/cmd/progress.o \
    $(call area_libs,$($(1)_AREAS))
	@mkdir -p $$(@D)
	$(CC) $(HP_CFLAGS) $(HP_LDFLAGS) -o $$@ $$^ $$(or $$($(1)_LIBS),$$(LIBS))
endef
$(foreach p,$(PROGS),$(eval $(call prog_rule,$(p))))

define script_rule
$(BUILD)/bin/$(1): $($(1)_PARTS) | $(deps_first)
	@mkdir -p $$(@D)
	sed 's/@VERSION@/$(VERSION)/' $($(1)_PARTS) >$$@
	chmod 755 $$@
endef
$(foreach s,$(SCRIPTS),$(eval $(call script_rule,$(s))))

# Test programs in C: one binary a file, linked with all areas.
tests_c := $(wildcard tests/unit/*_test.c tests/prop/*_prop.c)
# -lz: checksums are held against its.
test_bins := $(tests_c:%.c=$(BUILD)/%)
$(test_bins:%=%.o): HP_CPPFLAGS += -Itests/unit
$(test_bins): $(BUILD)/%: $(BUILD)/%.o $(call area_libs,$(ALL_AREAS))
	$(CC) $(HP_CFLAGS) $(HP_LDFLAGS) -o $@ $^ $(LIBS) -lz

-include $(shell [ -d $(BUILD) ] && find $(BUILD) -name '*.d')

include tests/check.mk

install: all
	install -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(MANDIR)/man1" \
	    "$(DESTDIR)$(MANDIR)/man5" "$(DESTDIR)$(MANDIR)/man7"
	install -m 755 $(bins) "$(DESTDIR)$(BINDIR)"
	for m in man/*.[157]; do \
		install -m 644 $$m "$(DESTDIR)$(MANDIR)/man$${m##*.}" || exit; \
	done

uninstall:
	for p in $(PROGS) $(SCRIPTS); do rm -f "$(DESTDIR)$(BINDIR)/$$p"; done
	for m in man/*.[157]; do \
		rm -f "$(DESTDIR)$(MANDIR)/man$${m##*.}/$${m##*/}"; done

dist:
	git archive --prefix=hptools-$(VERSION)/ -o hptools-$(VERSION).tar.gz HEAD

clean:
	rm -rf $(BUILD) hptools-$(VERSION).tar.gz

.PHONY: all install uninstall dist clean
