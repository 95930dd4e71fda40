// Compiled by nvcc 13.5: nvcc --ptx --gpu-architecture=compute_75 declared_nvcc.cu. The PTX was given version 9.0 by hand, which
// drivers from 580 on take.

namespace stats {

struct Range {
    float low;
    float high;
};

template <class T>
__global__ void scale(const T *from, T *to, unsigned n, T by) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] * by;
}

template __global__ void scale<float>(const float *, float *, unsigned, float);
template __global__ void scale<double>(const double *, double *, unsigned, double);

__global__ void __launch_bounds__(128) count(const float *values, unsigned n, Range range, unsigned long long *found) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && range.low <= values[i] && values[i] < range.high) atomicAdd(found, 1ULL);
}

}
