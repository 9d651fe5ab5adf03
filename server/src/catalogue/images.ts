import { createHash } from 'node:crypto'

/** What a picture that is drawn in code stands for. */
export type GeneratedKind = 'song' | 'genre' | 'list' | 'top20' | 'product'

const shortHash = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 8)

/** The address of a stored picture, by its content. */
export const storedImage = (sha256: string): string => `/images/${sha256}/320.webp`

/** The address of a picture drawn in code; it changes with the words on it, so that browsers may keep it for ever. */
export const generatedImage = (of: GeneratedKind, id: number, words: string): string =>
  `/images/${of}-${id}-${shortHash(words)}/320.webp`

/** What the cover of a song depends on. */
export type SongCover = {
  /** SHA-256 of the song's own picture, or null where it has none. */
  artwork: string | null
  entity_id: number
  title: string
  artist: string
  cover_seed: number
}

/** The address of a song's cover: its own picture, or the one that is drawn. */
export const songImage = ({ artwork, entity_id, title, artist, cover_seed }: SongCover): string =>
  artwork ? storedImage(artwork) : generatedImage('song', entity_id, `${title}${artist}${cover_seed}`)

/** What the cover of a spotlight or a top 20 depends on. */
export type ListCover = {
  /** SHA-256 of its uploaded picture, or null where it is drawn. */
  artwork: string | null
  title: string
  cover_seed: number
}

/** What the address of a drawn cover is a hash of: another title or seed is another picture. */
export const listCoverHash = ({ title, cover_seed }: Pick<ListCover, 'title' | 'cover_seed'>): string =>
  `${title}${cover_seed}`

/** The address of the cover of a spotlight or a top 20. */
export const listImage = (of: 'list' | 'top20', id: number, cover: ListCover): string =>
  cover.artwork ? storedImage(cover.artwork) : generatedImage(of, id, listCoverHash(cover))
