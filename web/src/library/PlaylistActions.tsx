import type { playlists } from '@dubplate/contract'
import {
  IconArrowsShuffle,
  IconCopy,
  IconPencil,
  IconPlayerPlayFilled,
  IconPlaylistAdd,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { copyPlaylist, deletePlaylist, publishPlaylist } from './playlists.ts'
import { enqueuePlaylist, playPlaylist, shufflePlaylist } from './playPlaylist.ts'
import * as texts from './texts.ts'

type Props = { playlist: playlists.Playlist; songIds: number[]; onRename: () => void }

/** The actions for a whole playlist: everyone who sees it can play it, only its owner can change it. */
export function PlaylistActions({ playlist, songIds, onRename }: Props) {
  return (
    <>
      {playlist.song_count > 0 && <PlayButtons playlist={playlist} />}
      {playlist.mine ? (
        <PlaylistOwnerActions playlist={playlist} onRename={onRename} />
      ) : (
        <CopyButton playlist={playlist} songIds={songIds} />
      )}
    </>
  )
}

function PlayButtons({ playlist }: Pick<Props, 'playlist'>) {
  const [busy, setBusy] = useState('')
  const play = async (action: string, playWith: (playlist: playlists.Playlist) => Promise<void>) => {
    setBusy(action)
    await playWith(playlist)
    setBusy('')
  }
  return (
    <>
      <Button variant="primary" busy={busy === 'play'} onClick={() => void play('play', playPlaylist)}>
        {busy !== 'play' && <IconPlayerPlayFilled size={15} aria-hidden />}
        {texts.playAll}
      </Button>
      <Button busy={busy === 'shuffle'} onClick={() => void play('shuffle', shufflePlaylist)}>
        {busy !== 'shuffle' && <IconArrowsShuffle size={16} aria-hidden />}
        {texts.shuffle}
      </Button>
      <Button busy={busy === 'queue'} onClick={() => void play('queue', enqueuePlaylist)}>
        {busy !== 'queue' && <IconPlaylistAdd size={17} aria-hidden />}
        {texts.addToQueue}
      </Button>
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
        <Button busy={busy === 'publish'} onClick={() => void publish()}>
          {busy !== 'publish' && <IconWorld size={16} aria-hidden />}
          {playlist.public ? texts.makePrivate : texts.makePublic}
        </Button>
      )}
      <Button onClick={onRename}>
        <IconPencil size={16} aria-hidden />
        {texts.rename}
      </Button>
      <Button busy={busy === 'delete'} onClick={() => void remove()}>
        {busy !== 'delete' && <IconTrash size={16} aria-hidden />}
        {texts.deleteLabel}
      </Button>
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
    <Button busy={isCopying} onClick={() => void copy()}>
      {!isCopying && <IconCopy size={16} aria-hidden />}
      {texts.copyToMyPlaylists}
    </Button>
  )
}
