import { spotlights } from '@dubplate/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { CuratedGenreChips } from './CuratedGenreChips.tsx'
import { SpotlightGrid, useSpotlights } from './SpotlightGrid.tsx'
import * as texts from './texts.ts'

export function SpotlightsOfGenre() {
  const { genreId } = useParams({ from: '/spotlight/filter/$genreId' })
  const { page } = useSearch({ from: '/spotlight/filter/$genreId' })
  const { data: genreReply, error } = useApiQuery(spotlights.getCuratedGenre, { genre_id: genreId })
  const queryResult = useSpotlights(page, genreId)
  const count =
    queryResult.data && !queryResult.isPlaceholderData
      ? format(texts.spotlightCount, { count: queryResult.data.pagination.totalCount })
      : ''
  return (
    <Page title={genreReply?.genre.title ?? (error ? texts.spotlights : undefined)} note={count}>
      <CuratedGenreChips chosen={genreId} />
      <SpotlightGrid queryResult={queryResult} page={page} empty={texts.tryAnotherGenreOrSee} />
    </Page>
  )
}
