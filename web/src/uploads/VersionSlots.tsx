import type { uploads } from '@dubplate/contract'
import { Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconChevronDown, IconFileMusic, IconPlus, IconTrash } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { songField } from './Field.tsx'
import { Faults, FileState } from './FileState.tsx'
import { SlotWave } from './FileWave.tsx'
import { useContainer, useFiles } from './files.ts'
import { SelectSong } from './SelectSong.tsx'
import { type SlotKind, slotName } from './slotChoice.ts'
import { type FormSlot, MAX_VERSIONS, type SongForm } from './songForm.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'
import { useFocusAfter } from './useFocusAfter.ts'
import type { SongFormState } from './useSongForm.ts'

type Props = { state: SongFormState; kinds: SlotKind[] }

/** The version slots of a song, to fill, add and remove; removing a saved one needs confirmation. */
export function VersionSlots({ state, kinds }: Props) {
  const { values: form, addSlot, changeSlot, removeSlot, removeVersion, errorOf } = state
  const known = useFiles(({ files }) => files)
  const [selecting, setSelecting] = useState<string>()
  const [removing, setRemoving] = useState<{ slot: FormSlot; at: number }>()
  const list = useRef<HTMLDivElement>(null)
  const moveFocusAfter = useFocusAfter(list, '[data-remove], [data-add]')
  const chosen = form.slots.find(({ key }) => key === selecting)
  const usedUploadIds = form.slots.flatMap(({ song }) => (song === undefined || song === chosen?.song ? [] : [song]))
  const remove = (slot: FormSlot, at: number) => {
    if (slot.song_version_id !== undefined) return setRemoving({ slot, at })
    moveFocusAfter(at)
    removeSlot(slot.key)
  }
  const add = () => {
    addSlot()
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child select')?.focus())
  }
  return (
    <Stack ref={list} gap="md">
      {form.slots.length > 0 && (
        <Stack component="ol" gap="md" aria-label={texts.versions}>
          {form.slots.map((slot, at) => (
            <SlotCard
              key={slot.key}
              slot={slot}
              number={at + 1}
              file={slot.song === undefined ? undefined : known[slot.song]}
              kinds={kinds}
              errorOf={(field) => errorOf(`slots.${slot.key}.${field}`)}
              onChange={(change) => changeSlot(slot.key, change)}
              onSelect={() => setSelecting(slot.key)}
              onRemove={() => remove(slot, at)}
            />
          ))}
        </Stack>
      )}
      <Group gap="md">
        <Button data-add onClick={add} disabled={form.slots.length >= MAX_VERSIONS}>
          <IconPlus size={16} aria-hidden />
          {texts.addVersion}
        </Button>
        <UnusedFiles form={form} />
      </Group>
      {chosen && (
        <SelectSong
          chosen={chosen.song}
          usedUploadIds={usedUploadIds}
          onSelect={(song) =>
            changeSlot(chosen.key, { song, start_seconds: song === chosen.song ? chosen.start_seconds : 0 })
          }
          onClose={() => setSelecting(undefined)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={texts.removeThisVersion}
          what={format(texts.versionWillBeRemoved, { slotName: slotName(removing.slot, kinds) })}
          confirmLabel={texts.removeVersion}
          onConfirm={() => removeVersion(removing.slot)}
          onClose={() => {
            setRemoving(undefined)
            moveFocusAfter(removing.at)
          }}
        />
      )}
    </Stack>
  )
}

/**
 * Says that there are files to choose from: from an earlier visit, or of a song that was saved before their upload
 * completed.
 */
function UnusedFiles({ form: { slots, coming: expectedUploadIds } }: { form: SongForm }) {
  const { files = [] } = useContainer()
  const usedIds = new Set([...expectedUploadIds, ...slots.map(({ song }) => song)])
  const unused = files.filter(({ upload_id }) => !usedIds.has(upload_id)).length
  if (unused === 0) return null
  return (
    <Text component="small" size="xs" c="var(--text-2)">
      {format(texts.unusedFiles, { count: unused })}
    </Text>
  )
}

type SlotProps = {
  slot: FormSlot
  /** From 1. */
  number: number
  file: uploads.ContainerFile | undefined
  kinds: SlotKind[]
  errorOf: (field: 'version_id' | 'song' | 'start') => string | undefined
  onChange: (change: Partial<FormSlot>) => void
  onSelect: () => void
  onRemove: () => void
}

/** One version of a song: its type, its file with faults, and where its preview starts. */
function SlotCard({ slot, number, file, kinds, errorOf, onChange, onSelect, onRemove }: SlotProps) {
  const kindName = slotName(slot, kinds)
  const name = kindName || format(texts.versionNumberInSentence, { number })
  const label = kindName
    ? format(texts.versionNumberAndName, { number, name: kindName })
    : format(texts.versionNumber, { number })
  return (
    <li className={css.slot} data-testid="slot">
      <Stack role="group" gap="sm" aria-label={label}>
        <Group className={css.actions} gap="sm" wrap="nowrap" align="flex-start">
          <VersionKindField slot={slot} kinds={kinds} error={errorOf('version_id')} onChange={onChange} />
          <IconButton label={format(texts.remove, { name })} data-remove style={{ marginTop: 26 }} onClick={onRemove}>
            <IconTrash size={17} />
          </IconButton>
        </Group>
        <SlotFile slot={slot} file={file} name={name} error={errorOf('song')} onSelect={onSelect} />
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
        <FieldError>{errorOf('start')}</FieldError>
      </Stack>
    </li>
  )
}

const FieldError = ({ id, children }: { id?: string; children: string | undefined }) =>
  children && (
    <Text id={id} role="alert" size="sm" c="var(--danger)">
      {children}
    </Text>
  )

type KindProps = Pick<SlotProps, 'slot' | 'kinds' | 'onChange'> & { error: string | undefined }

/** The version type, or a custom label. */
function VersionKindField({ slot, kinds, error, onChange }: KindProps) {
  const isOwn = slot.version_id === 0
  const choose = (text: string) =>
    onChange({ version_id: text === '' ? undefined : Number(text), ...(isOwn ? {} : { new_label: '' }) })
  return (
    <SimpleGrid cols={isOwn ? { base: 1, xs: 2 } : 1} spacing="sm" flex={1}>
      <NativeSelect
        label={texts.version}
        name="version_id"
        error={isOwn ? undefined : error}
        errorProps={{ role: 'alert' }}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        data={[
          { value: '', label: texts.select },
          ...kinds.map(({ version_id, name }) => ({ value: `${version_id}`, label: name })),
          { value: '0', label: texts.customName },
        ]}
        value={slot.version_id ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {isOwn && (
        <TextInput
          label={texts.versionName}
          {...songField('new_label', error)}
          maxLength={60}
          value={slot.new_label}
          onChange={({ currentTarget }) => onChange({ new_label: currentTarget.value })}
        />
      )}
    </SimpleGrid>
  )
}

type FileProps = Pick<SlotProps, 'slot' | 'file' | 'onSelect'> & { name: string; error: string | undefined }

function SlotFile({ slot, file, name, error, onSelect }: FileProps) {
  const id = useId()
  return (
    <>
      <Group gap="sm" wrap="nowrap" c="var(--text-2)">
        <IconFileMusic size={18} aria-hidden style={{ flex: 'none' }} />
        <Text fw={560} c="var(--text)" truncate flex={1} title={file?.file}>
          {file?.file ?? (slot.song === undefined ? texts.noFileYet : texts.thisFileIsNoLonger)}
        </Text>
        <Button
          style={{ background: 'var(--surface-3)', boxShadow: error && 'inset 0 0 0 1px var(--danger)' }}
          onClick={onSelect}
          aria-label={format(texts.selectSongFor, { name })}
          aria-describedby={error ? id : undefined}
          aria-invalid={error ? true : undefined}
        >
          {file ? texts.changeFile : texts.selectSong}
        </Button>
      </Group>
      <FieldError id={id}>{error}</FieldError>
    </>
  )
}
