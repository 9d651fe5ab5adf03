import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Where bytes are kept, each under the SHA-256 of its content, one folder for each kind. */
export type Kind = 'audio' | 'previews' | 'images'
export type Storage = {
  path(kind: Kind, sha256: string, ending?: string): string
  /** Whether the bytes are there. Throws when the disk does not say, so that nothing is taken for lost that is not. */
  has(kind: Kind, sha256: string, ending?: string): Promise<boolean>
  /** Copies a file in. The bytes are on disk under their name before this returns. */
  keepFile(kind: Kind, from: string, ending?: string): Promise<{ sha256: string; bytes: number }>
  keepBytes(kind: Kind, bytes: Uint8Array, ending?: string): Promise<{ sha256: string; bytes: number }>
  /** A place for a file in the making, on the same disk. */
  scratch(name: string): Promise<string>
}

export function makeDiskStorage(dataDir: string): Storage {
  const media = path.join(dataDir, 'media')
  const place = (kind: Kind, sha256: string, ending = '') =>
    path.join(media, kind, sha256.slice(0, 2), sha256.slice(2, 4), `${sha256}${ending}`)
  const scratch = async (name: string) => {
    await mkdir(path.join(media, 'scratch'), { recursive: true })
    return path.join(media, 'scratch', `${randomUUID()}-${path.basename(name).slice(-60)}`)
  }
  const has = (kind: Kind, sha256: string, ending?: string) => isThere(place(kind, sha256, ending))
  const settle = async (temporary: string, kind: Kind, sha256: string, ending: string) => {
    if (await has(kind, sha256, ending)) return rm(temporary)
    const final = place(kind, sha256, ending)
    await mkdir(path.dirname(final), { recursive: true })
    await syncFile(temporary)
    await rename(temporary, final)
    await syncFile(path.dirname(final))
  }
  return {
    path: place,
    has,
    scratch,
    keepFile: async (kind, from, ending = '') => {
      const temporary = await scratch('copy')
      const hash = createHash('sha256')
      let bytes = 0
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk)
          bytes += chunk.length
          done(null, chunk)
        },
      })
      try {
        await pipeline(createReadStream(from, { highWaterMark: 1 << 18 }), measure, createWriteStream(temporary))
        const sha256 = hash.digest('hex')
        await settle(temporary, kind, sha256, ending)
        return { sha256, bytes }
      } finally {
        await rm(temporary, { force: true })
      }
    },
    keepBytes: async (kind, content, ending = '') => {
      const sha256 = createHash('sha256').update(content).digest('hex')
      const temporary = await scratch('bytes')
      try {
        await writeFile(temporary, content)
        await settle(temporary, kind, sha256, ending)
        return { sha256, bytes: content.length }
      } finally {
        await rm(temporary, { force: true })
      }
    },
  }
}

const NOT_THERE = new Set(['ENOENT', 'ENOTDIR'])

async function isThere(name: string): Promise<boolean> {
  try {
    await access(name)
    return true
  } catch (error) {
    if (NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

async function syncFile(name: string): Promise<void> {
  const file = await open(name, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The SHA-256 of a file's content, in hex. */
export async function hashFile(name: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(name, { highWaterMark: 1 << 18 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
