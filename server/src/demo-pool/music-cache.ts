import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Recipe } from '@dubplate/demo/song'
import type { RenderedTrack } from './music-messages.ts'

type CacheEntry = { made: RenderedTrack; music: Uint8Array }

const HASH_BYTES = 32
const FOLDER_NAME = /^music-[0-9a-f]{16}$/

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/**
 * Identifies the code that makes music: a built program names its chunks by their content, and the encoder is a package
 * of its own.
 */
export const hashSynthesiser = async (program: string): Promise<string> => {
  const encoder = createRequire(import.meta.url).resolve('wasm-media-encoders')
  const sources = await Promise.all([program, encoder].map((file) => readFile(file)))
  return sha256(...sources, process.versions.v8).toString('hex')
}

/**
 * Music made before by the same synthesiser, for pools that are filled again and again. Several processes can share
 * `parent`: a file is renamed into place when it is complete, and begins with the hash of its content, so a damaged one
 * is made again.
 */
export function openMusicCache(parent: string, synthesiser: string) {
  const name = `music-${synthesiser.slice(0, 16)}`
  const folder = path.join(parent, name)
  const cachePath = (recipe: Recipe) => path.join(folder, sha256(JSON.stringify(recipe)).toString('hex'))

  return {
    /** Writes the music to `target` and returns what was measured; undefined when it was not made before. */
    async copyTo(target: string, recipe: Recipe): Promise<RenderedTrack | undefined> {
      const stored = await readFile(cachePath(recipe)).catch(() => Buffer.alloc(0))
      const content = stored.subarray(HASH_BYTES)
      if (!stored.subarray(0, HASH_BYTES).equals(sha256(content))) return undefined
      const { made: rendered, music } = deserialize(content) as CacheEntry
      await writeFile(target, music, { flush: true })
      return rendered
    },

    async add(recipe: Recipe, rendered: RenderedTrack, source: string): Promise<void> {
      await mkdir(folder, { recursive: true })
      const content = serialize({ made: rendered, music: await readFile(source) } satisfies CacheEntry)
      const part = `${cachePath(recipe)}.${randomUUID()}.part`
      await writeFile(part, Buffer.concat([sha256(content), content]))
      await rename(part, cachePath(recipe))
    },

    /** Deletes the music of other synthesisers. */
    async removeOutdated(): Promise<void> {
      const names = await readdir(parent).catch(() => [])
      const outdated = names.filter((each) => FOLDER_NAME.test(each) && each !== name)
      await Promise.all(outdated.map((each) => rm(path.join(parent, each), { recursive: true, force: true })))
    },
  }
}
