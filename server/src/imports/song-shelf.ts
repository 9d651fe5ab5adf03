import { type AudioBody, soundOf } from '../audio/body.ts'
import { type ShelvedFile, type StoredPicture, shelveFile, shelvePicture } from '../audio/shelf.ts'
import { waveOf } from '../audio/wave.ts'
import { addVersion, countNewSong, findOrAddSong, listSong } from '../catalogue/additions.ts'
import { completeSong, takeSurestAnalysis } from '../catalogue/completion.ts'
import { areGenresStaffs } from '../catalogue/origins.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { genresNamed } from './genre-names.ts'
import { freeLabel, type SongEntry } from './song-entry.ts'

/** A file whose bytes are in the store, and the song it is a version of. */
export type ReadySong = {
  entry: SongEntry
  file: ShelvedFile
  cover: StoredPicture | undefined
  uploaded_name: string
  /** What the tags of the file say. */
  tag: object
}

export type Placed =
  | { kind: 'added'; entity_id: number; isNewSong: boolean; song_version_id: number; version_label: string }
  | { kind: 'known' }
  | { kind: 'same_recording'; version_label: string }
  | { kind: 'withdrawn' }

/** Two imports at once take turns, song by song. */
const TURN = 727_275

/** Waits until no import places a song, and lets none do so before the transaction ends. */
export const holdImports = (sql: Sql) => sql`select pg_advisory_xact_lock(${TURN})`

/** Rolls a transaction back and carries its answer out. */
class Refused extends Error {
  readonly placed: Placed
  constructor(placed: Placed) {
    super(placed.kind)
    this.placed = placed
  }
}

/**
 * Puts a file into the pool as a version of its song, in one transaction: wholly, or, when it is killed, not at all. `also`
 * is done in the same.
 */
export async function placeSong(
  sql: Pool,
  ready: ReadySong,
  also?: (sql: Sql, placed: Placed & { kind: 'added' }) => Promise<void>,
): Promise<Placed> {
  try {
    return await sql.begin(async (transaction) => {
      const placed = await place(transaction, ready)
      if (placed.kind === 'added') await also?.(transaction, placed)
      return placed
    })
  } catch (error) {
    if (error instanceof Refused) return error.placed
    throw error
  }
}

async function place(sql: Sql, { entry, file, cover, uploaded_name, tag }: ReadySong): Promise<Placed> {
  await holdImports(sql)
  const fileId = await shelveFile(sql, file)
  if (fileId === undefined) throw new Refused({ kind: 'known' })
  const song = { ...entry, artwork_id: cover ? await shelvePicture(sql, cover) : null }
  const { entity_id, added } = await findOrAddSong(sql, song)
  const others = added ? [] : await versionsOf(sql, entity_id, file.body)
  const version_label = freeLabel(entry.version_label, new Set(others.map((version) => version.version_label)))
  if (!added) await completeSong(sql, entity_id, song)
  const song_version_id = await addVersion(sql, entity_id, {
    label: version_label,
    position: Math.max(-1, ...others.map(({ position }) => position)) + 1,
    file_id: fileId,
    duration_seconds: file.analysis.duration_seconds,
    loudness_lufs: file.analysis.loudness_lufs,
    wave: waveOf(file.analysis.overview),
    uploaded_name,
    tag,
  })
  if (added) await countNewSong(sql, song.song_section_id ?? 1)
  else await takeSurestAnalysis(sql, entity_id)
  await listSong(
    sql,
    entity_id,
    (await takesGenres(sql, { entry, entity_id, added })) ? await genresNamed(sql, entry.genres) : [],
  )
  return { kind: 'added', entity_id, isNewSong: added, song_version_id, version_label }
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

async function takesGenres(
  sql: Sql,
  { entry, entity_id, added }: { entry: SongEntry; entity_id: number; added: boolean },
): Promise<boolean> {
  if (added) return true
  if (await areGenresStaffs(sql, entity_id)) return false
  return entry.genres.length > 0 || !(await hasGenre(sql, entity_id))
}

async function hasGenre(sql: Sql, entityId: number): Promise<boolean> {
  const [found] = await sql`select from song_genre where entity_id = ${entityId} limit 1`
  return found !== undefined
}
