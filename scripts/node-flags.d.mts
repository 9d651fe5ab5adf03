export const nodeFlags: string[]
export const memoryEnvironment: { MALLOC_ARENA_MAX: string }
