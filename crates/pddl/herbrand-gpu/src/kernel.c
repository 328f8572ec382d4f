/* One step of many copies of a ground task, one bit per copy. It is compiled as CUDA C++, and as C for tests on a CPU.

   A thread owns one word of every plane: 32 lanes. Plane p of the thread is item p * words + word of `planes`, so that
   neighbouring threads read neighbouring words. Numbers of lanes that only the kernel reads are stored in the same way. The
   constants, the tables and their order are those of `tables.rs` and `memory.rs`. */

typedef unsigned int u32;
typedef unsigned long long u64;

#ifdef __CUDACC__
#define INNER static __device__
#define LOWEST(bits) ((u32)__ffs((int)(bits)) - 1)
#else
#define INNER static
#define LOWEST(bits) ((u32)__builtin_ctz(bits))
#endif

/* The first items of the list: sizes, and the places of tables and planes. */
enum {
    ATOMS, OPERATORS, WIDTH,
    PRECONDITIONS, EFFECTS, AXIOMS, GOAL, INITIAL,
    COUNTS, MASKS, FLAGS,
};

/* The planes behind FLAGS. */
enum { IN_GOAL, DEAD_END, APPLIED, TERMINATED, TRUNCATED, REACHED, OVER, BEGINS };

/* The kinds of rules that make masks. */
enum { WHEN, DRAW, CERTAIN };

/* The kinds of calls. */
enum { BEGIN, SAMPLED, GIVEN };

/* The rules of episodes, as bits. */
enum { GOAL_ENDS = 1, DEAD_END_ENDS = 2, NEXT_STEP = 4, SAME_STEP = 8 };

/* The random streams. */
enum { OUTCOMES, ACTIONS };

enum { DIGITS = 16 };

/* The place of the rewards of an operator that has none. */
#define NO_REWARDS 0xffffffffu

struct thread {
    const u32 *list;
    const u64 *ends;
    const double *amounts;
    u32 *planes;
    u64 *random;
    double *rewards;
    u32 words, word;
};

#define PLANE(p) (thread->planes[(u64)(p) * thread->words + thread->word])
#define VALID(o) PLANE(thread->list[ATOMS] + (o))
#define MASK(m) PLANE(thread->list[MASKS] + (m))
#define FLAG(f) PLANE(thread->list[FLAGS] + (f))
#define OF_LANE(lane) ((u64)(lane) * thread->words + thread->word)
#define ENVIRONMENT(lane) ((u64)thread->word * 32 + (lane))
#define EACH_LANE(rest, set) for (u32 rest = (set); rest; rest &= rest - 1)

/* Draws a word: a step of the counter, then a mix of its bits (the crate herbrand-core, `random.rs`). */
INNER u64 draw(struct thread *thread, u32 stream, u32 lane) {
    u64 *counter = &thread->random[OF_LANE(stream * 64 + lane)];
    u64 increment = thread->random[OF_LANE(stream * 64 + 32 + lane)];
    u64 mixed = *counter += increment;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
    return mixed ^ (mixed >> 31);
}

/* Draws a number below a bound (Lemire, "Fast random integer generation in an interval", 2019). */
INNER u32 draw_below(struct thread *thread, u32 stream, u32 lane, u32 bound) {
    u64 product = (draw(thread, stream, lane) >> 32) * bound;
    if ((u32)product < bound) {
        u32 threshold = (0u - bound) % bound;
        while ((u32)product < threshold)
            product = (draw(thread, stream, lane) >> 32) * bound;
    }
    return (u32)(product >> 32);
}

/* Returns the lanes in which a condition holds, and moves behind it. */
INNER u32 holds(struct thread *thread, const u32 **place) {
    const u32 *at = *place;
    u32 any = 0;
    for (u32 conjunctions = *at++; conjunctions; conjunctions--) {
        u32 all = ~0u, positive = *at++, negative = *at++;
        for (; positive; positive--)
            all &= PLANE(*at++);
        for (; negative; negative--)
            all &= ~PLANE(*at++);
        any |= all;
    }
    *place = at;
    return any;
}

/* Computes the derived atoms, stratum by stratum. */
INNER void derive(struct thread *thread) {
    const u32 *at = thread->list + thread->list[AXIOMS];
    for (u32 strata = *at++; strata; strata--) {
        u32 recursive = *at++, rules = *at++, changed;
        const u32 *heads = at;
        for (u32 rule = 0; rule < rules; rule++)
            PLANE(heads[rule]) = 0;
        do {
            changed = 0;
            at = heads + rules;
            for (u32 rule = 0; rule < rules; rule++) {
                u32 body = holds(thread, &at);
                changed |= body & ~PLANE(heads[rule]);
                PLANE(heads[rule]) |= body;
            }
        } while (recursive && changed);
    }
}

