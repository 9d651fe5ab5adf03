import type { catalogue } from '@dubplate/contract'
import { IconArrowsJoin2 } from '@tabler/icons-react'
import { type CSSProperties, useEffect, useState } from 'react'
import { format } from '../format/message.ts'
import { type BlendFailure, useBlend } from '../player/blend/blendStore.ts'
import type { BlendTempo } from '../player/blend/planBlend.ts'
import { IconButton } from '../ui/IconButton.tsx'
import css from './Blend.module.css'
import { formatPitch } from './mixing.ts'
import * as texts from './texts.ts'
import { stopBlend } from './useBlendHold.ts'

type SongProps = { song: Pick<catalogue.Song, 'entity_id'> }

const useActive = (songId: number) => useBlend(({ active }) => (active?.songId === songId ? active : undefined))

const FAILURES: Record<BlendFailure['reason'], string> = {
  no_incoming_grid: texts.noBeatGridYet,
  no_outgoing_grid: texts.noBeatGridYetOf,
  tempo_clash: texts.temposTooFarApart,
  too_short: texts.previewTooShortToBlend,
  failed: texts.couldntLoadBlend,
  offline: texts.couldntLoadBlendOffline,
  blocked: texts.browserBlockedBlend,
}

const failureText = ({ reason, outgoing }: BlendFailure) => format(FAILURES[reason], { title: outgoing })

const oneDecimal = (value: number) => Math.round(value * 10) / 10

/** '126 → 128 BPM, +1.6 %': the tempo of the incoming song, and that in the blend. */
function tempoText({ multiple, percent, own_bpm, blend_bpm }: BlendTempo): string {
  const [own, blend, rounded] = [own_bpm, blend_bpm, percent].map(oneDecimal) as [number, number, number]
  const change =
    rounded === 0
      ? format(texts.blendAtSameTempo, { bpm: blend })
      : format(texts.blendTempoChange, { original: own, blend, percent: formatPitch(rounded) })
  if (multiple === 'same') return change
  return format(multiple === 'half' ? texts.blendAtHalfTempo : texts.blendAtDoubleTempo, { change })
}

/** The tempo change while a song is blended into; why it cannot be. Undefined for all other songs. */
export function useBlendText(songId: number): { text: string; isProblem: boolean } | undefined {
  const active = useActive(songId)
  const checked = useBlend(({ checked }) => (checked?.songId === songId ? checked : undefined))
  if (active?.state === 'playing') return { text: tempoText(active.tempo), isProblem: false }
  if (active?.state === 'loading') return { text: texts.loadingBlend, isProblem: false }
  const failure = active ?? checked
  return failure && { text: failureText(failure), isProblem: true }
}

/** In place of the artist. */
export const BlendText = ({ text, isProblem }: { text: string; isProblem: boolean }) => (
  <small className={css.text} data-problem={isProblem || undefined} title={text}>
    {text}
  </small>
)

/** Over the cover: a ring that fills while the blend plays, or turns while it loads. */
export function BlendRing({ song }: SongProps) {
  const active = useActive(song.entity_id)
  if (!active || active.state === 'failed') return null
  const isPlaying = active.state === 'playing'
  return (
    <span
      className={css.ring}
      data-state={active.state}
      style={isPlaying ? ({ '--blend-seconds': `${active.seconds}s` } as CSSProperties) : undefined}
    >
      <svg viewBox="0 0 36 36" width={36} height={36} aria-hidden>
        <circle cx={18} cy={18} r={14} pathLength={100} />
        <circle cx={18} cy={18} r={14} pathLength={100} className={css.progress} />
      </svg>
    </span>
  )
}

/** Starts and stops the blend without holding, also by keyboard. */
export function BlendButton({ song, onToggle }: { song: catalogue.Song; onToggle: (songId: number) => void }) {
  const active = useActive(song.entity_id)
  const isOn = active !== undefined && active.state !== 'failed'
  return (
    <IconButton
      label={format(texts.hearBlendInto, { title: song.title })}
      aria-pressed={isOn}
      className={css.button}
      data-active={isOn || undefined}
      onClick={() => onToggle(song.entity_id)}
    >
      <IconArrowsJoin2 size={17} />
    </IconButton>
  )
}

/** Reads out what a row shows about its blend. Escape stops a blend. */
export function BlendAnnouncer({ songs }: { songs: readonly catalogue.Song[] }) {
  const activeId = useBlend(({ active }) => active?.songId)
  const song = songs.find(({ entity_id }) => entity_id === activeId)
  const blend = useBlendText(activeId ?? 0)
  const isOn = useBlend(({ active }) => active !== undefined && active.state !== 'failed')
  useEffect(() => {
    if (!isOn) return
    const stopOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      stopBlend()
    }
    addEventListener('keydown', stopOnEscape, { capture: true })
    return () => removeEventListener('keydown', stopOnEscape, { capture: true })
  }, [isOn])
  const text = song && blend ? format(texts.blendAnnouncement, { title: song.title, text: blend.text }) : ''
  return (
    <p role="status" className="sr">
      {text}
    </p>
  )
}

const HINT_KEY = 'dubplate.blend-heard'

const wasHeard = () => {
  try {
    return localStorage.getItem(HINT_KEY) !== null
  } catch {
    return false
  }
}

/** Says that rows can be held, until a blend has been heard in this browser. */
export function BlendHint() {
  const [isShown, setShown] = useState(() => !wasHeard())
  const isHeard = useBlend(({ active }) => active?.state === 'playing')
  useEffect(() => {
    if (!isHeard || !isShown) return
    try {
      localStorage.setItem(HINT_KEY, '1')
    } catch {
      // Without storage, the hint is shown again in the next visit.
    }
    // Not while the row is held: it would move away under the pointer.
    return useBlend.subscribe(({ active }) => active ?? setShown(false))
  }, [isHeard, isShown])
  return isShown && <p className={css.hint}>{texts.holdToHearBlend}</p>
}
