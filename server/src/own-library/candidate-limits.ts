/** How candidates are chosen, in memory and in PostgreSQL. */

/** Songs that are looked at for the words of an entry. The rarest words come first; the others are in too many songs. */
export const MAX_SONGS_OF_WORDS = 2500
export const MAX_WORDS = 6
/** More than all words together can weigh. */
export const SAME_CORE_WEIGHT = 1000
/** One letter less of a shorter word is another word. */
export const MIN_WORD_WITH_TYPOS = 4
