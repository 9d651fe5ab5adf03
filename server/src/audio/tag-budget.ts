const LIMIT_BYTES = 64 * 1024
/** What an item costs besides its content, so that a million empty ones pass no limit. */
const ITEM_BYTES = 64

/** Counts what is kept of a file's tags. `fits(bytes)` says whether one more item may be kept, and counts it. */
export function createTagBudget(): { fits(bytes: number): boolean } {
  let left = LIMIT_BYTES
  return {
    fits(bytes) {
      const cost = bytes + ITEM_BYTES
      if (cost > left) return false
      left -= cost
      return true
    },
  }
}
