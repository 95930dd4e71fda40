#include "kernels.cuh"

template <class T> __global__ void sum(const T *x, T *out, unsigned n) {
    T all = 0;
    for (unsigned i = 0; i < n; i++) all += x[i];
    *out = all;
}

namespace sims {
__constant__ float factors[4];
__device__ Wind last;
__global__ void step(Wind wind, float by, bool is_stored) {
    if (is_stored) {
        last = wind;
        last.strength *= by;
    }
}
}

__device__ double total;

__global__ void add(float *x, int n) { *x += n; }
__global__ void add(double *x, int n) { *x -= n; }

extern "C" __global__ void plain(float *x, const float4 *y) { *x = y->w * sims::factors[1]; }

__global__ void numbers(char a, signed char b, unsigned char c, short d, unsigned short e, int f, unsigned g, long h,
    unsigned long i, long long j, unsigned long long k, float l, double m, bool n, size_t o) {}

enum Mode { MODE_A, MODE_B };
struct Opaque;
__global__ void others(Mode mode, void *any, Opaque *opaque, volatile float *seen, float2 pair, float **table,
    const char *text, unsigned long long texture) {}

struct Holder { float *data; };
__global__ void wrapped(Mode mode, float by, float *data, Holder holder, unsigned long long handle) {}

#if __CUDACC_VER_MAJOR__ < 12
texture<float, 1> image;
__global__ void sample(float *out) { *out = tex1Dfetch(image, 2); }
#endif

__global__ void given(const float2 &by, const float2 *pair, bool is_on) {}