/* Computes all that follows from the fluent atoms: derived atoms, the goal, the valid operators and their number. */
INNER void follow(struct thread *thread) {
    u32 digits[DIGITS] = {0}, any = 0;
    const u32 *at = thread->list + thread->list[GOAL];
    derive(thread);
    FLAG(IN_GOAL) = holds(thread, &at);
    at = thread->list + thread->list[PRECONDITIONS];
    for (u32 operation = 0; operation < thread->list[OPERATORS]; operation++) {
        u32 carry = holds(thread, &at);
        VALID(operation) = carry;
        any |= carry;
        for (u32 digit = 0; carry; digit++) {
            u32 both = digits[digit] & carry;
            digits[digit] ^= carry;
            carry = both;
        }
    }
    for (u32 digit = 0; digit < thread->list[WIDTH]; digit++)
        PLANE(thread->list[COUNTS] + digit) = digits[digit];
    FLAG(DEAD_END) = ~any;
}

/* Carries out an operator in some lanes. */
INNER void carry_out(struct thread *thread, u32 operation, u32 lanes) {
    const u32 *at = thread->list + thread->list[thread->list[EFFECTS] + operation];
    u32 next = 1;
    MASK(0) = lanes;
    for (u32 rules = *at++; rules; rules--) {
        u32 kind = *at++, outer = MASK(*at++);
        if (kind == WHEN) {
            MASK(next) = outer & holds(thread, &at);
            next++;
            continue;
        }
        u32 alternatives = *at++, last = *at++;
        for (u32 alternative = 0; alternative < alternatives; alternative++)
            MASK(next + alternative) = 0;
        if (kind == CERTAIN) {
            if (last < alternatives)
                MASK(next + last) = outer;
        } else {
            const u64 *ends = thread->ends + *at++;
            EACH_LANE(rest, outer) {
                u64 word = draw(thread, OUTCOMES, LOWEST(rest));
                u32 drawn = 0;
                while (drawn < alternatives && word >= ends[drawn])
                    drawn++;
                drawn = drawn < alternatives ? drawn : last;
                if (drawn < alternatives)
                    MASK(next + drawn) |= rest & (0u - rest);
            }
        }
        next += alternatives;
    }
    for (u32 deletes = *at++; deletes; deletes--, at += 2)
        PLANE(at[1]) &= ~MASK(at[0]);
    for (u32 adds = *at++; adds; adds--, at += 2)
        PLANE(at[1]) |= MASK(at[0]);
    u32 amounts = *at++, rewarded = *at++;
    if (amounts == NO_REWARDS)
        return;
    EACH_LANE(rest, lanes) {
        u32 lane = LOWEST(rest), subset = 0;
        for (u32 place = 0; place < rewarded; place++)
            subset |= (MASK(at[place]) >> lane & 1) << place;
        thread->rewards[ENVIRONMENT(lane)] = thread->amounts[amounts + subset];
    }
}

/* Draws a valid operator for each of some lanes, and carries it out in those of them that do not rest. */
INNER void sample(struct thread *thread, u32 lanes, u32 resting, u32 *actions) {
    u32 rank[DIGITS] = {0}, width = thread->list[WIDTH];
    EACH_LANE(rest, lanes) {
        u32 lane = LOWEST(rest), count = 0;
        for (u32 digit = 0; digit < width; digit++)
            count |= (PLANE(thread->list[COUNTS] + digit) >> lane & 1) << digit;
        u32 drawn = draw_below(thread, ACTIONS, lane, count);
        for (u32 digit = 0; digit < width; digit++)
            rank[digit] |= (drawn >> digit & 1) << lane;
    }
    /* Each valid operator takes 1 from the ranks of its lanes. A lane whose rank was 0 chooses it. */
    for (u32 operation = 0; lanes && operation < thread->list[OPERATORS]; operation++) {
        u32 borrow = VALID(operation) & lanes;
        for (u32 digit = 0; borrow && digit < width; digit++) {
            u32 zero = ~rank[digit] & borrow;
            rank[digit] ^= borrow;
            borrow = zero;
        }
        if (borrow) {
            lanes &= ~borrow;
            EACH_LANE(rest, borrow)
                actions[ENVIRONMENT(LOWEST(rest))] = operation;
            if (borrow & ~resting)
                carry_out(thread, operation, borrow & ~resting);
        }
    }
}

