import { KEYS } from '@dubplate/contract'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { format } from '../format/message.ts'
import { usePool } from '../platform/pool.ts'
import { Field } from './Field.tsx'
import { GenreChoice } from './GenreChoice.tsx'
import { type FieldDoubt, keyDoubt, tempoDoubt } from './prefill.ts'
import css from './SongFields.module.css'
import { dayAfter, type FieldErrors, type Values } from './songForm.ts'
import * as texts from './texts.ts'
import type { SongFormState } from './useSongForm.ts'

type Props = { state: SongFormState; fieldErrors: FieldErrors }

type TextName = Exclude<keyof Values, 'genres' | 'expire_date'>

/** The fields of a song, each with the source of its value and notes from the analysis. */
export function SongFields({ state: { form, files, type }, fieldErrors }: Props) {
  const { upload_days } = usePool()
  const { values, sources } = form
  const text = (
    name: TextName,
    label: string,
    rest: { note?: React.ReactNode; input?: React.ComponentProps<'input'> } = {},
  ) => (
    <Field label={label} path={name} fieldError={fieldErrors[name]} source={sources[name]} note={rest.note}>
      {(field) => (
        <input
          {...field}
          {...rest.input}
          autoComplete="off"
          value={values[name]}
          onChange={({ currentTarget }) => type(name, currentTarget.value)}
        />
      )}
    </Field>
  )
  return (
    <>
      {text('title', texts.songTitle, { input: { maxLength: 300 } })}
      {text('artist', texts.artist, { input: { maxLength: 300 } })}
      <div className={css.short}>
        {text('year', texts.year, { input: { inputMode: 'numeric', maxLength: 4 } })}
        {text('song_key', texts.songKey, { input: { list: 'song-keys', maxLength: 20 } })}
        {text('bpm', texts.bpmLabel, { input: { inputMode: 'decimal', maxLength: 20 } })}
      </div>
      <datalist id="song-keys">
        {KEYS.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
      <DoubtHint
        label={texts.suggestedKey}
        useLabel={texts.useValue}
        doubt={keyDoubt(values.song_key, files)}
        onUse={(key) => type('song_key', key, 'analysis')}
        show={(key) => (
          <>
            {key} <KeyBadge songKey={key} />
          </>
        )}
      />
      <DoubtHint
        label={texts.suggestedTempo}
        useLabel={texts.useBpm}
        doubt={tempoDoubt(values.bpm, files)}
        onUse={(bpm) => type('bpm', bpm, 'analysis')}
        show={(bpm) => format(texts.bpm, { bpm })}
      />
      <GenreChoice
        chosen={values.genres}
        source={sources.genres}
        fieldErrors={fieldErrors.genres}
        onChange={(genres) => type('genres', genres)}
      />
      <Field
        label={texts.disableDate}
        path="expire_date"
        fieldError={fieldErrors.expire_date}
        note={format(texts.expiresInDaysByDefault, { upload_days })}
      >
        {(field) => (
          <input
            {...field}
            type="date"
            min={dayAfter(1)}
            max="2200-12-31"
            value={values.expire_date}
            onChange={({ currentTarget }) => type('expire_date', currentTarget.value)}
          />
        )}
      </Field>
    </>
  )
}

type FieldDoubtProps = {
  label: string
  /** The label of the button for an alternative. */
  useLabel: typeof texts.useValue | typeof texts.useBpm
  doubt: FieldDoubt | undefined
  onUse: (value: string) => void
  show: (value: string) => React.ReactNode
}

/** Why a value may be wrong, with the alternatives as buttons. */
function DoubtHint({ label, useLabel, doubt: fieldDoubt, onUse, show }: FieldDoubtProps) {
  if (!fieldDoubt) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a note with buttons, without form fields
    <div role="group" aria-label={label} className={css.doubt}>
      <span>{fieldDoubt.why}</span>
      {fieldDoubt.alternatives.map((value) => (
        <button key={value} type="button" aria-label={format(useLabel, { value })} onClick={() => onUse(value)}>
          {show(value)}
        </button>
      ))}
    </div>
  )
}
