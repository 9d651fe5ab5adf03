import type { AudioFormat } from '../audio/analysis.ts'
import type { AudioBody } from '../audio/body.ts'
import { checkOriginal, findIntact, type Original } from '../audio/originals.ts'
import { downloadName } from '../catalogue/file-names.ts'
import { coverJpeg } from '../catalogue/pictures.ts'
import { type Asker, downloadsAsStaff } from '../membership/asker.ts'
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
  bytes: number | null
  missing: boolean
  found_bytes: number | null
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

/** What may be fetched: what is published, that and what is kept for a member, or all the pool has. */
export type Reach = 'published' | Rescue | 'all'

/** What the caller may download of one version. */
export const reachOf = (
  { settings }: Pick<World, 'settings'>,
  caller: Pick<Asker, 'customer_id' | 'staff_role'>,
): Reach => (downloadsAsStaff(caller) ? 'all' : { customer_id: caller.customer_id, days: settings.rescueDays })

const isWithin = (sql: Sql, reach: Reach) => {
  if (reach === 'all') return sql`true`
  if (reach === 'published') return isPublished(sql)
  return sql`(${isPublished(sql)} or ${isKeptFor(sql, reach)})`
}

/** The masters of versions, in the order of the ids; what is unknown or out of reach is left out. */
export async function findMasters(
  sql: Sql,
  versionIds: readonly number[],
  reach: Reach = 'published',
): Promise<Master[]> {
  return sql<Master[]>`
    select v.song_version_id, s.entity_id, s.title, s.artist, s.album, s.label, s.isrc, s.remixer, s.year, s.min_bpm, s.max_bpm,
      s.song_key, s.cover_seed, encode(a.sha256, 'hex') as artwork, v.version_label, k.version_code, v.uploaded_name,
      v.duration_seconds, coalesce(n.loudness_lufs, v.loudness_lufs) as loudness_lufs, n.true_peak_db,
      f.file_id, encode(f.sha256, 'hex') as sha256, coalesce(f.format, 'mp3') as format, f.body,
      f.bytes, f.missing_since is not null as missing, f.found_bytes, v.recipe, v.recipe_bytes,
      array(select g.name from song_genre sg join genre g using (genre_id) where sg.entity_id = s.entity_id and g.kind = 'genre'
        order by g.parent_id is null, g.position, g.genre_id) as genres
    from unnest(${[...versionIds]}::bigint[]) with ordinality ids (song_version_id, n)
    join song_version v using (song_version_id) join song s using (entity_id) join version_kind k using (version_kind_id)
    left join artwork a using (artwork_id) left join file f on f.file_id = v.file_id left join analysis n on n.file_id = v.file_id
    where ${isWithin(sql, reach)} order by ids.n`
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

/** Whether the file of a version can be sent: the store has it in its full length. What changed since is recorded. */
export async function isAvailable(world: World, master: Master): Promise<boolean> {
  const original = originalOf(master)
  return original ? checkOriginal(world, original) : world.music !== undefined
}

/** Those of the masters whose files can be sent. */
export async function findAvailable(world: World, masters: readonly Master[]): Promise<Set<Master>> {
  const stored = masters.flatMap((master) => {
    const original = originalOf(master)
    return original ? [{ ...original, master }] : []
  })
  const intact = new Set([...(await findIntact(world, stored))].map(({ master }) => master))
  return new Set(masters.filter((master) => intact.has(master) || (!originalOf(master) && world.music !== undefined)))
}

/** The stored original of a version; undefined where its music is made on demand. */
export function originalOf({ file_id, sha256, bytes, missing, found_bytes }: Master): Original | undefined {
  if (file_id === null || sha256 === null || bytes === null) return undefined
  return { file_id, sha256, bytes, missing, found_bytes }
}

/** What is wrong with a file that cannot be sent: “missing” or “damaged”. */
export async function troubleWith(world: World, { sha256 }: Master): Promise<'missing' | 'damaged'> {
  return sha256 !== null && (await world.storage.has('audio', sha256)) ? 'damaged' : 'missing'
}
