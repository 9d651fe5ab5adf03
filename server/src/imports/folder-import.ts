import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Analyser, startAnalyser } from '../analysis/analyser.ts'
import { logFallbacks } from '../analysis/fallback.ts'
import type { AppContext } from '../app-context.ts'
import type { TagEncoding } from '../audio-files/text-encoding.ts'
import { rebuildAnchors } from '../catalogue/lists.ts'
import { recountWords } from '../catalogue/search-index.ts'
import { isDatabaseUnavailable, type Sql } from '../platform/db.ts'
import { scratchFolder } from '../platform/scratch.ts'
import { type AddSongResult, addSongVersion } from './add-songs.ts'
import { createCoverReader, type FolderCover } from './cover.ts'
import { separateDuplicates } from './duplicate-files.ts'
import { encodingNotes } from './encoding-names.ts'
import {
  type Correction,
  type DetectedDetails,
  type FileDetails,
  gatherDetails,
  isDescribedByStaff,
  type SheetFile,
} from './file-details.ts'
import {
  isSkipped,
  knownSkip,
  type OpenFile,
  openInPlace,
  type PreparationDeps,
  type PreparedFile,
  prepareFile,
} from './file-preparation.ts'
import { type FoundFile, findAudio } from './folder-walk.ts'
import { improveKnownVersion } from './known-files.ts'
import { createSemaphore } from './semaphore.ts'
import type { Skipped, SkipReason } from './skipped-files.ts'
import type { SheetReport } from './song-sheet.ts'

export type ImportOptions = {
  folder: string
  section: 1 | 2
  genre?: string
  /** How many files are analysed at once. */
  jobs: number
  /** The built entry point of the analyser processes. */
  childPath: string
  /** Once aborted, files in progress are finished and no others are started. */
  signal: AbortSignal
  /** Files to import instead of everything in the folder; their paths within it are their names. */
  files?: readonly FoundFile[]
  /** The sheets next to those files. */
  sheets?: readonly SheetFile[]
  /** '{label}/{artist} - {title}': how to read the paths of the files. */
  pattern?: string
  /** How to read texts in tags that are declared as Latin-1; `automatic` by default. */
  encoding?: TagEncoding
  corrections?: ReadonlyMap<string, Correction>
  /** Paths below the folder. */
  excluded?: ReadonlySet<string>
  /** Makes a file available on this machine; by default its path is used. */
  open?: (file: FoundFile) => Promise<OpenFile>
  /** The cover of a file's folder; by default a picture file in it. */
  folderCover?: FolderCover
  /** Analyses the files; by default the import starts its own processes. */
  analyser?: Analyser
  journal?: Journal
  onFound?: (files: readonly FoundFile[]) => void
  onDone?: (file: FoundFile, audioSeconds?: number) => void
}

/** A version that was added, or would be in a dry run. */
type AddedVersion = {
  path: string
  title: string
  artist: string
  version_label: string
  is_new_song: boolean
  note: string
  /** In a preview: the detected details, which staff can change. */
  found?: DetectedDetails
  audio_seconds?: number
}

/** What a worker does with a file: reads it in its own process, or waits for an analyser process. */
export type Stage = 'reading' | 'analysing'

/** Records the progress and the outcome of each file. */
export type Journal = {
  /** Records what is being done with a file; null for nothing. */
  stage(file: Pick<FoundFile, 'path'>, stage: Stage | null): Promise<void>
  /** Whether a worker died while it was processing this file. */
  isSuspect(file: Pick<FoundFile, 'path'>): boolean
  /** Called in the transaction that imports the file. */
  added(sql: Sql, version: AddedVersion & { song_version_id: number | null }): Promise<void>
  skipped(skipped: Skipped): Promise<void>
  sheets(reports: readonly SheetReport[]): Promise<void>
}

export type ImportResult = {
  files: number
  songs_added: number
  versions_added: number
  skipped: Skipped[]
  sheets: SheetReport[]
  /** Imported files that need review. */
  notes: { path: string; note: string }[]
  /** How many files had their tags read in another encoding than Latin-1, by its name. */
  encodings: Map<string, number>
  music_seconds: number
  bytes: number
  took_seconds: number
  interrupted: boolean
}

export const NO_RESULT = {
  ...{ songs_added: 0, versions_added: 0, music_seconds: 0, bytes: 0, took_seconds: 0, interrupted: false },
}

