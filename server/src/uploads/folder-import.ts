import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { startAnalyser } from '../audio/analyser.ts'
import { rebuildAnchors } from '../catalogue/lists.ts'
import { recountWords } from '../catalogue/search-index.ts'
import { databaseIsAway } from '../platform/db.ts'
import type { World } from '../world.ts'
import { makeCovers } from './cover.ts'
import { isSkipped, type Prepared, prepareFile, type Workbench } from './file-preparation.ts'
import { type FoundFile, findAudio } from './folder-walk.ts'
import { makePlaces } from './places.ts'
import type { Skipped } from './skipped.ts'
import { placeSong } from './song-shelf.ts'

export type ImportOptions = {
  folder: string
  section: 1 | 2
  genre?: string
  /** Files analysed at once. */
  jobs: number
  /** The built entry point of the analysing processes. */
  childPath: string
  /** Once aborted, the files under way are finished and no other is begun. */
  signal: AbortSignal
  onFound?: (files: readonly FoundFile[]) => void
  onDone?: (file: FoundFile) => void
}

export type ImportResult = {
  files: number
  songs_added: number
  versions_added: number
  skipped: Skipped[]
  /** Files that are in and have something to be looked at. */
  notes: { path: string; note: string }[]
  music_seconds: number
  bytes: number
  took_seconds: number
  interrupted: boolean
}

/** Files that may wait for the one in front of them: they enter the catalogue in the order of the folder. */
const MOST_WAITING = 64
const STALE_MS = 24 * 3600 * 1000

/**
 * Imports a folder into the pool. Files are analysed side by side and enter the catalogue one after another, each wholly
 * or not at all; a second run goes on where one was ended. Throws when the store or the database fails, never for a file.
 */
export async function importFolder(world: World, options: ImportOptions): Promise<ImportResult> {
  if (!existsSync(options.childPath)) throw new Error(`The analyser is not built: ${options.childPath} is missing.`)
  const started = Date.now()
  await sweepScratch(world)
  const { files, skipped } = await findAudio(options.folder)
  options.onFound?.(files)
  const result: ImportResult = {
    ...{ files: files.length, songs_added: 0, versions_added: 0, skipped, notes: [] },
    ...{ music_seconds: 0, bytes: 0, took_seconds: 0, interrupted: false },
  }
  const analyser = startAnalyser({ size: options.jobs, childPath: options.childPath })
  const bench: Workbench = {
    ...{ world, folder: options.folder, section: options.section, genre: options.genre },
    ...{ analyser, covers: makeCovers(world.storage), seen: new Map() },
  }
  try {
    await importFiles(bench, files, options, result)
  } finally {
    await analyser.stop()
  }
  if (result.versions_added > 0) {
    await recountWords(world.sql)
    await rebuildAnchors(world.sql)
  }
  result.took_seconds = (Date.now() - started) / 1000
  return result
}

async function importFiles(
  bench: Workbench,
  files: readonly FoundFile[],
  options: ImportOptions,
  result: ImportResult,
): Promise<void> {
  const preparing = makePlaces(options.jobs + 2)
  const waiting = makePlaces(MOST_WAITING + options.jobs)
  let failure: unknown
  let turn = Promise.resolve()
  const enter = async (file: FoundFile, prepared: Promise<Prepared>) => {
    const ready = await prepared
    if (failure) return
    await finishFile(bench.world, ready, result)
    result.bytes += file.bytes
    options.onDone?.(file)
  }
  for (const file of files) {
    await waiting.take()
    await preparing.take()
    if (failure || options.signal.aborted) break
    const prepared = prepareOrTell(bench, file.path).finally(preparing.leave)
    prepared.catch((error) => {
      failure ??= error
    })
    turn = turn
      .then(() => enter(file, prepared))
      .catch((error) => {
        failure ??= error
      })
      .finally(waiting.leave)
  }
  await turn
  if (failure) throw failure
  result.interrupted = options.signal.aborted
}

/** Of all errors only a store or a database that fails ends the import: every other file would meet it too. */
const isEverybodys = (error: unknown): boolean =>
  databaseIsAway(error) || /^(ENOSPC|EDQUOT|EROFS|EMFILE|ENFILE)$/.test((error as NodeJS.ErrnoException).code ?? '')

const failed = (file: string, error: unknown): Skipped => ({
  path: file,
  reason: 'failed',
  detail: `${error instanceof Error ? error.message : String(error)}`,
})

async function prepareOrTell(bench: Workbench, file: string): Promise<Prepared> {
  try {
    return await prepareFile(bench, file)
  } catch (error) {
    if (isEverybodys(error)) throw error
    return failed(file, error)
  }
}

async function finishFile(world: World, prepared: Prepared, result: ImportResult): Promise<void> {
  if (isSkipped(prepared)) {
    result.skipped.push(prepared)
    return
  }
  const { path: file, entry, warnings } = prepared
  try {
    const placed = await placeSong(world.sql, prepared)
    if (placed.kind !== 'added') {
      result.skipped.push(notPlaced(file, placed))
      return
    }
    result.versions_added++
    result.music_seconds += prepared.file.analysis.duration_seconds
    if (placed.isNewSong) result.songs_added++
    for (const { message } of warnings) result.notes.push({ path: file, note: message })
    if (placed.version_label !== entry.version_label) {
      const note = `${entry.artist} – ${entry.title} has other music as “${entry.version_label}”: this is “${placed.version_label}”.`
      result.notes.push({ path: file, note })
    }
  } catch (error) {
    if (isEverybodys(error)) throw error
    result.skipped.push(failed(file, error))
  }
}

function notPlaced(file: string, placed: Exclude<Awaited<ReturnType<typeof placeSong>>, { kind: 'added' }>): Skipped {
  if (placed.kind === 'withdrawn') {
    return { path: file, reason: 'withdrawn', detail: 'Its song is not published any more.' }
  }
  const detail =
    placed.kind === 'known'
      ? 'It is there with the same content.'
      : `The same recording is there with other tags, as “${placed.version_label}”.`
  return { path: file, reason: 'already in the pool', detail }
}

/** Removes what killed runs left half made. */
async function sweepScratch({ storage, now }: World): Promise<void> {
  const folder = path.dirname(await storage.scratch('sweep'))
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (now().getTime() - mtimeMs > STALE_MS) await rm(file, { force: true })
  }
}
