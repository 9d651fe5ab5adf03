import { availableParallelism, totalmem } from 'node:os'

const MEGABYTE = 2 ** 20

export type Machine = {
  /** Memory that this process and the database may use together. */
  memoryBytes: number
  cores: number
}

/** The machine, or the limits of the container on it. */
export function readMachine(): Machine {
  // 0 or 2^64 - 1 without a limit (uv_get_constrained_memory).
  const limit = process.constrainedMemory()
  return {
    memoryBytes: limit > 0 && limit < totalmem() ? limit : totalmem(),
    cores: availableParallelism(),
  }
}

const between = (min: number, value: number, max: number): number => Math.min(max, Math.max(min, Math.floor(value)))

/**
 * Settings of the embedded PostgreSQL for a machine, as `name=value`. The web process, the worker and the page cache of
 * the operating system use the same memory, so PostgreSQL's own cache stays small. Names and meanings: PostgreSQL 18,
 * chapters 19.4 to 19.7.
 */
export function databaseSettings({ memoryBytes, cores }: Machine): string[] {
  const memoryMb = memoryBytes / MEGABYTE
  return [
    'max_connections=60',
    'jit=off',
    'unix_socket_permissions=0700',
    'timezone=UTC',
    `shared_buffers=${between(64, memoryMb / 8, 1024)}MB`,
    `effective_cache_size=${between(128, memoryMb / 2, 65_536)}MB`,
    // For each sort and hash table; few requests have more than one, and rarely at the same time.
    `work_mem=${between(4, memoryMb / 256, 32)}MB`,
    `maintenance_work_mem=${between(32, memoryMb / 16, 512)}MB`,
    // Disks without moving parts read any page almost as fast as the next one. With the default of 4, PostgreSQL prefers
    // to walk a large index from its end to looking up the few rows that match.
    'random_page_cost=1.1',
    'max_wal_size=2GB',
    'wal_compression=on',
    `max_parallel_workers=${cores}`,
    `max_parallel_workers_per_gather=${between(0, cores / 2, 4)}`,
    `max_parallel_maintenance_workers=${between(0, cores / 2, 4)}`,
  ]
}
