import { Field } from '../../uploads/Field.tsx'
import { SECTION_CHOICES, sectionName } from '../uploadWords.ts'
import css from './Imports.module.css'

export type Wishes = { song_section_id: number; genre: string }

export const NO_WISHES: Wishes = { song_section_id: 1, genre: '' }

/** What holds for all files of a folder. */
export const ImportWishes = ({ wishes, onChange }: { wishes: Wishes; onChange: (wishes: Wishes) => void }) => (
  <div className={css.wishes}>
    <Field label="Section" path="song_section_id">
      {(control) => (
        <select
          {...control}
          value={wishes.song_section_id}
          onChange={({ target }) => onChange({ ...wishes, song_section_id: Number(target.value) })}
        >
          {SECTION_CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {sectionName(choice)}
            </option>
          ))}
        </select>
      )}
    </Field>
    <Field label="Genre of files that name none" path="genre">
      {(control) => (
        <input
          {...control}
          maxLength={60}
          autoComplete="off"
          placeholder="No genre"
          value={wishes.genre}
          onChange={({ target }) => onChange({ ...wishes, genre: target.value })}
        />
      )}
    </Field>
  </div>
)
