/** The DJ software that booth kits are made for. */
export const SOFTWARE = ['rekordbox', 'serato', 'traktor', 'virtualdj', 'mixxx', 'engine'] as const
export type Software = (typeof SOFTWARE)[number]
