import { Loader, NativeSelect, type NativeSelectProps, TextInput, type TextInputProps } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useEditableCopy } from '../../ui/useEditableCopy.ts'
import { cellKey, dropCell, saveCell, useCells } from './cellStates.ts'
import type { Song } from './songActions.ts'
import * as texts from './texts.ts'

type Change = Parameters<typeof saveCell>[0]['change']

type Saved = {
  song: Pick<Song, 'entity_id' | 'title'>
  /** Its key among the values of the song: `title`, `version.12.name`. */
  what: string
  /** Its name in messages, and for screen readers. */
  name: string
}

/** The state of the last attempt to save a value, as properties of its input. */
function useSaveState({ song, what }: Pick<Saved, 'song' | 'what'>) {
  const state = useCells(({ cells }) => cells[cellKey(song.entity_id, what)])
  return {
    state,
    error: state?.state === 'refused' ? state.message : undefined,
    errorProps: { role: 'alert' },
    ...(state?.state === 'saving' && { rightSection: <Loader size={14} role="img" aria-label={texts.saving} /> }),
    ...(state?.state === 'saved' && {
      rightSection: <IconCheck size={16} color="var(--ok)" role="img" aria-label={texts.saved} />,
    }),
  }
}

type InputProps = Saved &
  Omit<TextInputProps, 'value' | 'onChange' | 'name'> & {
    stored: string
    /** The change to save, or why the text is invalid. */
    toChange: (text: string) => Change | string
  }

/** A text that is saved on blur or Enter; Escape restores the stored one. */
export function AutosaveInput({ song, what, name, stored, toChange, ...props }: InputProps) {
  const { state, error, ...stateProps } = useSaveState({ song, what })
  const kept = state && state.state !== 'saved' ? state.typed : stored
  const [text, setText] = useEditableCopy(kept)
  const [invalidMessage, setInvalidMessage] = useState('')
  const key = cellKey(song.entity_id, what)
  const save = ({ isEnter }: { isEnter: boolean }) => {
    setInvalidMessage('')
    if (text.trim() === stored) return dropCell(key)
    // A refused text is sent again only with Enter.
    if (!isEnter && state?.state === 'refused' && text === state.typed) return
    const change = toChange(text.trim())
    if (typeof change === 'string') setInvalidMessage(change)
    else void saveCell({ song, what, name, typed: text, change })
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') save({ isEnter: true })
    else if (event.key === 'Escape') {
      dropCell(key)
      setText(stored)
      setInvalidMessage('')
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <TextInput
      aria-label={name}
      autoComplete="off"
      {...props}
      {...stateProps}
      error={invalidMessage || error}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => save({ isEnter: false })}
      onKeyDown={press}
    />
  )
}

type SelectProps = Saved & Omit<NativeSelectProps, 'onChange' | 'name'> & { toChange: (value: number) => Change }

/** A choice that is saved at once. */
export function AutosaveSelect({ song, what, name, toChange, ...props }: SelectProps) {
  const { state: _, ...stateProps } = useSaveState({ song, what })
  return (
    <NativeSelect
      aria-label={name}
      {...props}
      {...stateProps}
      onChange={({ currentTarget }) =>
        void saveCell({ song, what, name, typed: '', change: toChange(Number(currentTarget.value)) })
      }
    />
  )
}
