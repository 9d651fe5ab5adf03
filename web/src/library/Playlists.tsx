import { playlists } from '@dubplate/contract'
import { IconPlaylist, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { Mosaic } from './Mosaic.tsx'
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
  const { data, error, refetch } = useApiQuery(playlists.getPlaylists, {})
  const [isCreating, setCreating] = useState(false)
  const navigate = useNavigate()
  const create = async (title: string) => {
    const { playlist_id } = await createPlaylist(title)
    await navigate({ to: '/playlist/$playlistId', params: { playlistId: playlist_id } })
  }
  const start = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <IconPlus size={16} aria-hidden />
      {texts.newPlaylist}
    </Button>
  )
  return (
    <Page
      title={texts.playlists}
      note={data ? format(texts.playlistCount, { count: data.playlists.length }) : ''}
      actions={data && data.playlists.length > 0 && !isCreating && start}
    >
      {isCreating && (
        <div className={css.form}>
          <TitleForm
            label={texts.playlistName}
            submit={texts.create}
            onSubmit={create}
            onCancel={() => setCreating(false)}
          />
        </div>
      )}
      {error && !data && (
        <ErrorState error={error} title={texts.couldntLoadYourPlaylists} retry={() => void refetch()} />
      )}
      {!data && !error && <TilesSkeleton />}
      {data && data.playlists.length === 0 && !isCreating && <NoPlaylists action={start} />}
      {data && data.playlists.length > 0 && <Tiles label={texts.yourPlaylists} lists={data.playlists} />}
      {data && data.public_playlists.length > 0 && (
        <section className={css.public}>
          <SectionHead title={texts.curatedPlaylists} />
          <Tiles label={texts.curatedPlaylists} lists={data.public_playlists} />
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

const Tiles = ({ label, lists }: { label: string; lists: playlists.Playlist[] }) => (
  <ul className={css.grid} aria-label={label}>
    {lists.map((playlist) => (
      <PlaylistTile key={playlist.playlist_id} playlist={playlist} />
    ))}
  </ul>
)

const TilesSkeleton = () => (
  <ul className={css.grid} aria-busy aria-label={texts.loadingPlaylists}>
    {Array.from({ length: 4 }, (_, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the items are all alike
      <li key={place} className={css.tile} aria-hidden>
        <Mosaic images={[]} width={320} />
        <b>&nbsp;</b>
        <small>&nbsp;</small>
      </li>
    ))}
  </ul>
)
