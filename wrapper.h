/* What the raw bindings are generated from. The committed output came from CUDA 13.5's cuda.h. */
#include <cuda.h>
