import type { catalogue } from '@dubplate/contract'
import { IconArrowBarToDown, IconArrowBarToUp, IconPlaylistX } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { ListOwner } from '../catalogue/listOwner.ts'
import { PlaylistHandle } from './PlaylistHandle.tsx'
import { playlistPage } from './playlistPage.ts'
import * as texts from './texts.ts'
import { useSongMoves } from './useSongMoves.ts'

/** Moves and removes the songs of a page of a playlist, with the announcements for screen readers. */
export function usePlaylistOrder({ playlist_id, page }: { playlist_id: number; page: number }, isOwn: boolean) {
  const shown = useMemo(() => playlistPage({ playlist_id, page }), [playlist_id, page])
  const { moves, moveSong, settle, announcement } = useSongMoves(shown)

  const owner = useMemo((): ListOwner => {
    if (!isOwn) return { playlist_id }
    const moveTo = (songs: catalogue.Song[], place: number) => {
      if (!songs[0]) return
      moveSong(songs[0], place)
      settle()
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
  }, [playlist_id, isOwn, shown, moveSong, settle])

  return { owner, moves, said: announcement }
}
