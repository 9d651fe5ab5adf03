import { type catalogue, curation } from '@dubplate/contract'
import { useEffect, useRef, useState } from 'react'
import { formatList } from '../../format/formatList.ts'
import { format } from '../../format/message.ts'
import { moveItem } from '../../library/playlistOrder.ts'
import { callApi } from '../../platform/api.ts'
import { toast } from '../../ui/toast.ts'
import { useLatest } from '../../ui/useLatest.ts'
import { insertSongs } from './songIds.ts'
import * as texts from './texts.ts'
import { type ListedSong, useListedSongs } from './useListedSongs.ts'

type Message = { text: string; isWarning: boolean }

export const titleOf = (song: ListedSong | undefined): string =>
  song ? ('song' in song ? song.song.title : song.unpublished.title) : texts.unknownSong

const namesOf = (titles: readonly string[]): string =>
  titles.length > 3
    ? format(texts.songCount, { n: titles.length })
    : formatList(titles.map((title) => format(texts.quotedTitle, { title })))

/** The songs of a list being edited: adding, moving and removing them, with the messages shown. */
export function useSongOrder(ids: readonly number[], onChange: (ids: number[]) => void, limit: number) {
  const { listed, addLoaded, error, retry } = useListedSongs(ids)
  const [message, setMessage] = useState<Message>({ text: '', isWarning: false })
  // A row may move several times before the list renders again, and an undo comes even later.
  const orderRef = useLatest(ids)
  const namesRef = useLatest(listed)
  const changeRef = useLatest(onChange)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const set = (next: number[]) => {
    orderRef.current = next
    if (isOpen.current) changeRef.current(next)
  }
  const announce = (text: string, isWarning = false) => setMessage({ text, isWarning })
  const nameOf = (id: number) => titleOf(namesRef.current.get(id))

  /** Inserts loaded songs at a position, by default at the end. The message says what happened to each. */
  const add = (songs: readonly catalogue.Song[], at = orderRef.current.length, more: readonly string[] = []) => {
    addLoaded({ songs: [...songs] })
    const result = insertSongs(
      orderRef.current,
      songs.map(({ entity_id }) => entity_id),
      at,
      limit,
    )
    const titles = new Map(songs.map(({ entity_id, title }) => [entity_id, title]))
    const joinTitles = (list: readonly number[]) => namesOf(list.map((id) => titles.get(id) ?? nameOf(id)))
    if (result.added.length > 0) set(result.order)
    const [first] = result.duplicates
    const sentences = [
      result.added.length > 0 && format(texts.added, { songs: joinTitles(result.added) }),
      result.duplicates.length === 1 && first !== undefined
        ? format(texts.isAlreadyInTheList, {
            song: joinTitles(result.duplicates),
            position: result.order.indexOf(first) + 1,
          })
        : result.duplicates.length > 1 && format(texts.areAlreadyInTheList, { songs: joinTitles(result.duplicates) }),
      result.overLimit.length > 0 && format(texts.aListCanHaveUp, { limit, songs: joinTitles(result.overLimit) }),
      ...more,
    ].filter(Boolean)
    announce(sentences.join(' '), result.duplicates.length + result.overLimit.length + more.length > 0)
  }

  /** The same for ids of songs that are not loaded yet. */
  const addByIds = async (songIds: readonly number[], at?: number) => {
    if (songIds.length === 0) return announce(texts.noSongsFoundInThe, true)
    try {
      const { songs, unpublished, unknown } = await callApi(curation.getSongs, {
        entity_ids: songIds.slice(0, curation.SPOTLIGHT_SONGS),
      })
      const rejections = [
        unpublished.length > 0 &&
          format(texts.unpublishedNotAdded, { songs: namesOf(unpublished.map(({ title }) => title)) }),
        unknown.length > 0 && format(texts.songsNotFound, { ids: formatList(unknown.map(String)) }),
      ].filter((sentence) => sentence !== false)
      add(songs, at, rejections)
    } catch (error) {
      announce(error instanceof Error ? error.message : texts.couldntAddTheSongsTry, true)
    }
  }

  const restore = (id: number, at: number) => {
    if (!isOpen.current || orderRef.current.includes(id)) return
    set(orderRef.current.toSpliced(at, 0, id))
    announce(format(texts.restoredAtNumber, { title: nameOf(id), at: at + 1 }))
  }
  const remove = (id: number) => {
    const at = orderRef.current.indexOf(id)
    if (at < 0) return
    set(orderRef.current.toSpliced(at, 1))
    announce(format(texts.removed, { title: nameOf(id) }))
    const message = format(texts.removed, { title: nameOf(id) })
    void toast({ message, action: { label: texts.undo, run: () => restore(id, at) } })
  }
  const fill = (songs: readonly catalogue.Song[], message: string) => {
    const before = [...orderRef.current]
    addLoaded({ songs: [...songs] })
    set(songs.map(({ entity_id }) => entity_id))
    announce(message)
    if (before.length === 0) return
    void toast({ message, action: { label: texts.undo, run: () => set(before) } })
  }

  const moves = {
    onMove: (from: number, to: number) => {
      const at = Math.max(0, Math.min(to, orderRef.current.length - 1))
      if (at !== from) set(moveItem(orderRef.current, from, at))
      return at
    },
    onMoved: (at = 0) =>
      announce(
        format(texts.songMovedToOf, {
          title: nameOf(orderRef.current[at] ?? 0),
          at: at + 1,
          length: orderRef.current.length,
        }),
      ),
    onPickedUp: (at: number, isUp: boolean) =>
      announce(format(isUp ? texts.songPickedUp : texts.songDropped, { title: nameOf(orderRef.current[at] ?? 0) })),
  }
  return { listed, error, retry, message, add, addByIds, remove, fill, moves }
}

export type Order = ReturnType<typeof useSongOrder>
