import type { AppContext } from '../app-context.ts'
import type { AudioFormat } from '../audio-files/faults.ts'
import type { Mp3Timing } from '../audio-files/mp3-timing.ts'
import type { AudioPayload } from '../audio-files/payload.ts'
import { type MemberFeatures, memberFeatures, withAllFeatures } from '../billing/plan-features.ts'
import { type DownloadProfile, defaultProfile, type ProfileRow, toProfile } from '../booth/profiles.ts'
import { downloadName } from '../catalogue/file-names.ts'
import { coverJpeg, SMALL_TAG_PIXELS } from '../catalogue/pictures.ts'
import { knownBpm, knownKey } from '../catalogue/version-values.ts'
import { checkOriginal, findIntact, type Original } from '../media/originals.ts'
import { type Caller, canDownloadAsStaff } from '../membership/caller.ts'
import type { Sql } from '../platform/db.ts'
import { fileGenres, fileTitle } from './song-values.ts'
import { type Picture, type TaggedFile, type Tags, tagFile } from './tagged-file.ts'

/** Everything the download of one version needs. */
export type SourceFile = {
  song_version_id: number
  entity_id: number
  added_at: Date
  title: string
  artist: string
  album: string
  label: string
  isrc: string
  remixer: string
  year: number | null
  bpm: number | null
  song_key: string | null
  genres: string[]
  cover_seed: number
  artwork: string | null
  version_label: string
  version_code: string
  /** Whether the song has other published versions. */
  has_other_versions: boolean
  uploaded_name: string
  /** The title in the tags of the original file; null if unknown. */
  tagged_title: string | null
  duration_seconds: number
  loudness_lufs: number | null
  true_peak_db: number | null
  file_id: number | null
  sha256: string | null
  format: AudioFormat
  body: AudioPayload | null
  bytes: number | null
  missing: boolean
  found_bytes: number | null
  recipe: unknown
  recipe_bytes: number | null
  /** Null without an analysis, as are the two below. */
  sample_rate: number | null
  bitrate_kbps: number | null
  channels: number | null
  /** Whether the song has a published MP3 of the same version. */
  has_mp3_upload: boolean
  /** The id of the conversion that replaces the original here; its own hash, length, format and payload are above. */
  conversion_id?: number
}

/**
 * Lets this customer download unpublished versions they had downloaded before, for `days` after they were unpublished.
 */
export type RescueWindow = { customer_id: number; days: number }

/** Whether version `v` of song `s` is published. */
const isPublished = (sql: Sql) => sql`(v.status = 'published' and s.status = 'published')`

/** Whether this member can still download version `v` of song `s`, which is unpublished. */
export const isRescuable = (sql: Sql, { customer_id, days }: RescueWindow) => sql`(
  coalesce(least(v.unpublished_at, s.unpublished_at) > now() - make_interval(days => ${days}), false) and exists (
    select 1 from download d
    where d.customer_id = ${customer_id} and d.song_version_id = v.song_version_id and d.refunded_at is null))`

/** Which versions can be downloaded: published ones, those and the rescuable ones of a member, or all. */
export type AccessScope = 'published' | RescueWindow | 'all'

/** Returns which versions the caller may download. */
export const accessScopeOf = (
  { settings }: Pick<AppContext, 'settings'>,
  caller: Pick<Caller, 'customer_id' | 'staff_role'>,
): AccessScope => (canDownloadAsStaff(caller) ? 'all' : { customer_id: caller.customer_id, days: settings.rescueDays })

const isInScope = (sql: Sql, accessScope: AccessScope) => {
  if (accessScope === 'all') return sql`true`
  if (accessScope === 'published') return isPublished(sql)
  return sql`(${isPublished(sql)} or ${isRescuable(sql, accessScope)})`
}

/** Returns the files of versions, in the order of the ids. Unknown and inaccessible versions are left out. */
export async function findSourceFiles(
  sql: Sql,
  versionIds: readonly number[],
  accessScope: AccessScope = 'published',
): Promise<SourceFile[]> {
  return sql<SourceFile[]>`
    select ${sourceColumns(sql)} from ${sourceRows(sql, versionIds)} where ${isInScope(sql, accessScope)} order by ids.n`
}

/** The file of one version, and what the member's plan and default download profile say, read with one statement. */
export type RequestedFile = {
  sourceFile: SourceFile
  features: MemberFeatures
  profile: DownloadProfile | null
}

