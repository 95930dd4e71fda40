// The sum of each 512 integers by a block of 256 threads: a tree in shared memory, whose last levels are shuffles
extern "C" __global__ void block_sum(const int *in, int *out)
{
    __shared__ int partial[256];
    unsigned index = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    int sum = in[index] + in[index + blockDim.x];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride >= 32; stride /= 2) {
        if (threadIdx.x < stride)
            partial[threadIdx.x] = sum = sum + partial[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, offset);
        if (threadIdx.x == 0)
            out[blockIdx.x] = sum;
    }
}
