# hptools.  The caller may set CC CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR BUILD, and
#
#	V=1		prints full commands
#	LINK=shared	loads all libraries when a program starts; the default,
#			LINK=static, puts those into it that Debian has as .a
#	WITH='deb mpi simgrid slurm'
#			deps also installs what the packages, MPI, SimGrid and
#			Slurm need; check also runs the suites that need them
#
# GNU packagers write prefix for PREFIX.
#
# With one goal, all processors compile; -jN chooses how many.  Several goals, such as
# `clean all`, are made one after the other.

VERSION = 1.0
PREFIX ?= /usr/local
prefix ?= $(PREFIX)
BINDIR ?= $(prefix)/bin
MANDIR ?= $(prefix)/share/man
DATADIR ?= $(prefix)/share/hptools
DOCDIR ?= $(prefix)/share/doc/hptools
BASHDIR ?= $(prefix)/share/bash-completion/completions
ZSHDIR ?= $(prefix)/share/zsh/site-functions
FISHDIR ?= $(prefix)/share/fish/vendor_completions.d
BUILD ?= build
# Lines for backtraces, but no variables for a debugger: this takes a fifth less time.
CFLAGS ?= -O2 -g1
CLANG ?= clang
CLANG_FORMAT ?= clang-format
LINK = static
$(if $(filter-out static shared,$(LINK)),$(error LINK is static or shared))

# The areas of each program, upper layers first (tests/layers.sh holds it).
hpgen_AREAS = gen record base
hpcheck_AREAS = doc check record base
hpprofile_AREAS = doc profile share cost record base
hpsolve_AREAS = doc share cost record base
hpsplit_AREAS = doc split share cost check record base
hpsort_AREAS = sort bucket numbers input run kernel record base
hpmerge_AREAS = sort bucket numbers input run kernel record base
hpexchange_AREAS = doc net link share cost check record base
hpexchange-mpi_AREAS = doc net link share cost check record base
hprun_AREAS = job doc link check split profile share cost record base
hpsim_AREAS = doc split share cost record base
ALL_AREAS = job doc net link sort bucket numbers input run kernel split profile share cost check gen record base

# A make above this one, or MAKEFLAGS in the environment, may have chosen, too; -j of
# the command line overrides what stands here.  Make 4.3 hides both from its files.
ifeq ($(MAKELEVEL) $(word 2,$(filter-out deps,$(MAKECMDGOALS))),0 )
MAKEFLAGS += $(addprefix -j,$(shell \
	case "$$MAKEFLAGS" in (*j*) ;; (*) nproc ;; esac))
endif

# In a function, make 4.3 takes \# for two characters.
hash := \#

# mpicc of the MPI for which hpexchange-mpi is built; MPICC= builds none.  An mpicc
# without headers does not count: openmpi-bin has one.  What `make deps WITH=mpi`
# installs is not there yet when make reads this.
MPICC ?= $(or $(firstword $(foreach c,mpicc mpicc.openmpi mpicc.mpich,\
	$(shell echo '$(hash)include <mpi.h>' | $(c) -E -o /dev/null - 2>/dev/null && \
	echo $(c)))),$(if $(filter mpi,$(WITH)),mpicc))
MPICC := $(MPICC)
# Only its options for headers and libraries, so that CC and CFLAGS are ours.
mpi_headers = $(patsubst -I%,-isystem %,$(filter -I%,$(shell $(1) -show)))
mpi_libs = $(filter -L% -l% -Wl%,$(shell $(1) -show))

# Yes, where hpsim is built: with the headers of SimGrid.  SIMGRID= builds none.
SIMGRID ?= $(if $(filter simgrid,$(WITH)),yes,$(shell \
	echo '$(hash)include <simgrid/barrier.h>' | \
	$(CC) $(CPPFLAGS) -E -o /dev/null - 2>/dev/null && echo yes))
SIMGRID := $(SIMGRID)

PROGS = hpgen hpcheck hpprofile hpsolve hpsplit hpsort hpmerge hpexchange hprun \
	$(if $(MPICC),hpexchange-mpi) $(if $(SIMGRID),hpsim)