/** Returns the file of one version for a member; undefined if it is unknown or inaccessible. */
export async function findRequestedFile(
  sql: Sql,
  versionId: number,
  { customer_id, accessScope }: { customer_id: number; accessScope: AccessScope },
): Promise<RequestedFile | undefined> {
  const [row] = await sql<(SourceFile & { features: MemberFeatures | null; profile: ProfileRow | null })[]>`
    select ${sourceColumns(sql)},
      (select to_jsonb(f) from (${memberFeatures(sql, customer_id)}) f) as features,
      (select to_jsonb(p) from (${defaultProfile(sql, customer_id)}) p) as profile
    from ${sourceRows(sql, [versionId])} where ${isInScope(sql, accessScope)}`
  if (!row) return undefined
  const { features, profile, ...sourceFile } = row
  return { sourceFile, features: withAllFeatures(features), profile: profile && toProfile(profile) }
}

/** The columns of a `SourceFile`, from `sourceRows`. */
const sourceColumns = (sql: Sql) => sql`
      v.song_version_id, s.entity_id, s.created_at as added_at, s.title, s.artist, s.album, s.label, s.isrc, s.remixer, s.year, ${knownBpm(sql)} as bpm,
      ${knownKey(sql)} as song_key, s.cover_seed, encode(a.sha256, 'hex') as artwork, v.version_label, k.version_code, v.uploaded_name,
      exists (select 1 from song_version o where o.entity_id = s.entity_id and o.status = 'published'
        and o.song_version_id <> v.song_version_id) as has_other_versions, v.tag ->> 'title' as tagged_title,
      v.duration_seconds, coalesce(n.loudness_lufs, v.loudness_lufs) as loudness_lufs, n.true_peak_db,
      f.file_id, encode(f.sha256, 'hex') as sha256, coalesce(f.format, 'mp3') as format, f.body,
      f.bytes, f.missing_since is not null as missing, f.found_bytes, v.recipe, v.recipe_bytes, n.sample_rate, n.bitrate_kbps, n.channels,
      exists (select 1 from song_version o join file m on m.file_id = o.file_id where o.entity_id = s.entity_id
        and o.song_version_id <> v.song_version_id and o.status = 'published' and o.version_label = v.version_label
        and m.format = 'mp3') as has_mp3_upload,
      array(select g.name from song_genre sg join genre g using (genre_id) where sg.entity_id = s.entity_id and g.kind = 'genre'
        order by g.parent_id is null, g.position, g.genre_id) as genres`

/**
 * Rows `ids` with the ids of versions, numbered by `n`. From the length of an array, PostgreSQL would take a plan for
 * exactly one id to be much cheaper than the stored one for any number, and plan the statement again at each download,
 * which takes several times as long as running it. So one id has a statement of its own, and the sub-select hides how
 * many others there are.
 */
const idRows = (sql: Sql, versionIds: readonly number[]) =>
  versionIds.length === 1
    ? sql`(values (${versionIds[0]!}::bigint, 1)) ids (song_version_id, n)`
    : sql`unnest((select ${[...versionIds]}::bigint[])) with ordinality ids (song_version_id, n)`

/** Versions `v` of songs `s` by their ids, in `ids`. */
const sourceRows = (sql: Sql, versionIds: readonly number[]) => sql`
    ${idRows(sql, versionIds)}
    join song_version v using (song_version_id) join song s using (entity_id) join version_kind k using (version_kind_id)
    left join artwork a using (artwork_id) left join file f on f.file_id = v.file_id left join analysis n on n.file_id = v.file_id`

/** The file name of a member's copy. */
export const sourceFileName = ({ artist, title, version_label, format }: SourceFile): string =>
  downloadName({ artist, title, version_label, format })

/** Covers by song and size: the versions of a song share one. */
export type CoverCache = Map<string, Promise<Picture>>

function readCover(
  ctx: AppContext,
  sourceFile: SourceFile,
  coverCache: CoverCache,
  wantedPixels: number | undefined,
): Promise<Picture> {
  // The headers of an Ogg file keep their number of pages, of 64 kB each.
  const pixels = sourceFile.body?.kept.kind === 'ogg' ? SMALL_TAG_PIXELS : wantedPixels
  const key = `${sourceFile.entity_id} ${pixels}`
  const cover = coverCache.get(key) ?? coverJpeg(ctx, sourceFile, pixels)
  coverCache.set(key, cover)
  return cover
}

/** ReplayGain 2.0 brings a track to -18 LUFS. */
const REPLAYGAIN_LUFS = -18