/* Carries out the given operators where they are valid, and returns these lanes. */
INNER u32 take(struct thread *thread, u32 lanes, const u32 *actions) {
    u32 taken = 0;
    EACH_LANE(rest, lanes) {
        u32 lane = LOWEST(rest), operation = actions[ENVIRONMENT(lane)];
        if (operation < thread->list[OPERATORS] && (VALID(operation) >> lane & 1))
            taken |= 1u << lane;
    }
    EACH_LANE(rest, taken)
        carry_out(thread, actions[ENVIRONMENT(LOWEST(rest))], rest & (0u - rest));
    return taken;
}

/* Moves some lanes to an initial state. `follow` must be called after it. */
INNER void restart(struct thread *thread, u32 lanes, u32 *elapsed) {
    const u32 *initial = thread->list + thread->list[INITIAL];
    if (!lanes)
        return;
    for (u32 atom = 0; atom < thread->list[ATOMS]; atom++) {
        u32 all = 0u - (initial[atom / 32] >> atom % 32 & 1);
        PLANE(atom) = (PLANE(atom) & ~lanes) | (lanes & all);
    }
    carry_out(thread, thread->list[OPERATORS], lanes);
    EACH_LANE(rest, lanes)
        elapsed[OF_LANE(LOWEST(rest))] = 0;
}

/* Begins or steps the environments of one thread. */
INNER void step(struct thread *thread, u32 kind, u32 rules, u32 horizon, double goal_reward, u32 used, u32 *elapsed,
                u32 *actions) {
    u32 over = FLAG(OVER), before = FLAG(IN_GOAL);
    u32 begins = kind == BEGIN ? FLAG(BEGINS) & used : rules & NEXT_STEP ? over : 0;
    u32 acting = kind == BEGIN ? 0 : used & ~over;
    /* A goal that ends episodes and holds before a step is that of an initial state. */
    u32 resting = FLAG(DEAD_END) | (rules & GOAL_ENDS ? before : 0), stepping = acting & ~resting;
    u32 written = kind == BEGIN ? begins : used;
    EACH_LANE(rest, written) {
        thread->rewards[ENVIRONMENT(LOWEST(rest))] = 0;
        if (kind == SAMPLED)
            actions[ENVIRONMENT(LOWEST(rest))] = 0;
    }
    if (kind == SAMPLED)
        sample(thread, acting & ~FLAG(DEAD_END), resting, actions);
    if (kind == GIVEN)
        stepping = take(thread, stepping, actions);
    restart(thread, begins, elapsed);
    follow(thread);
    u32 goal = FLAG(IN_GOAL) & acting, truncated = 0;
    EACH_LANE(rest, goal & ~before)
        thread->rewards[ENVIRONMENT(LOWEST(rest))] += goal_reward;
    u32 reached = rules & GOAL_ENDS ? goal : 0;
    u32 terminated = reached | (rules & DEAD_END_ENDS ? FLAG(DEAD_END) & acting : 0);
    EACH_LANE(rest, acting) {
        u32 steps = ++elapsed[OF_LANE(LOWEST(rest))];
        if (horizon && steps >= horizon)
            truncated |= rest & (0u - rest);
    }
    truncated &= ~terminated;
    u32 ended = terminated | truncated;
    FLAG(TERMINATED) = (FLAG(TERMINATED) & ~written) | terminated;
    FLAG(TRUNCATED) = (FLAG(TRUNCATED) & ~written) | truncated;
    FLAG(REACHED) = (FLAG(REACHED) & ~written) | reached;
    FLAG(APPLIED) = (FLAG(APPLIED) & ~written) | stepping;
    if (rules & SAME_STEP) {
        FLAG(APPLIED) &= ~ended;
        restart(thread, ended, elapsed);
        if (ended)
            follow(thread);
        ended = 0;
    }
    FLAG(OVER) = (over & ~begins) | ended;
}

#define PARAMETERS                                                                                                             \
    const u32 *list, const u64 *ends, const double *amounts, u32 *planes, u64 *random, u32 *elapsed, u32 *actions,             \
        double *rewards, u32 count, u32 kind, u32 rules, u32 horizon, double goal_reward

#define STEP(word_of_thread)                                                                                                   \
    struct thread self = {list, ends, amounts, planes, random, rewards, (count + 31) / 32, (word_of_thread)};                  \
    u32 left = count - self.word * 32, used = left < 32 ? (1u << left) - 1 : ~0u;                                              \
    step(&self, kind, rules, horizon, goal_reward, used, elapsed, actions)

#ifdef __CUDACC__
extern "C" __global__ void herbrand_step(PARAMETERS) {
    u32 word = blockIdx.x * blockDim.x + threadIdx.x;
    if (word < (count + 31) / 32) {
        STEP(word);
    }
}
#else
static void herbrand_step(PARAMETERS) {
    for (u32 word = 0; word < (count + 31) / 32; word++) {
        STEP(word);
    }
}
#endif
