const SHOWN = 5

/** The page numbers to show: at most five, around the current one. */
export function pagesAround(page: number, last: number): number[] {
  const first = Math.max(1, Math.min(page - Math.floor(SHOWN / 2), last - SHOWN + 1))
  return Array.from({ length: Math.min(SHOWN, last) }, (_, i) => first + i)
}
