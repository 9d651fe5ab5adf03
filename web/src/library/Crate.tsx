import { type catalogue, downloads, library } from '@dubplate/contract'
import { IconBasket, IconTrash } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { FilterBar } from '../catalogue/FilterBar.tsx'
import { GenreChips } from '../catalogue/GenreChips.tsx'
import { NoSongs } from '../catalogue/NoSongs.tsx'
import { NoFilteredSongs } from '../catalogue/PagedSongs.tsx'
import { useSongFilter } from '../catalogue/songFilter.ts'
import { useListAddress } from '../catalogue/useListAddress.ts'
import { NextZip } from '../downloads/NextZip.tsx'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { useAction } from '../ui/useAction.ts'
import css from './Crate.module.css'
import { CrateFooter } from './CrateFooter.tsx'
import { CrateOrderBar } from './CrateOrderBar.tsx'
import { CrateSetSummary, endClashJump } from './CrateSetSummary.tsx'
import { CrateSongs } from './CrateSongs.tsx'
import { clearCrate, restoreSong } from './crateChanges.ts'
import { useCrateTransitions, useTransitionsShown } from './crateTransitions.ts'
import { toggleCrate, useLibrary } from './library.ts'
import * as texts from './texts.ts'

export function Crate() {
  const signedIn = useSession((session) => session.token !== null)
  const { page = 1, genre } = useSearch({ from: '/crate' })
  useEffect(() => endClashJump, [])
  // What was switched off is kept only until another page is opened.
  if (signedIn) return <CrateOfMember key={`${page} ${genre}`} page={page} genre={genre} />
  return (
    <Page title={texts.yourCrate}>
      <MembersOnly icon={<IconBasket size={24} />}>{texts.signInToCollectSongs}</MembersOnly>
    </Page>
  )
}

function CrateOfMember({ page, genre }: { page: number; genre: number | undefined }) {
  const { change } = useListAddress()
  const { input, isFiltered } = useSongFilter()
  const { data, error, isPlaceholderData, refetch } = useApiQuery(
    library.crateIndex,
    { page, genre_id: genre, ...input },
    { keepPrevious: true },
  )
  const {
    data: summary,
    refetch: refetchSummary,
    error: summaryError,
  } = useApiQuery(downloads.crateSummary, { genre_id: genre }, { keepPrevious: true })
  const { songs, toggleVersion, remove, reset } = useShownSongs(data?.songs)
  const isWhole = !genre && !isFiltered
  const order = useOrder(data?.list)
  const areTransitionsShown = useTransitionsShown(({ isShown }) => isShown) && isWhole
  const set = useCrateTransitions(order, areTransitionsShown)
  const isEmpty = data !== undefined && songs.length === 0
  const isCrateEmpty = isEmpty && !genre && !isFiltered && page === 1
  const empty = async () => {
    await clearCrate()
    reset()
  }
  return (
    <Page title={texts.yourCrate} note={<PreferredVersionsHint />}>
      <div className={css.crate}>
        <NextZip />
        {!isCrateEmpty && (
          <GenreChips
            genres={data?.crateGenres ?? []}
            chosen={genre}
            onChoose={(genre) => change({ genre, genres: undefined })}
          />
        )}
        {!isCrateEmpty && <FilterBar source={{ list: 'crate' }} count={data?.pagination} />}
        {!data && error && <ErrorState error={error} title={texts.couldntLoadYourCrate} retry={() => void refetch()} />}
        {!data && !error && <CrateSkeleton />}
        {isCrateEmpty ? (
          <NoSongsInCrate />
        ) : (
          isEmpty && (isFiltered ? <NoFilteredSongs /> : <NoSongs page={page}>{texts.noSongsOfThisGenre}</NoSongs>)
        )}
        {data && songs.length > 0 && (data.list.length > 1 || !isWhole) && (
          <CrateOrderBar
            order={data.order}
            isFiltered={!isWhole}
            first={isWhole ? songs.find(({ entity_id }) => entity_id === order?.[0]) : undefined}
          />
        )}
        {data && order && areTransitionsShown && songs.length > 0 && (
          <CrateSetSummary order={order} pageSize={data.pagination.perPageLimit} set={set} />
        )}
        {songs.length > 0 && (
          <CrateSongs
            songs={songs}
            page={page}
            isStale={isPlaceholderData}
            isMovable={isWhole && data?.order === 'own'}
            transitions={areTransitionsShown ? set.transitions : undefined}
            toggleVersion={toggleVersion}
            remove={remove}
          />
        )}
        {songs.length > 0 && <EmptyCrate empty={empty} />}
        {data && <Pagination pagination={data.pagination} />}
        {!isCrateEmpty && (
          <CrateFooter
            genre={genre}
            summary={summary}
            error={summary ? null : summaryError}
            retry={() => void refetchSummary()}
          />
        )}
      </div>
    </Page>
  )
}

