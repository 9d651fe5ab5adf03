import { usePlaylistChoice } from '../library/playlistChoice.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { loadSongMenu, useSongMenu } from './songMenu.ts'

const SongMenuItems = lazyOnDemand(() => loadSongMenu().then((code) => code.SongMenuItems))
const AllVersions = lazyOnDemand(() => import('./AllVersions.tsx').then((code) => code.AllVersions))
const PlaylistChoice = lazyOnDemand(() => import('../library/PlaylistChoice.tsx').then((code) => code.PlaylistChoice))

/** The overlays for songs of any list: their menu, their versions, and the dialog to choose a playlist. */
export function SongMenu() {
  const open = useSongMenu((menu) => menu.open)
  const versions = useSongMenu((menu) => menu.versions)
  const songs = usePlaylistChoice((choice) => choice.songs)
  return (
    <>
      {open && <SongMenuItems {...open} />}
      {versions && <AllVersions key={versions.song.entity_id} {...versions} />}
      {songs && <PlaylistChoice songs={songs} />}
    </>
  )
}
