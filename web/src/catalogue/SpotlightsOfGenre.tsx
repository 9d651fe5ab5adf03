import { spotlights } from '@dubplate/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { plural } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { Page } from '../ui/Page.tsx'
import { CuratedGenreChips } from './CuratedGenreChips.tsx'
import { SpotlightGrid, useSpotlights } from './SpotlightGrid.tsx'
import * as texts from './texts.ts'

export function SpotlightsOfGenre() {
  const { genreId } = useParams({ from: '/spotlight/filter/$genreId' })
  const { page } = useSearch({ from: '/spotlight/filter/$genreId' })
  const { data: named, error } = useAsk(spotlights.getCuratedGenre, { genre_id: genreId })
  const asked = useSpotlights(page, genreId)
  const count = asked.data && !asked.isPlaceholderData ? plural(asked.data.pagination.totalCount, 'spotlight') : ''
  return (
    <Page title={named?.genre.title ?? (error ? texts.curatedSpotlights : undefined)} note={count}>
      <CuratedGenreChips chosen={genreId} />
      <SpotlightGrid asked={asked} page={page} empty={texts.tryAnotherGenreOrSee} />
    </Page>
  )
}
