import type { Peaks } from '@dubplate/contract'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { format } from '../format/message.ts'
import { beatsBetween } from '../player/beatGrid.ts'
import { drawBeats, drawPeaks } from '../player/drawPeaks.ts'
import { useDrawnPeaks } from '../player/peaks.ts'
import css from './GridEditor.module.css'
import { CUE_NAMES, drawnGrid } from './gridForm.ts'
import type { GridSound } from './gridSound.ts'
import { type Cue, formatExactTime, type SteadyGrid, snapToBeat } from './gridTools.ts'
import * as texts from './texts.ts'

/** The seconds around the position that are shown. */
const ZOOMED_SECONDS = 4
const STEP_SECONDS = 0.5

type Props = {
  sound: GridSound
  duration_seconds: number
  peaks: Peaks | undefined
  grid: SteadyGrid | undefined
  cues: readonly (Cue & { index: number })[]
  onMoveCue: (index: number, seconds: number) => void
}

/** The seconds around the position with beats, bars and cue points, above the whole file. */
export function GridWaveform({ sound, duration_seconds, peaks, grid, cues, onMoveCue }: Props) {
  const zoomed = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const range = useRef<HTMLInputElement>(null)
  const secondsPerPixel = () => ZOOMED_SECONDS / (zoomed.current?.clientWidth || 1)
  useEachFrame(() => {
    const position = sound.position()
    const from_seconds = position - ZOOMED_SECONDS / 2
    const part = { from_seconds, to_seconds: from_seconds + ZOOMED_SECONDS }
    if (canvas.current) draw(canvas.current, { peaks, grid, duration_seconds }, part)
    for (const handle of zoomed.current?.querySelectorAll<HTMLElement>('[data-at]') ?? []) {
      const share = (Number(handle.dataset.at) - from_seconds) / ZOOMED_SECONDS
      handle.style.left = `${share * 100}%`
      handle.hidden = share < 0 || share > 1
    }
    showPosition(range.current, position, duration_seconds)
  })
  const drag = useDrag((pixels) => sound.seek(sound.position() - pixels * secondsPerPixel()))
  return (
    <div>
      <div ref={zoomed} className={css.zoomed} {...drag}>
        <canvas ref={canvas} aria-hidden />
        <i className={css.cursor} />
        {cues.map((cue) => (
          <CueHandle
            key={cue.index}
            cue={cue}
            secondsPerPixel={secondsPerPixel}
            step_seconds={grid ? 60 / grid.bpm : STEP_SECONDS}
            onMove={(seconds) => {
              const within = Math.min(Math.max(0, seconds), duration_seconds)
              onMoveCue(cue.index, grid ? snapToBeat(grid, within) : within)
            }}
          />
        ))}
      </div>
      <Overview range={range} peaks={peaks} duration_seconds={duration_seconds} onSeek={sound.seek} />
    </div>
  )
}

type Drawn = Pick<Props, 'peaks' | 'grid' | 'duration_seconds'>

function draw(
  canvas: HTMLCanvasElement,
  { peaks, grid, duration_seconds }: Drawn,
  part: { from_seconds: number; to_seconds: number },
) {
  const empty = new Uint8Array(1)
  const { from_seconds, to_seconds } = part
  drawPeaks(canvas, peaks ?? { low: empty, mid: empty, high: empty }, {
    from: from_seconds / duration_seconds,
    to: to_seconds / duration_seconds,
  })
  if (grid) drawBeats(canvas, beatsBetween(drawnGrid(grid), from_seconds, to_seconds), part)
}

/** Shows the position without rendering. */
function showPosition(range: HTMLInputElement | null, position: number, duration_seconds: number) {
  if (!range) return
  range.value = String(position)
  const text = formatExactTime(position)
  if (range.ariaValueText !== text) range.ariaValueText = text
  range.parentElement?.style.setProperty('--played', `${(100 * position) / (duration_seconds || 1)}%`)
}

type OverviewProps = Pick<Props, 'peaks' | 'duration_seconds'> & {
  range: React.RefObject<HTMLInputElement | null>
  onSeek: (seconds: number) => void
}

function Overview({ range, peaks, duration_seconds, onSeek }: OverviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useDrawnPeaks(canvas, peaks)
  return (
    <div className={css.overview}>
      <canvas ref={canvas} aria-hidden />
      <i />
      <input
        ref={range}
        type="range"
        aria-label={texts.position}
        min={0}
        max={duration_seconds}
        step={STEP_SECONDS}
        defaultValue={0}
        onChange={({ currentTarget }) => onSeek(Number(currentTarget.value))}
      />
    </div>
  )
}

type HandleProps = {
  cue: Cue
  secondsPerPixel: () => number
  step_seconds: number
  onMove: (seconds: number) => void
}

/** A cue point: dragged, or moved by a beat with the arrow keys. */
function CueHandle({ cue: { kind, at_seconds }, secondsPerPixel, step_seconds, onMove }: HandleProps) {
  const dragged = useRef(at_seconds)
  const drag = useDrag(
    (pixels) => {
      dragged.current += pixels * secondsPerPixel()
      onMove(dragged.current)
    },
    () => {
      dragged.current = at_seconds
    },
  )
  const moveByKey = (event: KeyboardEvent) => {
    const beats = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!beats) return
    event.preventDefault()
    onMove(at_seconds + beats * step_seconds)
  }
  return (
    <button
      type="button"
      className={css.cue}
      data-at={at_seconds}
      aria-label={format(texts.cuePoint, { kind: CUE_NAMES[kind], time: formatExactTime(at_seconds) })}
      onKeyDown={moveByKey}
      {...drag}
    >
      <span aria-hidden>{CUE_NAMES[kind]}</span>
    </button>
  )
}

/** Reports how far a pressed pointer has moved since the last time. */
function useDrag(onMove: (pixels: number) => void, onStart?: () => void) {
  const lastX = useRef(0)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      lastX.current = event.clientX
      onStart?.()
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
      event.stopPropagation()
      onMove(event.clientX - lastX.current)
      lastX.current = event.clientX
    },
  }
}

/** Calls a function on every frame while the editor is open. */
function useEachFrame(show: () => void) {
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
  })
  useEffect(() => {
    let frame = 0
    const next = () => {
      latest.current()
      frame = requestAnimationFrame(next)
    }
    next()
    return () => cancelAnimationFrame(frame)
  }, [])
}
