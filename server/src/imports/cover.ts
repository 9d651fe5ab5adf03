import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { likeliestCover } from '@dubplate/contract'
import sharp from 'sharp'
import type { StoredPicture } from '../audio/shelf.ts'
import type { Storage } from '../platform/storage.ts'
import { isWithin } from './folder-walk.ts'

const LARGEST_SIDE = 1000
export const SMALLEST_SIDE = 32
const LARGEST_PIXELS = 60_000_000
const LARGEST_BYTES = 20 * 1024 * 1024
const REMEMBERED = 500

export type Covers = {
  /** Stores the cover of a file: the picture in its tags, else the one of its folder. */
  keep(file: string, embedded: Uint8Array | undefined): Promise<StoredPicture | undefined>
}

/** Stores the picture of the folder that a file is in. */
export type FolderCover = (file: string) => Promise<StoredPicture | undefined>

/**
 * Covers as they go into the pool; without `ofFolder` the picture of a folder is the one that lies there. A whole album has
 * one picture, so what was made is remembered by its hash.
 */
export function makeCovers(storage: Storage, ofFolder?: FolderCover): Covers {
  const made = new Map<string, Promise<StoredPicture | undefined>>()
  return {
    keep: async (file, embedded) => {
      if (!embedded && ofFolder) return ofFolder(file)
      const bytes = embedded ?? (await folderCover(path.dirname(file)))
      if (!bytes) return undefined
      const hash = createHash('sha256').update(bytes).digest('hex')
      const underWay = made.get(hash) ?? keepPicture(storage, bytes)
      if (made.size >= REMEMBERED) made.clear()
      made.set(hash, underWay)
      return underWay
    },
  }
}

/** cover.jpg, folder.jpg, front.png … in any case, the likeliest name first. */
async function folderCover(folder: string): Promise<Uint8Array | undefined> {
  const best = likeliestCover(await readdir(folder).catch(() => []))
  if (!best) return undefined
  const file = path.join(folder, best)
  if (await leadsAway(file, folder)) return undefined
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  return size > 0 && size <= LARGEST_BYTES ? readFile(file).catch(() => undefined) : undefined
}

/** A link may lead anywhere on this machine: what lies outside its folder is no cover of it. */
async function leadsAway(file: string, folder: string): Promise<boolean> {
  const [place, home] = await Promise.all([realpath(file), realpath(folder)]).catch(() => [])
  return place === undefined || home === undefined || !isWithin(place, home)
}

/** A picture that cannot be read is no picture; a store that does not take it is an error. */
async function keepPicture(storage: Storage, bytes: Uint8Array): Promise<StoredPicture | undefined> {
  const drawn = await redraw(bytes).catch(() => undefined)
  if (!drawn || Math.min(drawn.info.width, drawn.info.height) < SMALLEST_SIDE) return undefined
  const { sha256 } = await storage.keepBytes('images', drawn.data)
  return { sha256, width: drawn.info.width, height: drawn.info.height }
}

/** Drawn anew, so that nothing of the original but its pixels comes in. */
const redraw = (bytes: Uint8Array) =>
  sharp(bytes, { limitInputPixels: LARGEST_PIXELS, failOn: 'none' })
    .rotate()
    .resize(LARGEST_SIDE, LARGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#000' })
    .jpeg({ quality: 88 })
    .toBuffer({ resolveWithObject: true })
