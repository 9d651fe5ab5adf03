import { type catalogue, library, type ReplyOf } from '@dubplate/contract'
import { IconBasket, IconDownload, IconTrash } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { GenreChips } from '../catalogue/GenreChips.tsx'
import { NoSongs } from '../catalogue/NoSongs.tsx'
import { PagedSongs } from '../catalogue/PagedSongs.tsx'
import { useListAddress } from '../catalogue/useListAddress.ts'
import { downloadCrate } from '../downloads/crateZips.ts'
import { isBusy, useDownloads } from '../downloads/download.ts'
import { NextZip } from '../downloads/NextZip.tsx'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import css from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { toast } from '../ui/toast.ts'
import { useLatest } from '../ui/useLatest.ts'
import { clearCrate, restoreSong } from './crateChanges.ts'
import { useLibrary } from './library.ts'
import * as texts from './texts.ts'

export function Crate() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <CrateOfMember />
  return (
    <Page title={texts.yourCrate}>
      <MembersOnly icon={<IconBasket size={24} />}>{texts.signInToCollectSongs}</MembersOnly>
    </Page>
  )
}

function CrateOfMember() {
  const { page, genre } = useSearch({ from: '/crate' })
  const { change } = useListAddress()
  const crateCount = useLibrary(({ crateCount }) => crateCount)
  const crateQuery = useWithoutRemovedSongs(
    useApiQuery(library.crateIndex, { page: page ?? 1, genre_id: genre }, { keepPrevious: true }),
  )
  useRestoredSong(crateQuery.data?.songs ?? NONE)
  const isEmpty = crateQuery.data?.songs.length === 0 && !genre && (page ?? 1) === 1
  return (
    <Page
      title={texts.yourCrate}
      note={crateQuery.data ? format(texts.songCount, { count: crateCount }) : ''}
      actions={!isEmpty && <CrateActions genre={genre} />}
    >
      <NextZip />
      {!isEmpty && (
        <GenreChips
          genres={crateQuery.data?.crateGenres ?? []}
          chosen={genre}
          onChoose={(genre) => change({ genre })}
        />
      )}
      <PagedSongs
        queryResult={crateQuery}
        label={texts.songsInYourCrate}
        rows={8}
        empty={isEmpty ? <EmptyCrate /> : <NoSongs page={page}>{texts.noSongsOfThisGenre}</NoSongs>}
      />
    </Page>
  )
}

type CrateQuery = UseQueryResult<ReplyOf<typeof library.crateIndex>>
const NONE: catalogue.Song[] = []

/** The query of the crate, without the songs removed since it was loaded. */
function useWithoutRemovedSongs(crateQuery: CrateQuery): CrateQuery {
  const removedSongs = useLibrary((library) => library.removedSongs)
  const { data } = crateQuery
  return useMemo(() => {
    if (!data?.songs.some(({ entity_id }) => removedSongs.has(entity_id))) return crateQuery
    return {
      ...crateQuery,
      data: { ...data, songs: data.songs.filter(({ entity_id }) => !removedSongs.has(entity_id)) },
    } as CrateQuery
  }, [crateQuery, data, removedSongs])
}

/** A removed row disappears at once; for a while it can be restored. */
function useRestoredSong(songs: catalogue.Song[]) {
  const shownSongs = useLatest(songs)
  useEffect(
    () =>
      useLibrary.subscribe(({ removedSongs }, before) => {
        const isNew = ({ entity_id }: catalogue.Song) =>
          removedSongs.has(entity_id) && !before.removedSongs.has(entity_id)
        const at = removedSongs === before.removedSongs ? -1 : shownSongs.current.findIndex(isNew)
        const song = shownSongs.current[at]
        const previousSong = shownSongs.current[at - 1]
        if (!song) return
        void toast({
          message: format(texts.removedFromYourCrate, { title: song.title }),
          action: { label: texts.undo, run: () => void restoreSong(song, before.crateVersions, previousSong) },
        })
      }),
    [shownSongs],
  )
}

function CrateActions({ genre }: { genre: number | undefined }) {
  const isDownloading = useDownloads(isBusy('crate'))
  const [isClearing, setClearing] = useState(false)
  const clear = async () => {
    setClearing(true)
    await clearCrate()
    setClearing(false)
  }
  return (
    <>
      <Button variant="primary" busy={isDownloading} onClick={() => void downloadCrate(genre)}>
        {!isDownloading && <IconDownload size={16} aria-hidden />}
        {texts.downloadBatch}
      </Button>
      <Button busy={isClearing} onClick={() => void clear()}>
        {!isClearing && <IconTrash size={16} aria-hidden />}
        {texts.clearAllTracks}
      </Button>
    </>
  )
}

const EmptyCrate = () => (
  <EmptyState
    icon={<IconBasket size={24} />}
    title={texts.yourCrateIsEmpty}
    action={
      <Link to="/newRelease" className={css.button} data-look="primary">
        {texts.seeNewReleases}
      </Link>
    }
  >
    {texts.addSongsToYourCrate}
  </EmptyState>
)
