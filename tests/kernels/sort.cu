// Sorts each 1024 keys by a block of 512 threads: a bitonic network in shared memory
#define KEYS 1024

extern "C" __global__ void sort(const unsigned *in, unsigned *out)
{
    __shared__ unsigned keys[KEYS];
    in += blockIdx.x * KEYS;
    out += blockIdx.x * KEYS;
    for (int i = threadIdx.x; i < KEYS; i += KEYS / 2)
        keys[i] = in[i];
    for (int size = 2; size <= KEYS; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            bool ascending = (low & size) == 0;
            unsigned a = keys[low], b = keys[low + stride];
            if ((a > b) == ascending) {
                keys[low] = b;
                keys[low + stride] = a;
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < KEYS; i += KEYS / 2)
        out[i] = keys[i];
}
