import type { playlists } from '@dubplate/contract'
import { IconCopy, IconPencil, IconPlaylistAdd, IconTrash, IconWorld } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { useSession } from '../platform/session.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { toast } from '../ui/toast.ts'
import { copyPlaylist, deletePlaylist, publishPlaylist } from './playlists.ts'
import { enqueuePlaylist } from './playPlaylist.ts'
import * as texts from './texts.ts'

type Props = { playlist: playlists.Playlist; songIds: number[]; onRename: () => void }

/** The actions that only playlists have: everyone who sees it can queue it, only its owner can change it. */
export function PlaylistActions({ playlist, songIds, onRename }: Props) {
  return (
    <>
      {playlist.song_count > 0 && (
        <IconButton label={texts.addToQueue} onClick={() => void enqueuePlaylist(playlist)}>
          <IconPlaylistAdd size={19} stroke={1.8} />
        </IconButton>
      )}
      {playlist.mine ? (
        <PlaylistOwnerActions playlist={playlist} onRename={onRename} />
      ) : (
        <CopyButton playlist={playlist} songIds={songIds} />
      )}
    </>
  )
}

function PlaylistOwnerActions({ playlist, onRename }: Pick<Props, 'playlist' | 'onRename'>) {
  const isStaff = useSession(({ profile }) => profile?.staff_role != null)
  const [busy, setBusy] = useState('')
  const navigate = useNavigate()
  const remove = async () => {
    setBusy('delete')
    if (await deletePlaylist(playlist)) await navigate({ to: '/playlist' })
    setBusy('')
  }
  const publish = async () => {
    setBusy('publish')
    await publishPlaylist(playlist, !playlist.public)
    setBusy('')
  }
  return (
    <>
      {isStaff && (
        <IconButton
          label={playlist.public ? texts.makePrivate : texts.makePublic}
          data-active={playlist.public || undefined}
          disabled={busy === 'publish'}
          onClick={() => void publish()}
        >
          <IconWorld size={18} stroke={1.8} />
        </IconButton>
      )}
      <IconButton label={texts.rename} onClick={onRename}>
        <IconPencil size={18} stroke={1.8} />
      </IconButton>
      <IconButton label={texts.deleteLabel} disabled={busy === 'delete'} onClick={() => void remove()}>
        <IconTrash size={18} stroke={1.8} />
      </IconButton>
    </>
  )
}

function CopyButton({ playlist, songIds }: Pick<Props, 'playlist' | 'songIds'>) {
  const [isCopying, setCopying] = useState(false)
  const navigate = useNavigate()
  const copy = async () => {
    setCopying(true)
    const created = await copyPlaylist(playlist, songIds)
    setCopying(false)
    if (!created) return
    void toast({ message: format(texts.copiedToYourPlaylistsAs, { title: created.title }) })
    await navigate({ to: '/playlist/$playlistId', params: { playlistId: created.playlist_id } })
  }
  return (
    <IconButton label={texts.copyToMyPlaylists} disabled={isCopying} onClick={() => void copy()}>
      <IconCopy size={18} stroke={1.8} />
    </IconButton>
  )
}
