import { charts } from '@dubplate/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import * as texts from './texts.ts'

type Props = {
  /** Undefined while it is loading. */
  title: string | undefined
  queryResult: ComponentProps<typeof PagedSongs>['queryResult']
  page: number | undefined
  /** Shown above the songs. */
  children?: ReactNode
}

/** A top 20 as members see it. */
export const Top20Screen = ({ title, queryResult, page, children }: Props) => (
  <Page title={title ?? (queryResult.error ? texts.top20 : undefined)} note={texts.monthlyTop20}>
    {children}
    <PagedSongs
      queryResult={queryResult}
      label={title ?? texts.top20}
      rows={20}
      empty={<NoSongs page={page}>{texts.thisCollectionIsEmptyCheck}</NoSongs>}
    />
  </Page>
)

export function Top20View() {
  const { trackId } = useParams({ from: '/top20/songs/$trackId' })
  const { page } = useSearch({ from: '/top20/songs/$trackId' })
  const queryResult = useApiQuery(
    charts.getTop20Songs,
    { top20_track_id: trackId, page: page ?? 1 },
    { keepPrevious: true },
  )
  return <Top20Screen title={queryResult.data?.title} queryResult={queryResult} page={page} />
}
