import type { curatedGenres } from '@dubplate/contract'
import { IconGripVertical } from '@tabler/icons-react'
import { useState } from 'react'
import handle from '../../library/PlaylistHandle.module.css'
import { plural } from '../../platform/format.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Certain } from '../../uploads/Certain.tsx'
import css from './CuratedGenreRow.module.css'
import { removeGenre } from './programme.ts'

type Props = { genre: curatedGenres.StaffGenre; onEdit: () => void }

/** A curated genre with what is filed under it, and its handle. */
export function CuratedGenreRow({ genre, onEdit }: Props) {
  const { title, list_count, shown_count } = genre
  const [isAsking, setAsking] = useState(false)
  return (
    <div className={css.row}>
      <IconButton
        className={handle.handle}
        label={`Move ${title}`}
        shortcut="Alt+↑ / Alt+↓, or Space then ↑ / ↓"
        draggable={false}
        data-handle
      >
        <IconGripVertical size={15} />
      </IconButton>
      <div className={css.words}>
        <b>{title}</b>
        <small>
          {plural(list_count, 'spotlight')}
          {list_count !== shown_count && `, ${shown_count} published`}
        </small>
      </div>
      <div className={css.does}>
        <Button aria-label={`Edit ${title}`} onClick={onEdit}>
          Edit
        </Button>
        <Button aria-label={`Delete ${title}`} onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      {isAsking && (
        <Certain
          question={`Delete “${title}”?`}
          what="You can only delete genres without spotlights or sub-genres."
          yes="Delete"
          isDanger
          onYes={() => removeGenre(genre)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
