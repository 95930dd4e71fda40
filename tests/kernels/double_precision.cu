// Polynomials, roots and quotients in double precision
extern "C" __global__ void double_precision(const double *x, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double p = 1.0;
    for (int k = 0; k < 8; ++k)
        p = p * v + (double)(k + 1);
    double *o = out + 8 * i;
    o[0] = p;
    o[1] = sqrt(fabs(v));
    o[2] = 1.0 / v;
    o[3] = fma(v, v, -p);
    o[4] = fmin(v, p) + fmax(v, 2.0);
    o[5] = (double)(float)v;
    o[6] = (double)(long long)v;
    o[7] = v < p ? floor(v) : ceil(v);
}
