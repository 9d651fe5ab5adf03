import { catalogue } from '@dubplate/contract'
import { useMemo } from 'react'
import { usePreferences } from '../platform/preferences.ts'
import { useApiQuery } from '../platform/queries.ts'

/** How keys are written, and what genres are called: for words about searches. */
export function useNames({ enabled = true }: { enabled?: boolean } = {}) {
  const notation = usePreferences((preferences) => preferences.notation)
  const { data } = useApiQuery(catalogue.getSongGenres, {}, { enabled })
  return useMemo(() => {
    const names = new Map(data?.genres.map(({ genre_id, name }) => [genre_id, name]))
    return { notation, genreName: (genreId: number) => names.get(genreId) }
  }, [notation, data])
}
