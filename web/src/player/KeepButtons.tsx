import { IconCheck, IconDots, IconHeart, IconHeartFilled, IconPlus } from '@tabler/icons-react'
import { loadSongMenu, openSongMenu } from '../catalogue/songMenu.ts'
import { toggleCrate, toggleFavourite, useLibrary } from '../library/library.ts'
import { IconButton } from '../ui/IconButton.tsx'
import type { Entry } from './queue.ts'
import * as texts from './texts.ts'

const ignore = () => undefined

/** Opens the menu of a song. The phone's player sheet covers everything, so it closes first. */
function openMenu(song: Entry['song'], button: HTMLElement) {
  button.closest('dialog')?.close()
  openSongMenu(song, button)
}

/** Buttons for the playing song: favourite, crate and its menu. */
export function KeepButtons({ entry }: { entry: Entry }) {
  const id = entry.song.entity_id
  const favourite = useLibrary(({ favourites }) => favourites.has(id))
  const inCrate = useLibrary(({ crateSongs }) => crateSongs.has(id))
  return (
    <>
      <IconButton
        label={favourite ? texts.removeFromFavourites : texts.addToFavourites}
        shortcut="L"
        data-active={favourite || undefined}
        onClick={() => toggleFavourite(id)}
      >
        {favourite ? <IconHeartFilled size={18} /> : <IconHeart size={18} />}
      </IconButton>
      <IconButton
        label={inCrate ? texts.removeFromCrate : texts.addToCrate}
        shortcut="C"
        data-active={inCrate || undefined}
        onClick={() => toggleCrate(entry.song)}
      >
        {inCrate ? <IconCheck size={18} /> : <IconPlus size={18} />}
      </IconButton>
      <IconButton
        label={texts.moreOptionsForTheCurrent}
        aria-haspopup="menu"
        onPointerEnter={() => void loadSongMenu().catch(ignore)}
        onClick={(event) => openMenu(entry.song, event.currentTarget)}
      >
        <IconDots size={18} />
      </IconButton>
    </>
  )
}
