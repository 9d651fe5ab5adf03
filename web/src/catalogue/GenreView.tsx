import { catalogue } from '@dubplate/contract'
import { Navigate, useParams, useSearch } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { SectionHead } from '../ui/SectionHead.tsx'
import { orderInput } from './addresses.ts'
import { FollowGenre } from './FollowGenre.tsx'
import { GenreColumns, MoodGrid } from './GenreLists.tsx'
import { NoNewReleases } from './NoNewReleases.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { SectionChoice } from './SectionChoice.tsx'
import { sectionInput } from './section.ts'
import { countOf } from './sectionTexts.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

export function GenreView() {
  const { genreId } = useParams({ from: '/genres/view/$genreId' })
  const searchAddress = useSearch({ from: '/genres/view/$genreId' })
  const { sortBy } = useListAddress()
  const { section } = useSection()
  const queryResult = useApiQuery(
    catalogue.genreSongs,
    { genre_id: genreId, page: searchAddress.page ?? 1, ...sectionInput(section), ...orderInput(searchAddress) },
    { keepPrevious: true },
  )
  const current = queryResult.isPlaceholderData ? undefined : queryResult.data?.genre.genre_id
  if (current !== undefined && current !== genreId)
    return <Navigate to="/genres/view/$genreId" params={{ genreId: current }} search={searchAddress} replace />
  return (
    <Page
      title={queryResult.data?.genre.name ?? (queryResult.error ? texts.genre : undefined)}
      note={queryResult.data ? countOf(queryResult.data.pagination.totalCount, section) : ''}
      actions={
        <>
          <SectionChoice label={texts.sectionOfTheList} />
          {!queryResult.error && <FollowGenre genre={queryResult.data?.genre} />}
        </>
      }
    >
      <PagedSongs
        queryResult={queryResult}
        label={format(texts.songsIn, { name: queryResult.data?.genre.name ?? '' })}
        sorting={{ sort: searchAddress, onSort: sortBy }}
        empty={<NoNewReleases page={searchAddress.page} />}
        hiddenColumn="genre"
      />
      {!queryResult.isPending && <OtherGenres />}
    </Page>
  )
}

/** The moods and genres below the list; hidden when they fail to load. */
function OtherGenres() {
  const { section } = useSection()
  const { data } = useApiQuery(catalogue.getGenresWithCount, sectionInput(section))
  if (!data) return null
  return (
    <>
      {data.moods.length > 0 && (
        <section>
          <SectionHead title={texts.moods} />
          <MoodGrid genres={data.moods} />
        </section>
      )}
      <section>
        <SectionHead title={texts.allGenres} />
        <GenreColumns genres={data.genres} />
      </section>
    </>
  )
}
