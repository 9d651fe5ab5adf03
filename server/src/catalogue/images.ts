import { createHash } from 'node:crypto'

/** What a picture that is drawn in code stands for. */
export type Drawn = 'song' | 'genre' | 'list' | 'top20'

const shortHash = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 8)

/** The address of a stored picture, by its content. */
export const storedImage = (sha256: string): string => `/images/${sha256}/320.webp`

/** The address of a picture drawn in code; it changes with the words on it, so that browsers may keep it for ever. */
export const generatedImage = (of: Drawn, id: number, words: string): string =>
  `/images/${of}-${id}-${shortHash(words)}/320.webp`
