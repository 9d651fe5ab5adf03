import type { catalogue } from '@dubplate/contract'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { format } from '../format/message.ts'
import { preferredVersion } from '../library/preferredVersion.ts'
import { OwnedMark } from '../ownLibrary/OwnedMark.tsx'
import { imageAt } from '../platform/media.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import css from './SongLine.module.css'
import { openSongMenu } from './songMenu.ts'
import * as texts from './texts.ts'

const playableEntry = (song: catalogue.Song) => {
  const version = preferredVersion(song)
  return version ? [{ song, version }] : []
}

type Props = {
  song: catalogue.Song
  /** The songs that play after it. */
  list: catalogue.Song[]
  /** Shown before the cover: a rank. */
  lead?: ReactNode
  /** Shown over the cover, and in place of the artist. */
  overlay?: ReactNode
  status?: ReactNode
  /** Shown at the end. */
  children?: ReactNode
  /** Further properties of the row, for dragging and moving it. */
  row?: ComponentProps<'li'> & Record<`data-${string}`, unknown>
}

/** A song in the right column: a cover that plays it, title, artist, and details of the list. An `<li>`, 46 px high. */
export function SongLine({ song, list, lead, overlay, status, children, row }: Props) {
  const isCurrent = usePlayer((player) => currentEntry(player)?.song.entity_id === song.entity_id)
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const [entry] = playableEntry(song)
  const play = () => {
    if (isCurrent) playerActions.toggle()
    else if (entry) playerActions.play(entry, { list: list.flatMap(playableEntry) })
  }
  return (
    <li
      {...row}
      className={row?.className ? `${css.line} ${row.className}` : css.line}
      data-current={isCurrent || undefined}
      data-led={lead !== undefined || undefined}
      onContextMenu={(event) => {
        event.preventDefault()
        openSongMenu(song, event.currentTarget, { point: { x: event.clientX, y: event.clientY } })
      }}
    >
      {lead}
      <button
        type="button"
        className={css.linePlay}
        disabled={!entry}
        aria-label={format(isPlaying ? texts.pauseSong : texts.playSong, { title: song.title, artist: song.artist })}
        onClick={play}
      >
        <img src={imageAt(song.image, 96)} alt="" width={36} height={36} loading="lazy" decoding="async" />
        {isPlaying ? <IconPlayerPauseFilled size={16} /> : <IconPlayerPlayFilled size={16} />}
        {overlay}
      </button>
      <span className={css.lineTitles}>
        <Link to="/song/$entityId" params={{ entityId: song.entity_id }} className={css.lineTitle} title={song.title}>
          {song.title}
        </Link>
        {status ?? (
          <small title={song.artist}>
            <OwnedMark songId={song.entity_id} />
            {song.artist}
          </small>
        )}
      </span>
      {children}
    </li>
  )
}
