/* A CUDA driver and an NVRTC on the CPU, for tests: the memory of its one GPU is memory of the host, and calls are done when they
   return. It has the functions that the crate calls. It is stricter than needed: every call wants the context current on its
   thread, handles must be alive, and freed memory is overwritten. The kernel's text stands before this one.

   Variables of the environment make it fail: HERBRAND_GPUS (the number of GPUs, 1 by default), HERBRAND_GPU_FREE (its free bytes),
   HERBRAND_GPU_FAULT (the name of a function that fails), HERBRAND_NVRTC_FAULT. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_CONTEXT = 201, INVALID_HANDLE = 400, UNKNOWN = 999 };

static _Thread_local void *current;
static int device_context, module, retained;

/* The calls that order streams, one per line, for tests. */
static char journal[1 << 16];

struct block {
    struct block *next;
    size_t size;
    int alive;
    char *items;
};
static struct block *blocks;

struct event {
    int alive;
};

static int fails(const char *name) {
    const char *fault = getenv("HERBRAND_GPU_FAULT");
    return fault && !strcmp(fault, name);
}

#define CHECKED(name)                                                                                                          \
    if (fails(name))                                                                                                           \
        return UNKNOWN;                                                                                                        \
    if (current != &device_context)                                                                                            \
        return INVALID_CONTEXT

static void note(const char *format, void *stream) {
    size_t used = strlen(journal);
    snprintf(journal + used, sizeof journal - used, format, stream);
}

EXPORT const char *herbrand_journal(void) { return journal; }

EXPORT void herbrand_clear_journal(void) { journal[0] = 0; }

EXPORT size_t herbrand_live_bytes(void) {
    size_t sum = 0;
    for (struct block *block = blocks; block; block = block->next)
        sum += block->alive ? block->size : 0;
    return sum;
}

static struct block *block_of(unsigned long long address, size_t size) {
    for (struct block *block = blocks; block; block = block->next) {
        unsigned long long start = (size_t)block->items;
        if (block->alive && address >= start && address + size <= start + block->size)
            return block;
    }
    return NULL;
}

EXPORT int cuInit(unsigned flags) { return flags; }

EXPORT int cuDeviceGetCount(int *count) {
    const char *gpus = getenv("HERBRAND_GPUS");
    *count = gpus ? atoi(gpus) : 1;
    return *count ? OK : NO_DEVICE;
}

EXPORT int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return OK;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
    *value = attribute && !device;
    return OK;
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = &device_context;
    retained++;
    return device;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device) { return retained-- > 0 ? device : INVALID_CONTEXT; }

EXPORT int cuCtxGetCurrent(void **context) {
    *context = current;
    return OK;
}

EXPORT int cuCtxSetCurrent(void *context) {
    current = context;
    return OK;
}

EXPORT int cuMemGetInfo_v2(size_t *free, size_t *total) {
    const char *bytes = getenv("HERBRAND_GPU_FREE");
    CHECKED("cuMemGetInfo");
    *total = (size_t)1 << 33;
    *free = bytes ? strtoull(bytes, NULL, 10) : *total;
    return OK;
}

EXPORT int cuModuleLoadData(void **loaded, const void *image) {
    CHECKED("cuModuleLoadData");
    *loaded = &module;
    return strcmp(image, "kernel") ? INVALID_VALUE : OK;
}

EXPORT int cuModuleGetFunction(void **function, void *loaded, const char *name) {
    CHECKED("cuModuleGetFunction");
    *function = &module;
    return loaded == &module && !strcmp(name, "herbrand_step") ? OK : INVALID_VALUE;
}

EXPORT int cuModuleUnload(void *loaded) {
    CHECKED("cuModuleUnload");
    return loaded == &module ? OK : INVALID_HANDLE;
}

EXPORT int cuMemAllocAsync(unsigned long long *address, size_t size, void *stream) {
    CHECKED("cuMemAlloc");
    struct block *block = malloc(sizeof *block);
    *block = (struct block){blocks, size, 1, aligned_alloc(256, (size + 255) / 256 * 256)};
    memset(block->items, 0xaa, size);
    blocks = block;
    *address = (size_t)block->items;
    return stream ? INVALID_HANDLE : OK;
}

EXPORT int cuMemFreeAsync(unsigned long long address, void *stream) {
    CHECKED("cuMemFree");
    struct block *block = block_of(address, 0);
    if (!block || (size_t)block->items != address || stream)
        return INVALID_VALUE;
    /* Kept, so that readers of freed memory are seen by what they read. */
    memset(block->items, 0xdd, block->size);
    block->alive = 0;
    return OK;
}

