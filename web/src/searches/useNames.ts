import { catalogue } from '@dubplate/contract'
import { useMemo } from 'react'
import { usePreferences } from '../platform/preferences.ts'
import { useAsk } from '../platform/queries.ts'

/** How keys are written, and what genres are called: for words about searches. */
export function useNames({ when = true }: { when?: boolean } = {}) {
  const notation = usePreferences((preferences) => preferences.notation)
  const { data } = useAsk(catalogue.getSongGenres, {}, { when })
  return useMemo(() => {
    const names = new Map(data?.genres.map(({ genre_id, name }) => [genre_id, name]))
    return { notation, genreName: (genreId: number) => names.get(genreId) }
  }, [notation, data])
}
