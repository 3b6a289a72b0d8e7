# Targets for developers; included by the Makefile.

check: all $(test_bins)
	HPBIN=$(BUILD)/bin tests/run $(TESTS)

.PHONY: check
