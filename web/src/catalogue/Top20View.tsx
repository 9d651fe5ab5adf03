import { catalogue } from '@dubplate/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { useAsk } from '../platform/queries.ts'
import { Page } from '../ui/Page.tsx'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'

export function Top20View() {
  const { trackId } = useParams({ from: '/top20/songs/$trackId' })
  const { page } = useSearch({ from: '/top20/songs/$trackId' })
  const asked = useAsk(catalogue.getTop20Songs, { top20_track_id: trackId, page: page ?? 1 }, { keepPrevious: true })
  return (
    <Page title={asked.data?.title ?? (asked.error ? 'Top 20' : undefined)} note="Monthly top 20">
      <PagedSongs
        asked={asked}
        label={asked.data?.title ?? 'Top 20'}
        rows={20}
        empty={<NoSongs page={page}>This collection has no songs so far.</NoSongs>}
      />
    </Page>
  )
}
