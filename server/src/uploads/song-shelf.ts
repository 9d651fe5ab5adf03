import type { AudioBody } from '../audio/body.ts'
import { type ShelvedFile, type StoredPicture, shelveFile, shelvePicture } from '../audio/shelf.ts'
import { waveOf } from '../audio/wave.ts'
import { addVersion, countNewSong, findOrAddSong, listSong } from '../catalogue/additions.ts'
import { completeSong, takeSurestAnalysis } from '../catalogue/completion.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { genresNamed } from './genre-names.ts'
import { freeLabel, type SongEntry } from './song-entry.ts'

/** A file whose bytes are in the store, and the song it is a version of. */
export type ReadySong = { entry: SongEntry; file: ShelvedFile; cover: StoredPicture | undefined; uploaded_name: string }

export type Placed =
  | { kind: 'added'; entity_id: number; isNewSong: boolean; version_label: string }
  | { kind: 'known' }
  | { kind: 'same_recording'; version_label: string }
  | { kind: 'withdrawn' }

/** Two imports at once take turns, song by song. */
const TURN = 727_275

/** Rolls a transaction back and carries its answer out. */
class Refused extends Error {
  readonly placed: Placed
  constructor(placed: Placed) {
    super(placed.kind)
    this.placed = placed
  }
}

/** Puts a file into the pool as a version of its song, in one transaction: wholly, or, when it is killed, not at all. */
export async function placeSong(sql: Pool, ready: ReadySong): Promise<Placed> {
  try {
    return await sql.begin((transaction) => place(transaction, ready))
  } catch (error) {
    if (error instanceof Refused) return error.placed
    throw error
  }
}

async function place(sql: Sql, { entry, file, cover, uploaded_name }: ReadySong): Promise<Placed> {
  await sql`select pg_advisory_xact_lock(${TURN})`
  const fileId = await shelveFile(sql, file)
  if (fileId === undefined) throw new Refused({ kind: 'known' })
  const song = { ...entry, artwork_id: cover ? await shelvePicture(sql, cover) : null }
  const { entity_id, added } = await findOrAddSong(sql, song)
  const others = added ? [] : await versionsOf(sql, entity_id, file.body)
  const version_label = freeLabel(entry.version_label, new Set(others.map((version) => version.version_label)))
  if (!added) await completeSong(sql, entity_id, song)
  await addVersion(sql, entity_id, {
    label: version_label,
    position: Math.max(-1, ...others.map(({ position }) => position)) + 1,
    file_id: fileId,
    duration_seconds: file.analysis.duration_seconds,
    loudness_lufs: file.analysis.loudness_lufs,
    wave: waveOf(file.analysis.overview),
    uploaded_name,
  })
  if (added) await countNewSong(sql, song.song_section_id ?? 1)
  else await takeSurestAnalysis(sql, entity_id)
  const needsGenre = added || entry.genres.length > 0 || !(await hasGenre(sql, entity_id))
  await listSong(sql, entity_id, needsGenre ? await genresNamed(sql, entry.genres) : [])
  return { kind: 'added', entity_id, isNewSong: added, version_label }
}

type Other = { version_label: string; position: number; body: AudioBody | null }

/** The versions a song has. Refuses a song staff took down, and the same recording under other tags. */
async function versionsOf(sql: Sql, entityId: number, body: AudioBody): Promise<Other[]> {
  const [song] = await sql<{ status: string }[]>`select status from song where entity_id = ${entityId}`
  if (song?.status !== 'published') throw new Refused({ kind: 'withdrawn' })
  const others = await sql<Other[]>`
    select v.version_label, v.position, f.body from song_version v left join file f using (file_id)
    where v.entity_id = ${entityId}`
  const same = others.find((other) => other.body && soundOf(other.body) === soundOf(body))
  if (same) throw new Refused({ kind: 'same_recording', version_label: same.version_label })
  return others
}

/** The sound alone, whatever tags stand around it. */
const soundOf = ({ format, ranges }: AudioBody): string =>
  [format, ...ranges.map(({ start, end, crc32 }) => `${end - start}:${crc32}`)].join(' ')

async function hasGenre(sql: Sql, entityId: number): Promise<boolean> {
  const [found] = await sql`select from song_genre where entity_id = ${entityId} limit 1`
  return found !== undefined
}
