import type { SharedItem } from './shared-item.ts'

/** Width of the embedded player in px; it fits every narrower width as well. */
export const EMBED_WIDTH = 480
const SONG_HEIGHT = 120
const ROW_HEIGHT = 44
const MAX_ROWS = 6

/** The path of the embedded player of a page: `/embed/song/12`. */
export const embedPath = (path: string): string => `/embed${path}`

/** The height that the embedded player needs, in px: a song is one row; of a list, six songs are in view. */
export const embedHeight = ({ type, songs }: Pick<SharedItem, 'type' | 'songs'>): number =>
  type === 'song' ? SONG_HEIGHT : SONG_HEIGHT + Math.min(songs.length, MAX_ROWS) * ROW_HEIGHT
