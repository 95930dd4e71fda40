/* Gives programs that ask NVRTC for machine code the PTX of the same compilation. For LD_PRELOAD.
 *
 * NVRTC makes both, if the option --gpu-architecture names a real architecture. */
#include <nvrtc.h>

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size) { return nvrtcGetPTXSize(program, size); }

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *code) { return nvrtcGetPTX(program, code); }
