import { rm } from 'node:fs/promises'
import path from 'node:path'
import { type Analyser, AnalyserFailure } from '../audio/analyser.ts'
import { type Analysis, type Fault, isWarning } from '../audio/analysis.ts'
import { readBody } from '../audio/body.ts'
import { usualTempoRange } from '../audio/genre-tempo.ts'
import { restoreOriginal } from '../audio/originals.ts'
import { isShelved } from '../audio/shelf.ts'
import { hashFile } from '../platform/storage.ts'
import type { World } from '../world.ts'
import type { Covers } from './cover.ts'
import { describeFile, type FileDetails } from './file-details.ts'
import type { Stage } from './folder-import.ts'
import type { FoundFile } from './folder-walk.ts'
import { keptTags } from './origins.ts'
import { type Skipped, skippedFor, unopened } from './skipped.ts'
import { type SongEntry, withAnalysis } from './song-entry.ts'
import type { ReadySong } from './song-shelf.ts'
import { readTags, type Tags } from './tags.ts'

/** What one import needs for each of its files. */
export type Workbench = {
  world: World
  folder: string
  section: number
  /** For files that name none. */
  genre: string | undefined
  details: FileDetails
  analyser: Analyser
  covers: Covers
  /** Brings a file to this machine. */
  open(file: FoundFile): Promise<OpenFile>
  /** Notes what is being done with the file of this path. */
  stage(file: string, stage: Stage | null): Promise<void>
  /** Path by hash of the files of this run. */
  seen: Map<string, string>
}

/** Where a file lies on this machine, until `done`. */
export type OpenFile = { path: string; done(): Promise<void> }

export const inItsPlace = async ({ path }: FoundFile): Promise<OpenFile> => ({ path, done: async () => {} })

export type Prepared = Skipped | (ReadySong & { path: string; warnings: Fault[] })

export const isSkipped = (prepared: Prepared): prepared is Skipped => 'reason' in prepared

/**
 * Takes a file as far as it comes without the catalogue: hash, tags, analysis, and its bytes in the store. Killed at any
 * line it leaves at most bytes that nothing refers to. Throws only when the store or the database fails.
 */
export async function prepareFile(bench: Workbench, file: FoundFile): Promise<Prepared> {
  if (bench.details.leftOut.has(path.relative(bench.folder, file.path))) return leftOut(file.path)
  const opened = await bench.open(file)
  try {
    await bench.stage(file.path, 'reading')
    const prepared = await prepareOpened(bench, file.path, opened.path)
    await bench.stage(file.path, null)
    return prepared
  } finally {
    await opened.done()
  }
}

/** `place` is where the bytes of the file are. */
async function prepareOpened(bench: Workbench, file: string, place: string): Promise<Prepared> {
  const sha256 = await hashFile(place).catch((error) => unopened(file, error))
  if (typeof sha256 !== 'string') return sha256
  const known = await findKnown(bench, { file, place, sha256 })
  if (known) return known
  const tags = await readTags(place, { pictures: true })
  const { entry } = describeFile(bench, file, tags)
  const preview = await bench.world.storage.scratch('preview.mp3')
  try {
    await bench.stage(file, 'analysing')
    const analysis = await analyse(bench, { file, place }, { preview, genre: entry?.genres[0] })
    await bench.stage(file, 'reading')
    if ('reason' in analysis) return analysis
    if (!entry) return nameless(file)
    return await keep(bench, { file, place, sha256, preview, analysis, entry, tags })
  } finally {
    await rm(preview, { force: true })
  }
}

async function findKnown(
  { world, seen }: Pick<Workbench, 'world' | 'seen'>,
  { file, place, sha256 }: { file: string; place: string; sha256: string },
) {
  const twin = seen.get(sha256)
  if (twin) return { path: file, reason: 'duplicate in folder', detail: `Identical to ${twin}.` } as const
  seen.set(sha256, file)
  if (!(await isShelved(world.sql, sha256))) return undefined
  const detail = (await restoreOriginal(world, sha256, place))
    ? 'It is there with the same content. Its stored file was missing or damaged and has been restored.'
    : 'The same file is already in the catalogue.'
  return { path: file, reason: 'already in the catalogue', detail } as const
}

export const nameless = (file: string): Skipped => ({
  path: file,
  reason: 'missing artist or title',
  detail: 'Artist or title is missing in both the tags and the file name.',
})

export const leftOut = (file: string): Skipped => ({
  path: file,
  reason: 'left out',
  detail: 'You left this file out of the import.',
})

async function analyse(
  { analyser }: Workbench,
  { file, place }: { file: string; place: string },
  { preview, genre }: { preview: string; genre: string | undefined },
): Promise<Analysis | Skipped> {
  try {
    const tempoRange = genre ? usualTempoRange(genre) : undefined
    const analysis = await analyser.analyse(place, { previewPath: preview, tempoRange })
    const fault = analysis.faults.find((each) => !isWarning(each))
    return fault ? skippedFor(file, fault) : analysis
  } catch (error) {
    if (!(error instanceof AnalyserFailure)) throw error
    if (/ENOSPC|EDQUOT/.test(error.reason)) throw Object.assign(new Error(error.reason), { code: 'ENOSPC' })
    return { path: file, reason: 'analysis failed', detail: `Analysis failed: ${error.reason}.` }
  }
}

type Heard = {
  file: string
  place: string
  sha256: string
  preview: string
  analysis: Analysis
  entry: SongEntry
  tags: Tags
}

async function keep({ world, covers }: Workbench, heard: Heard): Promise<Prepared> {
  const { file, place, sha256, preview, analysis, entry, tags } = heard
  const body = await readBody(place, analysis.format)
  const stored = await world.storage.keepFile('audio', place)
  if (stored.sha256 !== sha256) {
    return { path: file, reason: 'unreadable', detail: 'The file changed while it was being read.' }
  }
  const storedPreview = await world.storage.keepFile('previews', preview, '.mp3')
  return {
    path: file,
    entry: withAnalysis(entry, analysis),
    file: { ...stored, analysis, body, preview: storedPreview },
    cover: await covers.keep(file, tags.picture),
    tag: keptTags(tags),
    uploaded_name: path.basename(file).normalize('NFC'),
    warnings: analysis.faults,
  }
}
