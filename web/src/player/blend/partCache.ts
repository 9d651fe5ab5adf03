import type { DecodedPart } from './blendGraph.ts'

/** Of all decoded parts: about eight, each of 32 s in stereo. */
const MAX_BYTES = 96_000_000
const BYTES_PER_SAMPLE = 4

type CachedPart = { part: Promise<DecodedPart>; bytes: number }

/** Decoded parts of songs, of which those used last are kept. A part that can't be loaded is not kept. */
export function createPartCache(maxBytes = MAX_BYTES) {
  const parts = new Map<string, CachedPart>()
  const evict = () => {
    let total = [...parts.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    for (const [key, { bytes }] of parts) {
      // Two of them are what a blend plays.
      if (total <= maxBytes || parts.size <= 2) return
      parts.delete(key)
      total -= bytes
    }
  }
  return {
    size: () => parts.size,
    get(key: string, load: () => Promise<DecodedPart>): Promise<DecodedPart> {
      const cached = parts.get(key) ?? { part: load(), bytes: 0 }
      // Last in the order of the map.
      parts.delete(key)
      parts.set(key, cached)
      cached.part.then(
        ({ samples }) => {
          cached.bytes = samples.length * samples.numberOfChannels * BYTES_PER_SAMPLE
          evict()
        },
        () => {
          if (parts.get(key) === cached) parts.delete(key)
        },
      )
      return cached.part
    },
  }
}
