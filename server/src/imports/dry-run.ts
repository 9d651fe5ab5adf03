import { closeSync, openSync } from 'node:fs'
import path from 'node:path'
import type { AppContext } from '../app-context.ts'
import { isWarning } from '../audio-files/faults.ts'
import { FileWindow } from '../audio-files/file-window.ts'
import { inspect } from '../audio-files/integrity.ts'
import { findSong, songKeyOf } from '../catalogue/artist-credit.ts'
import { isFileStored } from '../media/media-repository.ts'
import type { Sql } from '../platform/db.ts'
import { hashFile } from '../platform/storage.ts'
import { separateDuplicates } from './duplicate-files.ts'
import { encodingName, encodingNotes } from './encoding-names.ts'
import { describeFile, type FileDetails } from './file-details.ts'
import { excluded, knownSkip, openInPlace, readKnownFile, unnamedSkip } from './file-preparation.ts'
import {
  countEncoding,
  DUPLICATE_FALLBACK_REASONS,
  type ImportOptions,
  type ImportResult,
  isGlobalFailure,
  NO_RESULT,
  readFolder,
  unpublishedSkip,
} from './folder-import.ts'
import type { FoundFile } from './folder-walk.ts'
import { describeImprovement } from './known-files.ts'
import { formatDuration, type Skipped, skippedFor, unreadableSkip } from './skipped-files.ts'
import { findFreeLabel, type SongEntry } from './song-entry.ts'
import { readTags } from './tags.ts'

type PlannedSong = { heading: string; isNew: boolean; isUnpublished: boolean; labels: Set<string>; lines: string[] }
type Plan = {
  songs: Map<string, PlannedSong>
  /** The paths of the files that would be imported, by hash. */
  seen: Map<string, string>
  details: FileDetails
  result: ImportResult
}

type DryRunOptions = Omit<ImportOptions, 'jobs' | 'childPath' | 'analyser'>

/**
 * Returns what an import would do: each song with its versions as text, and the same result as an import. Reads the
 * hash, tags, name and structure of every file; decodes and writes nothing.
 */
export async function planImport(
  ctx: AppContext,
  options: DryRunOptions,
): Promise<{ plan: string; result: ImportResult }> {
  const started = Date.now()
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
  const all: Plan = { songs: new Map(), seen: new Map(), details, result }
  const uniqueFiles = await separateDuplicates(files, { ...options, details, open: options.open ?? openInPlace })
  for (const file of [...uniqueFiles.files, ...uniqueFiles.duplicates]) {
    if (options.signal.aborted) break
    const skipped = await planOpenedFile(ctx, options, all, file)
    if (skipped) result.skipped.push(skipped)
    if (skipped) await options.journal?.skipped(skipped)
    result.bytes += file.bytes
    options.onDone?.(file)
  }
  result.interrupted = options.signal.aborted
  result.took_seconds = (Date.now() - started) / 1000
  const planned = [...all.songs.values()].filter(({ lines }) => lines.length > 0)
  return { plan: planned.map(describe).join('\n'), result }
}

async function planOpenedFile(ctx: AppContext, options: DryRunOptions, all: Plan, file: FoundFile) {
  if (all.details.excluded.has(path.relative(options.folder, file.path))) return excluded(file.path)
  try {
    const opened = await (options.open ?? openInPlace)(file)
    try {
      await options.journal?.stage(file, 'reading')
      return await planFile(ctx, options, all, { file: file.path, place: opened.path })
    } finally {
      await opened.done()
    }
  } catch (error) {
    if (isGlobalFailure(error)) throw error
    return unreadableSkip(file.path, error)
  }
}

async function planFile(
  ctx: AppContext,
  options: DryRunOptions,
  all: Plan,
  { file, place }: { file: string; place: string },
): Promise<Skipped | undefined> {
  const sha256 = await hashFile(place)
  const duplicate = all.seen.get(sha256)
  if (duplicate) return { path: file, reason: 'duplicate in folder', detail: `Identical to ${duplicate}.` }
  const skipped = await planContent(ctx, options, all, { file, place, sha256 })
  if (!skipped || !DUPLICATE_FALLBACK_REASONS.has(skipped.reason)) all.seen.set(sha256, file)
  return skipped
}

