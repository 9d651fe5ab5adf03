import { catalogue, type uploadedSongs } from '@dubplate/contract'
import { Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { format } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { SourceMark } from './Field.tsx'
import css from './GenreChoice.module.css'
import * as texts from './texts.ts'

type Genre = { genre_id: number; name: string }

type Props = {
  chosen: number[]
  source: uploadedSongs.Source | undefined
  fieldErrors: string | undefined
  onChange: (genres: number[]) => void
}

/**
 * The genres of a song: the chosen ones as tags, and checkboxes for all, each main genre with its sub-genres. Typing
 * leaves only genres that contain the words; Enter chooses the first of them.
 */
export function GenreChoice({ chosen, source, fieldErrors, onChange }: Props) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const { data, error, refetch } = useApiQuery(catalogue.getGenresWithCount, {})
  const groups = (data?.genres ?? []).map((main) => ({ main, genres: [main, ...main.subgenre] }))
  const all = groups.flatMap(({ genres }) => genres)
  const words = typed.trim().toLowerCase()
  const matches = (genre: Genre) => genre.name.toLowerCase().includes(words)
  const toggle = ({ genre_id }: Genre) =>
    onChange(chosen.includes(genre_id) ? chosen.filter((each) => each !== genre_id) : [...chosen, genre_id])
  const chooseFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const first = words ? all.find((genre) => matches(genre) && !chosen.includes(genre.genre_id)) : undefined
    if (!first) return
    toggle(first)
    setTyped('')
  }
  return (
    <fieldset
      className={css.genres}
      aria-describedby={fieldErrors ? id : undefined}
      data-wrong={fieldErrors ? true : undefined}
    >
      <legend>
        {texts.genres} <SourceMark source={source} />
      </legend>
      {fieldErrors && (
        <Text id={id} role="alert" size="sm" c="var(--danger)">
          {fieldErrors}
        </Text>
      )}
      {error && !data && (
        <InlineError error={error} title={texts.couldntLoadGenresInline} retry={() => void refetch()} alert />
      )}
      <Tags genres={all.filter(({ genre_id }) => chosen.includes(genre_id))} onRemove={toggle} />
      <TextInput
        type="search"
        aria-label={texts.findAGenre}
        placeholder={texts.findAGenre}
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={chooseFirst}
      />
      <div className={css.groups} aria-busy={!data && !error}>
        {data && !all.some(matches) && <p role="status">{texts.noGenreFound}</p>}
        <div className={css.columns}>
          {groups.map(
            ({ main, genres }, index) =>
              genres.some(matches) && (
                // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be broken into columns
                <div key={main.genre_id} role="group" aria-label={main.name} className={css.group}>
                  {genres.filter(matches).map((genre) => (
                    <label key={genre.genre_id} className={css.genre} data-main={genre === main || undefined}>
                      <input
                        type="checkbox"
                        name={texts.genresInSentence}
                        checked={chosen.includes(genre.genre_id)}
                        aria-invalid={fieldErrors && index === 0 && genre === main ? true : undefined}
                        onChange={() => toggle(genre)}
                      />
                      {genre.name}
                    </label>
                  ))}
                </div>
              ),
          )}
        </div>
      </div>
    </fieldset>
  )
}

/** The chosen genres; a click removes one. */
const Tags = ({ genres, onRemove }: { genres: Genre[]; onRemove: (genre: Genre) => void }) =>
  genres.length > 0 && (
    <ul className={css.tags}>
      {genres.map((genre) => (
        <li key={genre.genre_id}>
          <button
            type="button"
            aria-label={format(texts.removeGenre, { name: genre.name })}
            onClick={() => onRemove(genre)}
          >
            {genre.name}
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
