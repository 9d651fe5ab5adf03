import { spotlights } from '@dubplate/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { format } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import { Page } from '../ui/Page.tsx'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import * as texts from './texts.ts'

type SongsAsked = ComponentProps<typeof PagedSongs>['asked']

type Props = {
  /** Undefined while it is on its way. */
  title: string | undefined
  asked: SongsAsked
  page: number | undefined
  /** Stands above the songs. */
  children?: ReactNode
}

/** A spotlight as members read it. */
export const SpotlightScreen = ({ title, asked, page, children }: Props) => (
  <Page
    title={title ?? (asked.error ? 'Spotlight' : undefined)}
    note={asked.data ? format(texts.spotlightSongs, { totalCount: asked.data.pagination.totalCount }) : ''}
  >
    {children}
    <PagedSongs
      asked={asked}
      label={title ?? 'Spotlight'}
      empty={<NoSongs page={page}>{texts.thisSpotlightIsEmptyCheck}</NoSongs>}
    />
  </Page>
)

export function SpotlightView() {
  const { listId } = useParams({ from: '/spotlight/view/$listId' })
  const { page } = useSearch({ from: '/spotlight/view/$listId' })
  const asked = useAsk(
    spotlights.getSpotlightSongs,
    { curated_list_id: listId, page: page ?? 1 },
    { keepPrevious: true },
  )
  return <SpotlightScreen title={asked.data?.title} asked={asked} page={page} />
}
