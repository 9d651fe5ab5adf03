import { closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { isWarning } from '../audio/analysis.ts'
import { FileWindow } from '../audio/file-window.ts'
import { inspect } from '../audio/integrity.ts'
import { isShelved } from '../audio/shelf.ts'
import { identityOf } from '../catalogue/words.ts'
import type { Sql } from '../platform/db.ts'
import { hashFile } from '../platform/storage.ts'
import type { World } from '../world.ts'
import { describeEntry, nameless } from './file-preparation.ts'
import type { ImportOptions, ImportResult } from './folder-import.ts'
import { findAudio } from './folder-walk.ts'
import { clock, type Skipped, skippedFor, unopened } from './skipped.ts'
import { freeLabel, type SongEntry } from './song-entry.ts'
import { readTags } from './tags.ts'

type PlannedSong = { heading: string; isNew: boolean; labels: Set<string>; lines: string[] }
type Plan = { songs: Map<string, PlannedSong>; seen: Map<string, string>; result: ImportResult }

type DryRunOptions = Omit<ImportOptions, 'jobs' | 'childPath'>

/**
 * What an import would do: each song with its versions, as text, and the same result an import gives. Looks at hashes,
 * tags, names and the structure of every file; decodes and writes nothing.
 */
export async function planImport(
  world: World,
  options: DryRunOptions,
): Promise<{ plan: string; result: ImportResult }> {
  const started = Date.now()
  const { files, skipped } = await findAudio(options.folder)
  options.onFound?.(files)
  const result: ImportResult = {
    ...{ files: files.length, songs_added: 0, versions_added: 0, skipped, notes: [] },
    ...{ music_seconds: 0, bytes: 0, took_seconds: 0, interrupted: false },
  }
  const all: Plan = { songs: new Map(), seen: new Map(), result }
  for (const file of files) {
    if (options.signal.aborted) break
    const refused = await planFile(world, options, all, file.path).catch((error) => unopened(file.path, error))
    if (refused) result.skipped.push(refused)
    result.bytes += file.bytes
    options.onDone?.(file)
  }
  result.interrupted = options.signal.aborted
  result.took_seconds = (Date.now() - started) / 1000
  return { plan: [...all.songs.values()].map(describe).join('\n'), result }
}

async function planFile(world: World, options: DryRunOptions, all: Plan, file: string): Promise<Skipped | undefined> {
  const sha256 = await hashFile(file)
  const twin = all.seen.get(sha256)
  if (twin) return { path: file, reason: 'twice in the folder', detail: `It is the same file as ${twin}.` }
  all.seen.set(sha256, file)
  if (await isShelved(world.sql, sha256)) {
    return { path: file, reason: 'already in the pool', detail: 'It is there with the same content.' }
  }
  const looked = lookAt(file)
  if ('reason' in looked) return looked
  const entry = describeEntry(options, file, await readTags(file, { pictures: false }))
  if (!entry) return nameless(file)
  const song = await songOf(world.sql, all, entry)
  const label = freeLabel(entry.version_label, song.labels)
  song.labels.add(label)
  song.lines.push(`    ${label.padEnd(24)} ${looked.sound}${marksOf(entry)}  ${path.relative(options.folder, file)}`)
  all.result.versions_added++
  all.result.music_seconds += looked.duration_seconds
  return undefined
}

function lookAt(file: string): Skipped | { sound: string; duration_seconds: number } {
  const fd = openSync(file, 'r')
  try {
    const structure = inspect(new FileWindow(fd))
    if (!('format' in structure)) return skippedFor(file, structure)
    const fault = structure.faults.find((each) => !isWarning(each))
    if (fault) return skippedFor(file, fault)
    const { format, duration_seconds } = structure
    return { sound: `${format.toUpperCase().padEnd(4)} ${clock(duration_seconds).padStart(7)}`, duration_seconds }
  } finally {
    closeSync(fd)
  }
}

function marksOf({ min_bpm, max_bpm, bpm_source, song_key, key_source }: SongEntry): string {
  const tempo = max_bpm === min_bpm ? min_bpm : `${min_bpm}–${max_bpm}`
  const marks = [bpm_source ? `${tempo} BPM (${bpm_source})` : '', key_source ? `${song_key} (${key_source})` : '']
  return marks
    .filter(Boolean)
    .map((mark) => `  ${mark}`)
    .join('')
}

async function songOf(sql: Sql, { songs, result }: Plan, entry: SongEntry): Promise<PlannedSong> {
  const identity = identityOf(entry)
  const planned = songs.get(identity)
  if (planned) return planned
  const labels = await sql<{ version_label: string | null }[]>`
    select v.version_label from song s left join song_version v using (entity_id)
    where s.song_section_id = ${entry.song_section_id ?? 1} and s.song_identity = ${identity}`
  const song: PlannedSong = {
    heading: `${entry.artist} – ${entry.title}`,
    isNew: labels.length === 0,
    labels: new Set(labels.flatMap(({ version_label }) => version_label ?? [])),
    lines: [],
  }
  if (song.isNew) result.songs_added++
  songs.set(identity, song)
  return song
}

const describe = ({ heading, isNew, lines }: PlannedSong): string =>
  [`  ${heading}${isNew ? '' : '  (in the pool already: more versions)'}`, ...lines].join('\n')
