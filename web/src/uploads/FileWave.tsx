import type { uploads } from '@dubplate/contract'
import { type ComponentProps, type RefObject, useEffect, useRef } from 'react'
import { usePreferences } from '../platform/preferences.ts'
import { bandColours, drawBands } from '../player/bands.ts'
import { usePeaks } from '../player/peaks.ts'
import css from './FileWave.module.css'
import { element, positionIn } from './preview.ts'

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
  useDrawing(canvas, file.peaks)
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

/** Draws the waveform at the size of its container; again for each width and theme. */
function useDrawing(canvas: RefObject<HTMLCanvasElement | null>, peaksUrl: string) {
  const peaks = usePeaks(peaksUrl || undefined)
  const scheme = usePreferences((preferences) => preferences.scheme)
  // The theme is read from the page's own styles.
  useEffect(() => {
    const canvasElement = canvas.current
    if (!canvasElement || !peaks) return
    const draw = () => {
      canvasElement.width = Math.round(canvasElement.clientWidth * devicePixelRatio)
      canvasElement.height = Math.round(canvasElement.clientHeight * devicePixelRatio)
      const ctx = canvasElement.getContext('2d')
      if (ctx && canvasElement.width) drawBands(ctx, peaks, bandColours())
    }
    const observer = new ResizeObserver(draw)
    observer.observe(canvasElement)
    return () => observer.disconnect()
  }, [canvas, peaks, scheme])
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
