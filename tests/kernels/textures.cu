// Every way to read a texture through an object, and surfaces with each boundary mode.
extern "C" __global__ void fetches(cudaTextureObject_t line, cudaTextureObject_t plane, cudaTextureObject_t space,
                                   cudaTextureObject_t layers, cudaTextureObject_t levels, cudaTextureObject_t cube,
                                   cudaTextureObject_t memory, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = i * 0.25f + 0.125f, y = i * 0.125f + 0.4375f, z = 0.625f;
    float *to = out + 16 * i;
    to[0] = tex1D<float>(line, x);
    to[1] = tex2D<float>(plane, x, y);
    to[2] = tex3D<float>(space, x, y, z);
    to[3] = tex2DLayered<float>(layers, x, y, i % 3);
    to[4] = tex2DLod<float>(levels, x / 16, y / 16, z);
    to[5] = tex2DGrad<float>(levels, x / 16, y / 16, make_float2(z / 8, 0), make_float2(0, z / 16));
    to[6] = texCubemap<float>(cube, x - 4, y - 2, 0.65f);
    to[7] = tex1Dfetch<float>(memory, i);
    float4 four = tex2Dgather<float4>(plane, x, y, 0);
    to[8] = four.x; to[9] = four.y; to[10] = four.z; to[11] = four.w;
    float4 texel = tex2D<float4>(plane, y, x);
    to[12] = texel.x;
    to[13] = tex1DLod<float>(line, x, 0);
    to[14] = tex1Dfetch<float>(memory, -i - 1);
}
extern "C" __global__ void surfaces(cudaSurfaceObject_t from, cudaSurfaceObject_t to, cudaSurfaceObject_t layers, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    uchar4 a = surf2Dread<uchar4>(from, x * sizeof(uchar4), y, cudaBoundaryModeTrap);
    uchar4 b = surf2Dread<uchar4>(from, (x + 1) * (int)sizeof(uchar4), y, cudaBoundaryModeClamp);
    uchar4 c = surf2Dread<uchar4>(from, x * (int)sizeof(uchar4), y - 1, cudaBoundaryModeZero);
    surf2Dwrite(make_uchar4(a.x, b.y, c.z, a.w), to, x * (int)sizeof(uchar4), y, cudaBoundaryModeTrap);
    ushort2 s; surf2DLayeredread(&s, layers, x * (int)sizeof(ushort2), y, 1);
    surf2DLayeredwrite(make_ushort2(s.y, s.x), layers, x * (int)sizeof(ushort2), y, 0);
}
