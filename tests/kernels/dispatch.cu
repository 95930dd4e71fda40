// Calls that are not decided before the kernel runs: function pointers, virtual functions, and printing.

typedef int (*operation)(int, int);

__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }

__device__ operation table[3] = {add, subtract, multiply};

struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual int corners() const { return 4; }
    __device__ virtual ~Shape() {}
};

struct Square : Shape {
    int side;
    __device__ Square(int side) : side(side) {}
    __device__ int area() const override { return side * side; }
};

struct Triangle : Shape {
    int base, height;
    __device__ Triangle(int base, int height) : base(base), height(height) {}
    __device__ int area() const override { return base * height / 2; }
    __device__ int corners() const override { return 3; }
};

extern "C" __global__ void pointers(const int *which, const int *a, const int *b, int *out, int n)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n)
        out[index] = table[which[index]](a[index], b[index]);
}

extern "C" __global__ void shapes(const int *size, int *out, int n)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= n)
        return;
    Square square(size[index]);
    Triangle triangle(size[index], index);
    const Shape *shape = index % 3 == 0 ? (const Shape *)&triangle : (const Shape *)&square;
    out[index] = shape->area() * 10 + shape->corners();
}

extern "C" __global__ void printing(const char *name, int *out)
{
    int index = threadIdx.x;
    out[index] = -1;
    if (index < 2)
        out[index] = printf("%s: thread %d of %u, %5.2f, %c\n", name, index, blockDim.x, index + 0.25, 'a' + index);
    else if (index == 2)
        out[index] = printf("no more\n");
}
