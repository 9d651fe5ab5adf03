import { playlists } from '@dubplate/contract'
import { IconPlaylist } from '@tabler/icons-react'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { CollectionPage } from '../catalogue/CollectionHeader.tsx'
import { FollowButton } from '../catalogue/FollowButton.tsx'
import { listTarget } from '../catalogue/followedAfter.ts'
import { NoSongs } from '../catalogue/NoSongs.tsx'
import { PagedSongs } from '../catalogue/PagedSongs.tsx'
import { useSongFilter } from '../catalogue/songFilter.ts'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useReordering } from '../ui/useReordering.ts'
import { EditPlaylist } from './EditPlaylist.tsx'
import { PlaylistActions } from './PlaylistActions.tsx'
import css from './Playlists.module.css'
import { playlistSource } from './playPlaylist.ts'
import * as texts from './texts.ts'
import { usePlaylistOrder } from './usePlaylistOrder.tsx'

export function PlaylistView() {
  const { playlistId } = useParams({ from: '/playlist/$playlistId' })
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <PlaylistContent key={playlistId} playlistId={playlistId} />
  return (
    <Page title={texts.playlist}>
      <MembersOnly icon={<IconPlaylist size={24} />}>{texts.signInToListen}</MembersOnly>
    </Page>
  )
}

function PlaylistContent({ playlistId }: { playlistId: number }) {
  const { page = 1 } = useSearch({ from: '/playlist/$playlistId' })
  const filter = useSongFilter()
  const input = { playlist_id: playlistId, page, ...filter.input }
  const playlistQuery = useApiQuery(playlists.viewPlaylist, input, { keepPrevious: true })
  const [isEditing, setEditing] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const playlist = playlistQuery.data?.playlist
  const { owner, moves, said: announcement } = usePlaylistOrder(input, (playlist?.mine ?? false) && !filter.isFiltered)
  const reordering = useReordering(list, moves)
  return (
    <CollectionPage
      kind={playlist ? kindOf(playlist) : texts.playlist}
      title={playlist?.title ?? (playlistQuery.error ? texts.playlist : undefined)}
      facts={playlist && factsOf(playlist)}
      isFailed={!!playlistQuery.error && !playlist}
      source={playlist && playlistSource(playlist)}
      // Only its owner can open a private playlist.
      isShareable={playlist?.public}
      actions={
        playlist && (
          <>
            {!playlist.mine && (
              <FollowButton target={listTarget('playlist', { id: playlistId, name: playlist.title })} />
            )}
            <PlaylistActions
              playlist={playlist}
              songIds={playlistQuery.data?.song_ids ?? []}
              onEdit={() => setEditing(true)}
            />
          </>
        )
      }
    >
      {isEditing && playlist && <EditPlaylist playlist={playlist} onClose={() => setEditing(false)} />}
      <div ref={list} className={css.songs} {...(playlist?.mine && !filter.isFiltered ? reordering : {})}>
        <PagedSongs
          queryResult={playlistQuery}
          label={format(texts.songsIn, { title: playlist?.title ?? '' })}
          playedFrom={playlist?.title}
          rows={8}
          filterOf={{ list: 'playlist', id: playlistId }}
          owner={owner}
          empty={
            page > 1 ? (
              <NoSongs page={page}>{texts.noSongsOnThisPage}</NoSongs>
            ) : (
              <EmptyPlaylist mine={playlist?.mine} />
            )
          }
        />
      </div>
      <p className="sr" aria-live="assertive">
        {announcement}
      </p>
    </CollectionPage>
  )
}

const kindOf = (playlist: playlists.Playlist) =>
  !playlist.mine ? texts.curatedPlaylist : playlist.public ? texts.publicPlaylist : texts.playlist

const factsOf = ({ description, images, song_count, duration_seconds, changed_at }: playlists.Playlist) => ({
  ...{ description, images, song_count, duration_seconds },
  created_by: null,
  new_count: null,
  updated_at: changed_at,
})

const EmptyPlaylist = ({ mine: isOwn = false }: { mine: boolean | undefined }) => (
  <EmptyState
    icon={<IconPlaylist size={24} />}
    title={texts.noSongsInThisPlaylist}
    action={
      <Link to="/newRelease" className={button.button} data-look="primary">
        {texts.seeNewReleases}
      </Link>
    }
  >
    {isOwn ? texts.addSongsHint : texts.checkBackSoon}
  </EmptyState>
)
