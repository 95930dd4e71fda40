// An array in local memory: each thread sorts its own numbers
extern "C" __global__ void local_array(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int values[16];
    unsigned char order[16];
    for (int k = 0; k < 16; ++k) {
        values[k] = in[16 * i + k];
        order[k] = (unsigned char)k;
    }
    for (int k = 1; k < 16; ++k) {
        int value = values[k];
        unsigned char place = order[k];
        int j = k - 1;
        while (j >= 0 && values[j] > value) {
            values[j + 1] = values[j];
            order[j + 1] = order[j];
            --j;
        }
        values[j + 1] = value;
        order[j + 1] = place;
    }
    for (int k = 0; k < 16; ++k)
        out[16 * i + k] = values[k] * 16 + order[k];
}
