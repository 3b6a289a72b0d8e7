# Targets for developers; included by the Makefile.

FUZZ_SECONDS ?= 30
SAN_CFLAGS = -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all

# Fuzzers: LLVMFuzzerTestOneInput in a file, linked with all areas and a main
# that replays tests/corpus/NAME; `make fuzz` puts libFuzzer in its place.
fuzz_bins := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/*_fuzz.c))
FUZZ_MAIN = $(BUILD)/tests/fuzz/replay.o
$(fuzz_bins): $(BUILD)/%: $(BUILD)/%.o $(FUZZ_MAIN) \
    $(call area_libs,$(ALL_AREAS))
	$(ld) $(LIBS)

# The library that makes system calls fail.
faults := $(patsubst %.c,$(BUILD)/%.so,$(wildcard tests/fault/*.c))
$(faults): $(BUILD)/%.so: %.c Makefile $(READY)
	$(cc) -MMD -MP -fPIC -shared -o $@ $< -ldl $(SAID)

# What is loaded before libc reaches only calls of a program that loads libc.
loaders := $(BUILD)/tests/fault/hpsort $(BUILD)/tests/fault/hpmerge
$(loaders): SORT_LIBS = $(OWN_LIBS)

# hpexchange-mpi with each MPI that Debian has.
define mpi_rule
$(BUILD)/tests/mpi/$(1)/%.o: HP_CPPFLAGS += $$(call mpi_headers,mpicc.$(1))
$(BUILD)/tests/mpi/$(1)/%.o: cmd/hpexchange-mpi/%.c Makefile $(READY)
	$$(cc) -MMD -MP -c -o $$@ $$< $$(SAID)
$(BUILD)/tests/mpi/$(1)/hpexchange-mpi: $(patsubst cmd/hpexchange-mpi/%.c,\
    $(BUILD)/tests/mpi/$(1)/%.o,$(wildcard cmd/hpexchange-mpi/*.c)) \
    $(hpexchange-mpi_SHARED:%.c=$(BUILD)/%.o) $(CMD_OBJS) \
    $(call area_libs,$(hpexchange-mpi_AREAS))
	$$(ld) $$(hpexchange_LIBS) $$(call mpi_libs,mpicc.$(1))
endef
$(foreach m,openmpi mpich,$(eval $(call mpi_rule,$(m))))
mpi_bins := $(if $(filter mpi,$(WITH)),\
	$(foreach m,openmpi mpich,$(BUILD)/tests/mpi/$(m)/hpexchange-mpi))

tests: all completions $(test_bins) $(fuzz_bins) $(faults) $(loaders) $(mpi_bins)

# All that is compiled, and nothing linked; and what was said of it.
objects := $(sort $(foreach a,$(ALL_AREAS),$(call area_objs,$(a))) \
    $(foreach p,$(PROGS),$(call prog_objs,$(p))) $(CMD_OBJS) \
    $(test_bins:%=%.o) $(fuzz_bins:%=%.o) \
    $(FUZZ_MAIN) $(faults))
objects: $(objects)
said: objects
	@cat $(objects:%=%.said)

# What clang says of the sources of all that.  One process of its own, without
# the driver, reads them: to load it takes longer than to read most of them.
sources = $(filter %.c,$(objects:$(BUILD)/%.o=%.c) $(faults:$(BUILD)/%.so=%.c))
sources:
	@printf '%s\n' $(sources)
by-clang: HP_CPPFLAGS += $(if $(MPICC),$(call mpi_headers,$(MPICC)))
by-clang:
	@command=$$($(CLANG) -### -fsyntax-only -Werror -Itests/unit \
	    $(HP_CPPFLAGS) $(HP_CFLAGS) $(firstword $(sources)) 2>&1 | sed -n \
	    's/ "-disable-free"//; s/^\( .*"-cc1".*\) "[^"]*"$$/\1/p') && \
	    eval "$${command:-false} $(sources)"

deps:
	@$(DEPS) $(filter-out deps,$(MAKECMDGOALS))

# TESTS=WORD... chooses suites.  tests/run reads WITH from the environment.
check check-san: export WITH := $(WITH)
check: tests
	HPBIN=$(BUILD)/bin tests/run $(TESTS)

# Prints the suites in C that start threads, or make it fail.
threaded = nm -A $(test_bins:$(BUILD)/%=$(BUILD)/tsan/%) | \
	sed -n 's|.*/tests/\(.*\):.* pthread_create.*|\1|p'

