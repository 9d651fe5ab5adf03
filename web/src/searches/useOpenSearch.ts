import { useEffect, useState } from 'react'
import { markSeen, type Saved, useSavedSearches } from './savedSearches.ts'
import { isSame, type Query } from './searchQuery.ts'

type Open = { saved_search_id: number; since: string }

/**
 * Whether the search on screen is one that is kept, and since when what it finds is new. Once its finds are shown they
 * count as seen; the marks of new ones stay as long as the screen does.
 */
export function useOpenSearch(query: Query, isShown: boolean): { saved: Saved | undefined; since: string | undefined } {
  const { searches } = useSavedSearches()
  const saved = searches?.find((each) => isSame(each.query, query))
  const [open, setOpen] = useState<Open>()
  const isOpen = open !== undefined && open.saved_search_id === saved?.saved_search_id
  useEffect(() => {
    if (!saved || !isShown || isOpen) return
    setOpen({ saved_search_id: saved.saved_search_id, since: saved.seen_at })
    void markSeen(saved)
  }, [saved, isShown, isOpen])
  return { saved, since: isOpen ? open.since : undefined }
}
