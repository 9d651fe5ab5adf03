import { createHash } from 'node:crypto'

/** What a generated image is for. */
export type GeneratedKind = 'song' | 'genre' | 'list' | 'top20' | 'product'

const shortHash = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 8)

/** The URL of a stored image, by its content. */
export const storedImage = (sha256: string): string => `/images/${sha256}/320.webp`

/** The URL of a generated image; it changes with the text on it, so that browsers may cache it forever. */
export const generatedImage = (of: GeneratedKind, id: number, words: string): string =>
  `/images/${of}-${id}-${shortHash(words)}/320.webp`

/** The values that the cover of a song depends on. */
export type SongCover = {
  /** SHA-256 of the song's own picture, or null when it has none. */
  artwork: string | null
  entity_id: number
  title: string
  artist: string
  cover_seed: number
}

/** The URL of a song's cover: its own picture, or a generated one. */
export const songImage = ({ artwork, entity_id, title, artist, cover_seed }: SongCover): string =>
  artwork ? storedImage(artwork) : generatedImage('song', entity_id, `${title}${artist}${cover_seed}`)

/** The values that the cover of a spotlight or a top 20 depends on. */
export type ListCover = {
  /** SHA-256 of its uploaded picture, or null when it is generated. */
  artwork: string | null
  title: string
  cover_seed: number
}

/** The input of the hash in a generated cover's URL: another title or seed is another image. */
export const listCoverHash = ({ title, cover_seed }: Pick<ListCover, 'title' | 'cover_seed'>): string =>
  `${title}${cover_seed}`

/** The URL of the cover of a spotlight or a top 20. */
export const listImage = (of: 'list' | 'top20', id: number, cover: ListCover): string =>
  cover.artwork ? storedImage(cover.artwork) : generatedImage(of, id, listCoverHash(cover))
