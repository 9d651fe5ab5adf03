import type { uploads } from '@dubplate/contract'
import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconChevronDown, IconFileMusic, IconMetronome, IconTrash } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { format } from '../format/message.ts'
import { SealBadge } from '../quality/SealBadge.tsx'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { songField } from './Field.tsx'
import { Faults, FileState } from './FileState.tsx'
import { SlotWave } from './FileWave.tsx'
import { pausePreview } from './preview.ts'
import type { SlotKind } from './slotChoice.ts'
import type { FormSlot } from './songForm.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'

const GridDialog = lazyOnDemand(() => import('../beatGrids/GridDialog.tsx').then(({ GridDialog }) => GridDialog))

type SlotProps = {
  slot: FormSlot
  /** From 1. */
  number: number
  /** '' until it is known. */
  kindName: string
  file: uploads.ContainerFile | undefined
  kinds: SlotKind[]
  /** Whether the version’s type gets the focus when the card appears. */
  autoFocus: boolean
  errorOf: (field: 'version_id' | 'song' | 'start') => string | undefined
  onChange: (change: Partial<FormSlot>) => void
  onSelect: () => void
  onRemove: () => void
}

/** One version of a song: its type, its file with faults, and where its preview starts. */
export function SlotCard(props: SlotProps) {
  const { slot, number, kindName, file, kinds, autoFocus, errorOf, onChange, onSelect, onRemove } = props
  const name = kindName || format(texts.versionNumberInSentence, { number })
  const label = kindName
    ? format(texts.versionNumberAndName, { number, name: kindName })
    : format(texts.versionNumber, { number })
  return (
    <li className={css.slot} data-testid="slot">
      <Stack role="group" gap="sm" aria-label={label}>
        <Group className={css.actions} gap="sm" wrap="nowrap" align="flex-start">
          <VersionKindField
            slot={slot}
            kinds={kinds}
            autoFocus={autoFocus}
            error={errorOf('version_id')}
            onChange={onChange}
          />
          <IconButton label={format(texts.remove, { name })} data-remove style={{ marginTop: 26 }} onClick={onRemove}>
            <IconTrash size={17} />
          </IconButton>
        </Group>
        <SlotFile slot={slot} file={file} name={name} error={errorOf('song')} onSelect={onSelect} />
        {file && <FileState file={file} />}
        {file?.analysis.state === 'done' && (
          <div>
            <SealBadge
              seal={file.analysis.seal}
              name={name}
              target={{ upload_id: file.upload_id }}
              audience="uploader"
            />
          </div>
        )}
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
        {file?.analysis.state === 'done' && <BeatGridButton upload_id={file.upload_id} name={name} />}
      </Stack>
    </li>
  )
}

function BeatGridButton({ upload_id, name }: { upload_id: number; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    pausePreview()
    setOpen(true)
  }
  return (
    <div>
      <Button aria-label={format(texts.beatGridOf, { name })} onClick={open}>
        <IconMetronome size={16} aria-hidden />
        {texts.beatGrid}
      </Button>
      {isOpen && <GridDialog target={{ upload_id }} name={name} onClose={() => setOpen(false)} />}
    </div>
  )
}

const FieldError = ({ id, children }: { id?: string; children: string | undefined }) =>
  children && (
    <Text id={id} role="alert" size="sm" c="var(--danger)">
      {children}
    </Text>
  )

type KindProps = Pick<SlotProps, 'slot' | 'kinds' | 'autoFocus' | 'onChange'> & { error: string | undefined }

/** The version type, or a custom label. */
function VersionKindField({ slot, kinds, autoFocus, error, onChange }: KindProps) {
  const isOwn = slot.version_id === 0
  const choose = (text: string) =>
    onChange({ version_id: text === '' ? undefined : Number(text), ...(isOwn ? {} : { new_label: '' }) })
  return (
    <Group gap="sm" grow align="flex-start" flex={1}>
      <NativeSelect
        label={texts.version}
        name="version_id"
        autoFocus={autoFocus}
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
    </Group>
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
