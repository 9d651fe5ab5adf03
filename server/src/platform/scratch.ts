import { randomUUID } from 'node:crypto'
import { mkdir, statfs } from 'node:fs/promises'
import path from 'node:path'

/** Where files are made before they are kept, on this machine's disk. */
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
      // Some file systems that come over the network tell nothing.
      return bsize > 0 ? bavail * bsize : undefined
    },
  }
}

/** The folder of all that is being made. It is there when this answers. */
export const scratchFolder = async (storage: { scratch(name: string): Promise<string> }): Promise<string> =>
  path.dirname(await storage.scratch('folder'))
