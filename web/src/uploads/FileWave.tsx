import type { uploads } from '@dubplate/contract'
import { Group, Text } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { type ComponentProps, type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { useDrawnPeaks, usePeaks } from '../player/peaks.ts'
import { IconButton } from '../ui/IconButton.tsx'
import css from './FileWave.module.css'
import { element, playPreview, positionIn, toggle, usePreview } from './preview.ts'
import * as texts from './texts.ts'

type Props = Omit<ComponentProps<'div'>, 'ref' | 'className'> & {
  slider: RefObject<HTMLDivElement | null>
  file: uploads.ContainerFile
  /** The start of the preview. */
  start_seconds: number
  startTitle?: string
}

/**
 * The waveform of a file as a slider over its whole length, with the playback position, the start of its preview and
 * the positions of its faults. The caller handles keys and clicks.
 */
export function FileWave({ slider, file, start_seconds, startTitle, ...control }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { duration_seconds, faults } = file.analysis
  useDrawnPeaks(canvas, usePeaks({ address: file.peaks || undefined, lanes: 4 }))
  usePlayhead(slider, file)
  const positionPercent = (seconds: number) =>
    `${duration_seconds ? Math.min(100, (seconds / duration_seconds) * 100) : 0}%`
  return (
    <div
      ref={slider}
      className={css.slider}
      role="slider"
      tabIndex={0}
      aria-valuemin={0}
      aria-valuenow={0}
      {...control}
    >
      <canvas ref={canvas} className={css.canvas} aria-hidden />
      {faults.map(({ code, at_seconds, blocks }) =>
        at_seconds === undefined ? null : (
          <i
            key={`${code} ${at_seconds}`}
            className={css.fault}
            data-blocks={blocks || undefined}
            style={{ left: positionPercent(at_seconds) }}
          />
        ),
      )}
      <i className={css.playhead} />
      <b className={css.start} style={{ left: positionPercent(start_seconds) }} title={startTitle} />
    </div>
  )
}

/** Moves the line at the playback position without React. */
function usePlayhead(slider: RefObject<HTMLElement | null>, { upload_id, analysis }: uploads.ContainerFile) {
  useEffect(() => {
    const show = () => {
      const now = positionIn(upload_id)
      const share = now === undefined || !analysis.duration_seconds ? -1 : now / analysis.duration_seconds
      slider.current?.style.setProperty('--heard', share < 0 ? '-2px' : `${share * 100}%`)
    }
    show()
    const eventNames = ['timeupdate', 'seeked', 'emptied']
    for (const eventName of eventNames) element.addEventListener(eventName, show)
    return () => {
      for (const eventName of eventNames) element.removeEventListener(eventName, show)
    }
  }, [slider, upload_id, analysis.duration_seconds])
}

type SlotProps = {
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
export function SlotWave({ file, name, start_seconds, onStart }: SlotProps) {
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
    <Group gap="sm">
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
      <Text component="output" className="num" miw={76} fw={580} lh={1.3}>
        <Text component="small" display="block" size="xs" fw={400} c="var(--text-2)">
          {texts.previewFrom}
        </Text>
        {formatDuration(start_seconds)}
      </Text>
    </Group>
  )
}

function PlayButton({ file, name, start_seconds }: Omit<SlotProps, 'onStart'>) {
  const isPlaying = usePreview(({ upload_id, isPlaying }) => isPlaying && upload_id === file.upload_id)
  return (
    <IconButton
      style={{ width: 40, height: 40, background: 'var(--surface-3)', color: 'var(--text)' }}
      label={isPlaying ? format(texts.pause, { name }) : format(texts.playFromPreviewStart, { name })}
      onClick={() => toggle(file, start_seconds)}
    >
      {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
    </IconButton>
  )
}
