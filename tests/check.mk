# Targets for developers; included by the Makefile.
