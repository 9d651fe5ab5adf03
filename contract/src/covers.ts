/** Pictures that lie beside music and are its cover, for server and browser alike. */

/** How they are called, the likeliest first. */
const NAMES = ['cover', 'folder', 'front', 'artwork', 'album']

const rankOf = (file: string): number =>
  NAMES.indexOf(/^([a-z]+)\.(?:jpe?g|png|webp)$/i.exec(file)?.[1]?.toLowerCase() ?? '')

/** Of the names of files in one folder the one that is likeliest its cover, in any case; undefined where none is called so. */
export const mostLikelyCover = (files: readonly string[]): string | undefined =>
  files.filter((file) => rankOf(file) >= 0).sort((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b))[0]
