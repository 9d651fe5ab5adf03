import { rm } from 'node:fs/promises'
import path from 'node:path'
import { type Analyser, AnalyserError } from '../analysis/analyser.ts'
import type { Analysis } from '../analysis/analysis.ts'
import { expectedTempo, type TempoRange } from '../analysis/usual-tempo.ts'
import type { AppContext } from '../app-context.ts'
import { type Fault, isWarning } from '../audio-files/faults.ts'
import { readPayload } from '../audio-files/payload.ts'
import type { TagEncoding } from '../audio-files/text-encoding.ts'
import { tempoOfLabel } from '../catalogue/label-tempos.ts'
import { isFileStored } from '../media/media-repository.ts'
import { restoreOriginal } from '../media/originals.ts'
import { hashFile } from '../platform/storage.ts'
import type { ReadySong } from './add-songs.ts'
import type { CoverReader } from './cover.ts'
import { encodingName } from './encoding-names.ts'
import { describeFile, type FileDetails, isDescribedByStaff } from './file-details.ts'
import type { Stage } from './folder-import.ts'
import type { FoundFile } from './folder-walk.ts'
import { improveKnownVersion, type KnownFile } from './known-files.ts'
import { type Skipped, skippedFor, unreadableSkip } from './skipped-files.ts'
import { applyAnalysis, type SongEntry } from './song-entry.ts'
import { readTags, type Tags } from './tags.ts'
import { serializeTags } from './value-origins.ts'

/** A tempo with this confidence is a hint for the files beside it. */
const CERTAIN_TEMPO = 0.8
const MOST_FOLDER_TEMPOS = 50

/** Everything an import needs for each of its files. */
export type PreparationDeps = {
  ctx: AppContext
  folder: string
  section: number
  /** For files without a genre. */
  genre: string | undefined
  /** How to read texts that are declared as Latin-1. */
  encoding: TagEncoding | undefined
  details: FileDetails
  analyser: Analyser
  covers: CoverReader
  /** Makes a file available on this machine. */
  open(file: FoundFile): Promise<OpenFile>
  /** Records what is being done with the file at this path. */
  stage(file: string, stage: Stage | null): Promise<void>
  /** The paths of the files of this run, by hash. */
  seen: Map<string, string>
  /** Certain tempos of files of this run, by folder. */
  folderTempos: Map<string, number[]>
}

/** The path of a file on this machine, valid until `done`. */
export type OpenFile = { path: string; done(): Promise<void> }

export const openInPlace = async ({ path }: FoundFile): Promise<OpenFile> => ({ path, done: async () => {} })

export type PreparedFile = Skipped | (ReadySong & { path: string; warnings: Fault[]; encoding: string })

export const isSkipped = (prepared: PreparedFile): prepared is Skipped => 'reason' in prepared

/**
 * Prepares a file without using the catalogue: hash, tags, analysis, and its bytes in the storage. If the process is
 * killed, only unreferenced bytes can remain. Throws only when the storage or the database fails.
 */
export async function prepareFile(deps: PreparationDeps, file: FoundFile): Promise<PreparedFile> {
  if (deps.details.excluded.has(path.relative(deps.folder, file.path))) return excluded(file.path)
  const opened = await deps.open(file)
  try {
    await deps.stage(file.path, 'reading')
    const prepared = await prepareOpened(deps, file.path, opened.path)
    await deps.stage(file.path, null)
    return prepared
  } finally {
    await opened.done()
  }
}

/** `place` is the path of the file's bytes. */
async function prepareOpened(deps: PreparationDeps, file: string, place: string): Promise<PreparedFile> {
  const sha256 = await hashFile(place).catch((error) => unreadableSkip(file, error))
  if (typeof sha256 !== 'string') return sha256
  const existingAudio = await findExistingAudio(deps, { file, place, sha256 })
  if (existingAudio) return existingAudio
  const tags = await readTags(place, { pictures: true, encoding: deps.encoding })
  const { entry } = describeFile(deps, file, tags)
  const preview = await deps.ctx.storage.scratch('preview.mp3')
  try {
    await deps.stage(file, 'analysing')
    const analysis = await runAnalysis(
      deps,
      { file, place },
      { preview, tempoRange: await hintedTempo(deps, file, entry) },
    )
    await deps.stage(file, 'reading')
    if ('reason' in analysis) return analysis
    if (!entry) return unnamedSkip(file)
    return await storeAudio(deps, { file, place, sha256, preview, analysis, entry, tags })
  } finally {
    await rm(preview, { force: true })
  }
}

type IdentifiedFile = { file: string; place: string; sha256: string }

