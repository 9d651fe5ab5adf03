import { catalogue } from '@dubplate/contract'
import { useMemo } from 'react'
import { usePreferences } from '../platform/preferences.ts'
import { useApiQuery } from '../platform/queries.ts'

/** The key notation and the genre names, for describing searches. */
export function useNames({ enabled = true }: { enabled?: boolean } = {}) {
  const notation = usePreferences((preferences) => preferences.notation)
  const { data } = useApiQuery(catalogue.getSongGenres, {}, { enabled })
  return useMemo(() => {
    const names = new Map(data?.genres.map(({ genre_id, name }) => [genre_id, name]))
    return { notation, genreName: (genreId: number) => names.get(genreId) }
  }, [notation, data])
}
