import type { catalogue } from '@dubplate/contract'
import { IconGripVertical, IconX } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { KeyBadge } from '../../catalogue/KeyBadge.tsx'
import { SongLine } from '../../catalogue/SongLine.tsx'
import handle from '../../library/PlaylistHandle.module.css'
import { formatBpmRange, formatDuration } from '../../platform/format.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { format } from '../../platform/message.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { useReordering } from '../../ui/useReordering.ts'
import css from './Composer.module.css'
import { songIdsIn } from './songIds.ts'
import * as texts from './texts.ts'
import { type Transition, transitionTo } from './transition.ts'
import type { LoadedSong } from './useListSongs.ts'
import type { Order } from './useSongOrder.ts'

type Props = {
  ids: readonly number[]
  order: Order
  /** Note on the number of songs. */
  note: ReactNode
  /** What prevents saving. */
  error: string | undefined
}

const secondsOf = (loaded: LoadedSong | undefined) =>
  loaded && 'song' in loaded ? (loaded.song.version[0]?.duration_seconds ?? 0) : 0

/** The songs of the list in order: moved, removed, and added by dropping them at a position. */
export function SongOrder({ ids, order, note, error }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const { loaded, message, moves } = order
  const reordering = useReordering(list, moves)
  const { over, dropping } = useDropping(list, order)
  const songs = ids.flatMap((id) => {
    const one = loaded.get(id)
    return one && 'song' in one ? [one.song] : []
  })
  const total = ids.reduce((sum, id) => sum + secondsOf(loaded.get(id)), 0)
  return (
    <section className={css.side} aria-label={texts.songsInThisList} {...dropping}>
      <p className={css.sum}>
        <b className="num">{format(texts.songCount, { n: ids.length })}</b>
        <span className="num">{formatDuration(total)}</span>
        <span>{note}</span>
      </p>
      <p className={css.message} role="status" data-error={message.isError || undefined}>
        {message.text}
      </p>
      {error && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
      {order.error && <InlineError error={order.error} subject={texts.theSongs} retry={order.retry} />}
      {ids.length === 0 ? (
        <p className={css.none} data-over={over !== undefined || undefined}>
          {texts.noSongsYetAddSongs}
        </p>
      ) : (
        <ol ref={list} className={css.order} aria-label={texts.songsInThisList} {...reordering}>
          {ids.map((id, at) => (
            <Row
              key={id}
              id={id}
              at={at}
              loaded={loaded.get(id)}
              before={loaded.get(ids[at - 1] ?? 0)}
              songs={songs}
              isOver={over === at ? 'above' : over === ids.length && at === ids.length - 1 ? 'below' : undefined}
              onRemove={() => order.remove(id)}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

/** Songs being dragged over the list from anywhere, and the position they would be dropped at. */
function useDropping(list: React.RefObject<HTMLOListElement | null>, order: Order) {
  const [over, setOver] = useState<number>()
  const takes = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('text/uri-list')
  const offer = (event: DragEvent) => {
    if (!takes(event)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(placeAt(list.current, event.clientY))
  }
  const dropping = {
    onDragEnter: offer,
    onDragOver: offer,
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(undefined)
    },
    onDrop: (event: DragEvent) => {
      setOver(undefined)
      if (!takes(event)) return
      event.preventDefault()
      void order.insertByIds(
        songIdsIn(event.dataTransfer.getData('text/uri-list')),
        placeAt(list.current, event.clientY),
      )
    },
  }
  return { over, dropping }
}

/** The position of a song dropped at a height: before the row whose middle is below it. */
function placeAt(list: HTMLElement | null, clientY: number): number {
  const rows = [...(list?.querySelectorAll('[data-row]') ?? [])].map((row) => row.getBoundingClientRect())
  const below = rows.findIndex(({ top, height }) => clientY < top + height / 2)
  return below < 0 ? rows.length : below
}

type RowProps = {
  id: number
  at: number
  loaded: LoadedSong | undefined
  before: LoadedSong | undefined
  songs: catalogue.Song[]
  isOver: 'above' | 'below' | undefined
  onRemove: () => void
}

function Row({ id, at, loaded, before, songs, isOver, onRemove }: RowProps) {
  const song = loaded && 'song' in loaded ? loaded.song : undefined
  const title =
    song?.title ?? (loaded && 'unpublished' in loaded ? loaded.unpublished.title : format(texts.songNumber, { id }))
  const row = { 'data-row': '', 'data-over': isOver, className: css.row }
  const lead = (
    <span className={css.lead}>
      <IconButton
        className={handle.handle}
        label={format(texts.move, { title })}
        shortcut={texts.altAltOrSpaceThen}
        draggable={false}
        data-handle
      >
        <IconGripVertical size={15} />
      </IconButton>
      <span className="num">{at + 1}</span>
    </span>
  )
  const takeOut = (
    <IconButton
      label={format(texts.removeTitleLabel, { title })}
      className={css.add}
      data-take-out
      onClick={({ currentTarget }) => {
        passFocusOn(currentTarget)
        onRemove()
      }}
    >
      <IconX size={16} />
    </IconButton>
  )
  if (!song)
    return (
      <li {...row} className={`${css.row} ${css.plain}`} data-gone={loaded ? '' : undefined}>
        {lead}
        <span className={css.gone}>
          <b>{title}</b>
          <small>
            {loaded && 'unpublished' in loaded
              ? format(texts.artistUnpublishedHiddenFromMembers, { artist: loaded.unpublished.artist })
              : texts.loading}
          </small>
        </span>
        {takeOut}
      </li>
    )
  const mix = before && 'song' in before ? transitionTo(song, before.song) : {}
  return (
    <SongLine song={song} list={songs} lead={lead} row={row}>
      <Mix song={song} mix={mix} />
      <span className={`${css.time} num`}>{formatDuration(song.version[0]?.duration_seconds ?? 0)}</span>
      {takeOut}
    </SongLine>
  )
}

/** Moves the focus to the next button, so that several songs can be removed in a row. */
function passFocusOn(button: HTMLElement) {
  const row = button.closest('li')
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  if (document.activeElement === button) beside?.querySelector<HTMLElement>('[data-take-out]')?.focus()
}

const Mix = ({ song, mix: { tempo, key } }: { song: catalogue.Song; mix: Transition }) => (
  <span className={css.mix}>
    <span
      className={`${css.bpm} num`}
      title={tempo && format(texts.tempoChangeFromPreviousSong, { meaning: tempo.meaning })}
    >
      {formatBpmRange(song.min_bpm, song.max_bpm)}
      <ComparisonText comparison={tempo} />
    </span>
    <span className={css.key} title={key && format(texts.keyChangeFromPreviousSong, { meaning: key.meaning })}>
      <KeyBadge songKey={song.song_key} />
      <ComparisonText comparison={key} />
    </span>
  </span>
)

/** An abbreviation on screen, the full words for screen readers. */
const ComparisonText = ({ comparison }: { comparison: Transition['key'] }) =>
  comparison && (
    <small data-fits={comparison.fits}>
      <span aria-hidden>{comparison.text}</span>
      <span className="sr">
        {format(comparison.fits ? texts.goodMix : texts.notAGoodMix, { meaning: comparison.meaning })}
      </span>
    </small>
  )
