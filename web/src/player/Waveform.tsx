import { type PointerEvent, useRef } from 'react'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { soundDuration, soundPosition, soundRange } from './audio.ts'
import css from './Player.module.css'
import { useDrawnPeaks, usePeaks } from './peaks.ts'
import { useSeeking } from './seeking.ts'
import { currentEntry, usePlayer } from './store.ts'
import * as texts from './texts.ts'
import { useAudioPosition } from './useAudioPosition.ts'

/** The waveform of the current song with fifty points a second. */
export const useCurrentPeaks = () => {
  const address = usePlayer(currentEntry)?.version.peaks
  return usePeaks({ address: address && `${address}?detail=1`, lanes: 3 })
}

/**
 * The waveform of the whole current song: click or drag to seek. A flat line until it has loaded. For visitors the part
 * outside the clip is dimmed.
 */
export function Waveform({ height_px }: { height_px: number }) {
  const slider = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const hover = useRef<HTMLSpanElement>(null)
  const peaks = useCurrentPeaks()
  useDrawnPeaks(canvas, peaks)
  const seeking = useSeeking(slider)
  const shown = useRef('')
  useAudioPosition(
    () => {
      if (!slider.current) return
      describePosition(slider.current)
      const { from, to } = soundRange()
      const percents = [soundPosition(), from, to].map(percentOf)
      // Skips frames in which nothing would move visibly.
      if (shown.current === `${percents}`) return
      shown.current = `${percents}`
      for (const [at, name] of ['--played', '--from', '--to'].entries())
        slider.current.style.setProperty(name, `${percents[at]}%`)
    },
    { smoothly: true },
  )
  const showTime = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width))
    if (!hover.current) return
    hover.current.style.left = `${share * 100}%`
    hover.current.dataset.time = hoverText(share * soundDuration())
  }
  return (
    <div
      ref={slider}
      className={css.waveform}
      style={{ height: height_px }}
      role="slider"
      tabIndex={0}
      aria-label={texts.seek}
      aria-valuemin={0}
      aria-valuenow={0}
      data-testid="waveform"
      data-flat={!peaks || undefined}
      {...seeking}
      onPointerMove={(event) => {
        showTime(event)
        seeking.onPointerMove(event)
      }}
    >
      {peaks && <canvas ref={canvas} aria-hidden />}
      <i className={css.cursor} />
      <span ref={hover} className={css.hover} aria-hidden />
    </div>
  )
}

/** The position in percent of the song, in steps of a twentieth: less than a pixel. */
const percentOf = (seconds: number) =>
  Math.round(Math.min(1, Math.max(0, seconds / (soundDuration() || 1))) * 2_000) / 20

/** '1:52', or for a visitor outside the clip '1:52 · Members only'. */
const hoverText = (second: number) => {
  const { from, to } = soundRange()
  const time = formatDuration(second)
  return second < from || second > to ? format(texts.timeForMembersOnly, { time }) : time
}

/** Announces the position to screen readers, in whole seconds. */
const describePosition = (slider: HTMLElement) => {
  const [now, max] = [Math.floor(soundPosition()), Math.floor(soundDuration())]
  const text = format(texts.of, { now: formatDuration(now), max: formatDuration(max) })
  if (slider.ariaValueText === text) return
  slider.ariaValueMax = String(max)
  slider.ariaValueNow = String(now)
  slider.ariaValueText = text
}
