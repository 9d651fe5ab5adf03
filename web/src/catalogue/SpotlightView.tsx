import { catalogue } from '@dubplate/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { plural } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { Page } from '../ui/Page.tsx'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'

export function SpotlightView() {
  const { listId } = useParams({ from: '/spotlight/view/$listId' })
  const { page } = useSearch({ from: '/spotlight/view/$listId' })
  const asked = useAsk(
    catalogue.getSpotlightSongs,
    { curated_list_id: listId, page: page ?? 1 },
    { keepPrevious: true },
  )
  return (
    <Page
      title={asked.data?.title ?? (asked.error ? 'Spotlight' : undefined)}
      note={asked.data ? `Spotlight · ${plural(asked.data.pagination.totalCount, 'song')}` : ''}
    >
      <PagedSongs
        asked={asked}
        label={asked.data?.title ?? 'Spotlight'}
        empty={<NoSongs page={page}>This spotlight has no songs so far.</NoSongs>}
      />
    </Page>
  )
}
