import type { uploads } from '@dubplate/contract'
import { IconFileMusic, IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Field, fieldStyles } from './Field.tsx'
import { Faults, FileState } from './FileState.tsx'
import css from './SlotCard.module.css'
import { SlotWave } from './SlotWave.tsx'
import { type SlotKind, slotName } from './slotChoice.ts'
import type { FieldErrors, FormSlot } from './songForm.ts'
import * as texts from './texts.ts'

type Props = {
  slot: FormSlot
  /** From 1. */
  number: number
  file: uploads.ContainerFile | undefined
  kinds: SlotKind[]
  fieldErrors: FieldErrors
  onChange: (change: Partial<FormSlot>) => void
  onSelect: () => void
  onRemove: () => void
}

/** One version of a song: its type, its file with faults, and where its preview starts. */
export function SlotCard({ slot, number, file, kinds, fieldErrors, onChange, onSelect, onRemove }: Props) {
  const id = useId()
  const kindName = slotName(slot, kinds)
  const name = kindName || format(texts.versionNumberInSentence, { number })
  const errorOf = (field: string) => fieldErrors[`${slot.key}.${field}`]
  return (
    <li className={css.slot} data-testid="slot">
      <fieldset aria-labelledby={id}>
        <legend id={id} className="sr">
          {kindName
            ? format(texts.versionNumberAndName, { number, name: kindName })
            : format(texts.versionNumber, { number })}
        </legend>
        <div className={css.head}>
          <VersionKindField slot={slot} kinds={kinds} fieldErrors={errorOf('version_id')} onChange={onChange} />
          <IconButton label={format(texts.remove, { name })} data-remove className={css.remove} onClick={onRemove}>
            <IconTrash size={17} />
          </IconButton>
        </div>
        <SlotFile slot={slot} file={file} name={name} fieldErrors={errorOf('song')} onSelect={onSelect} />
        {file && <FileState file={file} />}
        {file && <Faults file={file} />}
        {file?.peaks && (
          <SlotWave
            file={file}
            name={name}
            start_seconds={slot.start_seconds}
            onStart={(start_seconds) => onChange({ start_seconds })}
          />
        )}
        {errorOf('start') && (
          <p className={css.wrong} role="alert">
            {errorOf('start')}
          </p>
        )}
      </fieldset>
    </li>
  )
}

type KindProps = Pick<Props, 'slot' | 'kinds' | 'onChange'> & { fieldErrors: string | undefined }

/** The version type, or a custom label. */
function VersionKindField({ slot, kinds, fieldErrors, onChange }: KindProps) {
  const isOwn = slot.version_id === 0
  const choose = (text: string) =>
    onChange({ version_id: text === '' ? undefined : Number(text), ...(isOwn ? {} : { new_label: '' }) })
  return (
    <div className={css.kind}>
      <Field label={texts.version} fieldError={isOwn ? undefined : fieldErrors} path="version_id">
        {(field) => (
          <select
            {...field}
            value={slot.version_id ?? ''}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            <option value="">{texts.select}</option>
            {kinds.map(({ version_id, name }) => (
              <option key={version_id} value={version_id}>
                {name}
              </option>
            ))}
            <option value={0}>{texts.customName}</option>
          </select>
        )}
      </Field>
      {isOwn && (
        <Field label={texts.versionName} fieldError={fieldErrors} path="new_label">
          {(field) => (
            <input
              {...field}
              maxLength={60}
              autoComplete="off"
              value={slot.new_label}
              onChange={({ currentTarget }) => onChange({ new_label: currentTarget.value })}
            />
          )}
        </Field>
      )}
    </div>
  )
}

type FileProps = Pick<Props, 'slot' | 'file' | 'onSelect'> & { name: string; fieldErrors: string | undefined }

function SlotFile({ slot, file, name, fieldErrors, onSelect }: FileProps) {
  const id = useId()
  return (
    <div className={css.file}>
      <IconFileMusic size={18} aria-hidden />
      <span className={css.name} title={file?.file}>
        {file?.file ?? (slot.song === undefined ? texts.noFileYet : texts.thisFileIsNoLonger)}
      </span>
      <Button
        onClick={onSelect}
        aria-label={format(texts.selectSongFor, { name })}
        aria-describedby={fieldErrors ? id : undefined}
        data-wrong={fieldErrors ? true : undefined}
      >
        {file ? texts.changeFile : texts.selectSong}
      </Button>
      {fieldErrors && (
        <p id={id} className={`${css.wrong} ${fieldStyles.wrong}`} role="alert">
          {fieldErrors}
        </p>
      )}
    </div>
  )
}
