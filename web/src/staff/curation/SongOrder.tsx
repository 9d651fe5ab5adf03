import type { catalogue } from '@dubplate/contract'
import { Box, Center, Group, Stack, Text } from '@mantine/core'
import { IconGripVertical, IconX } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { SongLine } from '../../catalogue/SongLine.tsx'
import { formatDuration } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import handle from '../../library/PlaylistHandle.module.css'
import { InlineError } from '../../platform/InlineError.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useReordering } from '../../ui/useReordering.ts'
import css from './Composer.module.css'
import { SongNumbers } from './SongNumbers.tsx'
import { songIdsIn } from './songIds.ts'
import * as texts from './texts.ts'
import type { ListedSong } from './useListedSongs.ts'
import { type Order, titleOf } from './useSongOrder.ts'

type Props = {
  ids: readonly number[]
  order: Order
  /** Note on the number of songs. */
  note: ReactNode
  /** What prevents saving. */
  error: string | undefined
}

const songOf = (listed: ListedSong | undefined) => (listed && 'song' in listed ? listed.song : undefined)

const durationOf = (song: catalogue.Song) => song.version[0]?.duration_seconds ?? 0

/** The songs of the list in order: moved, removed, and added by dropping them at a position. */
export function SongOrder({ ids, order, note, error }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const { listed, message, moves } = order
  const reordering = useReordering(list, moves)
  const { dropIndex, dropHandlers } = useDropping(list, order)
  const songs = ids.flatMap((id) => songOf(listed.get(id)) ?? [])
  const total = songs.reduce((sum, song) => sum + durationOf(song), 0)
  return (
    <Stack component="section" gap="sm" miw={0} aria-label={texts.songsInThisList} {...dropHandlers}>
      <Group component="p" gap="0 12px" m={0} mih={36} fz="sm" c="var(--text-2)">
        <Text span inherit fw={640} c="var(--text)" className="num">
          {format(texts.songCount, { n: ids.length })}
        </Text>
        <span className="num">{formatDuration(total)}</span>
        <span>{note}</span>
      </Group>
      <Text
        role="status"
        mih={28}
        fz="sm"
        c={message.isWarning ? 'var(--warn)' : 'var(--text-2)'}
        style={{ overflowWrap: 'anywhere' }}
      >
        {message.text}
      </Text>
      {error && (
        <Text role="alert" fz="sm" c="var(--danger)">
          {error}
        </Text>
      )}
      {order.error && <InlineError error={order.error} subject={texts.theSongs} retry={order.retry} />}
      {ids.length === 0 ? (
        <Center
          mih={200}
          p="xl"
          ta="center"
          c="var(--text-2)"
          bg={dropIndex === undefined ? 'transparent' : 'var(--accent-soft)'}
          style={{ border: '1px dashed var(--line-strong)', borderRadius: 'var(--r-lg)' }}
        >
          {texts.noSongsYetAddSongs}
        </Center>
      ) : (
        <ol ref={list} className={css.songs} aria-label={texts.songsInThisList} {...reordering}>
          {ids.map((id, index) => (
            <Row
              key={id}
              id={id}
              index={index}
              listed={listed.get(id)}
              previous={songOf(listed.get(ids[index - 1] ?? 0))}
              songs={songs}
              dropSide={
                dropIndex === index
                  ? 'above'
                  : dropIndex === ids.length && index === ids.length - 1
                    ? 'below'
                    : undefined
              }
              onRemove={() => order.remove(id)}
            />
          ))}
        </ol>
      )}
    </Stack>
  )
}

/** Songs being dragged over the list from anywhere, and the position they would be dropped at. */
function useDropping(list: RefObject<HTMLOListElement | null>, order: Order) {
  const [dropIndex, setDropIndex] = useState<number>()
  const hasLinks = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('text/uri-list')
  const allowDrop = (event: DragEvent) => {
    if (!hasLinks(event)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setDropIndex(indexAt(list.current, event.clientY))
  }
  const dropHandlers = {
    onDragEnter: allowDrop,
    onDragOver: allowDrop,
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropIndex(undefined)
    },
    onDrop: (event: DragEvent) => {
      setDropIndex(undefined)
      if (!hasLinks(event)) return
      event.preventDefault()
      const ids = songIdsIn(event.dataTransfer.getData('text/uri-list'))
      void order.addByIds(ids, indexAt(list.current, event.clientY))
    },
  }
  return { dropIndex, dropHandlers }
}

/** The position of a song dropped at a height: before the row whose middle is below it. */
function indexAt(list: HTMLElement | null, clientY: number): number {
  const rows = [...(list?.querySelectorAll('[data-row]') ?? [])].map((row) => row.getBoundingClientRect())
  const below = rows.findIndex(({ top, height }) => clientY < top + height / 2)
  return below < 0 ? rows.length : below
}

type RowProps = {
  id: number
  index: number
  /** Undefined while it is loading. */
  listed: ListedSong | undefined
  previous: catalogue.Song | undefined
  songs: catalogue.Song[]
  /** Where the dragged songs would be dropped. */
  dropSide: 'above' | 'below' | undefined
  onRemove: () => void
}

function Row({ id, index, listed, previous, songs, dropSide, onRemove }: RowProps) {
  const song = songOf(listed)
  const title = listed ? titleOf(listed) : format(texts.songNumber, { id })
  const row = { 'data-row': '', 'data-over': dropSide, className: css.row ?? '' }
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
      <span className="num">{index + 1}</span>
    </span>
  )
  const removeButton = (
    <IconButton
      label={format(texts.removeTitleLabel, { title })}
      data-remove
      onClick={({ currentTarget }) => {
        focusNextRemove(currentTarget)
        onRemove()
      }}
    >
      <IconX size={16} />
    </IconButton>
  )
  if (song)
    return (
      <SongLine song={song} list={songs} lead={lead} row={row}>
        <SongNumbers song={song} previous={previous} />
        <span className={`${css.duration} num`}>{formatDuration(durationOf(song))}</span>
        {removeButton}
      </SongLine>
    )
  return (
    <Group component="li" wrap="nowrap" gap={10} pr={8} {...row}>
      {lead}
      <Box flex={1} miw={0}>
        <Text truncate fz="sm" fw={560} c="var(--text-2)">
          {title}
        </Text>
        <Text truncate fz="xs" c={listed ? 'var(--warn)' : 'var(--text-2)'}>
          {listed && 'unpublished' in listed
            ? format(texts.artistUnpublishedHiddenFromMembers, { artist: listed.unpublished.artist })
            : texts.loading}
        </Text>
      </Box>
      {removeButton}
    </Group>
  )
}

/** Moves the focus to the next button, so that several songs can be removed in a row. */
function focusNextRemove(button: HTMLElement) {
  const row = button.closest('li')
  const neighbor = row?.nextElementSibling ?? row?.previousElementSibling
  if (document.activeElement === button) neighbor?.querySelector<HTMLElement>('[data-remove]')?.focus()
}
