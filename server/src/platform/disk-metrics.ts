import { Gauge, type Registry } from 'prom-client'
import { type DiskSpace, diskSpace } from './disk-space.ts'

const CHECK_INTERVAL_MS = 15_000
const MEASURE_TIMEOUT_MS = 1_000

/**
 * Adds gauges for the free and total bytes of the disks of some folders. A folder that is missing, or whose disk does
 * not respond, is left out: a network disk that hangs must not block /metrics.
 */
export function addDiskGauges(registry: Registry, folders: Record<string, string | undefined>): void {
  const disks = Object.entries(folders).flatMap(([name, folder]) =>
    folder ? [{ name, look: createDiskCheck(folder) }] : [],
  )
  const add = (name: string, help: string, measure: (space: DiskSpace) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['folder'],
      registers: [registry],
      async collect() {
        this.reset()
        for (const disk of disks) {
          const space = await disk.look()
          if (space) this.set({ folder: disk.name }, measure(space))
        }
      },
    })
  add(
    'dubplate_disk_free_bytes',
    'Free disk space of a folder, in bytes: `data`, `backups`.',
    (space) => space.free_bytes,
  )
  add('dubplate_disk_bytes', 'Disk size of a folder, in bytes: `data`, `backups`.', (space) => space.disk_bytes)
}

function createDiskCheck(folder: string): () => Promise<DiskSpace | undefined> {
  let lastMeasuredAt = Number.NEGATIVE_INFINITY
  let lastSpace: DiskSpace | undefined
  let measuring: Promise<void> | undefined
  return async () => {
    if (!measuring && performance.now() - lastMeasuredAt >= CHECK_INTERVAL_MS) {
      lastMeasuredAt = performance.now()
      measuring = diskSpace(folder)
        .catch(() => undefined)
        .then((space) => {
          lastSpace = space
          measuring = undefined
        })
    }
    if (!measuring) return lastSpace
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, MEASURE_TIMEOUT_MS, 'late')
    })
    const outcome = await Promise.race([measuring, timeout]).finally(() => clearTimeout(timer))
    return outcome === 'late' ? undefined : lastSpace
  }
}
