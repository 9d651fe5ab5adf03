import type { uploads } from '@dubplate/contract'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { FileWave } from './FileWave.tsx'
import { playPreview, toggle, usePreview } from './preview.ts'
import css from './SlotWave.module.css'
import * as texts from './texts.ts'

type Props = {
  file: uploads.ContainerFile
  /** The name of the version, for the labels of the controls: 'Clean'. */
  name: string
  start_seconds: number
  onStart: (seconds: number) => void
}

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
}

/**
 * The waveform of a file with the start of its preview: click or drag to set it and play from there, or use the keys of
 * a slider, by one or ten seconds.
 */
export function SlotWave({ file, name, start_seconds, onStart }: Props) {
  const slider = useRef<HTMLDivElement>(null)
  const { duration_seconds } = file.analysis
  const last = Math.max(0, Math.ceil(duration_seconds) - 1)
  const setTo = (seconds: number) => {
    const to = Math.min(last, Math.max(0, Math.round(seconds)))
    if (to !== start_seconds) onStart(to)
    return to
  }
  const secondsAt = (clientX: number) => {
    const box = slider.current?.getBoundingClientRect()
    return box?.width ? ((clientX - box.left) / box.width) * duration_seconds : start_seconds
  }
  const isDragging = ({ pointerId }: PointerEvent) => slider.current?.hasPointerCapture(pointerId) ?? false
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return
    slider.current?.setPointerCapture(event.pointerId)
    setTo(secondsAt(event.clientX))
  }
  const pressKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const step = STEPS[event.key]
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? last : step && start_seconds + step
    if (event.key === 'Enter') playPreview(file, start_seconds)
    else if (to !== undefined) setTo(to)
    else return
    event.preventDefault()
  }
  return (
    <div className={css.wave}>
      <PlayButton file={file} name={name} start_seconds={start_seconds} />
      <FileWave
        slider={slider}
        file={file}
        start_seconds={start_seconds}
        aria-label={format(texts.previewStartFor, { name })}
        aria-valuemax={last}
        aria-valuenow={start_seconds}
        aria-valuetext={format(texts.previewSlotPosition, {
          start_seconds: formatDuration(start_seconds),
          duration_seconds: formatDuration(duration_seconds),
        })}
        onPointerDown={press}
        onPointerMove={(event) => isDragging(event) && setTo(secondsAt(event.clientX))}
        onPointerUp={(event) => isDragging(event) && playPreview(file, setTo(secondsAt(event.clientX)))}
        onKeyDown={pressKey}
      />
      <output className={`${css.time} num`}>
        <small>{texts.previewFrom}</small>
        {formatDuration(start_seconds)}
      </output>
    </div>
  )
}

function PlayButton({ file, name, start_seconds }: Omit<Props, 'onStart'>) {
  const isPlaying = usePreview(({ upload_id, isPlaying }) => isPlaying && upload_id === file.upload_id)
  return (
    <IconButton
      className={css.play}
      label={isPlaying ? format(texts.pause, { name }) : format(texts.playFromPreviewStart, { name })}
      onClick={() => toggle(file, start_seconds)}
    >
      {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
    </IconButton>
  )
}
