import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool } from '../platform/db.ts'
import { openForWriting } from '../platform/file-writing.ts'
import type { Log } from '../platform/log.ts'
import { type Storage, storageKey } from '../platform/storage.ts'
import { BackupError } from './backup-error.ts'
import { type BucketSettings, openSource } from './backup-source.ts'
import { hexOf, readDumpedTable } from './dumped-table.ts'
import { examineFile, recordDamage } from './file-damage.ts'
import { type ListedFile, listedFiles } from './listed-files.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { isReferenced } from './referenced-files.ts'

export type FileSelection = {
  /** SHA-256, or any path that ends with it. */
  files: readonly string[]
  /** Number of a song, as in its URL. */
  song: number | undefined
}

type SelectedFile = ListedFile & {
  /** The name of the exported file. */
  name: string
}

/** Returns the selected files of a backup. Throws BackupError if one is not in it. */
export async function selectFiles(folder: string, { files, song }: FileSelection): Promise<SelectedFile[]> {
  const manifest = await readManifest(folder)
  const names = new Map<string, string>()
  for (const text of files) {
    const [sha256] = /[0-9a-f]{64}/.exec(text.toLowerCase()) ?? []
    if (!sha256)
      throw new BackupError(`"${text}" is not a stored file. Use its SHA-256, as shown by \`check\` and under Storage.`)
    names.set(sha256, '')
  }
  if (song !== undefined)
    for (const [sha256, name] of await filesOfSong(folder, manifest, song)) names.set(sha256, name)
  const chosen: SelectedFile[] = []
  for await (const file of listedFiles(folder)) {
    const name = names.get(file.sha256)
    if (name !== undefined) chosen.push({ ...file, name })
  }
  const missing = [...names.keys()].filter((sha256) => !chosen.some((file) => file.sha256 === sha256))
  if (missing.length > 0)
    throw new BackupError(
      `The backup ${folder} does not contain ${missing.join(', ')}. Nothing was restored. Try another backup.`,
    )
  return chosen
}

/** The files of a song in the backup, by SHA-256, with a name for each. Includes songs that were deleted since. */
async function filesOfSong(folder: string, manifest: Manifest, song: number): Promise<Map<string, string>> {
  const id = String(song)
  const versions = new Map<string, string>()
  let artwork: string | null = null
  let title = ''
  for await (const row of readDumpedTable(folder, manifest, 'song'))
    if (row.entity_id === id) {
      artwork = row.artwork_id ?? null
      title = `${row.artist} - ${row.title}`
    }
  if (!title) throw new BackupError(`The backup ${folder} does not contain song ${id}. Nothing was restored.`)
  for await (const row of readDumpedTable(folder, manifest, 'song_version'))
    if (row.entity_id === id && row.file_id) versions.set(row.file_id, `${title} (${row.version_label})`)
  const names = new Map<string, string>()
  for await (const { file_id, sha256, format } of readDumpedTable(folder, manifest, 'file')) {
    const name = versions.get(file_id ?? '')
    if (name) names.set(hexOf(sha256), `${name}.${format}`)
  }
  for await (const { file_id, sha256 } of readDumpedTable(folder, manifest, 'preview')) {
    const name = versions.get(file_id ?? '')
    if (name) names.set(hexOf(sha256), `${name} preview.mp3`)
  }
  for await (const { artwork_id, sha256 } of readDumpedTable(folder, manifest, 'artwork'))
    if (artwork && artwork_id === artwork) names.set(hexOf(sha256), `${title} cover`)
  return names
}

type Deps = { sql: Pool; storage: Storage; log: Log; config: BucketSettings }

export type RestoreFilesResult = { restored: string[]; good: string[]; unused: string[] }

/**
 * Restores files of a backup into the store of a pool, which may be running. Files that are intact there, and files
 * that the pool does not reference, are skipped. Each is checked against its hash.
 */
export async function restoreFiles(
  deps: Deps,
  folder: string,
  files: readonly SelectedFile[],
): Promise<RestoreFilesResult> {
  const { sql, storage, log, config } = deps
  const source = await openSource(folder, await readManifest(folder), config)
  const done: RestoreFilesResult = { restored: [], good: [], unused: [] }
  for (const file of files) {
    const key = storageKey(file.kind, file.sha256, file.ending)
    if (!(await isReferenced(sql, file))) {
      done.unused.push(key)
      continue
    }
    const damage = await examineFile(storage, file)
    if (damage) {
      // Before the existing file is changed.
      if (
        await examineFile(
          { pieces: (kind, sha256, range) => toChunks(source.chunks({ kind, sha256, ...range })) },
          file,
        )
      )
        throw new BackupError(`${key} is damaged in the backup ${folder} as well. Try another backup.`)
      if (damage !== 'missing') await storage.remove(file.kind, file.sha256, file.ending)
      await source.copyTo(file, storage)
    }
    await recordDamage({ sql, storage, log }, file, await examineFile(storage, file))
    done[damage ? 'restored' : 'good'].push(key)
  }
  return done
}

async function* toChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks
}

/** Characters that are not allowed in file names on some file systems. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const FORBIDDEN = /[\u0000-\u001f<>:"/\\|?*]/g

/** Exports files of a backup into a folder with readable names, and returns their paths. Nothing is overwritten. */
export async function writeFilesOut(
  config: BucketSettings,
  folder: string,
  { files, to }: { files: readonly SelectedFile[]; to: string },
): Promise<string[]> {
  const source = await openSource(folder, await readManifest(folder), config)
  await mkdir(to, { recursive: true })
  const written: string[] = []
  for (const file of files) {
    const name = file.name.replace(FORBIDDEN, '_') || `${file.sha256}${file.ending}`
    const location = path.join(to, name)
    if (await stat(location).catch(() => undefined))
      throw new BackupError(`${location} already exists and is never overwritten. Choose another folder.`)
    const temporary = `${location}.part`
    try {
      await pipeline(Readable.from(source.chunks(file)), await openForWriting(temporary, { flags: 'wx' }))
      await rename(temporary, location)
      written.push(location)
    } finally {
      await rm(temporary, { force: true })
    }
  }
  return written
}
