import type { catalogue } from '@dubplate/contract'

/** The version of a song that its play button plays: the first one that can be played. */
export const preferredVersion = (song: catalogue.Song): catalogue.Version | undefined =>
  song.version.find(({ available }) => available)
