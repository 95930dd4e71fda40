/* The work of benches/engine.rs as plain C, on one core. For each kernel: the best time of some rounds, and the sum of
   the words of the result. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static uint32_t sum(const void *words, size_t count)
{
    uint32_t total = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, 4);
        total += word;
    }
    return total;
}

__attribute__((noinline)) static void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = 0; i < n; ++i)
        y[i] = a * x[i] + y[i];
}

/* A product and a sum each: a fused operation would be a call of the library here. */
__attribute__((noinline)) static void fma_loop(int n, float *out, float a, float b, int rounds)
{
    for (int i = 0; i < n; ++i) {
        float x = (float)i;
        for (int round = 0; round < rounds; ++round)
            x = x * a + b;
        out[i] = x;
    }
}

__attribute__((noinline)) static void mandelbrot(int *out, int width, int height, int limit)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
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
}

/* The order of loops that a C programmer would choose; each sum is added up in the same order as on the device. */
__attribute__((noinline)) static void matmul(const float *a, const float *b, float *c, int n)
{
    memset(c, 0, sizeof(float) * n * n);
    for (int row = 0; row < n; ++row)
        for (int k = 0; k < n; ++k) {
            float factor = a[row * n + k];
            for (int column = 0; column < n; ++column)
                c[row * n + column] += factor * b[k * n + column];
        }
}

__attribute__((noinline)) static void reduce(const int *in, int n, int *out)
{
    int total = 0;
    for (int i = 0; i < n; ++i)
        total += in[i];
    *out = total;
}

#define MEASURE(name, prepare, work, words, count)                \
    do {                                                          \
        double best = 1e300;                                      \
        for (int round = 0; round < rounds; ++round) {            \
            prepare;                                              \
            double start = now();                                 \
            work;                                                 \
            double time = now() - start;                          \
            if (time < best)                                      \
                best = time;                                      \
        }                                                         \
        printf("%s %.0f %u\n", name, best, sum(words, count));    \
    } while (0)

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 5;
    enum { N = 1 << 20, THREADS = 16384, SIDE = 256 };
    float *x = malloc(4 * N), *y = malloc(4 * N), *z = malloc(4 * N);
    int *in = malloc(4 * N), *out = malloc(4 * N);
    for (int i = 0; i < N; ++i) {
        x[i] = (float)(i % 1000) / 8.0f;
        in[i] = i % 1000 - 300;
    }
    MEASURE("saxpy", for (int i = 0; i < N; ++i) y[i] = (float)(i % 777), saxpy(N, 2.5f, x, y), y, N);
    MEASURE("fma_loop", , fma_loop(THREADS, z, 0.5f, 1.25f, 1000), z, THREADS);
    MEASURE("mandelbrot", , mandelbrot(out, SIDE, SIDE, 256), out, SIDE *SIDE);
    MEASURE("matmul_tiled", , matmul(x, x + SIDE * SIDE, z, SIDE), z, SIDE *SIDE);
    MEASURE("reduce_int", , reduce(in, N, out), out, 1);
    return 0;
}
