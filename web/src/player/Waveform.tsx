import type { Peaks } from '@dubplate/contract'
import { type RefObject, useEffect, useRef } from 'react'
import type WaveSurfer from 'wavesurfer.js'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { usePreferences } from '../platform/preferences.ts'
import { soundDuration, soundPosition } from './audio.ts'
import { bandColours, drawBands } from './bands.ts'
import { usePeaks } from './peaks.ts'
import { useSeeking } from './seeking.ts'
import { currentEntry, usePlayer } from './store.ts'
import * as texts from './texts.ts'
import { useAudioPosition } from './useAudioPosition.ts'
import css from './Waveform.module.css'

/** The waveform of the playing version in three bands: click or drag to seek. A flat line until it has loaded. */
export function Waveform({ height_px }: { height_px: number }) {
  const version = usePlayer(currentEntry)?.version
  const slider = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const peaks = usePeaks(version?.peaks)
  const drawing = useDrawing(canvas, peaks, height_px)
  const seeking = useSeeking(slider)

  const drawnPx = useRef(-1)
  useAudioPosition(
    () => {
      if (!slider.current) return
      describe(slider.current)
      // Skips frames in which the cursor would not move by half a pixel.
      const px = Math.round(playedShare() * slider.current.clientWidth * 2)
      if (px === drawnPx.current) return
      drawnPx.current = px
      slider.current.style.setProperty('--played', `${playedShare() * 100}%`)
      drawing.current?.setTime(playedShare())
    },
    { smoothly: true },
  )
  return (
    <div
      ref={slider}
      className={css.waveform}
      style={{ height: height_px }}
      role="slider"
      tabIndex={version ? 0 : -1}
      aria-label={texts.seek}
      aria-valuemin={0}
      aria-valuenow={0}
      aria-disabled={!version}
      data-testid="waveform"
      data-flat={!peaks || undefined}
      {...(version ? seeking : {})}
    >
      <div ref={canvas} className={css.canvas} />
    </div>
  )
}

/** Draws the waveform in a box; again for each song, theme and height, because a canvas keeps its colours. */
const useDrawing = (box: RefObject<HTMLDivElement | null>, peaks: Peaks | undefined, height_px: number) => {
  const scheme = usePreferences((preferences) => preferences.scheme)
  const drawing = useRef<WaveSurfer>(undefined)
  // The theme is read from the page's own styles.
  useEffect(() => {
    const container = box.current
    if (!container || !peaks) return
    let isDisposed = false
    const draw = ({ default: { create } }: typeof import('wavesurfer.js')) => {
      if (isDisposed) return
      const drawn = create(optionsOf(container, peaks, height_px))
      drawn.on('ready', () => drawn.setTime(playedShare()))
      drawing.current = drawn
    }
    // If this fails, the flat line stays and still seeks.
    import('wavesurfer.js').then(draw, () => undefined)
    return () => {
      isDisposed = true
      drawing.current?.destroy()
      drawing.current = undefined
    }
  }, [box, peaks, height_px, scheme])
  return drawing
}

/**
 * Wavesurfer gets the peaks and a length of 1, but no media: it downloads and decodes nothing and does not control the
 * audio. The played part has one flat colour, so that the remaining part stands out.
 */
const optionsOf = (container: HTMLElement, peaks: Peaks, height: number) => {
  const colours = bandColours()
  return {
    container,
    height,
    peaks: [Float32Array.from(peaks.overall, (level) => level / 255)],
    duration: 1,
    progressColor: colours.played,
    cursorColor: colours.cursor,
    cursorWidth: 2,
    hideScrollbar: true,
    interact: false,
    autoScroll: false,
    renderFunction: (_levels: unknown, ctx: CanvasRenderingContext2D) => drawBands(ctx, peaks, colours),
  }
}

const playedShare = () => Math.min(1, soundPosition() / (soundDuration() || 1))

/** Announces the position to screen readers, in whole seconds. */
const describe = (slider: HTMLElement) => {
  const [now, max] = [Math.floor(soundPosition()), Math.floor(soundDuration())]
  const text = format(texts.of, { now: formatDuration(now), max: formatDuration(max) })
  if (slider.ariaValueText === text) return
  slider.ariaValueMax = String(max)
  slider.ariaValueNow = String(now)
  slider.ariaValueText = text
}