type FileContent = { file: string; place: string; sha256: string }

async function planContent(
  ctx: AppContext,
  options: DryRunOptions,
  all: Plan,
  { file, place, sha256 }: FileContent,
): Promise<Skipped | undefined> {
  if (await isFileStored(ctx.sql, sha256)) {
    const deps = { ctx, ...options, genre: options.genre, encoding: options.encoding, details: all.details }
    const known = await readKnownFile(deps, { file, place, sha256 })
    return knownSkip(file, [known ? await describeImprovement(ctx.sql, known) : ''])
  }
  const inspected = inspectFile(file, place)
  if ('reason' in inspected) return inspected
  const tags = await readTags(place, { pictures: false, encoding: options.encoding })
  const { entry, detected } = describeFile({ ...options, details: all.details }, file, tags)
  const preview = { found: detected, audio_seconds: inspected.duration_seconds }
  if (!entry) return { ...unnamedSkip(file), ...preview }
  const song = await songOf(ctx.sql, all, entry)
  if (song.isUnpublished) return { ...unpublishedSkip(file), ...preview }
  const isFirst = song.isNew && song.lines.length === 0
  const label = findFreeLabel(entry.version_label, song.labels)
  const encoding = encodingName(tags)
  song.labels.add(label)
  song.lines.push(
    `    ${label.padEnd(24)} ${inspected.sound}${formatMarks(entry)}${encoding && `  tags: ${encoding}`}  ${path.relative(options.folder, file)}`,
  )
  const { title, artist } = entry
  const notes = encodingNotes(encoding)
  if (label !== entry.version_label)
    notes.push(`A version “${entry.version_label}” already exists; this file would become “${label}”.`)
  await options.journal?.added(ctx.sql, {
    ...{
      path: file,
      title,
      artist,
      version_label: label,
      is_new_song: isFirst,
      note: notes.join(' '),
      song_version_id: null,
    },
    ...preview,
  })
  if (isFirst) all.result.songs_added++
  all.result.versions_added++
  countEncoding(all.result, encoding)
  all.result.music_seconds += inspected.duration_seconds
  return undefined
}

function inspectFile(file: string, place: string): Skipped | { sound: string; duration_seconds: number } {
  const fd = openSync(place, 'r')
  try {
    const structure = inspect(new FileWindow(fd))
    if (!('format' in structure)) return skippedFor(file, structure)
    const fault = structure.faults.find((item) => !isWarning(item))
    if (fault) return skippedFor(file, fault)
    const { format, duration_seconds } = structure
    return {
      sound: `${format.toUpperCase().padEnd(4)} ${formatDuration(duration_seconds).padStart(7)}`,
      duration_seconds,
    }
  } finally {
    closeSync(fd)
  }
}

function formatMarks({ min_bpm, max_bpm, bpm_source, song_key, key_source }: SongEntry): string {
  const tempo = max_bpm === min_bpm ? min_bpm : `${min_bpm}–${max_bpm}`
  const marks = [bpm_source ? `${tempo} BPM (${bpm_source})` : '', key_source ? `${song_key} (${key_source})` : '']
  return marks
    .filter(Boolean)
    .map((mark) => `  ${mark}`)
    .join('')
}

async function songOf(sql: Sql, { songs }: Plan, entry: SongEntry): Promise<PlannedSong> {
  const key = songKeyOf(entry)
  const planned = songs.get(key)
  if (planned) return planned
  const labels = await sql<{ status: string; version_label: string | null }[]>`
    select s.status, v.version_label from song s left join song_version v using (entity_id)
    where s.entity_id = ${(await findSong(sql, entry.song_section_id ?? 1, entry)) ?? null}::bigint`
  const song: PlannedSong = {
    heading: `${entry.artist} – ${entry.title}`,
    isNew: labels.length === 0,
    isUnpublished: labels.some(({ status }) => status !== 'published'),
    labels: new Set(labels.flatMap(({ version_label }) => version_label ?? [])),
    lines: [],
  }
  songs.set(key, song)
  return song
}

const describe = ({ heading, isNew, lines }: PlannedSong): string =>
  [`  ${heading}${isNew ? '' : '    (existing song: adds versions)'}`, ...lines].join('\n')
