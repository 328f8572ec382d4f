/* Runs the kernel on a CPU: reads the tables once, then a call and the memory again and again, and writes the memory after each
   call. The kernel's text stands before this one. */

#include <stdio.h>
#include <stdlib.h>

static void *array(size_t size, u32 length) {
    void *items = calloc((size_t)length + 1, size);
    if (!items || fread(items, size, length, stdin) != length)
        exit(2);
    return items;
}

int main(void) {
    u32 lengths[8];
    double goal_reward;
    if (fread(lengths, 4, 8, stdin) != 8 || fread(&goal_reward, 8, 1, stdin) != 1)
        return 2;
    u32 *list = array(4, lengths[0]);
    u64 *ends = array(8, lengths[1]);
    double *amounts = array(8, lengths[2]);
    u32 call[4];
    while (fread(call, 4, 4, stdin) == 4) {
        u32 *planes = array(4, lengths[3]);
        u64 *random = array(8, lengths[4]);
        u32 *elapsed = array(4, lengths[5]), *actions = array(4, lengths[6]);
        double *rewards = array(8, lengths[7]);
        herbrand_step(list, ends, amounts, planes, random, elapsed, actions, rewards, call[0], call[1], call[2], call[3],
                      goal_reward);
        fwrite(planes, 4, lengths[3], stdout);
        fwrite(random, 8, lengths[4], stdout);
        fwrite(elapsed, 4, lengths[5], stdout);
        fwrite(actions, 4, lengths[6], stdout);
        fwrite(rewards, 8, lengths[7], stdout);
        fflush(stdout);
        free(planes), free(random), free(elapsed), free(actions), free(rewards);
    }
    return 0;
}
