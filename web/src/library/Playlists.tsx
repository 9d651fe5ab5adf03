import { playlists } from '@dubplate/contract'
import { IconPlaylist, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Trouble } from '../platform/errors.tsx'
import { plural } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { MembersOnly } from './MembersOnly.tsx'
import { Mosaic } from './Mosaic.tsx'
import css from './Playlists.module.css'
import { PlaylistTile } from './PlaylistTile.tsx'
import { makePlaylist } from './playlists.ts'
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
  const { data, error, refetch } = useAsk(playlists.getPlaylists, {})
  const [isMaking, setMaking] = useState(false)
  const navigate = useNavigate()
  const make = async (title: string) => {
    const { playlist_id } = await makePlaylist(title)
    await navigate({ to: '/playlist/$playlistId', params: { playlistId: playlist_id } })
  }
  const start = (
    <Button look="primary" onClick={() => setMaking(true)}>
      <IconPlus size={16} aria-hidden />
      {texts.newPlaylist2}
    </Button>
  )
  return (
    <Page
      title={texts.playlists}
      note={data ? plural(data.playlists.length, 'playlist') : ''}
      actions={data && data.playlists.length > 0 && !isMaking && start}
    >
      {isMaking && (
        <div className={css.form}>
          <TitleForm
            label={texts.playlistName}
            submit={texts.create}
            onSubmit={make}
            onCancel={() => setMaking(false)}
          />
        </div>
      )}
      {error && !data && <Trouble error={error} what={texts.yourPlaylists} retry={() => void refetch()} />}
      {!data && !error && <TilesToCome />}
      {data && data.playlists.length === 0 && !isMaking && <NoPlaylists action={start} />}
      {data && data.playlists.length > 0 && <Tiles label={texts.yourPlaylists2} lists={data.playlists} />}
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

const TilesToCome = () => (
  <ul className={css.grid} aria-busy aria-label={texts.loadingPlaylists}>
    {Array.from({ length: 4 }, (_, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <li key={place} className={css.tile} aria-hidden>
        <Mosaic images={[]} width={320} />
        <b>&nbsp;</b>
        <small>&nbsp;</small>
      </li>
    ))}
  </ul>
)
