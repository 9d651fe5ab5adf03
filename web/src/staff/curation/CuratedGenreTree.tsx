import { curatedGenres } from '@dubplate/contract'
import { IconBinaryTree } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import forms from '../forms/Forms.module.css'
import lists from '../Lists.module.css'
import rows from '../MovableRows.module.css'
import { CuratedGenreEdit } from './CuratedGenreEdit.tsx'
import { CuratedGenreRow } from './CuratedGenreRow.tsx'
import { siblingsOf } from './genreTree.ts'
import * as texts from './texts.ts'
import { useTreeOrder } from './useTreeOrder.ts'

/** The genres of spotlights, in the order in which members see them. */
export function CuratedGenreTree() {
  const { data, error, refetch } = useApiQuery(curatedGenres.getGenres, {})
  const [open, setOpen] = useState<number | 'new'>()
  const list = useRef<HTMLUListElement>(null)
  const { handlers, said } = useTreeOrder(list)
  const genres = data?.genres
  const close = () => setOpen(undefined)
  if (error && !data)
    return <ErrorState error={error} subject={texts.curatedGenresInSentence} retry={() => void refetch()} />
  const mains = siblingsOf(genres ?? [], null)
  return (
    <>
      <div className={lists.bar}>
        <p className={forms.hint}>{texts.dragToReorderMembersSee}</p>
        {open !== 'new' && (
          <Button variant="primary" onClick={() => setOpen('new')}>
            {texts.newCuratedGenre}
          </Button>
        )}
      </div>
      {open === 'new' && <CuratedGenreEdit mains={mains} onClose={close} />}
      <p role="status" className="sr">
        {said}
      </p>
      {genres?.length === 0 && open !== 'new' && (
        <EmptyState icon={<IconBinaryTree size={24} />} title={texts.noCuratedGenresYet}>
          {texts.groupSpotlightsByMoodPlace}
        </EmptyState>
      )}
      <ul
        ref={list}
        className={rows.rows}
        aria-label={texts.curatedGenres}
        aria-busy={!data || undefined}
        {...handlers}
      >
        {genres?.map((genre) => (
          <li
            key={genre.curated_genre_id}
            data-row
            data-below={genre.parent_id !== null || undefined}
            className={rows.item}
          >
            {open === genre.curated_genre_id ? (
              <CuratedGenreEdit genre={genre} mains={mains} onClose={close} />
            ) : (
              <CuratedGenreRow genre={genre} onEdit={() => setOpen(genre.curated_genre_id)} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
