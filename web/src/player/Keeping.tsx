import { IconCheck, IconHeart, IconHeartFilled, IconPlus } from '@tabler/icons-react'
import { toggleCrate, toggleFavourite, useLibrary } from '../library/library.ts'
import { IconButton } from '../ui/IconButton.tsx'
import type { Entry } from './queue.ts'

/** Favourite and crate for the playing song. */
export function Keeping({ entry }: { entry: Entry }) {
  const id = entry.song.entity_id
  const favourite = useLibrary(({ favourites }) => favourites.has(id))
  const inCrate = useLibrary(({ crateSongs }) => crateSongs.has(id))
  return (
    <>
      <IconButton
        label="Favourite the playing song"
        shortcut="L"
        aria-pressed={favourite}
        onClick={() => toggleFavourite(id)}
      >
        {favourite ? <IconHeartFilled size={18} /> : <IconHeart size={18} />}
      </IconButton>
      <IconButton
        label="Put the playing song into the crate"
        shortcut="C"
        aria-pressed={inCrate}
        onClick={() => toggleCrate(id)}
      >
        {inCrate ? <IconCheck size={18} /> : <IconPlus size={18} />}
      </IconButton>
    </>
  )
}
