import { type CSSProperties, useState } from 'react'
import css from './FilterPanels.module.css'
import { boundsOf, bpmText, type FilterPanelProps, MAX_BPM, MIN_BPM } from './songFilter.ts'
import * as texts from './texts.ts'

const PRESETS = [
  [90, 100],
  [118, 122],
  [122, 128],
  [128, 134],
  [170, 178],
] as const

/** The limits of the server. */
const isTempo = (bpm: number) => bpm >= 20 && bpm <= 400

/** The lowest and highest tempo: as numbers, with sliders, or a preset. */
export function BpmPanel({ address, onChange }: FilterPanelProps) {
  const [typed, setTyped] = useState<[string, string]>()
  const bounds = boundsOf(address.bpm)
  const [from, to] = typed ?? [String(bounds[0]), String(bounds[1])]
  const apply = (low: number, high: number) => {
    setTyped(undefined)
    onChange({ bpm: bpmText(low, high) })
  }
  /** Applies a complete range; an incomplete one stays in the fields. */
  const type = (low: string, high: string) => {
    setTyped([low, high])
    if (isTempo(Number(low)) && isTempo(Number(high)) && Number(low) <= Number(high))
      onChange({ bpm: bpmText(Number(low), Number(high)) })
  }
  // A number is only applied once the thumb is released.
  const drag = (low: string, high: string) => setTyped([low, high])
  const drop = () => typed && Number(from) <= Number(to) && apply(Number(from), Number(to))
  const thumb = { type: 'range', min: MIN_BPM, max: MAX_BPM, onPointerUp: drop, onKeyUp: drop }
  const field = { inputMode: 'numeric', maxLength: 3, autoComplete: 'off', onBlur: () => setTyped(undefined) } as const
  const style = { '--from': share(Number(from)), '--to': share(Number(to)) } as CSSProperties
  return (
    <div className={css.panel}>
      <div className={css.range}>
        <input
          {...field}
          aria-label={texts.lowestBpm}
          value={from}
          onChange={(event) => type(event.target.value, to)}
        />
        {texts.rangeTo}
        <input
          {...field}
          aria-label={texts.highestBpm}
          value={to}
          onChange={(event) => type(from, event.target.value)}
        />
        {texts.bpmLabel}
      </div>
      <div className={css.slider} style={style}>
        <input
          {...thumb}
          aria-label={texts.lowestBpmSlider}
          value={from}
          onChange={(event) => drag(String(Math.min(Number(event.target.value), Number(to))), to)}
        />
        <input
          {...thumb}
          aria-label={texts.highestBpmSlider}
          value={to}
          onChange={(event) => drag(from, String(Math.max(Number(event.target.value), Number(from))))}
        />
      </div>
      <div className={css.presets}>
        {PRESETS.map(([low, high]) => (
          <button
            key={low}
            type="button"
            aria-pressed={bounds[0] === low && bounds[1] === high}
            onClick={() => apply(low, high)}
          >
            {low}–{high}
          </button>
        ))}
      </div>
    </div>
  )
}

const share = (bpm: number) => Math.min(1, Math.max(0, (bpm - MIN_BPM) / (MAX_BPM - MIN_BPM)))
