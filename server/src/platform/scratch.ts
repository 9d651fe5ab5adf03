import { randomUUID } from 'node:crypto'
import { mkdir, statfs } from 'node:fs/promises'
import path from 'node:path'

/** Where files are created before they are stored, on this machine's disk. */
export type Scratch = {
  place(name: string): Promise<string>
  freeBytes(): Promise<number | undefined>
}

export function createScratch(dataDir: string): Scratch {
  const folder = path.join(dataDir, 'media', 'scratch')
  return {
    place: async (name) => {
      await mkdir(folder, { recursive: true })
      return path.join(folder, `${randomUUID()}-${path.basename(name).slice(-60)}`)
    },
    freeBytes: async () => {
      await mkdir(folder, { recursive: true })
      const { bavail, bsize } = await statfs(folder)
      // Some network file systems do not report this.
      return bsize > 0 ? bavail * bsize : undefined
    },
  }
}

/** Returns the folder of all temporary files. It exists when this resolves. */
export const scratchFolder = async (storage: { scratch(name: string): Promise<string> }): Promise<string> =>
  path.dirname(await storage.scratch('folder'))
