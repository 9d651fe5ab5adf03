import css from './Drawing.module.css'

const BARS = 36
const WIDTH = 144
const HEIGHT = 22
const STEP = WIDTH / BARS

/** A quiet beginning, a louder middle, and variation that differs between songs. */
const heightOf = (seed: number, bar: number) =>
  (0.35 + 0.4 * Math.sin((Math.PI * bar) / BARS) + 0.25 * Math.abs(Math.sin(bar * seed))) * (HEIGHT - 6)

/** Positions of cue points, as bars. */
const CUES = [0, 8, 20, 28]

/** A song in a drawn playlist: its waveform with beats and, if it has them, cue points. */
export const Track = ({ seed, hasCues }: { seed: number; hasCues: boolean }) => (
  <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={css.track} role="presentation">
    {[...Array(BARS).keys()].map((bar) => {
      const height = heightOf(seed, bar)
      return <rect key={bar} x={bar * STEP + 0.8} y={HEIGHT - height} width={STEP - 1.6} height={height} rx={0.8} />
    })}
    {hasCues &&
      CUES.map((bar, number) => (
        <path key={bar} data-cue={number} d={`M${bar * STEP + 0.8} 0v${HEIGHT}m0 ${-HEIGHT}h6l-2 2.5l2 2.5h-6z`} />
      ))}
  </svg>
)
