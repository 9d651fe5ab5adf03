import type { player } from '@dubplate/contract'
import { type PointerEvent, useRef } from 'react'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { soundDuration, soundPosition, soundRange } from './audio.ts'
import { beatsBetween, sectionAt } from './beatGrid.ts'
import { useDrawnPeaks, usePeaks } from './peaks.ts'
import { useSeeking } from './seeking.ts'
import { currentEntry, usePlayer } from './store.ts'
import * as texts from './texts.ts'
import { useAudioPosition } from './useAudioPosition.ts'
import { useCurrentBeatGrid } from './useBeatGrid.ts'
import css from './Waveform.module.css'

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
  const grid = useCurrentBeatGrid(peaks !== undefined)
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
    hover.current.dataset.time = hoverText(share * soundDuration(), grid)
  }
  return (
    <div
      ref={slider}
      className={css.waveform}
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
      {grid && grid.sections.length > 0 && <SectionNames grid={grid} />}
      <div className={css.bands} style={{ height: height_px }}>
        {peaks && <canvas ref={canvas} aria-hidden />}
        {grid?.cues.map(({ kind, at_seconds }) => (
          <i key={`${kind} ${at_seconds}`} className={css.cue} style={{ left: positionOf(at_seconds) }} aria-hidden />
        ))}
      </div>
      {grid && grid.first_downbeat_seconds !== null && <BarRuler grid={grid} />}
      <i className={css.cursor} />
      <span ref={hover} className={css.hover} aria-hidden />
    </div>
  )
}

const SECTION_NAMES: Record<player.BeatGrid['sections'][number]['kind'], string> = {
  intro: texts.intro,
  main: '',
  build: texts.build,
  drop: texts.drop,
  break: texts.breakSection,
  outro: texts.outro,
}

/** The position in percent of the song, in steps of a twentieth: less than a pixel. */
const percentOf = (seconds: number) =>
  Math.round(Math.min(1, Math.max(0, seconds / (soundDuration() || 1))) * 2_000) / 20

/** '1:52', '1:52 · Break', or for a visitor outside the clip '1:52 · Members only'. */
const hoverText = (second: number, grid: player.BeatGrid | undefined) => {
  const { from, to } = soundRange()
  const time = formatDuration(second)
  if (second < from || second > to) return format(texts.timeForMembersOnly, { time })
  const section = grid && sectionAt(grid, second)
  const name = section && SECTION_NAMES[section.kind]
  return name ? format(texts.timeInSection, { time, section: name }) : time
}

/** A moment as CSS length from the left edge of the song. */
const positionOf = (seconds: number) => `${Math.min(100, (100 * seconds) / (soundDuration() || 1))}%`

/** The names of the sections above the waveform. A section between others, with drums and chords, has none. */
const SectionNames = ({ grid }: { grid: player.BeatGrid }) => (
  <div className={css.sections} aria-hidden>
    {grid.sections.map(({ bar, kind, start_seconds }, i) => {
      const end = grid.sections[i + 1]?.start_seconds ?? soundDuration()
      const [left, right] = [positionOf(start_seconds), positionOf(end)]
      return (
        <span key={bar} className={css.section} data-kind={kind} style={{ left, width: `calc(${right} - ${left})` }}>
          <b className={css.sectionName}>{SECTION_NAMES[kind]}</b>
        </span>
      )
    })}
  </div>
)

const RULER_BARS = 4
const LONG_MARK_BARS = 16

/** A short mark every four bars, a long one every sixteen. */
function BarRuler({ grid }: { grid: player.BeatGrid }) {
  const bars = beatsBetween(grid, 0, soundDuration()).filter(({ isDownbeat }) => isDownbeat)
  return (
    <div className={css.ruler} aria-hidden>
      {bars.map(({ at_seconds }, bar) =>
        bar % RULER_BARS === 0 ? (
          <i
            key={at_seconds}
            data-long={bar % LONG_MARK_BARS === 0 || undefined}
            style={{ left: positionOf(at_seconds) }}
          />
        ) : null,
      )}
    </div>
  )
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
