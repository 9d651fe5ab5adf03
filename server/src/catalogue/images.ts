import { createHash } from 'node:crypto'

/** What a picture that is drawn in code stands for. */
export type Drawn = 'song' | 'genre' | 'list' | 'top20' | 'product'

const shortHash = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 8)

/** The address of a stored picture, by its content. */
export const storedImage = (sha256: string): string => `/images/${sha256}/320.webp`

/** The address of a picture drawn in code; it changes with the words on it, so that browsers may keep it for ever. */
export const generatedImage = (of: Drawn, id: number, words: string): string =>
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
