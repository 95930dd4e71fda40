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

// Adds 1 to each word.
extern "C" __global__ void increment(unsigned *data) {
    data[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

// Stores before the first word.
extern "C" __global__ void shift_down(unsigned *data) {
    int i = threadIdx.x;
    data[i - 1] = i;
}

extern "C" __global__ void add_each(unsigned *totals) {
    atomicAdd(totals + threadIdx.x, 1);
}

// An atomic operation on a word that is not at a multiple of four bytes.
extern "C" __global__ void add_unaligned(unsigned char *bytes, unsigned offset) {
    atomicAdd(reinterpret_cast<unsigned *>(bytes + offset), 1);
}

// Four words at once, from an address that is a multiple of four bytes.
extern "C" __global__ void load_four(const unsigned *in, uint4 *out) {
    *out = *reinterpret_cast<const uint4 *>(in + 1);
}

extern "C" __global__ void unaligned_shared(unsigned *out, unsigned offset) {
    __shared__ unsigned char bytes[64];
    bytes[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *out = *reinterpret_cast<unsigned *>(bytes + offset);
}

// The program says how many words of dynamic shared memory there are.
extern "C" __global__ void reverse_dynamic(unsigned *data) {
    extern __shared__ unsigned words[];
    unsigned i = threadIdx.x;
    words[i] = data[i];
    __syncthreads();
    data[i] = words[blockDim.x - 1 - i];
}

__device__ unsigned table[16];

// The variable has fewer words than the block has threads.
extern "C" __global__ void fill_table() {
    table[threadIdx.x] = threadIdx.x;
}

__constant__ unsigned coefficients[16];

// The index is the program's.
extern "C" __global__ void constant_at(unsigned *out, unsigned index) {
    *out = coefficients[index];
}

extern "C" __global__ void local_at(unsigned *out, unsigned index) {
    volatile unsigned words[16];
    for (unsigned i = 0; i < 16; i++)
        words[i] = i;
    *out = words[index];
}

// Threads of a warp hand words on through shared memory.
extern "C" __global__ void rotate_unsynchronized(unsigned *data) {
    __shared__ unsigned tile[32];
    unsigned i = threadIdx.x;
    tile[i] = data[i];
    data[i] = tile[(i + 1) % 32];
}

extern "C" __global__ void rotate(unsigned *data) {
    __shared__ unsigned tile[32];
    unsigned i = threadIdx.x;
    tile[i] = data[i];
    __syncwarp();
    data[i] = tile[(i + 1) % 32];
}

// Warps repeat the barrier as often as their word says.
extern "C" __global__ void repeat_barrier(unsigned *counts) {
    unsigned count = counts[threadIdx.x / 32];
    for (unsigned i = 0; i < count; i++)
        __syncthreads();
}

// Every thread stores its own number to one word.
extern "C" __global__ void same_word(unsigned *out) {
    *out = threadIdx.x;
}

// Threads read the neighbour that another thread writes.
extern "C" __global__ void smooth_in_place(unsigned *data) {
    unsigned i = threadIdx.x;
    unsigned next = data[(i + 1) % blockDim.x];
    data[i] = next + 1;
}

extern "C" __global__ void smooth(const unsigned *in, unsigned *out) {
    unsigned i = threadIdx.x;
    unsigned next = in[(i + 1) % blockDim.x];
    out[i] = next + 1;
}

// Half of the warp waits for all of it.
extern "C" __global__ void half_syncwarp(unsigned *data) {
    unsigned i = threadIdx.x;
    if (i < 16) {
        __syncwarp(0xffff0000);
        data[i] = i;
    }
}
