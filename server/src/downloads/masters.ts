import type { AudioFormat } from '../audio/analysis.ts'
import type { AudioBody } from '../audio/body.ts'
import { downloadName } from '../catalogue/file-names.ts'
import { coverJpeg } from '../catalogue/pictures.ts'
import type { Sql } from '../platform/db.ts'
import type { World } from '../world.ts'
import { type Picture, type TaggedFile, type Tags, tagFile } from './tagged-file.ts'

/** All that a download of one version needs to know. */
export type Master = {
  song_version_id: number
  entity_id: number
  title: string
  artist: string
  album: string
  label: string
  isrc: string
  remixer: string
  year: number | null
  min_bpm: number | null
  max_bpm: number | null
  song_key: string | null
  genres: string[]
  cover_seed: number
  artwork: string | null
  version_label: string
  version_code: string
  uploaded_name: string
  duration_seconds: number
  loudness_lufs: number | null
  true_peak_db: number | null
  file_id: number | null
  sha256: string | null
  format: AudioFormat
  body: AudioBody | null
  missing: boolean
  recipe: unknown
  recipe_bytes: number | null
}

/** Who may fetch what left the pool: whoever downloaded it before, for so many days after it left. */
export type Rescue = { customer_id: number; days: number }

/** Whether version `v` of song `s` is in the pool. */
const isPublished = (sql: Sql) => sql`(v.status = 'published' and s.status = 'published')`

/** Whether version `v` of song `s`, which is not in the pool, is kept for this member. */
export const isKeptFor = (sql: Sql, { customer_id, days }: Rescue) => sql`(
  coalesce(least(v.withdrawn_at, s.withdrawn_at) > now() - make_interval(days => ${days}), false) and exists (
    select 1 from download d
    where d.customer_id = ${customer_id} and d.song_version_id = v.song_version_id and d.refunded_at is null))`

/**
 * The masters of published versions, in the order of the ids; what is withdrawn or unknown is left out. For a rescue also
 * what left the pool and is kept for the member.
 */
export async function findMasters(sql: Sql, versionIds: readonly number[], rescue?: Rescue): Promise<Master[]> {
  return sql<Master[]>`
    select v.song_version_id, s.entity_id, s.title, s.artist, s.album, s.label, s.isrc, s.remixer, s.year, s.min_bpm, s.max_bpm,
      s.song_key, s.cover_seed, encode(a.sha256, 'hex') as artwork, v.version_label, k.version_code, v.uploaded_name,
      v.duration_seconds, coalesce(n.loudness_lufs, v.loudness_lufs) as loudness_lufs, n.true_peak_db,
      f.file_id, encode(f.sha256, 'hex') as sha256, coalesce(f.format, 'mp3') as format, f.body,
      f.missing_since is not null as missing, v.recipe, v.recipe_bytes,
      array(select g.name from song_genre sg join genre g using (genre_id) where sg.entity_id = s.entity_id and g.kind = 'genre'
        order by g.parent_id is null, g.position, g.genre_id) as genres
    from unnest(${[...versionIds]}::bigint[]) with ordinality ids (song_version_id, n)
    join song_version v using (song_version_id) join song s using (entity_id) join version_kind k using (version_kind_id)
    left join artwork a using (artwork_id) left join file f on f.file_id = v.file_id left join analysis n on n.file_id = v.file_id
    where ${isPublished(sql)} ${rescue ? sql`or ${isKeptFor(sql, rescue)}` : sql``} order by ids.n`
}

/** The name a member's copy has. */
export const masterName = ({ artist, title, version_label, format }: Master): string =>
  downloadName({ artist, title, version_label, format })

/** Covers by song: the versions of one song share one. */
export type Covers = Map<number, Promise<Picture>>

function coverOf(world: World, master: Master, covers: Covers): Promise<Picture> {
  const cover = covers.get(master.entity_id) ?? coverJpeg(world, master)
  covers.set(master.entity_id, cover)
  return cover
}

