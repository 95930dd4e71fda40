// NVRTC: --generate-line-info
// Kernels with one mistake each, and the same kernels without it. `tests/support/mistakes.rs` launches them.

// Every thread stores one word, and the program launches more threads than there are words.
extern "C" __global__ void fill(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
}

extern "C" __global__ void fill_checked(unsigned *out, unsigned words) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < words)
        out[i] = i;
}

// A word that is not at a multiple of four bytes.
extern "C" __global__ void unaligned(unsigned char *bytes, unsigned offset) {
    *reinterpret_cast<unsigned *>(bytes + offset) = 1;
}

__device__ __noinline__ unsigned word_at(const unsigned *in, unsigned i) {
    return in[i];
}

// Reads what the program may not have written.
extern "C" __global__ void sum_pairs(const unsigned *in, unsigned *out) {
    unsigned i = threadIdx.x;
    out[i] = word_at(in, 2 * i) + word_at(in, 2 * i + 1);
}

// Reverses the words of a block.
extern "C" __global__ void reverse_unsynchronized(unsigned *data) {
    __shared__ unsigned tile[64];
    unsigned i = threadIdx.x;
    tile[i] = data[i];
    data[i] = tile[63 - i];
}

extern "C" __global__ void reverse(unsigned *data) {
    __shared__ unsigned tile[64];
    unsigned i = threadIdx.x;
    tile[i] = data[i];
    __syncthreads();
    data[i] = tile[63 - i];
}

// Threads without a word leave before the barrier.
extern "C" __global__ void leave_early(unsigned *data, unsigned words) {
    __shared__ unsigned tile[64];
    unsigned i = threadIdx.x;
    if (i >= words)
        return;
    tile[i] = data[i];
    __syncthreads();
    data[i] = tile[words - 1 - i];
}

// Each half of the block has a barrier of its own.
extern "C" __global__ void two_barriers(unsigned *data) {
    unsigned i = threadIdx.x;
    if (i < 32) {
        data[i] = 1;
        __syncthreads();
    } else {
        data[i] = 2;
        __syncthreads();
        data[i] += 1;
    }
}

// Every block adds to one word, without an atomic operation.
extern "C" __global__ void count(unsigned *total) {
    if (threadIdx.x == 0)
        *total += 1;
}

extern "C" __global__ void count_atomically(unsigned *total) {
    if (threadIdx.x == 0)
        atomicAdd(total, 1);
}

// The last thread stores behind the tile.
extern "C" __global__ void shift(unsigned *data) {
    __shared__ unsigned tile[64];
    unsigned i = threadIdx.x;
    tile[i + 1] = data[i];
    __syncthreads();
    data[i] = i == 0 ? 0 : tile[i];
}
