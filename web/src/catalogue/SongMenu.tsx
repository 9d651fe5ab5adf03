import { usePlaylistChoice } from '../library/playlistChoice.ts'
import { late } from '../ui/late.tsx'
import { loadSongMenu, useSongMenu } from './songMenu.ts'

const SongMenuItems = late(() => loadSongMenu().then((code) => code.SongMenuItems))
const PlaylistChoice = late(() => import('../library/PlaylistChoice.tsx').then((code) => code.PlaylistChoice))

/** What opens over the page for songs of any list: their menu, and the choice of a playlist for them. */
export function SongMenu() {
  const open = useSongMenu((menu) => menu.open)
  const songs = usePlaylistChoice((choice) => choice.songs)
  return (
    <>
      {open && <SongMenuItems {...open} />}
      {songs && <PlaylistChoice songs={songs} />}
    </>
  )
}
