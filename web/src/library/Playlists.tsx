import { IconPlaylist, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { Mosaic } from './Mosaic.tsx'
import { PlaylistPages, usePlaylistPage } from './PlaylistPages.tsx'
import css from './Playlists.module.css'
import { PlaylistTile } from './PlaylistTile.tsx'
import { createPlaylist } from './playlists.ts'
import { TitleForm } from './TitleForm.tsx'
import * as texts from './texts.ts'

export function Playlists() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <PlaylistsOfMember />
  return (
    <Page title={texts.playlists}>
      <MembersOnly icon={<IconPlaylist size={24} />}>{texts.signInToBuildSets}</MembersOnly>
    </Page>
  )
}

function PlaylistsOfMember() {
  const { find = '' } = useSearch({ from: '/playlist' })
  const own = usePlaylistPage('mine', find)
  const shared = usePlaylistPage('public', find)
  const [isCreating, setCreating] = useState(false)
  const navigate = useNavigate({ from: '/playlist' })
  const create = async (title: string) => {
    const { playlist_id } = await createPlaylist(title)
    await navigate({ to: '/playlist/$playlistId', params: { playlistId: playlist_id } })
  }
  const retry = () => void Promise.all([own.refetch(), shared.refetch()])
  const start = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <IconPlus size={16} aria-hidden />
      {texts.newPlaylist}
    </Button>
  )
  const isEmpty = own.total === 0
  return (
    <Page
      title={texts.playlists}
      note={own.total === undefined || find ? '' : format(texts.playlistCount, { count: own.total })}
      actions={own.data && (!isEmpty || find) && !isCreating && start}
    >
      {(find || !isEmpty || shared.total !== 0) && (
        <div className={css.form}>
          <SearchField
            label={texts.searchPlaylists}
            value={find}
            onSearch={(find) => void navigate({ search: { find }, replace: true, resetScroll: false })}
          />
        </div>
      )}
      {isCreating && (
        <div className={css.form}>
          <TitleForm
            label={texts.playlistName}
            submitLabel={texts.create}
            onSubmit={create}
            onCancel={() => setCreating(false)}
          />
        </div>
      )}
      {own.error && !own.data && <ErrorState error={own.error} title={texts.couldntLoadYourPlaylists} retry={retry} />}
      {!isEmpty && !(own.error && !own.data) && <Tiles list="mine" label={texts.yourPlaylists} search={find} />}
      {isEmpty && !find && !isCreating && <NoPlaylists action={start} />}
      {isEmpty && find && shared.total === 0 && <NoMatches search={find} />}
      {own.data && (shared.total || shared.isLoadingError) && (
        <section className={isEmpty && find ? undefined : css.public}>
          <SectionHead title={texts.curatedPlaylists} />
          <Tiles list="public" label={texts.curatedPlaylists} search={find} isEndless />
        </section>
      )}
    </Page>
  )
}

const NoPlaylists = ({ action }: { action: React.ReactNode }) => (
  <EmptyState icon={<IconPlaylist size={24} />} title={texts.noPlaylistsYet} action={action}>
    {texts.createOneHereOrChoose}
  </EmptyState>
)

const NoMatches = ({ search }: { search: string }) => (
  <EmptyState icon={<IconPlaylist size={24} />} title={format(texts.noPlaylistsMatch, { search })}>
    {texts.checkTheSpellingOrTryFewerWords}
  </EmptyState>
)

const Tiles = (list: Pick<ComponentProps<typeof PlaylistPages>, 'list' | 'label' | 'search' | 'isEndless'>) => (
  <PlaylistPages {...list} className={css.grid} skeleton={<TilesSkeleton />}>
    {(playlist) => <PlaylistTile key={playlist.playlist_id} playlist={playlist} />}
  </PlaylistPages>
)

const TilesSkeleton = () =>
  Array.from({ length: 4 }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items are all alike
    <li key={place} className={css.tile} aria-hidden>
      <Mosaic images={[]} width={320} />
      <b>&nbsp;</b>
      <small>&nbsp;</small>
    </li>
  ))
