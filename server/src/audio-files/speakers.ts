/** The bits of a channel mask in WAVE_FORMAT_EXTENSIBLE, the lowest first (Microsoft, mmreg.h). */
const MASK_ORDER = [
  ...(['FL', 'FR', 'FC', 'LFE', 'BL', 'BR', 'FLC', 'FRC', 'BC', 'SL', 'SR'] as const),
  ...(['TC', 'TFL', 'TFC', 'TFR', 'TBL', 'TBC', 'TBR'] as const),
]

/** The position of a channel: front, back, side or top; LFE is the low-frequency channel. */
export type Speaker = (typeof MASK_ORDER)[number]

/**
 * The order of channels without a mask: RFC 9639 section 9.1.3 for FLAC. WAV and AIFF files without a channel layout
 * are read in the same order, as in FFmpeg: it is the order of the mask's bits.
 */
const DEFAULT_ORDERS: Record<number, readonly Speaker[]> = {
  1: ['FC'],
  2: ['FL', 'FR'],
  3: ['FL', 'FR', 'FC'],
  4: ['FL', 'FR', 'BL', 'BR'],
  5: ['FL', 'FR', 'FC', 'BL', 'BR'],
  6: ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR'],
  7: ['FL', 'FR', 'FC', 'LFE', 'BC', 'SL', 'SR'],
  8: ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR', 'SL', 'SR'],
}

/** Returns the positions of channels in the usual order; none when their number has no usual order. */
export const defaultSpeakers = (channels: number): readonly Speaker[] => DEFAULT_ORDERS[channels] ?? []

/** Returns the positions of a channel mask; none when it does not name each channel. */
export function speakersOfMask(mask: number, channels: number): readonly Speaker[] {
  const speakers = MASK_ORDER.filter((_, bit) => (mask & (1 << bit)) !== 0)
  return speakers.length === channels ? speakers : []
}

/** Layout tags of Core Audio that differ from the order of the mask, by number of channels (CoreAudioBaseTypes.h). */
const LAYOUT_TAGS: Record<number, readonly Speaker[]> = {
  [(113 << 16) | 3]: ['FL', 'FR', 'FC'],
  [(114 << 16) | 3]: ['FC', 'FL', 'FR'],
  [(115 << 16) | 4]: ['FL', 'FR', 'FC', 'BC'],
  [(116 << 16) | 4]: ['FC', 'FL', 'FR', 'BC'],
  [(117 << 16) | 5]: ['FL', 'FR', 'FC', 'BL', 'BR'],
  [(118 << 16) | 5]: ['FL', 'FR', 'BL', 'BR', 'FC'],
  [(119 << 16) | 5]: ['FL', 'FC', 'FR', 'BL', 'BR'],
  [(120 << 16) | 5]: ['FC', 'FL', 'FR', 'BL', 'BR'],
  [(121 << 16) | 6]: ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR'],
  [(122 << 16) | 6]: ['FL', 'FR', 'BL', 'BR', 'FC', 'LFE'],
  [(123 << 16) | 6]: ['FL', 'FC', 'FR', 'BL', 'BR', 'LFE'],
  [(124 << 16) | 6]: ['FC', 'FL', 'FR', 'BL', 'BR', 'LFE'],
}
const LAYOUT_BY_MASK = 1 << 16

/** Returns the positions in a `CHAN` chunk of an AIFF: a layout tag, and a mask that one of the tags refers to. */
export function speakersOfLayout(tag: number, mask: number, channels: number): readonly Speaker[] {
  if (tag === LAYOUT_BY_MASK) return speakersOfMask(mask, channels)
  const speakers = LAYOUT_TAGS[tag] ?? []
  return speakers.length === channels ? speakers : []
}