/** Returns the files of an import, and what is known about them. */
export async function readFolder(
  options: Pick<ImportOptions, 'folder' | 'files' | 'sheets' | 'pattern' | 'corrections' | 'excluded' | 'journal'>,
): Promise<{ files: readonly FoundFile[]; skipped: Skipped[]; details: FileDetails; reports: SheetReport[] }> {
  const { files, sheets, skipped } = options.files
    ? { files: options.files, sheets: options.sheets ?? [], skipped: [] }
    : await findAudio(options.folder)
  const { details, reports } = await gatherDetails(options, { files, sheets })
  await options.journal?.sheets(reports)
  return { files, skipped, details, reports }
}

/** How many prepared files can wait for the one before them: files enter the catalogue in the order of the folder. */
const MAX_WAITING = 64
const STALE_MS = 24 * 3600 * 1000

/**
 * Imports a folder into the pool. Files are analysed in parallel and added to the catalogue one after another, each
 * completely or not at all. Another run continues an interrupted one. Throws when the storage or the database fails,
 * never because of a single file.
 */
export async function importFolder(ctx: AppContext, options: ImportOptions): Promise<ImportResult> {
  if (!options.analyser && !existsSync(options.childPath))
    throw new Error(`Analyser not built: ${options.childPath} is missing`)
  const started = Date.now()
  await sweepScratch(ctx)
  const { files, skipped, details, reports } = await readFolder(options)
  options.onFound?.(files)
  const result: ImportResult = {
    ...NO_RESULT,
    files: files.length,
    skipped,
    sheets: reports,
    notes: [],
    encodings: new Map(),
  }
  const { jobs, childPath } = options
  const analyser = options.analyser ?? startAnalyser({ size: jobs, childPath, onFallback: logFallbacks(ctx.log) })
  const deps: PreparationDeps = {
    ...{ ctx, folder: options.folder, section: options.section, genre: options.genre, details },
    encoding: options.encoding,
    ...{
      analyser,
      covers: createCoverReader(ctx.storage, options.folderCover),
      seen: new Map(),
      folderTempos: new Map(),
      open: options.open ?? openInPlace,
      stage: async (file, stage) => options.journal?.stage({ path: file }, stage),
    },
  }
  try {
    const uniqueFiles = await separateDuplicates(files, { ...deps, signal: options.signal })
    await importFiles(deps, uniqueFiles.files, options, result)
    await importFiles(deps, uniqueFiles.duplicates, { ...options, jobs: 1 }, result)
  } finally {
    if (!options.analyser) await analyser.stop()
  }
  if (result.versions_added > 0) {
    await recountWords(ctx.sql)
    await rebuildAnchors(ctx.sql)
  }
  result.took_seconds = (Date.now() - started) / 1000
  return result
}

async function importFiles(
  deps: PreparationDeps,
  files: readonly FoundFile[],
  options: ImportOptions,
  result: ImportResult,
): Promise<void> {
  const preparingSlots = createSemaphore(options.jobs + 2)
  const waitingSlots = createSemaphore(MAX_WAITING + options.jobs)
  let failure: unknown
  let lastTurn = Promise.resolve()
  const addInTurn = async (file: FoundFile, prepared: Promise<PreparedFile>) => {
    const ready = await prepared
    if (failure) return
    const skipped = await finishFile(deps, ready, { result, journal: options.journal })
    if (skipped && DUPLICATE_FALLBACK_REASONS.has(skipped.reason)) removeSeen(deps.seen, file.path)
    result.bytes += file.bytes
    options.onDone?.(file, isSkipped(ready) ? undefined : ready.file.analysis.duration_seconds)
  }
  for (const file of files) {
    // A file during which a worker crashed is processed alone, so that no other is blamed if that happens again.
    const runsAlone = options.journal?.isSuspect(file) === true
    if (runsAlone) await lastTurn
    await waitingSlots.acquire()
    await preparingSlots.acquire()
    if (failure || options.signal.aborted) break
    const prepared = prepareOrSkip(deps, file).finally(preparingSlots.release)
    prepared.catch((error) => {
      failure ??= error
    })
    lastTurn = lastTurn
      .then(() => addInTurn(file, prepared))
      .catch((error) => {
        failure ??= error
      })
      .finally(waitingSlots.release)
    if (runsAlone) await lastTurn
  }
  await lastTurn
  if (failure) throw failure
  result.interrupted = options.signal.aborted
}

/** A file skipped for one of these reasons may have a duplicate with another name that can be imported. */
export const DUPLICATE_FALLBACK_REASONS = new Set<SkipReason>([
  'missing artist or title',
  'unpublished',
  'unreadable',
  'failed',
  'left out',
])

