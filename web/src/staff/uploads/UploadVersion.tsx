import type { uploadedSongs, uploads } from '@dubplate/contract'
import { IconAlertTriangle, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import { formatDuration } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Faults, FileState } from '../../uploads/FileState.tsx'
import { FileWave } from '../../uploads/FileWave.tsx'
import { element, playPreview, positionIn, toggle, usePreview } from '../../uploads/preview.ts'
import * as texts from './texts.ts'
import list from './Uploads.module.css'
import css from './UploadVersion.module.css'

/** Preview start of a version, in seconds. */
export const startOfSlot = ({ start_min, start_sec }: uploadedSongs.Slot): number => start_min * 60 + start_sec

type Props = {
  slot: uploadedSongs.Slot
  /** Counts from 1; also the key that plays it. */
  number: number
  /** Problems found in comparison with the other versions. */
  faults: readonly uploads.Fault[]
}

/** One version of a member's song: playable, with its measurements and problems. */
export function UploadVersion({ slot, number, faults }: Props) {
  const { name, file } = slot
  const playsHere = usePreview(({ upload_id }) => upload_id === file.upload_id)
  const isPlaying = usePreview(({ isPlaying }) => isPlaying) && playsHere
  const trouble = usePreview(({ errorMessage }) => errorMessage)
  const label = isPlaying ? format(texts.pauseVersionLabel, { name }) : format(texts.playVersionLabel, { name })
  return (
    <li className={css.version} aria-label={name}>
      <header>
        <h3>{name}</h3>
        <p title={file.file}>{file.file}</p>
      </header>
      <FileState file={file} />
      <Faults file={file} />
      {faults.map(({ code, message }) => (
        <p key={code} className={list.beside}>
          <IconAlertTriangle size={16} aria-hidden />
          {message}
        </p>
      ))}
      {file.mp3 && (
        <div className={css.sound}>
          <IconButton
            className={list.hear}
            label={label}
            shortcut={String(number)}
            data-key={number < 10 ? number : undefined}
            onClick={() => toggle(file, positionIn(file.upload_id) ?? startOfSlot(slot))}
          >
            {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
          </IconButton>
          <Wave slot={slot} />
          <p className={`${css.start} num`}>
            <small>{texts.previewStartsAt}</small> {formatDuration(startOfSlot(slot))}
          </p>
        </div>
      )}
      {playsHere && trouble && (
        <p className={list.left} role="alert">
          {trouble}
        </p>
      )}
    </li>
  )
}

const MOMENTS = ['timeupdate', 'seeked', 'emptied']
const STEP_SECONDS = 5
const STEPS: Record<string, number> = { ArrowLeft: -STEP_SECONDS, ArrowRight: STEP_SECONDS, PageDown: -30, PageUp: 30 }

/**
 * The waveform, with the preview start and the positions of faults. A click, or the keys of a slider, play from there.
 */
function Wave({ slot }: { slot: uploadedSongs.Slot }) {
  const { name, file } = slot
  const { duration_seconds } = file.analysis
  const slider = useRef<HTMLDivElement>(null)
  useSpokenPosition(slider, slot)
  const now = () => positionIn(file.upload_id) ?? startOfSlot(slot)
  const press = ({ button, clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    if (button === 0 && width) playPreview(file, ((clientX - left) / width) * duration_seconds)
  }
  const pressKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const to = event.key === 'Home' ? 0 : step && now() + step
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    playPreview(file, Math.min(Math.max(0, to), Math.max(0, duration_seconds - 1)))
  }
  return (
    <FileWave
      slider={slider}
      file={file}
      start_seconds={startOfSlot(slot)}
      startTitle={format(texts.previewStartsAtTime, { startOfSlot: formatDuration(startOfSlot(slot)) })}
      aria-label={format(texts.positionIn, { name })}
      aria-valuemax={Math.floor(duration_seconds)}
      onPointerDown={press}
      onKeyDown={pressKey}
    />
  )
}

/** Announces the position to screen readers in whole seconds, without a React render. */
function useSpokenPosition(slider: RefObject<HTMLElement | null>, slot: uploadedSongs.Slot) {
  useEffect(() => {
    const own = slider.current
    const { upload_id, analysis } = slot.file
    const say = () => {
      const now = Math.floor(positionIn(upload_id) ?? startOfSlot(slot))
      const text = format(texts.playPosition, {
        now: formatDuration(now),
        duration_seconds: formatDuration(analysis.duration_seconds),
      })
      if (!own || own.ariaValueText === text) return
      own.ariaValueNow = String(now)
      own.ariaValueText = text
    }
    say()
    for (const moment of MOMENTS) element.addEventListener(moment, say)
    return () => {
      for (const moment of MOMENTS) element.removeEventListener(moment, say)
    }
  }, [slider, slot])
}
