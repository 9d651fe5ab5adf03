import {
  downloadProfiles,
  type FilePath,
  filePaths,
  type NamedVersion,
  parseKey,
  type player,
} from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { gridAnchors, hotCues } from '../booth/grid-anchors.ts'
import { kitFiles } from '../booth/kit-files.ts'
import type { KitTrack } from '../booth/kit-track.ts'
import type { SkippedTrack } from '../booth/playlist-file.ts'
import { commentText, energyColour, keyText, starsOf } from '../booth/profile-values.ts'
import type { DownloadProfile } from '../booth/profiles.ts'
import { EXTENSIONS } from '../catalogue/file-names.ts'
import { ApiError } from '../platform/api-error.ts'
import { findBeatGrids } from '../player/beat-grid.ts'
import { archiveEntry } from './archive-playlist.ts'
import { asDownloaded } from './conversions.ts'
import { placeSegments } from './segments.ts'
import { fileGenres, fileTitle } from './song-values.ts'
import { type CoverCache, type SourceFile, storageKindOf, tagSourceFile } from './source-files.ts'
import type { Tags } from './tagged-file.ts'
import type { ZipEntry } from './zip.ts'

/** What a zip stores of the kit it was requested as, so that it has the same bytes at each request. */
export type Kit = {
  software: DownloadProfile['software']
  profile: DownloadProfile
  /** The name of the playlist in the DJ software. */
  name: string
  /** The ids of the member's favourite songs among them. */
  favourites: number[]
  /** False for the library file and playlists alone. */
  has_audio: boolean
  /** Which zip of several this is. */
  part?: number
  parts?: number
}

/** Programs that read beats and cues from the files themselves, as Serato writes them. */
const READS_SERATO_TAGS: ReadonlySet<string> = new Set(['serato', 'mixxx'])

/** The files of a kit for an archive: the music in the folders of the profile, then the library file and playlists. */
export async function layOutKit(
  ctx: AppContext,
  { kit, created_at, skipped }: { kit: Kit; created_at: Date; skipped: SkippedTrack[] },
  found: readonly SourceFile[],
): Promise<ZipEntry[]> {
  const { profile, software } = kit
  const sourceFiles = kit.has_audio ? found : await asDownloaded(ctx, found, profile.format)
  const grids = await findBeatGrids(
    ctx.sql,
    sourceFiles.flatMap(({ file_id }) => file_id ?? []),
  )
  const gridOf = ({ file_id }: SourceFile) => (file_id === null ? undefined : grids.get(file_id))
  const named = sourceFiles.map((sourceFile) => namedVersion(sourceFile, gridOf(sourceFile)))
  const paths = filePaths(profile, named)
  const coverCache: CoverCache = new Map()
  const entries: ZipEntry[] = []
  const tracks: KitTrack[] = []
  for (const [n, sourceFile] of sourceFiles.entries()) {
    const track = kitTrack(kit, sourceFile, { named: named[n]!, path: paths[n]!, grid: gridOf(sourceFile) })
    if (!kit.has_audio) {
      tracks.push({ ...track, bytes: null })
      continue
    }
    if (sourceFile.sha256 === null)
      throw new ApiError('file_unavailable', `“${sourceFile.title}” is still being prepared. Try again in a moment.`)
    const { segments, length, crc32 } = await tagSourceFile(ctx, sourceFile, {
      coverCache,
      coverPixels: profile.cover_pixels,
      adapt: (tags) =>
        profileTags(tags, { profile, track, named: named[n]!, hasSerato: READS_SERATO_TAGS.has(software) }),
    })
    const placed = placeSegments(sourceFile.sha256, segments, storageKindOf(sourceFile))
    entries.push({ name: track.path.relative, modified: created_at, length, crc32, segments: placed })
    tracks.push({ ...track, bytes: length })
  }
  const { name, part, parts = 1 } = kit
  const suffix = parts > 1 ? ` (${part} of ${parts})` : ''
  const files = kitFiles(software, { profile, name: `${name}${suffix}`, suffix, tracks, skipped, created_at })
  return [...entries, ...files.map(({ name, bytes }) => archiveEntry(name, bytes, created_at))]
}

const namedVersion = (sourceFile: SourceFile, grid: player.BeatGrid | undefined): NamedVersion => ({
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

type TrackParts = { named: NamedVersion; path: FilePath; grid: player.BeatGrid | undefined }

function kitTrack({ profile, favourites }: Kit, sourceFile: SourceFile, { named, path, grid }: TrackParts): KitTrack {
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
    rating: starsOf(profile, { energy, isFavourite: favourites.includes(sourceFile.entity_id) }),
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

type ProfileTags = { profile: DownloadProfile; track: KitTrack; named: NamedVersion; hasSerato: boolean }

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

/** The pool's tags as the profile wants them. */
function profileTags(tags: Tags, { profile, track, named, hasSerato }: ProfileTags): Tags {
  const { comment, key_text } = track
  const changed: Tags = {
    ...tags,
    ...(named.energy ? { energy: named.energy } : {}),
    ...(comment === '' ? {} : { comment }),
    ...(key_text === '' ? {} : { song_key: key_text }),
    ...(hasSerato ? { serato: track } : {}),
  }
  for (const tag of downloadProfiles.OPTIONAL_TAGS)
    if (!profile.tags.includes(tag)) for (const name of TAGS_OF[tag]) delete changed[name]
  if (profile.key_field === 'comment') delete changed.song_key
  return changed
}
