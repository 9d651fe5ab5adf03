import { catalogue, type uploadedSongs } from '@dubplate/contract'
import { useId } from 'react'
import { useAsk } from '../platform/queries.ts'
import { TroubleLine } from '../platform/TroubleLine.tsx'
import { fieldStyles, SourceMark } from './Field.tsx'
import css from './GenreChoice.module.css'
import * as texts from './texts.ts'

type Props = {
  chosen: number[]
  source: uploadedSongs.Source | undefined
  wrong: string | undefined
  onChange: (genres: number[]) => void
}

/** The genres of the pool to tick, each main one with those below it. */
export function GenreChoice({ chosen, source, wrong, onChange }: Props) {
  const id = useId()
  const { data, error, refetch } = useAsk(catalogue.getGenresWithCount, {})
  const box = (genre: { genre_id: number; name: string }, isFirst: boolean, isMain: boolean) => (
    <label key={genre.genre_id} className={css.genre} data-main={isMain || undefined}>
      <input
        type="checkbox"
        name={texts.genres}
        checked={chosen.includes(genre.genre_id)}
        data-wrong={(wrong && isFirst) || undefined}
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
    <fieldset className={css.genres} aria-describedby={wrong ? id : undefined} data-wrong={wrong ? true : undefined}>
      <legend>
        {texts.genres2} <SourceMark source={source} />
      </legend>
      {wrong && (
        <p id={id} className={fieldStyles.wrong} role="alert">
          {wrong}
        </p>
      )}
      {error && !data && <TroubleLine error={error} what={texts.genres} retry={() => void refetch()} alert />}
      <div className={css.groups} aria-busy={!data && !error}>
        <div className={css.columns}>
          {data?.genres.map((main, at) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be broken into columns
            <div key={main.genre_id} role="group" aria-label={main.name} className={css.group}>
              {box(main, at === 0, true)}
              {main.subgenre.map((sub) => box(sub, false, false))}
            </div>
          ))}
        </div>
      </div>
    </fieldset>
  )
}
