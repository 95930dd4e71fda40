// Functions that stay functions: values, structures, recursion
struct Vector {
    float x, y, z;
    int tag;
};

__device__ __noinline__ int collatz(long long n)
{
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++steps;
    }
    return steps;
}

__device__ __noinline__ Vector cross(Vector a, Vector b)
{
    Vector c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, a.tag + b.tag};
    return c;
}

__device__ __noinline__ int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

extern "C" __global__ void func_call(const Vector *a, const Vector *b, Vector *c, int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    c[i] = cross(a[i], b[i]);
    // Some lanes call, others do not, and they return at different times.
    steps[i] = i % 3 ? collatz(i + 1) : ackermann(2, i % 5);
}
