// Exchanges between the lanes of a warp, and votes of all of them.

extern "C" __global__ void shuffles(const unsigned *in, unsigned *out, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = in[thread];
    unsigned all = 0xffffffffu;
    out[0 * n + thread] = __shfl_up_sync(all, value, 5);
    out[1 * n + thread] = __shfl_down_sync(all, value, 3, 8);
    out[2 * n + thread] = __shfl_xor_sync(all, value, 9);
    out[3 * n + thread] = __shfl_sync(all, value, (threadIdx.x * 7) % 32, 16);
    out[4 * n + thread] = __ballot_sync(all, value & 1);
    out[5 * n + thread] = 2 * __any_sync(all, value % 50 == 0) + __all_sync(all, value % 50 != 1);
    // Odd lanes alone.
    if (threadIdx.x & 1)
        out[6 * n + thread] = __shfl_sync(0xaaaaaaaau, value, 31) + __popc(__ballot_sync(0xaaaaaaaau, value & 2));
    // A double travels in two halves.
    double number = value * 0.5;
    for (int offset = 16; offset > 0; offset /= 2)
        number += __shfl_xor_sync(all, number, offset);
    out[7 * n + thread] = (unsigned)number;
}
