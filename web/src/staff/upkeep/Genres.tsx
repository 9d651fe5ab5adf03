import { genreTree } from '@dubplate/contract'
import { IconMusic } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Trouble } from '../../platform/errors.tsx'
import { useAsk } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import lists from '../Lists.module.css'
import rows from '../MovableRows.module.css'
import { StaffPage } from '../StaffPage.tsx'
import { GenreEdit } from './GenreEdit.tsx'
import { GenreRow } from './GenreRow.tsx'
import css from './Genres.module.css'
import type { Genre } from './genres.ts'
import { useGenreMoves } from './useGenreMoves.ts'

/** Genres with their sub-genres, and moods, as members find them. */
export const StaffGenres = () => (
  <StaffPage title="Genres" forRole="curator">
    <Trees />
  </StaffPage>
)

const KINDS = {
  genre: { title: 'Genres', add: 'New genre', about: 'Songs in a sub-genre also appear in its parent genre.' },
  mood: { title: 'Moods', add: 'New mood', about: 'Moods are separate from genres. A song can have both.' },
} as const

/** The entry that is written; one at a time, so that none is lost out of sight. */
type Open = number | `new ${Genre['kind']}` | undefined

function Trees() {
  const { data, error, refetch } = useAsk(genreTree.getGenreTree, {})
  const [open, setOpen] = useState<Open>()
  if (error && !data) return <Trouble error={error} what="genres" retry={() => void refetch()} />
  return (
    <>
      <p className={css.keys}>
        Shortcuts: <kbd>↑</kbd> <kbd>↓</kbd> move between rows · <kbd>Alt</kbd>+<kbd>↑</kbd> <kbd>↓</kbd> reorder ·{' '}
        <kbd>Alt</kbd>+<kbd>→</kbd> make sub-genre · <kbd>Alt</kbd>+<kbd>←</kbd> make main genre
      </p>
      {(['genre', 'mood'] as const).map((kind) => (
        <Tree
          key={kind}
          kind={kind}
          genres={data?.genres.filter((genre) => genre.kind === kind)}
          open={open}
          onOpen={setOpen}
        />
      ))}
    </>
  )
}

type TreeProps = { kind: Genre['kind']; genres: Genre[] | undefined; open: Open; onOpen: (open: Open) => void }

function Tree({ kind, genres, open, onOpen }: TreeProps) {
  const list = useRef<HTMLUListElement>(null)
  const { handlers, said } = useGenreMoves(list, kind)
  const { title, add, about } = KINDS[kind]
  const close = () => onOpen(undefined)
  const mains = (genres ?? []).filter(({ parent_id }) => parent_id === null)
  return (
    <section className={lists.part} aria-labelledby={`${kind}s`}>
      <div className={lists.bar} style={{ maxWidth: 1080 }}>
        <SectionHead id={`${kind}s`} title={title} />
        {open !== `new ${kind}` && (
          <Button look="primary" onClick={() => onOpen(`new ${kind}`)}>
            {add}
          </Button>
        )}
      </div>
      <p className={lists.note}>{about}</p>
      {open === `new ${kind}` && <GenreEdit kind={kind} mains={mains} onClose={close} />}
      {genres?.length === 0 && (
        <EmptyState icon={<IconMusic size={24} />} title={`No ${title.toLowerCase()} yet`}>
          {kind === 'genre' ? 'Genres from file tags are added when you import music.' : 'Add your first mood.'}
        </EmptyState>
      )}
      <ul ref={list} className={rows.rows} data-wide aria-label={title} aria-busy={!genres || undefined} {...handlers}>
        {!genres && <ToCome />}
        {genres?.map((genre) => (
          <li
            key={genre.genre_id}
            data-row
            data-genre={genre.genre_id}
            data-below={genre.parent_id !== null || undefined}
            className={rows.item}
          >
            {open === genre.genre_id ? (
              <GenreEdit kind={kind} genre={genre} mains={mains} onClose={close} />
            ) : (
              <GenreRow genre={genre} genres={genres} onEdit={() => onOpen(genre.genre_id)} />
            )}
          </li>
        ))}
      </ul>
      <p className="sr" aria-live="assertive">
        {said}
      </p>
    </section>
  )
}

const ROWS = 8

const ToCome = () =>
  Array.from({ length: ROWS }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <li key={i} className={css.bone} aria-hidden />
  ))