EXPORT int cuMemsetD8Async(unsigned long long address, unsigned char byte, size_t size, void *stream) {
    CHECKED("cuMemsetD8");
    if (!block_of(address, size) || stream)
        return INVALID_VALUE;
    memset((void *)(size_t)address, byte, size);
    return OK;
}

EXPORT int cuMemcpyHtoDAsync_v2(unsigned long long address, const void *from, size_t size, void *stream) {
    CHECKED("cuMemcpyHtoD");
    if (!block_of(address, size) || stream)
        return INVALID_VALUE;
    memcpy((void *)(size_t)address, from, size);
    return OK;
}

EXPORT int cuMemcpyDtoHAsync_v2(void *into, unsigned long long address, size_t size, void *stream) {
    CHECKED("cuMemcpyDtoH");
    if (!block_of(address, size) || stream)
        return INVALID_VALUE;
    memcpy(into, (void *)(size_t)address, size);
    return OK;
}

EXPORT int cuStreamSynchronize(void *stream) {
    CHECKED("cuStreamSynchronize");
    return stream ? INVALID_HANDLE : OK;
}

EXPORT int cuEventCreate(struct event **event, unsigned flags) {
    (void)flags;
    CHECKED("cuEventCreate");
    *event = malloc(sizeof **event);
    (*event)->alive = 1;
    return OK;
}

EXPORT int cuEventDestroy_v2(struct event *event) {
    CHECKED("cuEventDestroy");
    if (!event->alive)
        return INVALID_HANDLE;
    event->alive = 0;
    return OK;
}

EXPORT int cuEventRecord(struct event *event, void *stream) {
    CHECKED("cuEventRecord");
    note("record %p\n", stream);
    return event->alive ? OK : INVALID_HANDLE;
}

EXPORT int cuStreamWaitEvent(void *stream, struct event *event, unsigned flags) {
    CHECKED("cuStreamWaitEvent");
    note("wait %p\n", stream);
    return event->alive && !flags ? OK : INVALID_HANDLE;
}

EXPORT int cuLaunchKernel(void *function, unsigned grid, unsigned y, unsigned z, unsigned block, unsigned block_y,
                          unsigned block_z, unsigned shared, void *stream, void **given, void **extra) {
    CHECKED("cuLaunchKernel");
    u32 count = *(u32 *)given[8];
    if (function != &module || y * z * block_y * block_z != 1 || shared || stream || extra)
        return INVALID_VALUE;
    if ((u64)grid * block < (count + 31) / 32)
        return INVALID_VALUE;
    note("launch %p\n", stream);
    for (int index = 0; index < 8; index++)
        if (!block_of(*(unsigned long long *)given[index], 1))
            return INVALID_VALUE;
    herbrand_step(*(u32 **)given[0], *(u64 **)given[1], *(double **)given[2], *(u32 **)given[3], *(u64 **)given[4],
                  *(u32 **)given[5], *(u32 **)given[6], *(double **)given[7], count, *(u32 *)given[9], *(u32 *)given[10],
                  *(u32 *)given[11], *(double *)given[12]);
    return OK;
}

EXPORT int cuGetErrorName(int error, const char **name) {
    *name = error == INVALID_CONTEXT ? "CUDA_ERROR_INVALID_CONTEXT" : "CUDA_ERROR_UNKNOWN";
    return OK;
}

EXPORT int cuGetErrorString(int error, const char **text) {
    *text = error == INVALID_CONTEXT ? "invalid device context" : "a fault of a test";
    return OK;
}

EXPORT int nvrtcCreateProgram(void **program, const char *source, const char *name, int headers, const char **texts,
                              const char **names) {
    *program = &module;
    return name || headers || texts || names || !strstr(source, "herbrand_step");
}

EXPORT int nvrtcCompileProgram(void *program, int count, const char **options) {
    int separate = 0;
    for (int index = 0; index < count; index++)
        separate |= !strcmp(options[index], "--fmad=false");
    return program != &module || !separate || getenv("HERBRAND_NVRTC_FAULT") ? 6 : 0;
}

EXPORT int nvrtcGetPTXSize(void *program, size_t *size) {
    *size = sizeof "kernel";
    return program != &module;
}

EXPORT int nvrtcGetPTX(void *program, char *text) {
    strcpy(text, "kernel");
    return program != &module;
}

EXPORT int nvrtcGetProgramLogSize(void *program, size_t *size) {
    *size = sizeof "a fault of a test";
    return program != &module;
}

EXPORT int nvrtcGetProgramLog(void *program, char *text) {
    strcpy(text, "a fault of a test");
    return program != &module;
}

EXPORT int nvrtcDestroyProgram(void **program) {
    *program = NULL;
    return OK;
}
