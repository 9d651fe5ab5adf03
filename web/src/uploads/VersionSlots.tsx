import { uploadedSongs } from '@dubplate/contract'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { cacheFiles, useContainer, useFiles } from './files.ts'
import { reloadForm } from './reloadForm.ts'
import { SelectSong } from './SelectSong.tsx'
import { SlotCard } from './SlotCard.tsx'
import { type SlotKind, slotName } from './slotChoice.ts'
import { type FieldErrors, type FormSlot, MAX_VERSIONS, type SongForm } from './songForm.ts'
import * as texts from './texts.ts'
import { useFocusAfter } from './useFocusAfter.ts'
import type { SongFormState } from './useSongForm.ts'
import css from './VersionSlots.module.css'

type Props = { entityId: number | undefined; state: SongFormState; kinds: SlotKind[]; fieldErrors: FieldErrors }

/** The version slots of a song, to fill, add and remove; removing a saved one needs confirmation. */
export function VersionSlots({ entityId, state, kinds, fieldErrors }: Props) {
  const { form, addSlot, changeSlot, removeSlot } = state
  const known = useFiles(({ files }) => files)
  const [selecting, setSelecting] = useState<string>()
  const [removing, setRemoving] = useState<{ slot: FormSlot; at: number }>()
  const list = useRef<HTMLDivElement>(null)
  const moveFocusAfter = useFocusAfter(list, '[data-remove], [data-add]')
  const chosen = form.slots.find(({ key }) => key === selecting)
  const usedUploadIds = form.slots.flatMap(({ song }) => (song === undefined || song === chosen?.song ? [] : [song]))
  const removeSlotOrAsk = (slot: FormSlot) => {
    moveFocusAfter(form.slots.indexOf(slot))
    removeSlot(slot.key)
  }
  const remove = (slot: FormSlot) => {
    if (slot.song_version_id !== undefined && entityId !== undefined)
      setRemoving({ slot, at: form.slots.indexOf(slot) })
    else removeSlotOrAsk(slot)
  }
  const removeSaved = async (slot: FormSlot) => {
    const { versions } = await callApi(uploadedSongs.removeSongVersion, {
      entity_id: entityId ?? 0,
      song_version_id: slot.song_version_id ?? 0,
    })
    cacheFiles(versions.map(({ file }) => file))
    removeSlot(slot.key)
    // The slot has been deleted; if this reload fails, the song is read again when it is saved.
    await reloadForm(entityId, state).catch(() => undefined)
  }
  const add = () => {
    addSlot()
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child select')?.focus())
  }
  return (
    <div ref={list} className={css.slots}>
      {form.slots.length > 0 && (
        <ol className={css.slots} aria-label={texts.versions}>
          {form.slots.map((slot, n) => (
            <SlotCard
              key={slot.key}
              slot={slot}
              number={n + 1}
              file={slot.song === undefined ? undefined : known[slot.song]}
              kinds={kinds}
              fieldErrors={fieldErrors}
              onChange={(change) => changeSlot(slot.key, change)}
              onSelect={() => setSelecting(slot.key)}
              onRemove={() => remove(slot)}
            />
          ))}
        </ol>
      )}
      <div className={css.add}>
        <Button data-add onClick={add} disabled={form.slots.length >= MAX_VERSIONS}>
          <IconPlus size={16} aria-hidden />
          {texts.addVersion}
        </Button>
        <UnusedFiles form={form} />
      </div>
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
          onConfirm={() => removeSaved(removing.slot)}
          onClose={() => {
            setRemoving(undefined)
            moveFocusAfter(removing.at)
          }}
        />
      )}
    </div>
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
  return <small>{format(texts.unusedFiles, { count: unused })}</small>
}
