import { catalogue } from '@dubplate/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { asking } from '../platform/queries.ts'
import { sectionInput } from './section.ts'
import { useSection } from './useSection.ts'

const DEBOUNCE_MS = 120
const MIN_LENGTH = 2
const NONE = { songs: [], artists: [], genres: [] }

/** A value once it has stayed the same for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/**
 * Songs, artists and genres for words that are being typed. What was suggested before stands until the next answer, so
 * that nothing flashes; an outdated question is given up; without an answer (offline, refused) there are none.
 */
export function useSuggested(words: string) {
  const { section } = useSection()
  const text = useSettled(words.trim())
  const when = text.length >= MIN_LENGTH
  const { data } = useQuery({
    ...asking(catalogue.suggestSearch, { text, ...sectionInput(section) }),
    enabled: when,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  })
  return when && words.trim().length >= MIN_LENGTH && data ? data : NONE
}

export type Suggested = ReturnType<typeof useSuggested>
