import { memo } from 'react'
import css from './MiniWave.module.css'
import * as texts from './texts.ts'

const STEP = 2
const HEIGHT = 24

/**
 * One SVG path for a row of level bars, from bytes 0..255 in base64; mirrored about the middle. Levels are drawn as
 * power relative to the loudest: mastered music is so even in level that breaks and drops would not be visible.
 */
function wavePath(wave: string): string {
  const middle = HEIGHT / 2
  const levels = Array.from(atob(wave), (character) => character.charCodeAt(0))
  const loudest = Math.max(1, ...levels)
  return levels
    .map((level, i) => {
      const half = Math.max(1, (level / loudest) ** 2 * (middle - 1))
      return `M${i * STEP + 0.75} ${(middle - half).toFixed(1)}v${(half * 2).toFixed(1)}`
    })
    .join('')
}

const FLAT_LINE = `M0 ${HEIGHT / 2}h${STEP}`

type Props = { wave: string /** A fraction of the length, 0 to 1. */; onSeek: (fraction: number) => void }

/**
 * The waveform of a song, or a flat line before its audio has been analysed; a click plays from that position. Hidden from screen readers, because the player offers the
 * same by keyboard.
 */
export const MiniWave = memo(function MiniWave({ wave, onSeek }: Props) {
  const points = atob(wave).length || 1
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      className={css.wave}
      title={texts.playFromHere}
      onClick={({ currentTarget, clientX }) => {
        const { left, width } = currentTarget.getBoundingClientRect()
        onSeek(Math.min(1, Math.max(0, (clientX - left) / width)))
      }}
    >
      <svg viewBox={`0 0 ${points * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        <path d={wave ? wavePath(wave) : FLAT_LINE} />
      </svg>
    </button>
  )
})