function removeSeen(seen: Map<string, string>, file: string): void {
  for (const [sha256, path] of seen) if (path === file) seen.delete(sha256)
}

/** Only a failing storage or database ends the import, because it would affect every other file too. */
export const isGlobalFailure = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  /^(ENOSPC|EDQUOT|EROFS|EMFILE|ENFILE|STORE_AWAY)$/.test((error as NodeJS.ErrnoException).code ?? '')

const failed = (file: string, error: unknown): Skipped => ({
  path: file,
  reason: 'failed',
  detail: `${error instanceof Error ? error.message : String(error)}`,
})

async function prepareOrSkip(deps: PreparationDeps, file: FoundFile): Promise<PreparedFile> {
  try {
    return await prepareFile(deps, file)
  } catch (error) {
    if (isGlobalFailure(error)) throw error
    return failed(file.path, error)
  }
}

type ImportBookkeeping = { result: ImportResult; journal: Journal | undefined }

async function finishFile(
  deps: PreparationDeps,
  prepared: PreparedFile,
  { result, journal }: ImportBookkeeping,
): Promise<Skipped | undefined> {
  const skip = async (skipped: Skipped) => {
    await journal?.skipped(skipped)
    result.skipped.push(skipped)
    return skipped
  }
  if (isSkipped(prepared)) return skip(prepared)
  try {
    const addResult = await addSongVersion(deps.ctx.sql, prepared, async (sql, addResult) => {
      const { title, artist } = prepared.entry
      const { song_version_id, version_label, isNewSong: is_new_song } = addResult
      const note = [...encodingNotes(prepared.encoding), ...buildNotes(prepared, version_label)].join(' ')
      await journal?.added(sql, {
        path: prepared.path,
        title,
        artist,
        version_label,
        is_new_song,
        note,
        song_version_id,
      })
    })
    if (addResult.kind === 'same_recording') return await skip(await improveSameRecording(deps, prepared, addResult))
    if (addResult.kind !== 'added') return await skip(notAddedSkip(prepared.path, addResult))
    result.versions_added++
    countEncoding(result, prepared.encoding)
    result.music_seconds += prepared.file.analysis.duration_seconds
    if (addResult.isNewSong) result.songs_added++
    for (const note of buildNotes(prepared, addResult.version_label)) result.notes.push({ path: prepared.path, note })
  } catch (error) {
    if (isGlobalFailure(error)) throw error
    return skip(failed(prepared.path, error))
  }
  return undefined
}

/** Counts a file whose tags were read in the encoding with this name; '' is not counted. */
export function countEncoding({ encodings }: ImportResult, name: string): void {
  if (name) encodings.set(name, (encodings.get(name) ?? 0) + 1)
}

/** Returns what staff should check in an imported file. */
function buildNotes({ entry, warnings }: Exclude<PreparedFile, Skipped>, label: string): string[] {
  const other = `A different recording of ${entry.artist} – ${entry.title} already exists as “${entry.version_label}”; this file was added as “${label}”.`
  return [...warnings.map(({ message }) => message), ...(label === entry.version_label ? [] : [other])]
}

export const unpublishedSkip = (file: string): Skipped => ({
  path: file,
  reason: 'unpublished',
  detail: 'This song has been unpublished.',
})

type ReadyFile = Exclude<PreparedFile, Skipped>
type SameRecording = Extract<AddSongResult, { kind: 'same_recording' }>

/** The better described of two files with the same audio names the version, whichever came first. */
async function improveSameRecording(
  { ctx, folder, details }: PreparationDeps,
  { path: file, entry, uploaded_name, tag }: ReadyFile,
  { song_version_id, version_label }: SameRecording,
): Promise<Skipped> {
  const name = path.relative(folder, file)
  const isDescribed = isDescribedByStaff(details, name)
  const known = { song_version_id, name, uploaded_name, entry, tags: tag, isDescribed }
  const improved = await improveKnownVersion(ctx.sql, known)
  const detail = `The same recording with different tags already exists as “${version_label}”. ${improved}`
  return { path: file, reason: 'already in the catalogue', detail: detail.trim() }
}

const notAddedSkip = (file: string, { kind }: { kind: 'known' | 'unpublished' }): Skipped =>
  kind === 'unpublished' ? unpublishedSkip(file) : knownSkip(file, [])

/** Deletes incomplete files of killed runs. */
async function sweepScratch({ storage, now }: AppContext): Promise<void> {
  const folder = await scratchFolder(storage)
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (now().getTime() - mtimeMs > STALE_MS) await rm(file, { force: true })
  }
}
