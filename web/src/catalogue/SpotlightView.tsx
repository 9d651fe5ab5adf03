import { collections, spotlights } from '@dubplate/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { useApiQuery } from '../platform/queries.ts'
import { CollectionPage } from './CollectionHeader.tsx'
import { referenceSource } from './collectionActions.ts'
import { FollowButton } from './FollowButton.tsx'
import { listTarget } from './followedAfter.ts'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { type FilterSource, useSongFilter } from './songFilter.ts'
import * as texts from './texts.ts'

type SongsQuery = ComponentProps<typeof PagedSongs>['queryResult']

type Props = {
  /** Undefined while it is loading. */
  title: string | undefined
  queryResult: SongsQuery
  page: number | undefined
  /** For the preview of an unsaved list, which has no actions: missing. */
  source?: ComponentProps<typeof CollectionPage>['source']
  /** Undefined while they are loading. */
  facts: ComponentProps<typeof CollectionPage>['facts']
  filterOf?: FilterSource
  /** Missing in the preview of an unsaved list. */
  actions?: ReactNode
  /** Shown above the songs. */
  children?: ReactNode
}

/** A spotlight as members see it. */
export const SpotlightScreen = ({ title, queryResult, page, source, facts, filterOf, actions, children }: Props) => (
  <CollectionPage
    kind={texts.spotlight}
    title={title ?? (queryResult.error ? texts.spotlight : undefined)}
    facts={facts}
    isFailed={!!queryResult.error && !queryResult.data}
    source={source}
    actions={actions}
  >
    {children}
    <PagedSongs
      queryResult={queryResult}
      label={title ?? texts.spotlight}
      {...(filterOf && { filterOf })}
      empty={<NoSongs page={page}>{texts.thisSpotlightIsEmptyCheck}</NoSongs>}
    />
  </CollectionPage>
)

export function SpotlightView() {
  const { listId } = useParams({ from: '/spotlight/view/$listId' })
  const { page } = useSearch({ from: '/spotlight/view/$listId' })
  const reference = { type: 'spotlight', id: listId } as const
  const facts = useApiQuery(collections.getCollection, reference)
  const { input } = useSongFilter()
  const queryResult = useApiQuery(
    spotlights.getSpotlightSongs,
    { curated_list_id: listId, page: page ?? 1, ...input },
    { keepPrevious: true },
  )
  const title = queryResult.data?.title
  return (
    <SpotlightScreen
      title={title}
      queryResult={queryResult}
      page={page}
      facts={facts.data?.collection}
      source={referenceSource(title ?? '', reference)}
      filterOf={{ list: 'spotlight', id: listId }}
      actions={<FollowButton target={title ? listTarget('spotlight', { id: listId, name: title }) : undefined} />}
    />
  )
}
