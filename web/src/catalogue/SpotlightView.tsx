import { spotlights } from '@dubplate/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { format } from '../format/message.ts'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import * as texts from './texts.ts'

type SongsQuery = ComponentProps<typeof PagedSongs>['queryResult']

type Props = {
  /** Undefined while it is loading. */
  title: string | undefined
  queryResult: SongsQuery
  page: number | undefined
  /** Shown above the songs. */
  children?: ReactNode
}

/** A spotlight as members see it. */
export const SpotlightScreen = ({ title, queryResult, page, children }: Props) => (
  <Page
    title={title ?? (queryResult.error ? texts.spotlight : undefined)}
    note={queryResult.data ? format(texts.spotlightSongs, { totalCount: queryResult.data.pagination.totalCount }) : ''}
  >
    {children}
    <PagedSongs
      queryResult={queryResult}
      label={title ?? texts.spotlight}
      empty={<NoSongs page={page}>{texts.thisSpotlightIsEmptyCheck}</NoSongs>}
    />
  </Page>
)

export function SpotlightView() {
  const { listId } = useParams({ from: '/spotlight/view/$listId' })
  const { page } = useSearch({ from: '/spotlight/view/$listId' })
  const queryResult = useApiQuery(
    spotlights.getSpotlightSongs,
    { curated_list_id: listId, page: page ?? 1 },
    { keepPrevious: true },
  )
  return <SpotlightScreen title={queryResult.data?.title} queryResult={queryResult} page={page} />
}
