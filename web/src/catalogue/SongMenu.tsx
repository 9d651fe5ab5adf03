import { useKitChoice } from '../booth/kits/kitChoice.ts'
import { useSendChoice } from '../cloudDelivery/sendChoice.ts'
import { usePlaylistChoice } from '../library/playlistChoice.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { loadSongMenu, useSongMenu } from './songMenu.ts'

const SongMenuItems = lazyOnDemand(() => loadSongMenu().then((code) => code.SongMenuItems))
const AllVersions = lazyOnDemand(() => import('./AllVersions.tsx').then((code) => code.AllVersions))
const PlaylistChoice = lazyOnDemand(() => import('../library/PlaylistChoice.tsx').then((code) => code.PlaylistChoice))

const KitDialog = lazyOnDemand(() => import('../booth/kits/KitDialog.tsx').then((code) => code.KitDialog))
const SendDialog = lazyOnDemand(() => import('../cloudDelivery/SendDialog.tsx').then((code) => code.SendDialog))

/** The overlays for songs of any list: their menu, their versions, and the dialogs to choose a playlist, a kit and cloud storage. */
export function SongMenu() {
  const open = useSongMenu((menu) => menu.open)
  const versions = useSongMenu((menu) => menu.versions)
  const kit = useKitChoice((choice) => choice.songs)
  const sent = useSendChoice((choice) => choice.songs)
  const songs = usePlaylistChoice((choice) => choice.songs)
  return (
    <>
      {open && <SongMenuItems {...open} />}
      {versions && <AllVersions key={versions.song.entity_id} {...versions} />}
      {songs && <PlaylistChoice songs={songs} />}
      {kit && <KitDialog songs={kit} />}
      {sent && <SendDialog songs={sent} />}
    </>
  )
}
