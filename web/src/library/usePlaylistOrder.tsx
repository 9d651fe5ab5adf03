import type { catalogue } from '@dubplate/contract'
import { IconArrowBarToDown, IconArrowBarToUp, IconPlaylistX } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ListOwner } from '../catalogue/listOwner.ts'
import { format } from '../format/message.ts'
import { pickedUpMessage } from '../ui/useReordering.ts'
import { PlaylistHandle } from './PlaylistHandle.tsx'
import { playlistPage } from './playlistPage.ts'
import * as texts from './texts.ts'

/** Moves and removes the songs of a page of a playlist, with the announcements for screen readers. */
export function usePlaylistOrder({ playlist_id, page }: { playlist_id: number; page: number }, isOwn: boolean) {
  const [announcement, setAnnouncement] = useState('')
  const shown = useMemo(() => playlistPage({ playlist_id, page }), [playlist_id, page])
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
    /** Moves a song to a position of the whole playlist, counted from 0, limited to existing ones. */
    const moveSong = (song: catalogue.Song, requestedIndex: number) => {
      const order = shown.get()?.song_ids ?? []
      const place = Math.max(0, Math.min(requestedIndex, order.length - 1))
      moving.current = { song, place }
      if (order[place] !== song.entity_id) shown.showMove(song.entity_id, place)
      return place
    }
    const finishMove = () => {
      const { song, place } = moving.current ?? {}
      if (!song || place === undefined) return
      shown.moveSoon(song.entity_id)
      setAnnouncement(
        format(texts.movedToPositionOf, {
          title: song.title,
          place: place + 1,
          length: shown.get()?.song_ids.length ?? 0,
        }),
      )
    }
    return { moveSong, settle: finishMove }
  }, [shown])

  const moves = {
    onMove: (from: number, to: number) => {
      const now = shown.get()
      const song = now?.songs[from]
      if (!now || !song) return from
      const first = (now.pagination.page - 1) * now.pagination.perPageLimit
      const at = actions.moveSong(song, first + to) - first
      return at >= 0 && at < now.songs.length ? at : undefined
    },
    onMoved: actions.settle,
    onPickedUp: (at: number, isUp: boolean) =>
      setAnnouncement(pickedUpMessage(shown.get()?.songs[at]?.title ?? texts.song, isUp)),
  }

  const owner = useMemo((): ListOwner => {
    if (!isOwn) return { playlist_id }
    const moveTo = (songs: catalogue.Song[], place: number) => {
      if (!songs[0]) return
      actions.moveSong(songs[0], place)
      actions.settle()
    }
    const undo = {
      text: texts.removeFromPlaylist,
      icon: <IconPlaylistX size={16} />,
      run: (songs: catalogue.Song[]) => void shown.remove(songs.map(({ entity_id }) => entity_id)),
    }
    return {
      playlist_id,
      Handle: PlaylistHandle,
      selectionActions: [undo],
      songActions: [
        { text: texts.moveToTop, icon: <IconArrowBarToUp size={16} />, run: (songs) => moveTo(songs, 0) },
        {
          text: texts.moveToBottom,
          icon: <IconArrowBarToDown size={16} />,
          run: (songs) => moveTo(songs, Number.POSITIVE_INFINITY),
        },
        undo,
      ],
    }
  }, [playlist_id, isOwn, shown, actions])

  return { owner, moves, said: announcement }
}
