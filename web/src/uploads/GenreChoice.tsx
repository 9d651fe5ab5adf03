import { catalogue, type uploadedSongs } from '@dubplate/contract'
import { Text } from '@mantine/core'
import { useId } from 'react'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { SourceMark } from './Field.tsx'
import css from './GenreChoice.module.css'
import * as texts from './texts.ts'

type Props = {
  chosen: number[]
  source: uploadedSongs.Source | undefined
  fieldErrors: string | undefined
  onChange: (genres: number[]) => void
}

/** Checkboxes for the pool's genres, each main genre with its sub-genres. */
export function GenreChoice({ chosen, source, fieldErrors, onChange }: Props) {
  const id = useId()
  const { data, error, refetch } = useApiQuery(catalogue.getGenresWithCount, {})
  const genreCheckbox = (genre: { genre_id: number; name: string }, isFirst: boolean, isMain: boolean) => (
    <label key={genre.genre_id} className={css.genre} data-main={isMain || undefined}>
      <input
        type="checkbox"
        name={texts.genresInSentence}
        checked={chosen.includes(genre.genre_id)}
        aria-invalid={fieldErrors && isFirst ? true : undefined}
        onChange={({ currentTarget }) =>
          onChange(
            currentTarget.checked ? [...chosen, genre.genre_id] : chosen.filter((each) => each !== genre.genre_id),
          )
        }
      />
      {genre.name}
    </label>
  )
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
      <div className={css.groups} aria-busy={!data && !error}>
        <div className={css.columns}>
          {data?.genres.map((main, index) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be broken into columns
            <div key={main.genre_id} role="group" aria-label={main.name} className={css.group}>
              {genreCheckbox(main, index === 0, true)}
              {main.subgenre.map((sub) => genreCheckbox(sub, false, false))}
            </div>
          ))}
        </div>
      </div>
    </fieldset>
  )
}
