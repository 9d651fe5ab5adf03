import { type catalogue, digging } from '@dubplate/contract'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { Menu, MenuItem, type Point } from '../ui/Menu.tsx'
import { toast, toastError } from '../ui/toast.ts'
import type { Decided, DigAction } from './digState.ts'
import css from './LastDecision.module.css'
import { firstVersion } from './playback.ts'
import * as texts from './texts.ts'

const NAMES: Record<DigAction, string> = {
  skip: texts.skipped,
  crate: texts.addedToCrate,
  favourite: texts.addedToFavourites,
  never: texts.wontBeShownAgain,
}

type Props = { decided: Decided | undefined; onUndo: () => void; onMuted: () => void }

/** The last decision, with Undo; after “Never again” also what else can be muted. */
export function LastDecision({ decided, onUndo, onMuted }: Props) {
  return (
    <div className={css.last}>
      {decided && (
        <>
          <p title={decided.song.song.title}>
            <span role="status">
              {NAMES[decided.action]}: <b>{decided.song.song.title}</b>
            </span>
          </p>
          {decided.action === 'never' && (
            <MuteButton key={decided.song.song.entity_id} decided={decided} onMuted={onMuted} />
          )}
          <button type="button" onClick={onUndo}>
            {texts.undo} <kbd aria-hidden>Z</kbd>
          </button>
        </>
      )}
    </div>
  )
}

type MuteChoice = { kind: string; name: string; reference: { kind: digging.MuteKind; id?: number; name?: string } }

function choicesOf({ song: { song }, version }: { song: Decided['song']; version: catalogue.Version | undefined }) {
  const choices: MuteChoice[] = [
    { kind: texts.artist, name: song.artist, reference: { kind: 'artist', name: song.artist } },
  ]
  if (song.label) choices.push({ kind: texts.label, name: song.label, reference: { kind: 'label', name: song.label } })
  for (const { genre_id, name } of song.genres)
    choices.push({ kind: texts.genre, name, reference: { kind: 'genre', id: genre_id } })
  if (version) {
    const { version_code, version_label } = version
    choices.push({ kind: texts.versionType, name: version_label, reference: { kind: 'version', name: version_code } })
  }
  return choices
}

function MuteButton({ decided, onMuted }: { decided: Decided; onMuted: () => void }) {
  const [opened, setOpened] = useState<{ at: Point; button: HTMLElement }>()
  const choices = choicesOf({ song: decided.song, version: firstVersion(decided.song) })
  return (
    <>
      <button
        type="button"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect()
          setOpened({ at: { x: left, y: top - 40 * choices.length - 24 }, button: currentTarget })
        }}
      >
        {texts.alsoMute}
      </button>
      {opened && (
        <Menu label={texts.alsoMuteLabel} at={opened.at} returnTo={opened.button} onClose={() => setOpened(undefined)}>
          {choices.map((choice) => (
            <MenuItem key={`${choice.kind} ${choice.name}`} onSelect={() => void muteAlso(choice, onMuted)}>
              {format(texts.muteOf, choice)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}

/** Mutes it, and offers to remove the mute. */
async function muteAlso({ name, reference }: MuteChoice, onMuted: () => void) {
  const change = async (input: Parameters<typeof callApi<typeof digging.changeMutes>>[1]) => {
    const { mutes } = await callApi(digging.changeMutes, input)
    queryClient.setQueryData([digging.getMutes.path, {}], { mutes })
    onMuted()
    return mutes
  }
  try {
    const mutes = await change({ add: [reference] })
    const added = mutes.find(
      (mute) =>
        mute.kind === reference.kind &&
        (reference.kind === 'version' || mute.genre_id === reference.id || mute.name === reference.name),
    )
    const unmute = async () => {
      try {
        if (added) await change({ remove: [added.mute_id] })
      } catch (error) {
        void toastError(texts.couldntRemoveTheMute, error)
      }
    }
    void toast({
      message: format(texts.mutedName, { name }),
      action: { label: texts.undo, run: () => void unmute() },
    })
  } catch (error) {
    void toastError(format(texts.couldntMute, { name }), error)
  }
}
