import { type AudioPayload, audioSignature } from '../audio-files/payload.ts'
import { findSong } from '../catalogue/artist-credit.ts'
import type { Sql } from '../platform/db.ts'
import type { ReadySong } from './add-songs.ts'
import { rankDescription } from './description-rank.ts'
import { describeImprovement, RENAMED } from './known-files.ts'
import { describeSong } from './song-entry.ts'
import type { Tags } from './tags.ts'

type SameAudio = { song_version_id: number; version_label: string }
type StoredAudio = SameAudio & { entity_id: number; uploaded_name: string; tag: Partial<Tags>; body: AudioPayload }

/** As much as tags or a meaningful name add: two usual descriptions differ by less. */
const CLEAR_DIFFERENCE = 15

/**
 * Returns the version of another song with the same audio when one of the two files is clearly described worse: then
 * they are one song, named by the better one. With two good descriptions, staff decide.
 */
export async function findSameAudio(
  sql: Sql,
  { entry, file, uploaded_name, tag }: ReadySong,
): Promise<SameAudio | undefined> {
  const section = entry.song_section_id ?? 1
  const own = await findSong(sql, section, entry)
  const rank = rankDescription({ name: uploaded_name, tags: tag, entry })
  for (const { entity_id, body, uploaded_name: name, tag: tags, ...same } of await readSameAudio(
    sql,
    section,
    file.body,
  )) {
    if (entity_id === own || audioSignature(body) !== audioSignature(file.body)) continue
    const all: Tags = { genres: [], ...tags }
    const other = rankDescription({ name, tags: all, entry: describeSong(name, all) })
    if (other - rank >= CLEAR_DIFFERENCE) return same
    const known = { ...same, name: uploaded_name, uploaded_name, entry, tags: tag, isDescribed: false }
    if (rank - other >= CLEAR_DIFFERENCE && (await describeImprovement(sql, known)) === RENAMED) return same
  }
  return undefined
}

const MAX_FILES = 10

const readSameAudio = (sql: Sql, section: number, { format, ranges }: AudioPayload) => sql<StoredAudio[]>`
  select v.song_version_id, v.version_label, v.entity_id, v.uploaded_name, v.tag, f.body
  from file f join song_version v using (file_id) join song s using (entity_id)
  where f.body -> 'ranges' -> 0 ->> 'crc32' = ${String(ranges[0]?.crc32 ?? '')} and f.format = ${format}
    and s.song_section_id = ${section} and s.status = 'published' and v.status = 'published'
  order by v.song_version_id limit ${MAX_FILES}`
