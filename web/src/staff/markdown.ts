import { sitePages } from '@dubplate/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiQuery } from '../platform/queries.ts'

const PAUSE_MS = 500

/** The text, shortly after the last keystroke. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Markdown as rendered by the server; until it has loaded, the previous rendering is shown. */
export function useMarkdown(markdown: string) {
  const settled = useSettled(markdown)
  return useQuery({
    ...apiQuery(sitePages.previewMarkdown, { markdown: settled }),
    staleTime: Number.POSITIVE_INFINITY,
    // Otherwise the cache would keep a copy for every pause in typing.
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
}
