// Every thread takes the same lock in turn, the lanes of one warp included
extern "C" __global__ void spin_lock(int *lock, int *counter, int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        bool done = false;
        while (!done) {
            if (atomicCAS(lock, 0, 1) == 0) {
                __threadfence();
                *(volatile int *)counter = *(volatile int *)counter + 1;
                __threadfence();
                atomicExch(lock, 0);
                done = true;
            }
        }
    }
}
