import type { DownloadProfile } from './profiles.ts'

/** How a profile writes stars and colours. Keys and comments: contract/src/profile-comments.ts. */

const MAX_STARS = 5

/** 0 to 5 stars. */
export function starsOf(
  { rating }: Pick<DownloadProfile, 'rating'>,
  { energy, isFavourite }: { energy: number | null; isFavourite: boolean },
): number {
  if (rating === 'favourites') return isFavourite ? MAX_STARS : 0
  return rating === 'energy' && energy !== null ? Math.ceil(energy / 2) : 0
}

/** rekordbox’s colours, from calm to energetic, each up to an energy. */
const ENERGY_COLOURS: readonly [energy: number, colour: string][] = [
  [2, '#0000FF'],
  [4, '#25FDE9'],
  [6, '#00FF00'],
  [7, '#FFFF00'],
  [8, '#FFA500'],
  [10, '#FF0000'],
]

/** The colour of a track by its energy; null if that is unknown. */
export const energyColour = (energy: number | null): string | null =>
  energy === null ? null : (ENERGY_COLOURS.find(([limit]) => energy <= limit)?.[1] ?? null)