async function findExistingAudio(deps: PreparationDeps, identified: IdentifiedFile): Promise<Skipped | undefined> {
  const { ctx, seen } = deps
  const { file, place, sha256 } = identified
  const duplicate = seen.get(sha256)
  if (duplicate) return { path: file, reason: 'duplicate in folder', detail: `Identical to ${duplicate}.` }
  seen.set(sha256, file)
  if (!(await isFileStored(ctx.sql, sha256))) return undefined
  const restored = (await restoreOriginal(ctx, sha256, place))
    ? 'Its stored copy was missing or damaged and has been restored.'
    : ''
  const known = await readKnownFile(deps, identified)
  const improved = known ? await improveKnownVersion(ctx.sql, known) : ''
  return knownSkip(file, [restored, improved])
}

/** The skip of a file that is in the pool already, with what was done nevertheless. */
export const knownSkip = (file: string, sentences: readonly string[]): Skipped => ({
  path: file,
  reason: 'already in the catalogue',
  detail: ['The same file is already in the catalogue.', ...sentences].filter(Boolean).join(' '),
})

/** Reads how a file with known audio is described; undefined when it is no version's, or has no artist or title. */
export async function readKnownFile(
  deps: Pick<PreparationDeps, 'ctx' | 'folder' | 'section' | 'genre' | 'details' | 'encoding'>,
  { file, place, sha256 }: IdentifiedFile,
): Promise<KnownFile | undefined> {
  const [version] = await deps.ctx.sql<{ song_version_id: number }[]>`
    select song_version_id from song_version join file using (file_id)
    where sha256 = ${Buffer.from(sha256, 'hex')} order by status = 'published' desc, song_version_id limit 1`
  if (!version) return undefined
  const tags = await readTags(place, { pictures: false, encoding: deps.encoding })
  const { entry } = describeFile(deps, file, tags)
  const name = path.relative(deps.folder, file)
  const isDescribed = isDescribedByStaff(deps.details, name)
  return entry && { ...version, name, uploaded_name: uploadedName(file), entry, tags, isDescribed }
}

const uploadedName = (file: string): string => path.basename(file).normalize('NFC')

export const unnamedSkip = (file: string): Skipped => ({
  path: file,
  reason: 'missing artist or title',
  detail: 'Artist or title is missing in both the tags and the file name.',
})

export const excluded = (file: string): Skipped => ({
  path: file,
  reason: 'left out',
  detail: 'You left this file out of the import.',
})

/** What the tags, the label and the files beside it tell about the tempo of a file. */
async function hintedTempo({ ctx, folderTempos }: PreparationDeps, file: string, entry: SongEntry | undefined) {
  const beside = folderTempos.get(path.dirname(file)) ?? []
  return expectedTempo({
    bpm: entry?.min_bpm ?? undefined,
    genres: entry?.genres ?? [],
    relatives: [await tempoOfLabel(ctx.sql, entry?.label ?? ''), beside],
  })
}

/** Remembers a certain tempo for the other files of its folder. */
function rememberTempo({ folderTempos }: PreparationDeps, file: string, { bpm, bpm_confidence }: Analysis): void {
  if (bpm === null || bpm_confidence < CERTAIN_TEMPO) return
  const folder = path.dirname(file)
  folderTempos.set(folder, [...(folderTempos.get(folder) ?? []), bpm].slice(-MOST_FOLDER_TEMPOS))
}

async function runAnalysis(
  deps: PreparationDeps,
  { file, place }: { file: string; place: string },
  { preview, tempoRange }: { preview: string; tempoRange: TempoRange | undefined },
): Promise<Analysis | Skipped> {
  try {
    const analysis = await deps.analyser.analyse(place, { previewPath: preview, tempoRange })
    rememberTempo(deps, file, analysis)
    const fault = analysis.faults.find((item) => !isWarning(item))
    return fault ? skippedFor(file, fault) : analysis
  } catch (error) {
    if (!(error instanceof AnalyserError)) throw error
    if (/ENOSPC|EDQUOT/.test(error.reason)) throw Object.assign(new Error(error.reason), { code: 'ENOSPC' })
    return { path: file, reason: 'analysis failed', detail: `Analysis failed: ${error.reason}.` }
  }
}

type AnalysedFile = {
  file: string
  place: string
  sha256: string
  preview: string
  analysis: Analysis
  entry: SongEntry
  tags: Tags
}

async function storeAudio({ ctx, covers }: PreparationDeps, analysed: AnalysedFile): Promise<PreparedFile> {
  const { file, place, sha256, preview, analysis, entry, tags } = analysed
  const body = await readPayload(place, analysis.format)
  const stored = await ctx.storage.putFile('audio', place)
  if (stored.sha256 !== sha256) {
    return { path: file, reason: 'unreadable', detail: 'The file changed while it was being read.' }
  }
  const storedPreview = await ctx.storage.putFile('previews', preview, '.mp3')
  return {
    path: file,
    entry: applyAnalysis(entry, analysis),
    file: { ...stored, analysis, body, preview: storedPreview },
    cover: await covers.keep(file, tags.picture),
    tag: serializeTags(tags),
    uploaded_name: uploadedName(file),
    warnings: analysis.faults,
    encoding: encodingName(tags),
  }
}
