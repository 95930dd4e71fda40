// The acceleration of each body by all bodies, whose positions and masses pass through shared memory
extern "C" __global__ void nbody(const float4 *bodies, float4 *accelerations, int n, float softening)
{
    extern __shared__ float4 tile[];
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = bodies[index];
    float x = 0.0f, y = 0.0f, z = 0.0f;
    for (int start = 0; start < n; start += blockDim.x) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int i = 0; i < blockDim.x; ++i) {
            float4 other = tile[i];
            float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            float factor = other.w * inverse * inverse * inverse;
            x += dx * factor;
            y += dy * factor;
            z += dz * factor;
        }
        __syncthreads();
    }
    accelerations[index] = make_float4(x, y, z, 0.0f);
}
