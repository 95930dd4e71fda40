// Quotients and remainders of every integer type, and by constants
extern "C" __global__ void integer_division(const long long *a, const long long *b, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long *o = out + 16 * i;
    o[0] = a[i] / b[i];
    o[1] = a[i] % b[i];
    o[2] = (unsigned long long)a[i] / (unsigned long long)b[i];
    o[3] = (unsigned long long)a[i] % (unsigned long long)b[i];
    int x = (int)a[i], y = (int)b[i] | 1;
    o[4] = x / y;
    o[5] = x % y;
    o[6] = (unsigned)x / (unsigned)y;
    o[7] = (unsigned)x % (unsigned)y;
    short s = (short)x, t = (short)y;
    o[8] = (short)(s / t);
    o[9] = (short)(s % t);
    o[10] = (unsigned short)s / (unsigned short)t;
    o[11] = (unsigned short)s % (unsigned short)t;
    o[12] = x / 7;
    o[13] = (unsigned)x % 1000u;
    o[14] = a[i] / 10;
    o[15] = __mulhi(x, y);
}
