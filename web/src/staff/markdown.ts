import { sitePages } from '@dubplate/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiQuery } from '../platform/queries.ts'

const PAUSE_MS = 500

/** The text a little after the last letter. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Markdown as the server will show it; meanwhile as it was before the last letters. */
export function useMarkdown(markdown: string) {
  const settled = useSettled(markdown)
  return useQuery({
    ...apiQuery(sitePages.previewMarkdown, { markdown: settled }),
    staleTime: Number.POSITIVE_INFINITY,
    // A text of every pause would pile up.
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
}