SCRIPTS = hpplot
# What the manuals' examples read, in DATADIR.
DATA = examples/certificate.jq
LESSON = $(wildcard examples/lesson/[1-9]*.sh)
LESSON_DATA = examples/lesson/start.sh examples/lesson/words
# A script is its parts in this order.
hpplot_PARTS = $(addprefix cmd/hpplot/,hpplot.sh document.sh gnuplot.sh rows.sh \
	lines.sh pictures.sh curves.sh pareto.sh exchange.sh options.sh draw.sh)
LIBS = -ljansson -lssl -lcrypto -lxxhash -lzstd -llz4 -ldeflate -lmd -lbsd -lmuparser -lm -ldl

# Loading libraries takes longer than sorting a few lines, so LINK=static links
# them into the programs that need no others, and libc into hpsort and hpmerge.
# Each choice is tried: the link fails, or warns, where a static library is
# missing, or where a sanitizer or random addresses (PIE) would be lost.
STATIC_LIBS = -lbsd -lmd -ljansson -lzstd -llz4 -ldeflate
BUT_LIBC = -Wl,-Bstatic $(STATIC_LIBS) -Wl,-Bdynamic
ALL_OF_IT = -static-pie $(STATIC_LIBS)
links = $(if $(filter static,$(LINK)),$(shell echo 'int puts(const char *); \
	int main(void) { return puts("") < 0; }' | \
	$(CC) $(HP_CFLAGS) $(HP_LDFLAGS) -Wl,--fatal-warnings -x c \
	-o /dev/null - $(1) 2>/dev/null && echo '$(1)'))
OWN_LIBS = $(or $(call links,$(BUT_LIBC)),$(LIBS))
SORT_LIBS = $(or $(call links,$(ALL_OF_IT)),$(OWN_LIBS))
hpcheck_LIBS = $(OWN_LIBS) -lm
hpsort_LIBS = $(SORT_LIBS)
hpmerge_LIBS = $(SORT_LIBS)
hpgen_LIBS = $(OWN_LIBS) -lm
hpprofile_LIBS = $(OWN_LIBS) -lxxhash -lmuparser -lm -ldl
hpsolve_LIBS = $(OWN_LIBS) -lxxhash -lmuparser -lm -ldl
hpsplit_LIBS = $(OWN_LIBS) -lxxhash -lmuparser -lm -ldl
hpexchange_LIBS = $(OWN_LIBS) -lssl -lcrypto -lxxhash -lmuparser -lm -ldl
hpexchange-mpi_LIBS = $(hpexchange_LIBS) $(call mpi_libs,$(MPICC))
hpsim_LIBS = $(OWN_LIBS) -lsimgrid -lxxhash -lmuparser -lm -ldl
hprun_LIBS = $(OWN_LIBS) -lssl -lcrypto -lxxhash -lmuparser -lm -ldl

HP_CPPFLAGS = -D_GNU_SOURCE -DLIBBSD_OVERLAY -isystem /usr/include/bsd -Ilib -Icmd \
	-DHP_VERSION='"$(VERSION)"' $(CPPFLAGS)
# Rows of tables leave out what is zero.
HP_CFLAGS = -std=c11 -pthread -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wformat=2 -Wcast-qual \
	-Werror=implicit-function-declaration -Werror=int-conversion \
	-Wno-missing-field-initializers $(CFLAGS)
# In one segment with what is only read, code takes fewer mappings and pages.
HP_LDFLAGS = -pthread -Wl,--as-needed -Wl,-z,noseparate-code $(LDFLAGS)

