import {
  commentText,
  downloadProfiles,
  type FilePath,
  filePaths,
  keyText,
  type NamedVersion,
  parseKey,
  type player,
} from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { gridAnchors, hotCues } from '../booth/grid-anchors.ts'
import type { KitTrack } from '../booth/kit-track.ts'
import { energyColour, starsOf } from '../booth/profile-values.ts'
import type { DownloadProfile } from '../booth/profiles.ts'
import { EXTENSIONS } from '../catalogue/file-names.ts'
import { findBeatGrids } from '../player/beat-grid.ts'
import { fileGenres, fileTitle } from './song-values.ts'
import { type SourceFile, sourceFileName, type TagOptions } from './source-files.ts'
import type { Tags } from './tagged-file.ts'

/** Files as a download profile wants them: their names, their tags, and what library files say about them. */

/** Programs that read beats and cues from the files themselves, as Serato writes them. */
const READS_SERATO_TAGS: ReadonlySet<string> = new Set(['serato', 'mixxx'])

/** The path, the name and the tags of one file. Without a profile, those of the pool, which has no folders. */
export async function styleOf(
  ctx: AppContext,
  sourceFile: SourceFile,
  profile: DownloadProfile | null,
): Promise<{ path: string; name: string; tags: TagOptions }> {
  if (!profile) return { path: sourceFileName(sourceFile), name: sourceFileName(sourceFile), tags: {} }
  const { file_id } = sourceFile
  const grid = file_id === null ? undefined : (await findBeatGrids(ctx.sql, [file_id])).get(file_id)
  const named = namedVersion(sourceFile, grid)
  const [path] = filePaths(profile, [named])
  const track = kitTrack(sourceFile, { profile, named, path: path!, grid, isFavourite: false })
  const { relative } = path!
  const name = relative.slice(relative.lastIndexOf('/') + 1)
  return { path: relative, name, tags: profileTags({ profile, track, named, software: profile.software }) }
}

export const namedVersion = (sourceFile: SourceFile, grid: player.BeatGrid | undefined): NamedVersion => ({
  artist: sourceFile.artist,
  title: sourceFile.title,
  version_label: sourceFile.version_label,
  remixer: sourceFile.remixer,
  album: sourceFile.album,
  label: sourceFile.label,
  genres: fileGenres(sourceFile.genres),
  year: sourceFile.year,
  bpm: sourceFile.bpm,
  song_key: sourceFile.song_key,
  energy: grid?.energy ?? null,
  isrc: sourceFile.isrc,
  extension: EXTENSIONS[sourceFile.format],
})

/** Without an analysis: most music. */
const USUAL_SAMPLE_RATE = 44_100

type TrackParts = {
  profile: DownloadProfile
  named: NamedVersion
  path: FilePath
  grid: player.BeatGrid | undefined
  isFavourite: boolean
}

/** Everything that library files and tags say about a file. Its length is that without tags. */
export function kitTrack(sourceFile: SourceFile, { profile, named, path, grid, isFavourite }: TrackParts): KitTrack {
  const { bytes, duration_seconds, song_key, body } = sourceFile
  const sample_rate = sourceFile.sample_rate ?? USUAL_SAMPLE_RATE
  const kept = body?.kept.kind === 'mp3' ? body.kept : undefined
  // Our analysis counts without what the info frame declares as the encoder's delay.
  const delay = (kept?.skipped_samples ?? 0) / sample_rate
  const energy = grid?.energy ?? null
  const measured = sourceFile.conversion_id === undefined ? sourceFile.bitrate_kbps : null
  const bit_rate = measured === null ? ((bytes ?? 0) * 8) / duration_seconds : measured * 1000
  return {
    path,
    format: sourceFile.format,
    artist: sourceFile.artist,
    title: fileTitle(sourceFile),
    version_label: sourceFile.version_label,
    remixer: sourceFile.remixer,
    album: sourceFile.album,
    genre: named.genres?.join('; ') ?? '',
    label: sourceFile.label,
    comment: commentText(profile, named, uploadedComment(sourceFile)),
    year: sourceFile.year,
    bpm: sourceFile.bpm ?? grid?.bpm ?? null,
    song_key: (song_key && parseKey(song_key)) || null,
    key_text: keyText(profile, song_key),
    rating: starsOf(profile, { energy, isFavourite }),
    colour: energyColour(energy),
    bytes,
    duration_seconds,
    bit_rate: Math.round(bit_rate),
    sample_rate,
    added_at: sourceFile.added_at,
    grid: grid ? gridAnchors(grid, delay) : [],
    cues: grid ? hotCues(grid, delay) : [],
    timing_case: kept?.timing_case ?? null,
  }
}

function uploadedComment({ body }: SourceFile): string {
  const kept = body?.kept
  return kept && 'comment' in kept ? (kept.comment ?? '') : ''
}

type ProfileTags = {
  profile: DownloadProfile
  track: KitTrack
  named: NamedVersion
  software: DownloadProfile['software']
}

/** The tags that each optional tag of a profile consists of. */
const TAGS_OF: Record<downloadProfiles.OptionalTag, readonly (keyof Tags)[]> = {
  album: ['album'],
  genre: ['genres'],
  year: ['year'],
  bpm: ['bpm'],
  label: ['label'],
  isrc: ['isrc'],
  remixer: ['remixer'],
  replaygain: ['replaygain_db', 'replaygain_peak'],
  energy: ['energy'],
  cover: ['picture'],
}

/** Changes the pool's tags to those that the profile wants. */
export const profileTags = ({ profile, track, named, software }: ProfileTags): TagOptions => ({
  coverPixels: profile.cover_pixels,
  adapt: (tags) => {
    const { comment, key_text } = track
    const changed: Tags = {
      ...tags,
      ...(named.energy ? { energy: named.energy } : {}),
      ...(comment === '' ? {} : { comment }),
      ...(key_text === '' ? {} : { song_key: key_text }),
      ...(READS_SERATO_TAGS.has(software) ? { serato: track } : {}),
    }
    for (const tag of downloadProfiles.OPTIONAL_TAGS)
      if (!profile.tags.includes(tag)) for (const name of TAGS_OF[tag]) delete changed[name]
    if (profile.key_field === 'comment') delete changed.song_key
    return changed
  },
})
