import { IconGripVertical, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { tempoOf } from '../catalogue/versionTempo.ts'
import { formatBpmRange } from '../format/format.ts'
import { format } from '../format/message.ts'
import { imageAt } from '../platform/media.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useProgressiveCount } from '../ui/useProgressiveCount.ts'
import { MOVE_SHORTCUT, pickedUpMessage, useReordering } from '../ui/useReordering.ts'
import css from './Queue.module.css'
import { type Entry, upcomingEntries } from './queue.ts'
import { currentEntry, playerActions, usePlayer } from './store.ts'
import * as texts from './texts.ts'

/** A playlist may have a thousand songs. */
const ROWS_DRAWN = { initialCount: 20, step: 20 }

/** The queue beside the page. It gets the focus; closing returns it. */
export function QueueDialog() {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) playerActions.toggleQueue()
  }
  return (
    <div
      ref={panel}
      className={css.panel}
      role="dialog"
      aria-label={texts.queue}
      tabIndex={-1}
      onKeyDown={closeOnEscape}
    >
      <header className={css.panelHead}>
        <h2>{texts.queue}</h2>
        <IconButton label={texts.closeQueue} onClick={playerActions.toggleQueue}>
          <IconX size={18} />
        </IconButton>
      </header>
      <QueueList />
    </div>
  )
}

/**
 * What plays now, what was added, and the rest of the list: click to play, drag a handle or press Alt and an arrow key
 * to move, also from one part to the other.
 */
export function QueueList() {
  const current = usePlayer(currentEntry)
  const added = usePlayer((state) => state.added)
  const list = usePlayer((state) => state.list)
  const index = usePlayer((state) => state.index)
  const source = usePlayer((state) => state.source)
  const rest = list.slice(index + 1)
  const shownCount = useProgressiveCount(rest.length, ROWS_DRAWN)
  const box = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const upcoming = () => upcomingEntries(usePlayer.getState())
  const titleAt = (at: number) => upcoming()[at]?.song.title ?? ''
  const reordering = useReordering(box, {
    arrowsMoveFocus: true,
    onMove: (from, to) => {
      const at = Math.max(0, Math.min(to, upcoming().length - 1))
      playerActions.move(from, at)
      return at
    },
    onMoved: (at = 0) =>
      setAnnouncement(format(texts.movedToPositionOf, { title: titleAt(at), at: at + 1, length: upcoming().length })),
    onPickedUp: (at, isUp) => setAnnouncement(pickedUpMessage(titleAt(at), isUp)),
  })
  if (!current) return null
  const rows = [...added, ...rest.slice(0, shownCount)].map((entry, at) => (
    <QueueRow key={entry.version.song_version_id} entry={entry} at={at} />
  ))
  return (
    <>
      <ol>
        <PartHead title={texts.nowPlaying} clearLabel={texts.clearQueue} onClear={playerActions.clear} />
        <li className={css.row} aria-current>
          <QueueSong entry={current} />
        </li>
      </ol>
      {/* One list: a row that moves from one part to the other stays the same element, and keeps the focus. */}
      <ol ref={box} {...reordering}>
        {[
          added.length > 0 && <PartHead key="added" title={texts.nextInQueue} onClear={playerActions.clearAdded} />,
          ...rows.slice(0, added.length),
          rest.length > 0 && <PartHead key="rest" title={source ? format(texts.nextFrom, { source }) : texts.upNext} />,
          ...rows.slice(added.length),
        ]}
      </ol>
      {added.length + rest.length === 0 && <p className={css.emptyQueue}>{texts.nothingInQueue}</p>}
      <p className="sr" aria-live="polite">
        {announcement}
      </p>
    </>
  )
}

type PartHeadProps = { title: string; clearLabel?: string; onClear?: () => void }

const PartHead = ({ title, clearLabel = texts.clear, onClear }: PartHeadProps) => (
  <li className={css.partHead}>
    <h3>{title}</h3>
    {onClear && (
      <button type="button" className={css.textButton} onClick={onClear}>
        {clearLabel}
      </button>
    )}
  </li>
)

const QueueRow = ({ entry, at }: { entry: Entry; at: number }) => (
  <li className={css.row} data-row>
    <IconButton
      className={css.handle}
      label={format(texts.move, { title: entry.song.title })}
      shortcut={MOVE_SHORTCUT}
      data-handle
    >
      <IconGripVertical size={15} />
    </IconButton>
    <QueueSong entry={entry} onPlay={() => playerActions.jump(at)} />
    <IconButton
      label={format(texts.removeFromQueue, { title: entry.song.title })}
      onClick={() => playerActions.remove(at)}
    >
      <IconX size={15} />
    </IconButton>
  </li>
)

/** The song of a row: a click plays it, or pauses the current one. */
const QueueSong = ({ entry, onPlay = playerActions.toggle }: { entry: Entry; onPlay?: () => void }) => {
  const { song, version } = entry
  const { min_bpm, max_bpm, song_key } = tempoOf(song, version)
  return (
    <>
      <button type="button" className={css.jump} onClick={onPlay}>
        <img src={imageAt(song.image, 96)} width={36} height={36} alt="" loading="lazy" draggable={false} />
        <span className={css.names}>
          <b>{song.title}</b>
          <small>
            {song.artist} · {version.version_label}
          </small>
        </span>
      </button>
      <span className="num">{formatBpmRange(min_bpm, max_bpm)}</span>
      <KeyBadge songKey={song_key} />
    </>
  )
}
