import { formatList } from '../../platform/formatList.ts'
import { format } from '../../platform/message.ts'
import { Field } from '../../uploads/Field.tsx'
import { SECTION_CHOICES, sectionName } from '../uploads/uploadStates.ts'
import css from './Imports.module.css'
import * as texts from './texts.ts'

export type Wishes = { song_section_id: number; genre: string; pattern: string }

export const NO_WISHES: Wishes = { song_section_id: 1, genre: '', pattern: '' }

/** The fields of a path pattern are not translated. */
const PATTERN_FIELDS = [
  'artist',
  'title',
  'version',
  'label',
  'album',
  'genre',
  'year',
  'bpm',
  'key',
  'isrc',
  'ignore',
].map((field) => `{${field}}`)
const PATTERN_EXAMPLE = '{label}/{artist} - {title}'

type Props = { wishes: Wishes; wrong?: Record<string, string>; onChange: (wishes: Wishes) => void }

/** Options that apply to all files of a folder. */
export const ImportWishes = ({ wishes, wrong = {}, onChange }: Props) => (
  <div className={css.wishes}>
    <Field label={texts.section} path="song_section_id">
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
    <Field label={texts.defaultGenre} path="genre" fieldError={wrong.genre}>
      {(control) => (
        <input
          {...control}
          maxLength={60}
          autoComplete="off"
          placeholder={texts.noGenre}
          value={wishes.genre}
          onChange={({ target }) => onChange({ ...wishes, genre: target.value })}
        />
      )}
    </Field>
    <div className={css.whole}>
      <Field
        label={texts.pathPatternOptional}
        path="pattern"
        fieldError={wrong.pattern}
        note={format(texts.whatFoldersAndFileNames, { fields: formatList(PATTERN_FIELDS) })}
      >
        {(control) => (
          <input
            {...control}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            placeholder={PATTERN_EXAMPLE}
            value={wishes.pattern}
            onChange={({ target }) => onChange({ ...wishes, pattern: target.value })}
          />
        )}
      </Field>
    </div>
  </div>
)
