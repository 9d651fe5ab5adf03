import { useEffect, useState } from 'react'
import { type SavedSearch, useMarkSearchSeen, useSavedSearches } from './savedSearches.ts'
import { isSameQuery, type Query } from './searchQuery.ts'

type OpenedSearch = { saved_search_id: number; since: string }

/**
 * Whether the search on screen is saved, and since when its results count as new. Once the results are shown they are
 * marked as seen; the marks of new songs stay while the screen is open.
 */
export function useOpenSearch(
  query: Query,
  isListShown: boolean,
): { saved: SavedSearch | undefined; since: string | undefined } {
  const { searches } = useSavedSearches()
  const markSeen = useMarkSearchSeen()
  const saved = searches?.find((each) => isSameQuery(each.query, query))
  const [open, setOpen] = useState<OpenedSearch>()
  const isOpen = open !== undefined && open.saved_search_id === saved?.saved_search_id
  if (saved && isListShown && !isOpen) setOpen({ saved_search_id: saved.saved_search_id, since: saved.seen_at })
  useEffect(() => {
    if (open) markSeen({ saved_search_id: open.saved_search_id })
  }, [open, markSeen])
  return { saved, since: isOpen ? open.since : undefined }
}
