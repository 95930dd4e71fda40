// How many steps each point takes to leave the circle
extern "C" __global__ void mandelbrot(int *out, int width, int height, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float cr = -2.0f + 3.0f * (float)x / (float)width;
    float ci = -1.5f + 3.0f * (float)y / (float)height;
    float zr = 0.0f, zi = 0.0f;
    int steps = 0;
    while (steps < limit) {
        float r2 = zr * zr;
        float i2 = zi * zi;
        if (r2 + i2 > 4.0f)
            break;
        zi = 2.0f * zr * zi + ci;
        zr = r2 - i2 + cr;
        ++steps;
    }
    out[y * width + x] = steps;
}
