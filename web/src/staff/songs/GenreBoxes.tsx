import { catalogue } from '@dubplate/contract'
import { InlineError } from '../../platform/InlineError.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import css from '../../uploads/GenreChoice.module.css'
import * as texts from './texts.ts'

type Props = { legend: string; chosen: readonly number[]; onChange: (chosen: number[]) => void }

/** Checkboxes for the pool's genres and moods, each main genre with its sub-genres. */
export function GenreBoxes({ legend, chosen, onChange }: Props) {
  const { data, error, refetch } = useApiQuery(catalogue.getGenresWithCount, {})
  const box = ({ genre_id, name }: { genre_id: number; name: string }, isMain: boolean) => (
    <label key={genre_id} className={css.genre} data-main={isMain || undefined}>
      <input
        type="checkbox"
        checked={chosen.includes(genre_id)}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? [...chosen, genre_id] : chosen.filter((id) => id !== genre_id))
        }
      />
      {name}
    </label>
  )
  return (
    <fieldset className={css.genres}>
      <legend>{legend}</legend>
      {error && !data && (
        <InlineError error={error} subject={texts.genresInSentence} retry={() => void refetch()} alert />
      )}
      <div className={css.groups} aria-busy={!data && !error}>
        <div className={css.columns}>
          {[...(data?.genres ?? []), ...(data?.moods ?? [])].map((main) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be broken into columns
            <div key={main.genre_id} role="group" aria-label={main.name} className={css.group}>
              {box(main, true)}
              {main.subgenre.map((sub) => box(sub, false))}
            </div>
          ))}
        </div>
      </div>
    </fieldset>
  )
}
