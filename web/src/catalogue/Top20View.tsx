import { charts, collections } from '@dubplate/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useApiQuery } from '../platform/queries.ts'
import { CollectionPage } from './CollectionHeader.tsx'
import { referenceSource } from './collectionActions.ts'
import { FollowButton } from './FollowButton.tsx'
import { listTarget } from './followedAfter.ts'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import type { SpotlightScreen } from './SpotlightView.tsx'
import { useSongFilter } from './songFilter.ts'
import * as texts from './texts.ts'

/** A top 20 as members see it. */
export const Top20Screen = ({
  title,
  queryResult,
  page,
  source,
  facts,
  filterOf,
  actions,
  children,
}: ComponentProps<typeof SpotlightScreen>) => (
  <CollectionPage
    kind={texts.monthlyTop20}
    title={title ?? (queryResult.error ? texts.top20 : undefined)}
    facts={facts}
    isFailed={!!queryResult.error && !queryResult.data}
    source={source}
    actions={actions}
  >
    {children}
    <PagedSongs
      queryResult={queryResult}
      label={title ?? texts.top20}
      rows={20}
      {...(filterOf && { filterOf })}
      empty={<NoSongs page={page}>{texts.thisCollectionIsEmptyCheck}</NoSongs>}
    />
  </CollectionPage>
)

export function Top20View() {
  const { trackId } = useParams({ from: '/top20/songs/$trackId' })
  const { page } = useSearch({ from: '/top20/songs/$trackId' })
  const reference = { type: 'top20', id: trackId } as const
  const facts = useApiQuery(collections.getCollection, reference)
  const { input } = useSongFilter()
  const queryResult = useApiQuery(
    charts.getTop20Songs,
    { top20_track_id: trackId, page: page ?? 1, ...input },
    { keepPrevious: true },
  )
  const title = queryResult.data?.title
  return (
    <Top20Screen
      title={title}
      queryResult={queryResult}
      page={page}
      facts={facts.data?.collection}
      source={referenceSource(title ?? '', reference)}
      filterOf={{ list: 'top20', id: trackId }}
      actions={
        <FollowButton target={title ? listTarget('top20', { id: trackId, name: texts.monthlyTop20 }) : undefined} />
      }
    />
  )
}
