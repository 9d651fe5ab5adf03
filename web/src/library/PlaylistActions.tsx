import type { playlists } from '@dubplate/contract'
import { IconCloudUp, IconCopy, IconDots, IconPencil, IconPlaylistAdd, IconTrash, IconWorld } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { chooseSend } from '../cloudDelivery/sendChoice.ts'
import { useSendLabel } from '../cloudDelivery/useSendLabel.ts'
import { format } from '../format/message.ts'
import { useSession } from '../platform/session.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import { toast } from '../ui/toast.ts'
import { useAction } from '../ui/useAction.ts'
import { copyPlaylist, deletePlaylist, publishPlaylist } from './playlists.ts'
import { enqueuePlaylist } from './playPlaylist.ts'
import * as texts from './texts.ts'

type Props = { playlist: playlists.Playlist; songIds: number[]; onEdit: () => void }

/**
 * The actions that only playlists have: everyone who sees it can queue or copy it, only its owner can change it. They are
 * in a menu, because a phone has no space for more buttons in one line.
 */
export function PlaylistActions({ playlist, songIds, onEdit }: Props) {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [run, isBusy] = useAction((task: () => Promise<void>) => task())
  const close = useCallback(() => setOpener(null), [])
  if (!playlist.mine && playlist.song_count === 0) return null
  return (
    <>
      <IconButton
        label={format(texts.moreOptionsFor, { title: playlist.title })}
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        disabled={isBusy}
        onClick={(event) => setOpener(opener ? null : event.currentTarget)}
      >
        <IconDots size={18} />
      </IconButton>
      {opener && <PlaylistMenu {...{ playlist, songIds, onEdit, opener, run }} onClose={close} />}
    </>
  )
}

type MenuProps = Props & { opener: HTMLElement; onClose: () => void; run: (task: () => Promise<void>) => void }

function PlaylistMenu({ playlist, songIds, onEdit, opener, onClose, run }: MenuProps) {
  const isStaff = useSession(({ profile }) => profile?.staff_role != null)
  const navigate = useNavigate()
  const sendLabel = useSendLabel()
  const { title, playlist_id } = playlist
  const { left, bottom } = opener.getBoundingClientRect()
  const remove = async () => {
    if (await deletePlaylist(playlist)) await navigate({ to: '/playlist' })
  }
  const copy = async () => {
    const created = await copyPlaylist(playlist, songIds)
    if (!created) return
    void toast({ message: format(texts.copiedToYourPlaylistsAs, { title: created.title }) })
    await navigate({ to: '/playlist/$playlistId', params: { playlistId: created.playlist_id } })
  }
  const publish = async () => void (await publishPlaylist(playlist, !playlist.public))
  return (
    <Menu label={playlist.title} at={{ x: left, y: bottom + 4 }} onClose={onClose} returnTo={opener}>
      {playlist.song_count > 0 && (
        <MenuGroup>
          <MenuItem icon={<IconPlaylistAdd size={16} />} onSelect={() => void enqueuePlaylist(playlist)}>
            {texts.addToQueue}
          </MenuItem>
          {sendLabel && (
            <MenuItem icon={<IconCloudUp size={16} />} onSelect={() => chooseSend({ title, source: { playlist_id } })}>
              {sendLabel}
            </MenuItem>
          )}
          {!playlist.mine && (
            <MenuItem icon={<IconCopy size={16} />} onSelect={() => run(copy)}>
              {texts.copyToMyPlaylists}
            </MenuItem>
          )}
        </MenuGroup>
      )}
      {playlist.mine && (
        <MenuGroup>
          {isStaff && (
            <MenuItem icon={<IconWorld size={16} />} onSelect={() => run(publish)}>
              {playlist.public ? texts.makePrivate : texts.makePublic}
            </MenuItem>
          )}
          <MenuItem icon={<IconPencil size={16} />} onSelect={onEdit}>
            {texts.editPlaylist}
          </MenuItem>
          <MenuItem icon={<IconTrash size={16} />} onSelect={() => run(remove)}>
            {texts.deleteLabel}
          </MenuItem>
        </MenuGroup>
      )}
    </Menu>
  )
}
