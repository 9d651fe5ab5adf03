import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { mostLikelyCover } from '@dubplate/contract'
import type { StoredPicture } from '../media/media-repository.ts'
import { loadSharp } from '../platform/load-sharp.ts'
import type { Storage } from '../platform/storage.ts'
import { isWithin } from './folder-walk.ts'

const MAX_SIDE = 1000
export const MIN_SIDE = 32
const MAX_PIXELS = 60_000_000
const MAX_BYTES = 20 * 1024 * 1024
const PICTURE_CACHE_SIZE = 500

export type CoverReader = {
  /** Stores the cover of a file: the picture in its tags, or else the one of its folder. */
  keep(file: string, embedded: Uint8Array | undefined): Promise<StoredPicture | undefined>
}

/** Stores the picture of the folder that contains a file. */
export type FolderCover = (file: string) => Promise<StoredPicture | undefined>

/**
 * Creates a reader of covers. Without `folderCoverOf`, the cover of a folder is a picture file in it. An album usually
 * has one picture, so results are cached by its hash.
 */
export function createCoverReader(storage: Storage, folderCoverOf?: FolderCover): CoverReader {
  const pendingPictures = new Map<string, Promise<StoredPicture | undefined>>()
  return {
    keep: async (file, embedded) => {
      if (!embedded && folderCoverOf) return folderCoverOf(file)
      const bytes = embedded ?? (await folderCover(path.dirname(file)))
      if (!bytes) return undefined
      const hash = createHash('sha256').update(bytes).digest('hex')
      const pending = pendingPictures.get(hash) ?? storePicture(storage, bytes)
      if (pendingPictures.size >= PICTURE_CACHE_SIZE) pendingPictures.clear()
      pendingPictures.set(hash, pending)
      return pending
    },
  }
}

/** Finds cover.jpg, folder.jpg, front.png and so on, in any case, the most likely name first. */
async function folderCover(folder: string): Promise<Uint8Array | undefined> {
  const best = mostLikelyCover(await readdir(folder).catch(() => []))
  if (!best) return undefined
  const file = path.join(folder, best)
  if (await resolvesOutside(file, folder)) return undefined
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  return size > 0 && size <= MAX_BYTES ? readFile(file).catch(() => undefined) : undefined
}

/** A symbolic link can point anywhere on this machine: a file outside the folder is not accepted as its cover. */
async function resolvesOutside(file: string, folder: string): Promise<boolean> {
  const [realFile, realFolder] = await Promise.all([realpath(file), realpath(folder)]).catch(() => [])
  return realFile === undefined || realFolder === undefined || !isWithin(realFile, realFolder)
}

/** Returns undefined for a picture that cannot be read; throws when the storage fails. */
async function storePicture(storage: Storage, bytes: Uint8Array): Promise<StoredPicture | undefined> {
  const redrawn = await redraw(bytes).catch(() => undefined)
  if (!redrawn || Math.min(redrawn.info.width, redrawn.info.height) < MIN_SIDE) return undefined
  const { sha256 } = await storage.putBytes('images', redrawn.data)
  return { sha256, width: redrawn.info.width, height: redrawn.info.height }
}

/** Re-encodes the picture, so that nothing of the original file except its pixels is stored. */
const redraw = (bytes: Uint8Array) =>
  loadSharp()(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'none' })
    .rotate()
    .resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#000' })
    .jpeg({ quality: 88 })
    .toBuffer({ resolveWithObject: true })