/** The ids of the songs in the crate, without the ones that were just removed. */
function useOrder(list: readonly number[] | undefined) {
  const removedSongs = useLibrary((library) => library.removedSongs)
  return useMemo(() => list?.filter((id) => !removedSongs.has(id)), [list, removedSongs])
}

const NONE: catalogue.Song[] = []

type SwitchedOffSong = { song: catalogue.Song; above: number | undefined }

/**
 * The songs on screen: those of the crate without the ones that were just removed, and with the ones whose last version
 * was switched off, which keep their position.
 */
function useShownSongs(loaded = NONE) {
  const removedSongs = useLibrary((library) => library.removedSongs)
  const [kept, setKept] = useState<SwitchedOffSong[]>([])
  const songs = useMemo(() => {
    const shown = loaded.filter(({ entity_id }) => !removedSongs.has(entity_id))
    for (const { song, above } of kept) {
      if (shown.some(({ entity_id }) => entity_id === song.entity_id)) continue
      shown.splice(shown.findIndex(({ entity_id }) => entity_id === above) + 1, 0, song)
    }
    return shown
  }, [loaded, removedSongs, kept])

  const forget = (song: catalogue.Song) =>
    setKept((kept) => kept.filter((each) => each.song.entity_id !== song.entity_id))
  const toggleVersion = (song: catalogue.Song, version: catalogue.Version) => {
    const { crateSongs, crateVersions } = useLibrary.getState()
    const above = songs.slice(0, songs.indexOf(song)).findLast(({ entity_id }) => crateSongs.has(entity_id))?.entity_id
    if (!crateSongs.has(song.entity_id)) return void restoreSong(song, [version.song_version_id], above)
    const isLast = song.version.every(
      ({ song_version_id }) => crateVersions.has(song_version_id) === (song_version_id === version.song_version_id),
    )
    if (isLast) setKept((kept) => [...kept.filter((each) => each.song.entity_id !== song.entity_id), { song, above }])
    void toggleCrate(song, version)
  }
  const remove = (song: catalogue.Song) => {
    forget(song)
    if (useLibrary.getState().crateSongs.has(song.entity_id)) void toggleCrate(song)
  }
  return { songs, toggleVersion, remove, reset: () => setKept([]) }
}

/** Says with which versions a song is added, and links to the setting. */
function PreferredVersionsHint() {
  const preference = useSession(({ profile }) => profile?.preferred_versions)
  const { data } = useApiQuery(library.getVersionKinds, {})
  const first = data?.versions.find(({ version_code }) => version_code === preference?.versions[0])
  const hint = preference?.add_all
    ? texts.newSongsAreAddedWithAll
    : first
      ? format(texts.newSongsAreAddedAs, { version: first.name })
      : texts.newSongsAreAddedWithFirst
  if (!data && preference?.versions.length) return null
  return (
    <>
      {hint}{' '}
      <Link to="/account/display" hash="preferred-versions" className={css.link}>
        {first ? texts.changePreferredVersions : texts.choosePreferredVersions}
      </Link>
    </>
  )
}

function EmptyCrate({ empty }: { empty: () => Promise<void> }) {
  const [run, isBusy] = useAction(() => empty())
  return (
    <Button busy={isBusy} onClick={run}>
      {!isBusy && <IconTrash size={16} aria-hidden />}
      {texts.emptyCrate}
    </Button>
  )
}

const NoSongsInCrate = () => (
  <EmptyState
    icon={<IconBasket size={24} />}
    title={texts.yourCrateIsEmpty}
    action={
      <Link to="/newRelease" className={button.button} data-look="primary">
        {texts.browseNewReleases}
      </Link>
    }
  >
    {texts.addVersionsHint}
  </EmptyState>
)

const CrateSkeleton = () => (
  <ul className={css.list} aria-busy>
    <li className="sr">{texts.loadingCrate}</li>
    {[0, 1, 2, 3, 4, 5].map((n) => (
      <li key={n} className={css.bone} />
    ))}
  </ul>
)
