import { catalogue, type ReplyOf } from '@dubplate/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../platform/queries.ts'
import { useDebouncedValue } from '../ui/useDebouncedValue.ts'
import { sectionInput } from './section.ts'
import { useSection } from './useSection.ts'

const MIN_LENGTH = 2
export const NO_SUGGESTIONS: Suggested = { songs: [], artists: [], labels: [], genres: [], spotlights: [] }

export type Suggested = ReplyOf<typeof catalogue.suggestSearch>

/**
 * Suggestions for text being typed. Previous suggestions stay until the next reply, so that
 * nothing flashes; outdated requests are aborted; after an error (offline, rejected) there are none.
 */
export const useSuggested = (words: string): Suggested => useSuggestedOrPending(words).suggested

/** Also tells whether the first ones are still to come. */
export function useSuggestedOrPending(words: string): { suggested: Suggested; isPending: boolean } {
  const { section } = useSection()
  const text = useDebouncedValue(words.trim())
  const enabled = text.length >= MIN_LENGTH
  const { data, isLoading } = useQuery({
    ...apiQuery(catalogue.suggestSearch, { text, ...sectionInput(section) }),
    enabled: enabled,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  })
  const suggested = enabled && words.trim().length >= MIN_LENGTH && data ? data : NO_SUGGESTIONS
  return { suggested, isPending: isLoading }
}