manuals = $(filter-out $(if $(MPICC),,%/hpexchange-mpi.1) \
	$(if $(SIMGRID),,%/hpsim.1),$(wildcard man/*.[157]))
bins := $(PROGS:%=$(BUILD)/bin/%) $(SCRIPTS:%=$(BUILD)/bin/%)
# A program is one file, or a directory of its parts, and what some share.
CMD_OBJS = $(patsubst %,$(BUILD)/cmd/%.o,cmd options ordering progress synopsis)
hpsort_SHARED = cmd/job.c
hpmerge_SHARED = cmd/job.c
hpexchange_SHARED = cmd/sent.c
hpexchange-mpi_SHARED = cmd/sent.c
prog_objs = $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/$(1).c cmd/$(1)/*.c) \
	$($(1)_SHARED))
area_objs = $(patsubst %.c,$(BUILD)/%.o,$(wildcard lib/$(1)/*.c))
area_libs = $(foreach a,$(1),$(if $(wildcard lib/$(a)/*.c),$(BUILD)/lib/$(a).a))

# `make deps check`, with -j too, builds nothing before deps is done.
deps_first := $(filter deps,$(MAKECMDGOALS))

all: $(bins)

# Commands print a line such as `CC lib/link/tls.c`, but with V=1 themselves.
say = $(if $(filter-out 0,$(V))$(findstring s,$(firstword -$(MAKEFLAGS))),,\
	@echo '$(1)';)
cc = $(call say,CC $<)[ -d $(@D) ] || mkdir -p $(@D); $(CC) $(HP_CPPFLAGS) $(HP_CFLAGS)
ld = $(call say,LD $(@:$(BUILD)/%=%))$(CC) $(HP_CFLAGS) $(HP_LDFLAGS) -o $@ $^

# Exists while all headers do.  When deps installs something, it removes this
# file, so that everything is compiled again.
READY = $(BUILD)/ready
DEPS = CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' READY='$(READY)' WITH='$(WITH)' \
	tests/deps
$(READY): $(deps_first)
	@$(DEPS) --check

# With LINK=static, the library to load at the first expression (cost/expr.c).
MUPARSER = $(if $(filter static,$(LINK)),$(shell readelf -d \
	"$$($(CC) -print-file-name=libmuparser.so)" 2>/dev/null | \
	sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'))
$(BUILD)/lib/cost/expr.o: \
	HP_CPPFLAGS += $(if $(MUPARSER),-DMUPARSER='"$(MUPARSER)"')

# With LINK=static, the library to load when TLS begins (link/openssl.h).
OPENSSL = $(if $(filter static,$(LINK)),$(shell readelf -d \
	"$$($(CC) -print-file-name=libssl.so)" 2>/dev/null | \
	sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'))
$(BUILD)/lib/link/%.o: \
	HP_CPPFLAGS += $(if $(OPENSSL),-DOPENSSL='"$(OPENSSL)"')

# Loops over registers must be unrolled.
$(foreach a,kernel numbers,$(BUILD)/lib/$(a)/avx512.o $(BUILD)/lib/$(a)/avx2.o): \
	HP_CFLAGS += -O3

$(BUILD)/cmd/hpexchange-mpi/%.o: HP_CPPFLAGS += $(call mpi_headers,$(MPICC))

# The messages of the compiler stay beside the object, for tests/lint.sh.
SAID = 2>$@.said || code=$$?; [ ! -s $@.said ] || cat $@.said >&2; \
	[ -z "$$code" ] || { $(DEPS) --check; exit $$code; }

$(BUILD)/%.o: %.c Makefile $(READY)
	$(cc) -MMD -MP -c -o $@ $< $(SAID)

define area_rule
$(BUILD)/lib/$(1).a: $(call area_objs,$(1))
	@rm -f $$@
	$$(call say,AR lib/$(1).a)$(AR) rcs $$@ $$^
endef
$(foreach a,$(ALL_AREAS),$(eval $(call area_rule,$(a))))

define prog_rule
$(BUILD)/bin/$(1) $(BUILD)/tests/fault/$(1): $(call prog_objs,$(1)) \
    $(CMD_OBJS) $(call area_libs,$($(1)_AREAS))
	@mkdir -p $$(@D)
	$$(ld) $$(or $$($(1)_LIBS),$$(LIBS))
endef
$(foreach p,$(PROGS),$(eval $(call prog_rule,$(p))))

define script_rule
$(BUILD)/bin/$(1): $($(1)_PARTS) | $(deps_first)
	@mkdir -p $$(@D)
	$$(call say,SH bin/$(1))sed 's/@VERSION@/$(VERSION)/' \
	    $($(1)_PARTS) >$$@ && chmod 755 $$@
endef
$(foreach s,$(SCRIPTS),$(eval $(call script_rule,$(s))))

# What shells complete, made from the options that each program prints.
completions := $(foreach p,$(PROGS) $(SCRIPTS),$(addprefix $(BUILD)/completions/,\
	bash/$(p) zsh/_$(p) fish/$(p).fish))
completions: $(completions)
completion = $(call say,GEN $(@:$(BUILD)/%=%))$< --help | \
	awk -v shell=$(1) -f cmd/completions.awk >$@.new && mv $@.new $@
define completion_rule
$(BUILD)/completions/$(2): $(BUILD)/bin/% cmd/completions.awk
	@mkdir -p $$(@D)
	$$(call completion,$(1))
endef
$(eval $(call completion_rule,bash,bash/%))
$(eval $(call completion_rule,zsh,zsh/_%))
$(eval $(call completion_rule,fish,fish/%.fish))

# Test programs in C: one binary a file, linked with all areas.
tests_c := $(wildcard tests/unit/*/*_test.c tests/prop/*_prop.c)
# -lz: checksums are held against its.
test_bins := $(tests_c:%.c=$(BUILD)/%)
$(test_bins:%=%.o): HP_CPPFLAGS += -Itests/unit
# Calls of our code go to tests/unit/nomem.h.
$(foreach t,$(test_bins),$(if $(findstring /nomem,$(t)),$(t))): \
    HP_LDFLAGS += $(foreach f,malloc calloc \
	realloc reallocarray strdup strndup asprintf free,-Wl,--wrap=$(f))
$(test_bins): $(BUILD)/%: $(BUILD)/%.o $(call area_libs,$(ALL_AREAS))
	$(ld) $(LIBS) -lz

-include $(shell [ -d $(BUILD) ] && \
    find $(BUILD) -path $(BUILD)/deb -prune -o -name '*.d' -print)

include tests/check.mk

# Manuals name the directory where their examples find what they read.
install: all completions
	install -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(DATADIR)" \
	    "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	install -m 755 $(bins) "$(DESTDIR)$(BINDIR)"
	install -m 644 $(DATA) "$(DESTDIR)$(DATADIR)"
	install -d "$(DESTDIR)$(DATADIR)/lesson"
	install -m 755 $(LESSON) "$(DESTDIR)$(DATADIR)/lesson"
	install -m 644 $(LESSON_DATA) "$(DESTDIR)$(DATADIR)/lesson"
	install -m 644 $(filter %.fish,$(completions)) "$(DESTDIR)$(FISHDIR)"
	install -m 644 $(filter $(BUILD)/completions/zsh/%,$(completions)) \
	    "$(DESTDIR)$(ZSHDIR)"
	install -m 644 $(filter $(BUILD)/completions/bash/%,$(completions)) \
	    "$(DESTDIR)$(BASHDIR)"
	for m in $(manuals); do \
		sed 's|/usr/local/share/hptools|$(DATADIR)|g' $$m | install -D -m 644 \
		    /dev/stdin "$(DESTDIR)$(MANDIR)/man$${m##*.}/$${m##*/}" || exit; \
	done
	find README examples -type f | while read -r f; do \
		m=644; [ ! -x $$f ] || m=755; \
		install -D -m $$m $$f "$(DESTDIR)$(DOCDIR)/$$f" || exit; \
	done

uninstall:
	for p in $(sort $(PROGS) hpexchange-mpi hpsim) $(SCRIPTS); do \
		rm -f "$(DESTDIR)$(BINDIR)/$$p" \
		"$(DESTDIR)$(BASHDIR)/$$p" "$(DESTDIR)$(ZSHDIR)/_$$p" \
		"$(DESTDIR)$(FISHDIR)/$$p.fish"; done
	for d in $(notdir $(DATA)); do rm -f "$(DESTDIR)$(DATADIR)/$$d"; done
	for s in $(notdir $(LESSON) $(LESSON_DATA)); do \
		rm -f "$(DESTDIR)$(DATADIR)/lesson/$$s"; done
	for m in man/*.[157]; do \
		rm -f "$(DESTDIR)$(MANDIR)/man$${m##*.}/$${m##*/}"; done
	find README examples -type f | while read -r f; do \
		rm -f "$(DESTDIR)$(DOCDIR)/$$f"; done
	for d in "$(DESTDIR)$(DATADIR)" "$(DESTDIR)$(DOCDIR)"; do \
		[ ! -d "$$d" ] || find "$$d" -depth -type d -empty -delete; done

# DISTDIR=DIR.  Two tarballs of one commit have the same bytes.
DISTDIR ?= .
dist:
	@tests/package/dist hptools-$(VERSION) "$(DISTDIR)"

# Packages for Debian, in $(BUILD)/deb.
deb: | $(deps_first)
	@tests/package/deb $(VERSION) $(BUILD)/deb

clean:
	rm -rf $(BUILD) hptools-$(VERSION).tar.gz

.PHONY: all completions install uninstall dist deb clean
