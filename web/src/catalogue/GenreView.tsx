import { catalogue } from '@dubplate/contract'
import { Navigate, useParams, useSearch } from '@tanstack/react-router'
import { format } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import { Page } from '../ui/Page.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { orderInput } from './addresses.ts'
import { FollowGenre } from './FollowGenre.tsx'
import { GenreColumns, MoodGrid } from './GenreLists.tsx'
import { NoneReleased } from './NoneReleased.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { SectionChoice } from './SectionChoice.tsx'
import { sectionInput } from './section.ts'
import { countOf } from './sectionWords.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

export function GenreView() {
  const { genreId } = useParams({ from: '/genres/view/$genreId' })
  const address = useSearch({ from: '/genres/view/$genreId' })
  const { sortBy } = useListAddress()
  const { section } = useSection()
  const asked = useAsk(
    catalogue.genreSongs,
    { genre_id: genreId, page: address.page ?? 1, ...sectionInput(section), ...orderInput(address) },
    { keepPrevious: true },
  )
  const current = asked.isPlaceholderData ? undefined : asked.data?.genre.genre_id
  if (current !== undefined && current !== genreId)
    return <Navigate to="/genres/view/$genreId" params={{ genreId: current }} search={address} replace />
  return (
    <Page
      title={asked.data?.genre.name ?? (asked.error ? 'Genre' : undefined)}
      note={asked.data ? countOf(asked.data.pagination.totalCount, section) : ''}
      actions={
        <>
          <SectionChoice label={texts.sectionOfTheList} />
          {!asked.error && <FollowGenre genre={asked.data?.genre} />}
        </>
      }
    >
      <PagedSongs
        asked={asked}
        label={format(texts.songsIn, { name: asked.data?.genre.name ?? '' })}
        sorting={{ sort: address, onSort: sortBy }}
        empty={<NoneReleased page={address.page} />}
      />
      {!asked.isPending && <OtherGenres />}
    </Page>
  )
}

/** The moods and genres below the list; left out when they do not load. */
function OtherGenres() {
  const { section } = useSection()
  const { data } = useAsk(catalogue.getGenresWithCount, sectionInput(section))
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
