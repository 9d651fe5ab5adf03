import { collections } from '@dubplate/contract'
import { IconMicrophone2 } from '@tabler/icons-react'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Fragment } from 'react'
import { format } from '../format/message.ts'
import { ApiError } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { artistLink, labelLink, orderInput } from './addresses.ts'
import { CollectionPage, LinkTiles } from './CollectionHeader.tsx'
import { referenceSource } from './collectionActions.ts'
import { FollowButton } from './FollowButton.tsx'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { SongList, SongListSkeleton } from './SongList.tsx'
import { sectionInput } from './section.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'

const KINDS = {
  artist: {
    kind: texts.artist,
    page: collections.getArtist,
    songs: collections.getArtistSongs,
    unknown: texts.noSongsBy,
    related: texts.appearsWith,
  },
  label: {
    kind: texts.labelKind,
    page: collections.getLabel,
    songs: collections.getLabelSongs,
    unknown: texts.noSongsOn,
    related: texts.artistsOnThisLabel,
  },
} as const

export function ArtistPage() {
  const { name } = useParams({ from: '/artist/$name' })
  return <CreditPage key={name} type="artist" name={name} />
}

export function LabelPage() {
  const { name } = useParams({ from: '/label/$name' })
  return <CreditPage key={name} type="label" name={name} />
}

/** The songs of an artist or label, the most downloaded ones first, and the names they appear with. */
function CreditPage({ type, name }: { type: keyof typeof KINDS; name: string }) {
  const words = KINDS[type]
  const searchAddress = useSearch({ strict: false })
  const { sortBy } = useListAddress()
  const input = { name, ...sectionInput(searchAddress.section) }
  const pageQuery = useApiQuery(words.page, input)
  const songsQuery = useApiQuery(
    words.songs,
    { ...input, page: searchAddress.page ?? 1, ...orderInput(searchAddress) },
    { keepPrevious: true },
  )
  const { data, error, refetch } = pageQuery
  if (error && !data)
    return (
      <CollectionPage kind={words.kind} title={name} facts={undefined} isFailed>
        {isUnknown(error) ? (
          <UnknownName title={format(words.unknown, { name })} name={name} />
        ) : (
          <ErrorState error={error} title={texts.couldntLoadTheseSongs} retry={() => void refetch()} />
        )}
      </CollectionPage>
    )
  const collection = data?.collection
  const hasTopSongs = !!data && data.top_songs.length > 1 && data.collection.song_count > data.top_songs.length
  return (
    <CollectionPage
      kind={words.kind}
      title={collection?.title ?? name}
      facts={collection}
      // Its line is kept free while it loads.
      line={data ? data.genres.length > 0 && <GenreNames genres={data.genres} /> : '\u00a0'}
      source={referenceSource(collection?.title ?? name, { type, ...input })}
      actions={<FollowButton target={collection && { kind: type, name: collection.title }} />}
    >
      {/* The list below the names must not move when they arrive. */}
      {data ? <Related data={data} label={words.related} /> : <SongListSkeleton rows={8} />}
      {hasTopSongs && (
        <section>
          <SectionHead title={texts.mostDownloaded} />
          <SongList songs={data.top_songs} label={texts.mostDownloaded} playedFrom={data.collection.title} />
        </section>
      )}
      {data && (
        <section>
          {hasTopSongs && <SectionHead title={texts.allSongs} />}
          <PagedSongs
            queryResult={songsQuery}
            label={format(texts.songsIn, { name: data.collection.title })}
            playedFrom={data.collection.title}
            sorting={{ sort: searchAddress, onSort: sortBy }}
            empty={<NoSongs page={searchAddress.page}>{texts.theNameMayBeSpelled}</NoSongs>}
          />
        </section>
      )}
    </CollectionPage>
  )
}

/** The other names on these songs. */
const Related = ({ data: { artists, labels }, label }: { data: collections.CreditedPage; label: string }) => (
  <>
    <LinkTiles
      isLabelled
      label={label}
      tiles={artists.map((one) => ({ ...one, key: one.name, link: artistLink(one.name) }))}
    />
    <LinkTiles
      isLabelled
      label={texts.labels}
      tiles={labels.map((one) => ({ ...one, key: one.name, link: labelLink(one.name) }))}
    />
  </>
)

const isUnknown = (error: unknown) =>
  error instanceof ApiError && (error.code === 'unknown_artist' || error.code === 'unknown_label')

const MAX_GENRES = 4

const GenreNames = ({ genres }: { genres: collections.CreditedPage['genres'] }) =>
  genres.slice(0, MAX_GENRES).map(({ genre_id, name }, n) => (
    <Fragment key={genre_id}>
      {n > 0 && ', '}
      <Link to="/genres/view/$genreId" params={{ genreId: genre_id }}>
        {name}
      </Link>
    </Fragment>
  ))

const UnknownName = ({ title, name }: { title: string; name: string }) => (
  <EmptyState
    icon={<IconMicrophone2 size={24} />}
    title={title}
    action={
      <Link to="/search/result/{-$term}" params={{ term: name }} className={button.button} data-look="primary">
        {format(texts.searchFor, { name })}
      </Link>
    }
  >
    {texts.theNameMayBeSpelled}
  </EmptyState>
)
