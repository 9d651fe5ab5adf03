import type { catalogue } from '@dubplate/contract'
import { IconGripVertical } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { MOVE_SHORTCUT } from '../ui/useReordering.ts'
import css from './PlaylistHandle.module.css'
import * as texts from './texts.ts'

/** The handle that moves a song of a playlist: dragged, or with the keys its tooltip names. */
export const PlaylistHandle = ({ song, tabIndex }: { song: catalogue.Song; tabIndex: number }) => (
  <IconButton
    className={css.handle}
    label={format(texts.move, { title: song.title })}
    shortcut={MOVE_SHORTCUT}
    draggable={false}
    tabIndex={tabIndex}
    data-handle
  >
    <IconGripVertical size={15} />
  </IconButton>
)
