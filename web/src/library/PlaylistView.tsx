import { playlists } from '@dubplate/contract'
import { IconPlaylist } from '@tabler/icons-react'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { NoSongs } from '../catalogue/NoSongs.tsx'
import { PagedSongs } from '../catalogue/PagedSongs.tsx'
import { format } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { useReordering } from '../ui/reordering.ts'
import { MembersOnly } from './MembersOnly.tsx'
import { PlaylistActions } from './PlaylistActions.tsx'
import { renamePlaylist } from './playlists.ts'
import { lengthOf } from './playlistWords.ts'
import { TitleForm } from './TitleForm.tsx'
import * as texts from './texts.ts'
import { usePlaylistOrder } from './usePlaylistOrder.tsx'

export function PlaylistView() {
  const { playlistId } = useParams({ from: '/playlist/$playlistId' })
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <Shown key={playlistId} playlistId={playlistId} />
  return (
    <Page title={texts.playlist}>
      <MembersOnly icon={<IconPlaylist size={24} />}>{texts.signInToListenTo}</MembersOnly>
    </Page>
  )
}

function Shown({ playlistId }: { playlistId: number }) {
  const { page = 1 } = useSearch({ from: '/playlist/$playlistId' })
  const input = { playlist_id: playlistId, page }
  const asked = useAsk(playlists.viewPlaylist, input, { keepPrevious: true })
  const [isRenaming, setRenaming] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const playlist = asked.data?.playlist
  const { owner, moves, said } = usePlaylistOrder(input, playlist?.mine ?? false)
  const reordering = useReordering(list, moves)
  const rename = async (title: string) => {
    if (playlist) await renamePlaylist(playlist, title)
    setRenaming(false)
  }
  return (
    <Page
      title={playlist?.title ?? (asked.error ? 'Playlist' : undefined)}
      note={playlist ? noteOf(playlist) : ''}
      actions={
        playlist && (
          <PlaylistActions
            playlist={playlist}
            songIds={asked.data?.song_ids ?? []}
            onRename={() => setRenaming(true)}
          />
        )
      }
    >
      {isRenaming && playlist && (
        <div style={{ maxWidth: 520 }}>
          <TitleForm
            label={texts.playlistName}
            title={playlist.title}
            submit={texts.rename}
            onSubmit={rename}
            onCancel={() => setRenaming(false)}
          />
        </div>
      )}
      <div ref={list} {...(playlist?.mine ? reordering : {})}>
        <PagedSongs
          asked={asked}
          label={format(texts.songsIn, { title: playlist?.title ?? '' })}
          rows={8}
          owner={owner}
          empty={
            page > 1 ? (
              <NoSongs page={page}>{texts.thereAreNoSongsOn}</NoSongs>
            ) : (
              <EmptyPlaylist mine={playlist?.mine} />
            )
          }
        />
      </div>
      <p className="sr" aria-live="assertive">
        {said}
      </p>
    </Page>
  )
}

function noteOf(playlist: playlists.Playlist): string {
  const whose = !playlist.mine ? texts.curated : playlist.public ? 'Public' : ''
  return [lengthOf(playlist), whose].filter(Boolean).join(' · ')
}

const EmptyPlaylist = ({ mine = false }: { mine: boolean | undefined }) => (
  <EmptyState
    icon={<IconPlaylist size={24} />}
    title={texts.noSongsInThisPlaylist}
    action={
      <Link to="/newRelease" className={button.button} data-look="primary">
        {texts.seeNewReleases}
      </Link>
    }
  >
    {mine ? texts.openASongsMenuAnd : texts.checkBackSoon}
  </EmptyState>
)
