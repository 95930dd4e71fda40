/* The work of the kernels as plain C, on one core. Prints the best time of some rounds of one of them in nanoseconds, and
   the total of the result: a checksum of its words, or the sum of the magnitudes of its numbers.

   usage: native ROUNDS KERNEL */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Points of a Fourier transform, keys that are sorted together. */
enum { GROUP = 1024 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static double words(const void *result, size_t count)
{
    uint32_t total = 0;
    for (size_t i = 0; i < count; ++i)
        total = total * 31 + ((const uint32_t *)result)[i];
    return total;
}

static double magnitudes(const float *result, size_t count)
{
    double total = 0.0;
    for (size_t i = 0; i < count; ++i)
        total += fabsf(result[i]);
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

/* The sums of a product as above; then they are scaled and added to what is there. */
__attribute__((noinline)) static void sgemm(const float *a, const float *b, float *c, int n, float alpha, float beta)
{
    float sums[256];
    for (int row = 0; row < n; ++row) {
        memset(sums, 0, sizeof sums);
        for (int k = 0; k < n; ++k) {
            float factor = a[row * n + k];
            for (int column = 0; column < n; ++column)
                sums[column] += factor * b[k * n + column];
        }
        for (int column = 0; column < n; ++column)
            c[row * n + column] = alpha * sums[column] + beta * c[row * n + column];
    }
}

__attribute__((noinline)) static void block_sum(const int *in, int groups, int *out)
{
    for (int group = 0; group < groups; ++group) {
        int total = 0;
        for (int i = 0; i < 512; ++i)
            total += in[group * 512 + i];
        out[group] = total;
    }
}

__attribute__((noinline)) static void histogram(const unsigned char *data, int n, uint32_t *counts)
{
    for (int i = 0; i < n; ++i)
        ++counts[data[i]];
}

/* The same network as on the device. */
__attribute__((noinline)) static void sort(const uint32_t *in, int groups, uint32_t *out)
{
    memcpy(out, in, sizeof(uint32_t) * GROUP * groups);
    for (int group = 0; group < groups; ++group) {
        uint32_t *keys = out + GROUP * group;
        for (int size = 2; size <= GROUP; size *= 2)
            for (int stride = size / 2; stride > 0; stride /= 2)
                for (int first = 0; first < GROUP; first += 2 * stride)
                    for (int low = first; low < first + stride; ++low) {
                        uint32_t a = keys[low], b = keys[low + stride];
                        int swap = (a > b) == ((low & size) == 0);
                        keys[low] = swap ? b : a;
                        keys[low + stride] = swap ? a : b;
                    }
    }
}

typedef struct {
    float x, y;
} complex_number;

__attribute__((noinline)) static void fft(const complex_number *in, const complex_number *roots, int groups,
                                          const int *reversed, complex_number *out)
{
    for (int group = 0; group < groups; ++group) {
        complex_number *points = out + GROUP * group;
        for (int i = 0; i < GROUP; ++i)
            points[reversed[i]] = in[GROUP * group + i];
        for (int half = 1; half < GROUP; half *= 2)
            for (int first = 0; first < GROUP; first += 2 * half)
                for (int within = 0; within < half; ++within) {
                    complex_number root = roots[GROUP / 2 / half * within];
                    complex_number *low = points + first + within, *high = low + half;
                    complex_number even = *low, odd = *high;
                    float x = root.x * odd.x - root.y * odd.y, y = root.x * odd.y + root.y * odd.x;
                    *low = (complex_number){even.x + x, even.y + y};
                    *high = (complex_number){even.x - x, even.y - y};
                }
    }
}

__attribute__((noinline)) static void nbody(const float *bodies, float *accelerations, int n, float softening)
{
    for (int own = 0; own < n; ++own) {
        float x = 0.0f, y = 0.0f, z = 0.0f;
        for (int other = 0; other < n; ++other) {
            float dx = bodies[4 * other] - bodies[4 * own];
            float dy = bodies[4 * other + 1] - bodies[4 * own + 1];
            float dz = bodies[4 * other + 2] - bodies[4 * own + 2];
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
            float factor = bodies[4 * other + 3] * inverse * inverse * inverse;
            x += dx * factor;
            y += dy * factor;
            z += dz * factor;
        }
        accelerations[4 * own] = x;
        accelerations[4 * own + 1] = y;
        accelerations[4 * own + 2] = z;
        accelerations[4 * own + 3] = 0.0f;
    }
}

static float normal_distribution(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float polynomial =
        k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * expf(-0.5f * d * d) * polynomial;
    return d > 0.0f ? 1.0f - tail : tail;
}

__attribute__((noinline)) static void black_scholes(const float *prices, const float *strikes, const float *years,
                                                    float *calls, float *puts, float rate, float volatility, int n)
{
    for (int i = 0; i < n; ++i) {
        float price = prices[i], strike = strikes[i], time = years[i];
        float deviation = volatility * sqrtf(time);
        float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * time) / deviation;
        float d2 = d1 - deviation;
        float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
        float discounted = strike * expf(-rate * time);
        calls[i] = price * n1 - discounted * n2;
        puts[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
    }
}

static float part(int i, int step)
{
    return (float)((int64_t)i * step % 1009) / 1009.0f;
}

#define MEASURE(kernel, prepare, work, total)                          \
    do {                                                               \
        if (strcmp(kernel, name))                                      \
            break;                                                     \
        double best = 1e300;                                           \
        for (int round = 0; round < rounds; ++round) {                 \
            prepare;                                                   \
            double start = now();                                      \
            work;                                                      \
            double time = now() - start;                               \
            if (time < best)                                           \
                best = time;                                           \
        }                                                              \
        printf("%.0f %.17g\n", best, total);                           \
    } while (0)

int main(int count, char **arguments)
{
    if (count < 3)
        return 1;
    int rounds = atoi(arguments[1]);
    const char *name = arguments[2];
    enum { N = 1 << 20, THREADS = 16384, SIDE = 256, GROUPS = 128, BODIES = 2048, OPTIONS = 1 << 17 };
    float *x = malloc(4 * N), *y = malloc(4 * N), *z = malloc(4 * N);
    int *in = malloc(4 * N), *out = malloc(4 * N);
    for (int i = 0; i < N; ++i) {
        x[i] = (float)(i % 1000) / 8.0f;
        in[i] = i % 1000 - 300;
    }
    uint32_t *noise = malloc(4 * N);
    unsigned char *bytes = malloc(N);
    for (uint32_t i = 0; i < N; ++i) {
        uint32_t word = i * 2654435761u;
        noise[i] = word ^ word >> 15;
        bytes[i] = (unsigned char)(noise[i] >> 8);
    }
    float *points = malloc(8 * GROUP * GROUPS);
    for (int i = 0; i < 2 * GROUP * GROUPS; ++i)
        points[i] = (float)(i % 1000) / 500.0f - 1.0f;
    complex_number roots[GROUP / 2];
    for (int i = 0; i < GROUP / 2; ++i) {
        double angle = -6.28318530717958647692 * i / GROUP;
        roots[i] = (complex_number){(float)cos(angle), (float)sin(angle)};
    }
    int reversed[GROUP];
    for (int i = 0; i < GROUP; ++i) {
        reversed[i] = 0;
        for (int bit = 0; bit < 10; ++bit)
            reversed[i] |= (i >> bit & 1) << (9 - bit);
    }
    float *bodies = malloc(16 * BODIES);
    for (int i = 0; i < BODIES; ++i) {
        bodies[4 * i] = part(i, 17);
        bodies[4 * i + 1] = part(i, 101);
        bodies[4 * i + 2] = part(i, 503);
        bodies[4 * i + 3] = part(i, 7) + 0.5f;
    }
    float *prices = malloc(4 * OPTIONS), *strikes = malloc(4 * OPTIONS), *years = malloc(4 * OPTIONS);
    for (int i = 0; i < OPTIONS; ++i) {
        prices[i] = 5.0f + 25.0f * part(i, 17);
        strikes[i] = 1.0f + 99.0f * part(i, 101);
        years[i] = 0.25f + 9.75f * part(i, 503);
    }
    MEASURE("saxpy", for (int i = 0; i < N; ++i) y[i] = (float)(i % 777), saxpy(N, 2.5f, x, y), words(y, N));
    MEASURE("fma_loop", , fma_loop(THREADS, z, 0.5f, 1.25f, 1000), magnitudes(z, THREADS));
    MEASURE("mandelbrot", , mandelbrot(out, SIDE, SIDE, 256), words(out, SIDE *SIDE));
    MEASURE("matmul_tiled", , matmul(x, x + SIDE * SIDE, z, SIDE), words(z, SIDE *SIDE));
    MEASURE("sgemm", memset(z, 0, 4 * N), sgemm(x, x + SIDE * SIDE, z, SIDE, 0.5f, 0.25f), magnitudes(z, SIDE *SIDE));
    MEASURE("reduce_int", , reduce(in, N, out), words(out, 1));
    MEASURE("block_sum", , block_sum(in, N / 512, out), words(out, N / 512));
    MEASURE("histogram", memset(out, 0, 1024), histogram(bytes, N, (uint32_t *)out), words(out, 256));
    MEASURE("sort", , sort(noise, GROUPS, (uint32_t *)out), words(out, GROUP *GROUPS));
    MEASURE("fft", , fft((complex_number *)points, roots, GROUPS, reversed, (complex_number *)z),
            words(z, 2 * GROUP * GROUPS));
    MEASURE("nbody", , nbody(bodies, z, BODIES, 0.01f), magnitudes(z, 4 * BODIES));
    MEASURE("black_scholes", , black_scholes(prices, strikes, years, y, z, 0.02f, 0.3f, OPTIONS),
            magnitudes(y, OPTIONS));
    return 0;
}
