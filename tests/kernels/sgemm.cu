// c = alpha * a * b + beta * c for square matrices whose size is a multiple of the tile: 256 threads compute a tile, and
// each of them four rows by four columns of it
#define TILE 64
#define DEPTH 8

extern "C" __global__ void sgemm(const float *a, const float *b, float *c, int n, float alpha, float beta)
{
    __shared__ float tile_a[DEPTH][TILE];
    __shared__ __align__(16) float tile_b[DEPTH][TILE];
    int left = threadIdx.x % 16 * 4, top = threadIdx.x / 16 * 4;
    const float *rows = a + blockIdx.y * TILE * n;
    const float *columns = b + blockIdx.x * TILE;
    float sums[4][4] = {};
    for (int start = 0; start < n; start += DEPTH) {
        for (int i = threadIdx.x; i < TILE * DEPTH; i += 256) {
            tile_a[i % DEPTH][i / DEPTH] = rows[i / DEPTH * n + start + i % DEPTH];
            tile_b[i / TILE][i % TILE] = columns[(start + i / TILE) * n + i % TILE];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            float4 b4 = *reinterpret_cast<float4 *>(&tile_b[k][left]);
#pragma unroll
            for (int row = 0; row < 4; ++row) {
                float factor = tile_a[k][top + row];
                sums[row][0] = fmaf(factor, b4.x, sums[row][0]);
                sums[row][1] = fmaf(factor, b4.y, sums[row][1]);
                sums[row][2] = fmaf(factor, b4.z, sums[row][2]);
                sums[row][3] = fmaf(factor, b4.w, sums[row][3]);
            }
        }
        __syncthreads();
    }
    c += (blockIdx.y * TILE + top) * n + blockIdx.x * TILE + left;
#pragma unroll
    for (int row = 0; row < 4; ++row)
#pragma unroll
        for (int column = 0; column < 4; ++column)
            c[row * n + column] = alpha * sums[row][column] + beta * c[row * n + column];
}
