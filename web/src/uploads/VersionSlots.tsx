import { Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { useContainer, useFiles } from './files.ts'
import { type SlotKind, slotName } from './slotChoice.ts'
import { type FormSlot, MAX_VERSIONS, type SongForm } from './songForm.ts'
import * as texts from './texts.ts'
import { useFocusAfter } from './useFocusAfter.ts'
import type { SongFormState } from './useSongForm.ts'

/** Loaded while the song is: with waveforms and selects, it is a good part of the form. */
const cards = import('./SlotCard.tsx')
const SlotCard = lazyOnDemand(() => cards.then(({ SlotCard }) => SlotCard))
const SelectSong = lazyOnDemand(() => import('./SelectSong.tsx').then(({ SelectSong }) => SelectSong))

type Props = { state: SongFormState; kinds: SlotKind[] }

/** The version slots of a song, to fill, add and remove; removing a saved one needs confirmation. */
export function VersionSlots({ state, kinds }: Props) {
  const { values: form, addSlot, changeSlot, removeSlot, removeVersion, errorOf } = state
  const known = useFiles(({ files }) => files)
  const [selecting, setSelecting] = useState<string>()
  const [removing, setRemoving] = useState<{ slot: FormSlot; at: number }>()
  /** The key of the slot that was just added, until the focus moves on: it may appear only once its code has loaded. */
  const [added, setAdded] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const moveFocusAfter = useFocusAfter(list, '[data-remove], [data-add]')
  const chosen = form.slots.find(({ key }) => key === selecting)
  const usedUploadIds = form.slots.flatMap(({ song }) => (song === undefined || song === chosen?.song ? [] : [song]))
  const remove = (slot: FormSlot, at: number) => {
    if (slot.song_version_id !== undefined) return setRemoving({ slot, at })
    moveFocusAfter(at)
    removeSlot(slot.key)
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
              kindName={slotName(slot, kinds)}
              file={slot.song === undefined ? undefined : known[slot.song]}
              kinds={kinds}
              autoFocus={slot.key === added}
              errorOf={(field) => errorOf(`slots.${slot.key}.${field}`)}
              onChange={(change) => changeSlot(slot.key, change)}
              onSelect={() => setSelecting(slot.key)}
              onRemove={() => remove(slot, at)}
            />
          ))}
        </Stack>
      )}
      <Group gap="md">
        <Button
          data-add
          onClick={() => setAdded(addSlot())}
          onBlur={() => setAdded(undefined)}
          disabled={form.slots.length >= MAX_VERSIONS}
        >
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
          what={format(texts.versionWillBeRemoved, { version_label: slotName(removing.slot, kinds) })}
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
