import { useSearch } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { Page } from '../platform/Page.tsx'
import { CuratedGenreChips } from './CuratedGenreChips.tsx'
import { SpotlightGrid, useSpotlights } from './SpotlightGrid.tsx'
import * as texts from './texts.ts'

export function Spotlights() {
  const { page } = useSearch({ from: '/spotlight/index' })
  const queryResult = useSpotlights(page)
  return (
    <Page
      title={texts.spotlights}
      note={queryResult.data ? format(texts.spotlightCount, { count: queryResult.data.pagination.totalCount }) : ''}
    >
      <CuratedGenreChips />
      <SpotlightGrid queryResult={queryResult} page={page} empty={texts.newSpotlightsWillAppearHere} />
    </Page>
  )
}
