import type { curatedGenres } from '@dubplate/contract'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { ChoiceField, TextField } from '../forms/EntryFields.tsx'
import { EntryForm } from '../forms/EntryForm.tsx'
import forms from '../forms/Forms.module.css'
import { useEntry } from '../forms/useEntry.ts'
import { genreShown, saveGenre } from './programme.ts'
import * as texts from './texts.ts'

type Genre = curatedGenres.StaffGenre
type Props = { genre?: Genre; mains: Genre[]; onClose: () => void }
type GenreEntry = Pick<Genre, 'title' | 'parent_id'> & { version: number | undefined }

/** Edits a curated genre: its name and its parent. */
export function CuratedGenreEdit({ genre, mains, onClose }: Props) {
  const id = genre?.curated_genre_id
  const entry = useEntry<GenreEntry, void>({
    draftName: `programme.genre.${id ?? 'new'}`,
    first: { title: genre?.title ?? '', parent_id: genre?.parent_id ?? null, version: genre?.version },
    send: ({ title, parent_id, version }) =>
      saveGenre({ title, parent_id, ...(id ? { curated_genre_id: id, ...(version ? { version } : {}) } : {}) }),
    versionNow: () => genreShown(id)?.version,
    onClose,
  })
  const { typed, wrong, write } = entry
  return (
    <EntryForm entry={entry} title={genre ? texts.editGenre : texts.newGenre} isShort>
      <div className={forms.pair}>
        <TextField
          label={texts.name}
          path="title"
          wrong={wrong.title}
          takesFocus
          maxLength={60}
          value={typed.title}
          onChange={(title) => write({ title })}
        />
        <ChoiceField
          label={texts.parentGenre}
          path="parent_id"
          wrong={wrong.parent_id}
          value={String(typed.parent_id ?? '')}
          choices={placesOf(genre, mains)}
          onChoose={(parent) => write({ parent_id: parent ? Number(parent) : null })}
        />
      </div>
      <EntryEnd entry={entry} isSaid={Boolean(wrong.title || wrong.parent_id)} />
    </EntryForm>
  )
}

const placesOf = (genre: Genre | undefined, mains: readonly Genre[]): (readonly [string, string])[] => [
  ['', texts.none],
  ...mains
    .filter(({ curated_genre_id }) => curated_genre_id !== genre?.curated_genre_id)
    .map(({ curated_genre_id, title }) => [String(curated_genre_id), `${title}`] as const),
]
