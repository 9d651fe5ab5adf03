// How the processes of the pool are started, so that they use less memory: docs/decisions/0065-memory.md.

/**
 * V8 collects garbage when the heap has grown by 30 % since the last full collection, instead of up to four times, and
 * its young generation is at most 12 MB instead of 48 MB.
 */
export const nodeFlags = ['--enable-source-maps', '--max-semi-space-size=4', '--heap-growing-percent=30']

/** Of glibc's allocator: two arenas instead of eight per core, each of which keeps freed memory. */
export const memoryEnvironment = { MALLOC_ARENA_MAX: '2' }
