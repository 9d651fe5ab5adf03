import type { Sql } from '../platform/db.ts'
import { findMergedSong } from './merged-songs.ts'
import { identityOf, normalizePhrase } from './words.ts'

/** Separators between the artists of one song. 'x' only in lower case, because 'Lil Nas X' is a name. */
const SEPARATOR =
  /\s+(?:(?:feat|Feat|FEAT|ft|Ft|FT)\.?|[Ff]eaturing|FEATURING|f\.|[Ww]ith|[Aa]nd|[Yy]|[Vv][Ss]\.?|x|×)\s+|[,;&+/]/

/** An artist or label of a song: the name as it is written, and the key that all its spellings share. */
export type CreditedName = { key: string; name: string }

/** The artists of a song, in the order in which they are named. */
export function artistsOf(artist: string): CreditedName[] {
  const names = artist
    .replace(/[()[\]{}]/g, ' ')
    .split(SEPARATOR)
    .map((name) => ({ key: normalizePhrase(name), name: name.trim() }))
  return names.filter(({ key }, n) => key && names.findIndex((other) => other.key === key) === n)
}

/**
 * The artists of a song in a normalised order, so that 'A, B', 'A & B', 'A x B' and 'A feat. B' are the same credit.
 * Only for comparison: the displayed artist stays as it was written, since 'Simon & Garfunkel' and 'Tyler, The Creator'
 * are one name.
 */
export const creditOf = (artist: string): string =>
  artistsOf(artist)
    .map(({ key }) => key)
    .sort()
    .join('|')

type NamedSong = { artist: string; title: string; remixer?: string | undefined }

/** The key that all versions of a song share, however their artists are separated. */
export const songKeyOf = ({ artist, title, remixer }: NamedSong): string =>
  [creditOf(artist), normalizePhrase(title), normalizePhrase(remixer ?? '')].join('\n')

/**
 * Returns the song that a version with this artist, title and remix belongs to: the one with exactly that name, the one
 * it was merged into, or the oldest with the same artists. Undefined when there is none.
 */
export async function findSong(sql: Sql, section: number, song: NamedSong): Promise<number | undefined> {
  const identity = identityOf({ ...song, remixer: song.remixer ?? '' })
  const merged = await findMergedSong(sql, section, identity)
  if (merged !== undefined) return merged
  const [exact] = await sql<{ entity_id: number }[]>`
    select entity_id from song where song_section_id = ${section} and song_identity = ${identity}`
  if (exact) return exact.entity_id
  const artistCredit = creditOf(song.artist)
  if (!artistCredit.includes('|')) return undefined
  const sameTitle = await sql<{ entity_id: number; artist: string }[]>`
    select entity_id, artist from song
    where song_section_id = ${section} and split_part(song_identity, '|', 2) = ${normalizePhrase(song.title)}
      and split_part(song_identity, '|', 3) = ${normalizePhrase(song.remixer ?? '')} and split_part(song_identity, '|', 4) = ''
    order by entity_id`
  return sameTitle.find(({ artist }) => creditOf(artist) === artistCredit)?.entity_id
}
