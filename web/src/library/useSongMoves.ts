import type { catalogue } from '@dubplate/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { pickedUpMessage } from '../ui/useReordering.ts'
import type { OrderedPage } from './orderedPage.ts'
import * as texts from './texts.ts'

/** Moves the songs of a page, for `useReordering`, with the announcements for screen readers. */
export function useSongMoves(shown: OrderedPage) {
  const [announcement, setAnnouncement] = useState('')
  const moving = useRef<{ song: catalogue.Song; place: number }>(undefined)
  // Leaving the page, also by closing it, saves an unsaved move.
  useEffect(() => {
    addEventListener('pagehide', shown.moveNow)
    return () => {
      removeEventListener('pagehide', shown.moveNow)
      shown.moveNow()
    }
  }, [shown])

  const actions = useMemo(() => {
    /** Moves a song to a position of the whole list, counted from 0, limited to existing ones. */
    const moveSong = (song: catalogue.Song, requestedIndex: number) => {
      const order = shown.getOrder()
      const place = Math.max(0, Math.min(requestedIndex, order.length - 1))
      moving.current = { song, place }
      if (order[place] !== song.entity_id) shown.showMove(song.entity_id, place)
      return place
    }
    const settle = () => {
      const { song, place } = moving.current ?? {}
      if (!song || place === undefined) return
      shown.moveSoon(song.entity_id)
      setAnnouncement(
        format(texts.movedToPositionOf, { title: song.title, place: place + 1, length: shown.getOrder().length }),
      )
    }
    return { moveSong, settle }
  }, [shown])

  const moves = {
    onMove: (from: number, to: number) => {
      const songs = shown.getSongs()
      const song = songs[from]
      if (!song) return from
      const at = actions.moveSong(song, shown.getFirstIndex() + to) - shown.getFirstIndex()
      return at >= 0 && at < shown.getSongs().length ? at : undefined
    },
    onMoved: actions.settle,
    onPickedUp: (at: number, isUp: boolean) =>
      setAnnouncement(pickedUpMessage(shown.getSongs()[at]?.title ?? texts.song, isUp)),
  }
  return { ...actions, moves, announcement }
}
