import { Field } from '../../uploads/Field.tsx'
import { SECTION_CHOICES, sectionName } from '../uploadWords.ts'
import css from './Imports.module.css'

export type Wishes = { song_section_id: number; genre: string; pattern: string }

export const NO_WISHES: Wishes = { song_section_id: 1, genre: '', pattern: '' }

type Props = { wishes: Wishes; wrong?: Record<string, string>; onChange: (wishes: Wishes) => void }

/** What holds for all files of a folder. */
export const ImportWishes = ({ wishes, wrong = {}, onChange }: Props) => (
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
    <Field label="Default genre" path="genre" wrong={wrong.genre}>
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
    <div className={css.whole}>
      <Field
        label="Path pattern (optional)"
        path="pattern"
        wrong={wrong.pattern}
        note="What folders and file names say, if they always follow the same form. Fields: {artist}, {title}, {version}, {label}, {album}, {genre}, {year}, {bpm}, {key}, {ignore}."
      >
        {(control) => (
          <input
            {...control}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            placeholder="{label}/{artist} - {title}"
            value={wishes.pattern}
            onChange={({ target }) => onChange({ ...wishes, pattern: target.value })}
          />
        )}
      </Field>
    </div>
  </div>
)
