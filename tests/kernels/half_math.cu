// Half precision without the header: conversions and arithmetic on the bits
__device__ unsigned short add(unsigned short a, unsigned short b)
{
    unsigned short c;
    asm("add.rn.f16 %0, %1, %2;" : "=h"(c) : "h"(a), "h"(b));
    return c;
}

__device__ unsigned short fma_half(unsigned short a, unsigned short b, unsigned short c)
{
    unsigned short d;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(d) : "h"(a), "h"(b), "h"(c));
    return d;
}

extern "C" __global__ void half_math(const unsigned short *a, const unsigned short *b, unsigned short *out, float *wide, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(a[i]));
    wide[i] = value;
    unsigned short back;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(back) : "f"(value * 1.5f));
    out[3 * i] = add(a[i], b[i]);
    out[3 * i + 1] = fma_half(a[i], b[i], a[i]);
    out[3 * i + 2] = back;
}
