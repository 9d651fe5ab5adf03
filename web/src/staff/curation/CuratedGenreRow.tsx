import type { curatedGenres } from '@dubplate/contract'
import { IconGripVertical } from '@tabler/icons-react'
import { useState } from 'react'
import handle from '../../library/PlaylistHandle.module.css'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import css from './CuratedGenreRow.module.css'
import { removeGenre } from './programme.ts'
import * as texts from './texts.ts'

type Props = { genre: curatedGenres.StaffGenre; onEdit: () => void }

/** A curated genre with its counts and its drag handle. */
export function CuratedGenreRow({ genre, onEdit }: Props) {
  const { title, list_count, published_count } = genre
  const [isAsking, setAsking] = useState(false)
  return (
    <div className={css.row}>
      <IconButton
        className={handle.handle}
        label={format(texts.move, { title })}
        shortcut={texts.altAltOrSpaceThen}
        draggable={false}
        data-handle
      >
        <IconGripVertical size={15} />
      </IconButton>
      <div className={css.words}>
        <b>{title}</b>
        <small>
          {list_count === published_count
            ? format(texts.spotlightCount, { n: list_count })
            : format(texts.spotlightCountPublished, { n: list_count, published: published_count })}
        </small>
      </div>
      <div className={css.does}>
        <Button aria-label={format(texts.editTitleLabel, { title })} onClick={onEdit}>
          {texts.edit}
        </Button>
        <Button aria-label={format(texts.deleteTitleLabel, { title })} onClick={() => setAsking(true)}>
          {texts.deleteButton}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={format(texts.deleteTitleQuestion, { title })}
          what={texts.youCanOnlyDeleteGenres}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => removeGenre(genre)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
