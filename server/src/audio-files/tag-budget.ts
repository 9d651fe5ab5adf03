const LIMIT_BYTES = 64 * 1024
/** Cost of an item besides its content, so that a million empty ones do not pass the limit. */
const ITEM_BYTES = 64

/**
 * Counts how much of a file's tags is preserved. `fits(bytes)` returns whether one more item may be preserved, and
 * counts it.
 */
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
