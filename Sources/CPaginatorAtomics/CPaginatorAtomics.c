// A target needs a file to compile; the functions are inline.
#include "CPaginatorAtomics.h"
