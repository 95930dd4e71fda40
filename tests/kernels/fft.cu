// The Fourier transform of 1024 points by each block of 512 threads, radix 2, in shared memory
#define POINTS 1024

extern "C" __global__ void fft(const float2 *in, const float2 *roots, float2 *out)
{
    __shared__ float2 points[POINTS];
    in += blockIdx.x * POINTS;
    out += blockIdx.x * POINTS;
    for (int i = threadIdx.x; i < POINTS; i += POINTS / 2)
        points[__brev(i) >> 22] = in[i];
    __syncthreads();
    for (int half = 1; half < POINTS; half *= 2) {
        int within = threadIdx.x & (half - 1);
        int low = 2 * threadIdx.x - within;
        float2 root = roots[POINTS / 2 / half * within];
        float2 even = points[low], odd = points[low + half];
        float2 turned = make_float2(root.x * odd.x - root.y * odd.y, root.x * odd.y + root.y * odd.x);
        points[low] = make_float2(even.x + turned.x, even.y + turned.y);
        points[low + half] = make_float2(even.x - turned.x, even.y - turned.y);
        __syncthreads();
    }
    for (int i = threadIdx.x; i < POINTS; i += POINTS / 2)
        out[i] = points[i];
}
