import { genreTree } from '@dubplate/contract'
import { IconMusic } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
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
import * as texts from './texts.ts'
import { useGenreMoves } from './useGenreMoves.ts'

/** Genres with their sub-genres, and moods, in the order in which members see them. */
export const StaffGenres = () => (
  <StaffPage title={texts.genres}>
    <Trees />
  </StaffPage>
)

const KINDS = {
  genre: { title: texts.genres, add: texts.newGenre, about: texts.songsInASubGenre },
  mood: { title: texts.moods, add: texts.newMood, about: texts.moodsAreSeparateFromGenres },
} as const

/** The one being edited. Only one at a time, so that unsaved changes stay in sight. */
type Open = number | `new ${Genre['kind']}` | undefined

function Trees() {
  const { data, error, refetch } = useApiQuery(genreTree.getGenreTree, {})
  const [open, setOpen] = useState<Open>()
  if (error && !data) return <ErrorState error={error} subject={texts.genresInSentence} retry={() => void refetch()} />
  return (
    <>
      <p className={css.keys}>
        {rich(texts.shortcutsMoveBetweenRowsAlt, {
          kbd: (inside) => <kbd>{inside}</kbd>,
          kbd2: (inside) => <kbd>{inside}</kbd>,
          kbd3: (inside) => <kbd>{inside}</kbd>,
          kbd4: (inside) => <kbd>{inside}</kbd>,
          kbd5: (inside) => <kbd>{inside}</kbd>,
          kbd6: (inside) => <kbd>{inside}</kbd>,
          kbd7: (inside) => <kbd>{inside}</kbd>,
          kbd8: (inside) => <kbd>{inside}</kbd>,
          kbd9: (inside) => <kbd>{inside}</kbd>,
        })}
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
          <Button variant="primary" onClick={() => onOpen(`new ${kind}`)}>
            {add}
          </Button>
        )}
      </div>
      <p className={lists.note}>{about}</p>
      {open === `new ${kind}` && <GenreEdit kind={kind} mains={mains} onClose={close} />}
      {genres?.length === 0 && (
        <EmptyState icon={<IconMusic size={24} />} title={kind === 'genre' ? texts.noGenresYet : texts.noMoodsYet}>
          {kind === 'genre' ? texts.genresFromFileTagsAre : texts.addYourFirstMood}
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
    // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
    <li key={i} className={css.bone} aria-hidden />
  ))
