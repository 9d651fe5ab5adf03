import { IconGripVertical, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { formatBpmRange } from '../format/format.ts'
import { format } from '../format/message.ts'
import { imageAt } from '../platform/media.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { MOVE_SHORTCUT, pickedUpMessage, useReordering } from '../ui/useReordering.ts'
import css from './QueueList.module.css'
import type { Entry } from './queue.ts'
import { playerActions, usePlayer } from './store.ts'
import * as texts from './texts.ts'

/** The queue: click to jump, drag a handle or press Alt and an arrow key to move, remove, clear. */
export function QueueList() {
  const queue = usePlayer((state) => state.queue)
  const index = usePlayer((state) => state.index)
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const titleAt = (at: number) => usePlayer.getState().queue[at]?.song.title
  const reordering = useReordering(list, {
    arrowsMoveFocus: true,
    onMove: (from, to) => {
      const at = Math.max(0, Math.min(to, usePlayer.getState().queue.length - 1))
      playerActions.move(from, at)
      return at
    },
    onMoved: (at = 0) =>
      setAnnouncement(
        format(texts.movedToPositionOf, {
          titleAt: titleAt(at) ?? '',
          at: at + 1,
          length: usePlayer.getState().queue.length,
        }),
      ),
    onPickedUp: (at, isUp) => setAnnouncement(pickedUpMessage(titleAt(at) ?? '', isUp)),
  })
  return (
    <>
      <header className={css.head}>
        <h2>{texts.queue}</h2>
        <span className="num">{queue.length}</span>
        {queue.length > 0 && (
          <button type="button" className={css.clear} onClick={playerActions.clear}>
            {texts.clearQueue}
          </button>
        )}
      </header>
      {queue.length === 0 && <p className={css.empty}>{texts.yourQueueIsEmptyPlay}</p>}
      <ol ref={list} className={css.list} {...reordering}>
        {queue.map((entry, at) => (
          <QueueRow key={entry.version.song_version_id} entry={entry} at={at} current={at === index} />
        ))}
      </ol>
      <p className="sr" aria-live="polite">
        {announcement}
      </p>
    </>
  )
}

function QueueRow({ entry: { song, version }, at, current }: { entry: Entry; at: number; current: boolean }) {
  return (
    <li className={css.row} data-row data-current={current || undefined} aria-current={current || undefined}>
      <IconButton
        className={css.handle}
        label={format(texts.move, { title: song.title })}
        shortcut={MOVE_SHORTCUT}
        data-handle
      >
        <IconGripVertical size={15} />
      </IconButton>
      <button type="button" className={css.jump} onClick={() => playerActions.jump(at)} data-jump>
        <img src={imageAt(song.image, 96)} width={36} height={36} alt="" loading="lazy" draggable={false} />
        <span className={css.names}>
          <span className={css.title}>{song.title}</span>
          <span className={css.by}>
            {song.artist} · {version.version_label}
          </span>
        </span>
      </button>
      <span className={`${css.bpm} num`}>{formatBpmRange(song.min_bpm, song.max_bpm)}</span>
      <KeyBadge songKey={song.song_key} />
      <IconButton label={format(texts.removeFromQueue, { title: song.title })} onClick={() => playerActions.remove(at)}>
        <IconX size={15} />
      </IconButton>
    </li>
  )
}
