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

export function Playlists() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <PlaylistsOfMember />
  return (
    <Page title="Playlists">
      <MembersOnly icon={<IconPlaylist size={24} />}>Sign in to build sets and listen to our playlists.</MembersOnly>
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
      New playlist
    </Button>
  )
  return (
    <Page
      title="Playlists"
      note={data ? plural(data.playlists.length, 'playlist') : ''}
      actions={data && data.playlists.length > 0 && !isMaking && start}
    >
      {isMaking && (
        <div className={css.form}>
          <TitleForm label="Playlist name" submit="Create" onSubmit={make} onCancel={() => setMaking(false)} />
        </div>
      )}
      {error && !data && <Trouble error={error} what="your playlists" retry={() => void refetch()} />}
      {!data && !error && <TilesToCome />}
      {data && data.playlists.length === 0 && !isMaking && <NoPlaylists action={start} />}
      {data && data.playlists.length > 0 && <Tiles label="Your playlists" lists={data.playlists} />}
      {data && data.public_playlists.length > 0 && (
        <section className={css.public}>
          <SectionHead title="Curated playlists" />
          <Tiles label="Curated playlists" lists={data.public_playlists} />
        </section>
      )}
    </Page>
  )
}

const NoPlaylists = ({ action }: { action: React.ReactNode }) => (
  <EmptyState icon={<IconPlaylist size={24} />} title="No playlists yet" action={action}>
    Create one here, or choose “Add to playlist” in any song’s menu.
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
  <ul className={css.grid} aria-busy aria-label="Loading playlists…">
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
