import { usePlaylistChoice } from '../library/playlistChoice.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { loadSongMenu, useSongMenu } from './songMenu.ts'

const SongMenuItems = lazyOnDemand(() => loadSongMenu().then((code) => code.SongMenuItems))
const PlaylistChoice = lazyOnDemand(() => import('../library/PlaylistChoice.tsx').then((code) => code.PlaylistChoice))

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
