import type { playlists } from '@dubplate/contract'
import { IconDots, IconPencil, IconPlayerPlayFilled, IconPlaylistAdd, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { format } from '../format/message.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import { EditPlaylist } from './EditPlaylist.tsx'
import { Mosaic } from './Mosaic.tsx'
import css from './Playlists.module.css'
import { deletePlaylist } from './playlists.ts'
import { playlistLength } from './playlistTexts.ts'
import { enqueuePlaylist, playPlaylist } from './playPlaylist.ts'
import * as texts from './texts.ts'

/** A playlist in a grid: covers, name and length; the member's own can be edited and deleted here. */
export function PlaylistTile({ playlist }: { playlist: playlists.Playlist }) {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [isEditing, setEditing] = useState(false)
  const close = useCallback(() => setOpener(null), [])
  return (
    <li className={css.place}>
      <Link to="/playlist/$playlistId" params={{ playlistId: playlist.playlist_id }} className={css.tile}>
        <Mosaic images={playlist.images} width={320} />
        <b title={playlist.title}>{playlist.title}</b>
        <small className="num">
          {playlistLength(playlist)}
          {playlist.mine && playlist.public && ` · ${texts.publicPlaylist}`}
        </small>
      </Link>
      <IconButton
        className={css.more}
        label={format(texts.moreOptionsFor, { title: playlist.title })}
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        onClick={(event) => setOpener(opener ? null : event.currentTarget)}
      >
        <IconDots size={18} />
      </IconButton>
      {opener && <TileMenu playlist={playlist} opener={opener} onClose={close} onEdit={() => setEditing(true)} />}
      {isEditing && <EditPlaylist playlist={playlist} onClose={() => setEditing(false)} />}
    </li>
  )
}

type MenuProps = { playlist: playlists.Playlist; opener: HTMLElement; onClose: () => void; onEdit: () => void }

function TileMenu({ playlist, opener, onClose, onEdit }: MenuProps) {
  const { left, bottom } = opener.getBoundingClientRect()
  return (
    <Menu label={playlist.title} at={{ x: left, y: bottom + 4 }} onClose={onClose} returnTo={opener}>
      {playlist.song_count > 0 && (
        <MenuGroup title={playlist.title}>
          <MenuItem icon={<IconPlayerPlayFilled size={16} />} onSelect={() => void playPlaylist(playlist)}>
            {texts.playAll}
          </MenuItem>
          <MenuItem icon={<IconPlaylistAdd size={16} />} onSelect={() => void enqueuePlaylist(playlist)}>
            {texts.addToQueue}
          </MenuItem>
        </MenuGroup>
      )}
      {playlist.mine && (
        <MenuGroup>
          <MenuItem icon={<IconPencil size={16} />} onSelect={onEdit}>
            {texts.editPlaylist}
          </MenuItem>
          <MenuItem icon={<IconTrash size={16} />} onSelect={() => void deletePlaylist(playlist)}>
            {texts.deleteLabel}
          </MenuItem>
        </MenuGroup>
      )}
    </Menu>
  )
}