/** ReplayGain 2.0 brings a track to -18 LUFS. */
const REPLAYGAIN_LUFS = -18

async function tagsOf(world: World, master: Master, covers: Covers): Promise<Tags> {
  const { loudness_lufs, true_peak_db, year, song_key, genres } = master
  const bpm = master.min_bpm ?? undefined
  return {
    title: `${master.title} (${master.version_label})`,
    artist: master.artist,
    ...(master.album ? { album: master.album } : {}),
    ...(genres.length > 0 ? { genres } : {}),
    ...(year ? { year } : {}),
    ...(bpm ? { bpm } : {}),
    ...(song_key ? { song_key } : {}),
    ...(master.label ? { label: master.label } : {}),
    ...(master.isrc ? { isrc: master.isrc } : {}),
    ...(master.remixer ? { remixer: master.remixer } : {}),
    ...(loudness_lufs === null ? {} : { replaygain_db: REPLAYGAIN_LUFS - loudness_lufs }),
    ...(true_peak_db === null ? {} : { replaygain_peak: 10 ** (true_peak_db / 20) }),
    picture: await coverOf(world, master, covers),
  }
}

/** Music that is made on demand is bare MP3 frames from the first byte to the last; its checksum is not known before. */
const bareFrames = (bytes: number): AudioBody => ({
  format: 'mp3',
  ranges: [{ start: 0, end: bytes, crc32: 0 }],
  kept: { kind: 'mp3', frames: [] },
})

/** The version as a member gets it: fresh tags around the untouched sound. Reads no audio. */
export async function tagMaster(world: World, master: Master, covers: Covers = new Map()): Promise<TaggedFile> {
  return tagFile(master.body ?? bareFrames(master.recipe_bytes ?? 0), await tagsOf(world, master, covers))
}

export const MEDIA_TYPE: Record<AudioFormat, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  aiff: 'audio/aiff',
}

/** Whether the store has the file; what changed since the last look is noted. */
export async function isThere(world: World, master: Master): Promise<boolean> {
  if (master.sha256 === null || master.file_id === null) return world.music !== undefined
  const there = await world.storage.has('audio', master.sha256)
  if (there === master.missing) await noteMissing(world, master.file_id, !there)
  return there
}

/** Looks at once for so many files: a bucket is some milliseconds away. */
const LOOKS_AT_ONCE = 16

/** Those of the masters whose files the store has, in their order. */
export async function findThere(world: World, masters: readonly Master[]): Promise<Set<Master>> {
  const there = new Set<Master>()
  for (let n = 0; n < masters.length; n += LOOKS_AT_ONCE) {
    const some = masters.slice(n, n + LOOKS_AT_ONCE)
    const seen = await Promise.all(some.map((master) => isThere(world, master)))
    for (const [place, master] of some.entries()) if (seen[place]) there.add(master)
  }
  return there
}

/** Notes that a file is gone from the store (or that it is back), and says so in the log. */
export async function noteMissing(world: World, fileId: number, missing: boolean): Promise<void> {
  const changed = await world.sql`
    update file set missing_since = ${missing ? world.now() : null} where file_id = ${fileId}
      and (missing_since is null) = ${missing} returning encode(sha256, 'hex') as sha256`
  if (changed.length === 0) return
  if (missing)
    world.log.error({ file_id: fileId, sha256: changed[0]?.sha256 }, 'A media file is missing from the store.')
  else world.log.info({ file_id: fileId }, 'A media file that was missing is back.')
}

/** Looks again for files that were missing; the ones that came back are offered again. */
export async function findReturnedFiles(world: World): Promise<void> {
  const lost = await world.sql<{ file_id: number; sha256: string }[]>`
    select file_id, encode(sha256, 'hex') as sha256 from file where missing_since is not null`
  for (const { file_id, sha256 } of lost) {
    if (await world.storage.has('audio', sha256)) await noteMissing(world, file_id, false)
  }
}