async function tagsOf(
  ctx: AppContext,
  sourceFile: SourceFile,
  { coverCache = new Map(), coverPixels }: TagOptions,
): Promise<Tags> {
  const { loudness_lufs, true_peak_db, year, bpm, song_key } = sourceFile
  const genres = fileGenres(sourceFile.genres)
  return {
    title: fileTitle(sourceFile),
    artist: sourceFile.artist,
    ...(sourceFile.album ? { album: sourceFile.album } : {}),
    ...(genres.length > 0 ? { genres } : {}),
    ...(year ? { year } : {}),
    ...(bpm ? { bpm } : {}),
    ...(song_key ? { song_key } : {}),
    ...(sourceFile.label ? { label: sourceFile.label } : {}),
    ...(sourceFile.isrc ? { isrc: sourceFile.isrc } : {}),
    ...(sourceFile.remixer ? { remixer: sourceFile.remixer } : {}),
    ...(loudness_lufs === null ? {} : { replaygain_db: REPLAYGAIN_LUFS - loudness_lufs }),
    ...(true_peak_db === null ? {} : { replaygain_peak: 10 ** (true_peak_db / 20) }),
    picture: await readCover(ctx, sourceFile, coverCache, coverPixels),
  }
}

/** MP3 frames without tags, whose checksum is not known. */
export const untaggedMp3 = (bytes: number, timing: Mp3Timing): AudioPayload => ({
  format: 'mp3',
  ranges: [{ start: 0, end: bytes, crc32: 0 }],
  kept: { kind: 'mp3', frames: [], ...timing },
})

/** How music that is generated on demand begins. */
const GENERATED_TIMING: Mp3Timing = { timing_case: 'A', skipped_samples: 0 }

export type TagOptions = {
  coverCache?: CoverCache
  /** The side length of the cover; 500 by default. */
  coverPixels?: number
  /** Changes the tags that the pool writes. */
  adapt?: (tags: Tags) => Tags
}

/** Returns the version as a member downloads it: fresh tags around the unchanged audio. Reads no audio. */
export async function tagSourceFile(
  ctx: AppContext,
  sourceFile: SourceFile,
  options: TagOptions = {},
): Promise<TaggedFile> {
  const { adapt = (tags) => tags } = options
  const payload = sourceFile.body ?? untaggedMp3(sourceFile.recipe_bytes ?? 0, GENERATED_TIMING)
  return tagFile(payload, adapt(await tagsOf(ctx, sourceFile, options)))
}

export const MEDIA_TYPES: Record<AudioFormat, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  aiff: 'audio/aiff',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
}

/**
 * Returns whether the version's file can be sent: it is in the storage with its full length. Records a change of this.
 */
export async function isAvailable(ctx: AppContext, sourceFile: SourceFile): Promise<boolean> {
  if (sourceFile.conversion_id !== undefined) return isConversionStored(ctx, sourceFile)
  const original = originalOf(sourceFile)
  return original ? checkOriginal(ctx, original) : ctx.music !== undefined
}

/** Returns the versions whose files can be sent. */
export async function findAvailable(ctx: AppContext, sourceFiles: readonly SourceFile[]): Promise<Set<SourceFile>> {
  const storedFiles = sourceFiles.flatMap((sourceFile) => {
    const original = originalOf(sourceFile)
    return original ? [{ ...original, sourceFile }] : []
  })
  const intact = new Set([...(await findIntact(ctx, storedFiles))].map(({ sourceFile }) => sourceFile))
  const available = new Set<SourceFile>(intact)
  for (const sourceFile of sourceFiles)
    if (!originalOf(sourceFile) && (await isAvailable(ctx, sourceFile))) available.add(sourceFile)
  return available
}

async function isConversionStored({ storage }: AppContext, { sha256, bytes }: SourceFile): Promise<boolean> {
  return sha256 !== null && (await storage.size('conversions', sha256)) === bytes
}

/** Where the audio of a version is stored. */
export const storageKindOf = ({ conversion_id }: SourceFile) =>
  conversion_id === undefined ? ('audio' as const) : ('conversions' as const)

/** The stored original of a version; undefined for a conversion, and when its music is generated on demand. */
export function originalOf(sourceFile: SourceFile): Original | undefined {
  const { file_id, sha256, bytes, missing, found_bytes, conversion_id } = sourceFile
  if (file_id === null || sha256 === null || bytes === null || conversion_id !== undefined) return undefined
  return { file_id, sha256, bytes, missing, found_bytes }
}

/** What is wrong with a file that cannot be sent: “missing” or “damaged”. */
export async function findProblem(ctx: AppContext, sourceFile: SourceFile): Promise<'missing' | 'damaged'> {
  const { sha256 } = sourceFile
  return sha256 !== null && (await ctx.storage.has(storageKindOf(sourceFile), sha256)) ? 'damaged' : 'missing'
}
