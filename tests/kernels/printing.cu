// What kernels print.

extern "C" __global__ void print_numbers(int i, unsigned u, unsigned long long l, float f)
{
    printf("%d %i %u %x %X %o %c|%5d|%-5d|%05d|%+d\n", i, -i, u, u, u, u, 'a' + i, i, i, i, i);
    printf("%lld %llu %llx %ld\n", -(long long)l, l, l, (long)l);
    printf("%f %.3f %e %g %10.2f|%s %%\n", f, f, (double)f * 1e10, f / 3.0, -f, "text");
}

extern "C" __global__ void print_threads(int *results)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    results[thread] = printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
}
