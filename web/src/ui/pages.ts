const VISIBLE_PAGES = 5

/** The page numbers to show: at most five, around the current one. */
export function pagesAround(page: number, last: number): number[] {
  const first = Math.max(1, Math.min(page - Math.floor(VISIBLE_PAGES / 2), last - VISIBLE_PAGES + 1))
  return Array.from({ length: Math.min(VISIBLE_PAGES, last) }, (_, i) => first + i)
}
