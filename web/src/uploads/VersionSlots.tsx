import { uploadedSongs } from '@dubplate/contract'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ask } from '../platform/api.ts'
import { count } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { Button } from '../ui/Button.tsx'
import { Certain } from './Certain.tsx'
import { keepFiles, useContainer, useFiles } from './files.ts'
import { readAgain } from './readAgain.ts'
import { SelectSong } from './SelectSong.tsx'
import { SlotCard } from './SlotCard.tsx'
import { type Kind, slotName } from './slotChoice.ts'
import { type FormSlot, MOST_VERSIONS, type SongForm, type Wrong } from './songForm.ts'
import * as texts from './texts.ts'
import { useFocusAfter } from './useFocusAfter.ts'
import type { SongFormState } from './useSongForm.ts'
import css from './VersionSlots.module.css'

type Props = { entityId: number | undefined; state: SongFormState; kinds: Kind[]; wrong: Wrong }

/** The slots of a song, to be filled, added and removed; one that was saved is removed after asking. */
export function VersionSlots({ entityId, state, kinds, wrong }: Props) {
  const { form, addSlot, changeSlot, removeSlot } = state
  const known = useFiles(({ files }) => files)
  const [selecting, setSelecting] = useState<string>()
  const [removing, setRemoving] = useState<{ slot: FormSlot; at: number }>()
  const list = useRef<HTMLDivElement>(null)
  const passFocus = useFocusAfter(list, '[data-remove], [data-add]')
  const chosen = form.slots.find(({ key }) => key === selecting)
  const taken = form.slots.flatMap(({ song }) => (song === undefined || song === chosen?.song ? [] : [song]))
  const takeOut = (slot: FormSlot) => {
    passFocus(form.slots.indexOf(slot))
    removeSlot(slot.key)
  }
  const remove = (slot: FormSlot) => {
    if (slot.song_version_id !== undefined && entityId !== undefined)
      setRemoving({ slot, at: form.slots.indexOf(slot) })
    else takeOut(slot)
  }
  const removeSaved = async (slot: FormSlot) => {
    const { versions } = await ask(uploadedSongs.removeSongVersion, {
      entity_id: entityId ?? 0,
      song_version_id: slot.song_version_id ?? 0,
    })
    keepFiles(versions.map(({ file }) => file))
    removeSlot(slot.key)
    // It is out of the song; what else changed is asked for once more when the song is saved.
    await readAgain(entityId, state).catch(() => undefined)
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
              wrong={wrong}
              onChange={(change) => changeSlot(slot.key, change)}
              onSelect={() => setSelecting(slot.key)}
              onRemove={() => remove(slot)}
            />
          ))}
        </ol>
      )}
      <div className={css.add}>
        <Button data-add onClick={add} disabled={form.slots.length >= MOST_VERSIONS}>
          <IconPlus size={16} aria-hidden />
          {texts.addVersion}
        </Button>
        <Unused form={form} />
      </div>
      {chosen && (
        <SelectSong
          chosen={chosen.song}
          taken={taken}
          onSelect={(song) =>
            changeSlot(chosen.key, { song, start_seconds: song === chosen.song ? chosen.start_seconds : 0 })
          }
          onClose={() => setSelecting(undefined)}
        />
      )}
      {removing && (
        <Certain
          question="Remove this version?"
          what={format(texts.willBeRemovedFromThe, { slotName: slotName(removing.slot, kinds) })}
          yes="Remove version"
          onYes={() => removeSaved(removing.slot)}
          onClose={() => {
            setRemoving(undefined)
            passFocus(removing.at)
          }}
        />
      )}
    </div>
  )
}

/** Says that there are files to select: of an earlier evening, or of a song that was saved before they came. */
function Unused({ form: { slots, coming } }: { form: SongForm }) {
  const { files = [] } = useContainer()
  const here = new Set([...coming, ...slots.map(({ song }) => song)])
  const unused = files.filter(({ upload_id }) => !here.has(upload_id)).length
  if (unused === 0) return null
  return <small>{unused === 1 ? '1 unused file' : format(texts.unusedFiles, { unused: count(unused) })}</small>
}
