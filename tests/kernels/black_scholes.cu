// The prices of European options by the formula of Black and Scholes
__device__ float normal_distribution(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float polynomial =
        k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * expf(-0.5f * d * d) * polynomial;
    return d > 0.0f ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(const float *prices, const float *strikes, const float *years, float *calls,
                                         float *puts, float rate, float volatility, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float price = prices[i], strike = strikes[i], time = years[i];
    float deviation = volatility * sqrtf(time);
    float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * time) / deviation;
    float d2 = d1 - deviation;
    float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
    float discounted = strike * expf(-rate * time);
    calls[i] = price * n1 - discounted * n2;
    puts[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
}
