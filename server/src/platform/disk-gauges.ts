import { Gauge, type Registry } from 'prom-client'
import { type DiskSpace, diskSpace } from './disk-space.ts'

const LOOK_EVERY_MS = 15_000
const ANSWER_WITHIN_MS = 1_000

/**
 * Free and total bytes of the disks of some folders. A folder that is not there, or whose disk does not answer, is left
 * out: a network disk that hangs must not hang /metrics.
 */
export function addDiskGauges(registry: Registry, folders: Record<string, string | undefined>): void {
  const disks = Object.entries(folders).flatMap(([name, folder]) => (folder ? [{ name, look: watchDisk(folder) }] : []))
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
  add('dubplate_disk_free_bytes', 'Free on the disk of a folder: `data`, `backups`.', (space) => space.free_bytes)
  add('dubplate_disk_bytes', 'Size of the disk of a folder: `data`, `backups`.', (space) => space.disk_bytes)
}

function watchDisk(folder: string): () => Promise<DiskSpace | undefined> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let seen: DiskSpace | undefined
  let looking: Promise<void> | undefined
  return async () => {
    if (!looking && performance.now() - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = performance.now()
      looking = diskSpace(folder)
        .catch(() => undefined)
        .then((space) => {
          seen = space
          looking = undefined
        })
    }
    if (!looking) return seen
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, ANSWER_WITHIN_MS, 'late')
    })
    const answer = await Promise.race([looking, late]).finally(() => clearTimeout(timer))
    return answer === 'late' ? undefined : seen
  }
}
