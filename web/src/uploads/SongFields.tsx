import { KEYS } from '@dubplate/contract'
import { Group, Text, TextInput, type TextInputProps } from '@mantine/core'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { format } from '../format/message.ts'
import { usePool } from '../platform/pool.ts'
import { Button } from '../ui/Button.tsx'
import { songField } from './Field.tsx'
import { GenreChoice } from './GenreChoice.tsx'
import { type FieldDoubt, keyDoubt, tempoDoubt } from './prefill.ts'
import { dayAfter, type Values } from './songForm.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'
import type { SongFormState } from './useSongForm.ts'

type TextName = Exclude<keyof Values, 'genres' | 'expire_date'>

/** The fields of a song, each with the source of its value and notes from the analysis. */
export function SongFields({ state: { values: form, files, type, errorOf } }: { state: SongFormState }) {
  const { upload_days } = usePool()
  const { values, sources } = form
  const text = (name: TextName, label: string, rest: TextInputProps & { list?: string }) => (
    <TextInput
      label={label}
      {...songField(name, errorOf(`values.${name}`), sources[name])}
      {...rest}
      value={values[name]}
      onChange={({ currentTarget }) => type(name, currentTarget.value)}
    />
  )
  return (
    <>
      {text('title', texts.songTitle, { maxLength: 300 })}
      {text('artist', texts.artist, { maxLength: 300 })}
      <div className={css.short}>
        {text('year', texts.year, { inputMode: 'numeric', maxLength: 4 })}
        {text('song_key', texts.songKey, { list: 'song-keys', maxLength: 20 })}
        {text('bpm', texts.bpmLabel, { inputMode: 'decimal', maxLength: 20 })}
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
        fieldErrors={errorOf('values.genres')}
        onChange={(genres) => type('genres', genres)}
      />
      <TextInput
        label={texts.disableDate}
        {...songField('expire_date', errorOf('values.expire_date'))}
        description={format(texts.expiresInDaysByDefault, { upload_days })}
        type="date"
        min={dayAfter(1)}
        max="2200-12-31"
        value={values.expire_date}
        onChange={({ currentTarget }) => type('expire_date', currentTarget.value)}
      />
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
    <Group role="group" aria-label={label} className={css.doubt} gap="sm" px="md" py="sm">
      <Text span size="sm">
        {fieldDoubt.why}
      </Text>
      {fieldDoubt.alternatives.map((value) => (
        <Button key={value} aria-label={format(useLabel, { value })} onClick={() => onUse(value)}>
          {show(value)}
        </Button>
      ))}
    </Group>
  )
}
