import type { catalogue } from '@dubplate/contract'
import { IconGripVertical } from '@tabler/icons-react'
import { IconButton } from '../ui/IconButton.tsx'
import css from './PlaylistHandle.module.css'

/** What a song of a playlist is moved by: dragged, or with the keys its tooltip names. */
export const PlaylistHandle = ({ song }: { song: catalogue.Song }) => (
  <IconButton
    className={css.handle}
    label={`Move ${song.title}`}
    shortcut="Alt + ↑ / ↓, or Space and ↑ / ↓"
    draggable={false}
    data-handle
  >
    <IconGripVertical size={15} />
  </IconButton>
)