# Of hpexchange-mpi only the copies for its suites: MPI leaks memory.  hpsim is
# left out: SimGrid switches stacks, which the sanitizers do not know.
check-san: | $(deps_first)
	+$(MAKE) BUILD=$(BUILD)/asan MPICC= SIMGRID= tests \
	    CFLAGS='$(SAN_CFLAGS) -fsanitize=address,undefined'
	HP_SANITIZER=address HP_TIMEOUT=900 HPBIN=$(BUILD)/asan/bin \
	    tests/run $(TESTS)
	+$(MAKE) BUILD=$(BUILD)/tsan MPICC= SIMGRID= tests \
	    CFLAGS='$(SAN_CFLAGS) -fsanitize=thread'
	HP_SANITIZER=thread HP_TIMEOUT=900 HPBIN=$(BUILD)/tsan/bin \
	    tests/run $(or $(TESTS),sort merge exchange $$($(threaded)))

lint: $(SCRIPTS:%=$(BUILD)/bin/%) | $(deps_first)
	HPBIN=$(BUILD)/bin tests/run lint

bench: all
	for b in tests/bench/*.sh; do \
		HPBIN=$(CURDIR)/$(BUILD)/bin "$$b" || exit; \
	done

bench-%: all
	HPBIN=$(CURDIR)/$(BUILD)/bin tests/bench/$*.sh

# What the papers measured, and what we measure: minutes.
experiments: all
	for s in $(filter-out %/gpc.sh,$(wildcard examples/papers/*.sh)); do \
		HPBIN=$(CURDIR)/$(BUILD)/bin "$$s" || exit; \
	done

# The main experiment of Cérin, Dubacq and Roch, RUNS times each, on hosts of the
# lab: 10 minutes.  Writes the sections on GPC of RESULTS.md, and draws them.
RUNS ?= 10
headline: all
	HPBIN=$(BUILD)/bin examples/papers/gpc.sh $(RUNS) >$(BUILD)/headline.md
	cat $(BUILD)/headline.md
	awk -f examples/papers/gpc.awk examples/papers/RESULTS.md \
	    $(BUILD)/headline.md >$(BUILD)/results.md
	mv $(BUILD)/results.md examples/papers/RESULTS.md
	HPBIN=$(BUILD)/bin examples/pictures/draw.sh

# The pictures that README shows, from data in examples/pictures.
pictures: all
	HPBIN=$(BUILD)/bin examples/pictures/draw.sh

# A matrix product on emulated machines, one of which pages: minutes.
matmul: all $(BUILD)/examples/matmul
	HPBIN=$(BUILD)/bin MATMUL=$(BUILD)/examples/matmul \
	    examples/matmul/run.sh

$(BUILD)/examples/matmul: examples/matmul/matmul.c Makefile | $(deps_first)
	$(cc) $(HP_LDFLAGS) -o $@ $< -lopenblas

# FAULTS=N SEED=N: faults at random between the machines of the lab.
faults: all
	HPBIN=$(BUILD)/bin tests/lab/faults

demo: all
	HPBIN=$(BUILD)/bin examples/one-machine/demo.sh

# The same over hosts of the lab.
demo-lab: all
	HPBIN=$(BUILD)/bin tests/lab/demo

# New inputs stay in $(BUILD)/corpus; put what matters into tests/corpus.
fuzz: | $(deps_first)
	+$(MAKE) BUILD=$(BUILD)/fuzz CC=$(CLANG) FUZZ_MAIN= \
	    CFLAGS='$(SAN_CFLAGS) -fsanitize=fuzzer-no-link,address,undefined' \
	    LDFLAGS=-fsanitize=fuzzer fuzzers
	for f in $(fuzz_bins:$(BUILD)/%=$(BUILD)/fuzz/%); do \
		n=$${f##*/} && n=$${n%_fuzz} && \
		mkdir -p $(BUILD)/corpus/$$n tests/corpus/$$n && \
		$$f -max_total_time=$(FUZZ_SECONDS) -timeout=10 \
		    -artifact_prefix=$(BUILD)/corpus/ \
		    $(BUILD)/corpus/$$n tests/corpus/$$n || exit; \
	done

fuzzers: $(fuzz_bins)

# In a fresh Debian made by debootstrap: root and the network are needed.
check-bare:
	tests/bare

# AREA=net, or BASE=REV: mutants of an area, or of a change; N=15 SEED=1.
mutate: tests
	@CC='$(CC)' HPBIN=$(BUILD)/bin N='$(N)' SEED='$(SEED)' BASE='$(BASE)' \
	    SUITES='$(SUITES)' \
	    tests/mutate $(AREA)

# On arm64 and on lesser x86-64, emulated: root and the network are needed.
check-processors:
	tests/processors $(TESTS)

format:
	find lib cmd tests examples -name '*.[ch]' | xargs $(CLANG_FORMAT) -i

.PHONY: tests objects said sources by-clang deps check check-san lint bench experiments headline pictures matmul demo demo-lab \
	faults fuzz fuzzers check-bare check-processors format mutate
