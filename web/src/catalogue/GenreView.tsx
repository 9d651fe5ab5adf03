import { catalogue, collections } from '@dubplate/contract'
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { SectionHead } from '../ui/SectionHead.tsx'
import { orderInput } from './addresses.ts'
import css from './CollectionHeader.module.css'
import { CollectionPage, LinkTiles } from './CollectionHeader.tsx'
import { referenceSource } from './collectionActions.ts'
import { FollowButton } from './FollowButton.tsx'
import { GenreColumns, MoodGrid } from './GenreLists.tsx'
import { NoNewReleases } from './NoNewReleases.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { SectionChoice } from './SectionChoice.tsx'
import { sectionInput, toSectionParam } from './section.ts'
import { useSongFilter } from './songFilter.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

export function GenreView() {
  const { genreId } = useParams({ from: '/genres/view/$genreId' })
  const searchAddress = useSearch({ from: '/genres/view/$genreId' })
  const { sortBy } = useListAddress()
  const { section } = useSection()
  const { input } = useSongFilter()
  const queryResult = useApiQuery(
    catalogue.genreSongs,
    {
      genre_id: genreId,
      page: searchAddress.page ?? 1,
      ...sectionInput(section),
      ...orderInput(searchAddress),
      ...input,
    },
    { keepPrevious: true },
  )
  const reference = { type: 'genre', id: genreId, ...sectionInput(section) } as const
  const facts = useApiQuery(collections.getCollection, reference)
  const current = queryResult.isPlaceholderData ? undefined : queryResult.data?.genre.genre_id
  if (current !== undefined && current !== genreId)
    return <Navigate to="/genres/view/$genreId" params={{ genreId: current }} search={searchAddress} replace />
  const name = queryResult.data?.genre.name
  return (
    <CollectionPage
      kind={<ParentGenre genreId={genreId} />}
      title={name ?? (queryResult.error ? texts.genre : undefined)}
      facts={facts.data?.collection}
      isFailed={!!facts.error || (!!queryResult.error && !queryResult.data)}
      source={referenceSource(name ?? '', reference)}
      actions={<FollowButton target={queryResult.data?.genre} />}
    >
      <div className={css.choices}>
        <SubGenres genreId={genreId} />
        <SectionChoice label={texts.sectionOfTheList} />
      </div>
      <PagedSongs
        queryResult={queryResult}
        label={format(texts.songsIn, { name: name ?? '' })}
        playedFrom={name}
        filterOf={{ list: 'genre', id: genreId, ...sectionInput(section) }}
        sorting={{ sort: searchAddress, onSort: sortBy }}
        empty={<NoNewReleases page={searchAddress.page} />}
        hiddenColumn="genre"
      />
      {!queryResult.isPending && <OtherGenres />}
    </CollectionPage>
  )
}

function useGenres() {
  const { section } = useSection()
  return useApiQuery(catalogue.getGenresWithCount, sectionInput(section)).data
}

type GenreProps = { genreId: number }

/** “Genre”, or a link to the main genre of a sub-genre. */
function ParentGenre({ genreId }: GenreProps) {
  const { section } = useSection()
  const parent = useGenres()?.genres.find(({ subgenre }) => subgenre.some(({ genre_id }) => genre_id === genreId))
  if (!parent) return texts.genre
  return (
    <Link to="/genres/view/$genreId" params={{ genreId: parent.genre_id }} search={toSectionParam(section)}>
      {parent.name}
    </Link>
  )
}

/** The sub-genres of this genre, or of its main genre. */
function SubGenres({ genreId }: GenreProps) {
  const { section } = useSection()
  const genres = useGenres()?.genres
  const family = genres?.find((main) => [main, ...main.subgenre].some(({ genre_id }) => genre_id === genreId))
  const tiles = family?.subgenre.map(({ genre_id, name, song_count }) => ({
    ...{ key: genre_id, name, song_count },
    link: { to: '/genres/view/$genreId', params: { genreId: genre_id }, search: toSectionParam(section) } as const,
  }))
  return <LinkTiles label={texts.subGenres} tiles={tiles ?? (genres && [])} />
}

/** The moods and genres below the list; hidden when they fail to load. */
function OtherGenres() {
  const data = useGenres()
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
