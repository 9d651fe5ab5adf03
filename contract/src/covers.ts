/** Pictures in a music folder that are its cover, for the server and the browser. */

/** File names of covers, the most likely first. */
const NAMES = ['cover', 'folder', 'front', 'artwork', 'album']

const rankOf = (file: string): number =>
  NAMES.indexOf(/^([a-z]+)\.(?:jpe?g|png|webp)$/i.exec(file)?.[1]?.toLowerCase() ?? '')

/** Returns the name of the file most likely to be the folder's cover, ignoring case; undefined if there is none. */
export const mostLikelyCover = (files: readonly string[]): string | undefined =>
  files.filter((file) => rankOf(file) >= 0).sort((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b))[0]
