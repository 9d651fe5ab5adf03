import { camelot, KEYS, mixesWith, type SongKey } from '@dubplate/contract'
import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { usePreferences } from '../platform/preferences.ts'
import css from './FilterPanels.module.css'
import { formatKey, keyHue } from './mixing.ts'
import { chosenKey, type FilterPanelProps } from './songFilter.ts'
import * as texts from './texts.ts'

const CENTER = 100
const angleOf = (step: number) => (step * Math.PI) / 6 - Math.PI / 2
const pointAt = (radius: number, step: number) => ({
  x: CENTER + radius * Math.cos(angleOf(step)),
  y: CENTER + radius * Math.sin(angleOf(step)),
})

/** The segment of a ring at an hour of the clock, as an SVG path. */
function segmentOf(hour: number, inner: number, outer: number): string {
  const [a, b, c, d] = [
    pointAt(outer, hour - 0.5),
    pointAt(outer, hour + 0.5),
    pointAt(inner, hour + 0.5),
    pointAt(inner, hour - 0.5),
  ]
  const text = ({ x, y }: { x: number; y: number }) => `${x.toFixed(2)} ${y.toFixed(2)}`
  return `M${text(a)}A${outer} ${outer} 0 0 1 ${text(b)}L${text(c)}A${inner} ${inner} 0 0 0 ${text(d)}Z`
}

const RINGS = { B: [68, 98], A: [36, 67] } as const
type Ring = keyof typeof RINGS
const BY_CAMELOT = new Map<string, SongKey>(KEYS.map((key) => [camelot(key), key]))
const keyAt = (hour: number, ring: Ring) => BY_CAMELOT.get(`${((hour + 11) % 12) + 1}${ring}`) as SongKey
const placeOf = (key: SongKey) => ({ hour: Number.parseInt(camelot(key), 10), ring: camelot(key).slice(-1) as Ring })

/** The neighbour that an arrow key leads to: along the ring, or to the other ring. */
function neighbour(key: SongKey, pressed: string): SongKey | undefined {
  const { hour, ring } = placeOf(key)
  if (pressed === 'ArrowRight') return keyAt(hour + 1, ring)
  if (pressed === 'ArrowLeft') return keyAt(hour - 1, ring)
  if (pressed === 'ArrowUp' || pressed === 'ArrowDown') return keyAt(hour, ring === 'A' ? 'B' : 'A')
  return undefined
}

const DEFAULT_KEY: SongKey = 'Am'

/** The keys as a Camelot wheel, and whether compatible keys are included. */
export function KeyPanel({ address, options, onChange }: FilterPanelProps) {
  const notation = usePreferences((preferences) => preferences.notation)
  const { key: chosen, isWide } = chosenKey(address.key)
  const [includesCompatible, setIncludesCompatible] = useState(chosen ? isWide : true)
  const [focused, setFocused] = useState<SongKey>(chosen ?? DEFAULT_KEY)
  const wheel = useRef<HTMLDivElement>(null)
  const withCompatible = chosen ? isWide : includesCompatible
  const choose = (key: SongKey | undefined, isWideNext = withCompatible) =>
    onChange({ key: key && `${isWideNext ? '~' : ''}${camelot(key)}` })
  const toggle = (key: SongKey) => choose(key === chosen ? undefined : key)
  const handleKey = (event: KeyboardEvent) => {
    const next = neighbour(focused, event.key)
    if (next) {
      setFocused(next)
      wheel.current?.querySelector<SVGGElement>(`[data-key="${camelot(next)}"]`)?.focus()
    } else if (event.key === ' ' || event.key === 'Enter') toggle(focused)
    else return
    event.preventDefault()
  }
  const counts = new Map(options?.keys.map(({ key, count }) => [key, count]))
  return (
    <div className={css.panel}>
      <div ref={wheel} role="radiogroup" aria-label={texts.key} onKeyDown={handleKey}>
        <svg className={css.wheel} viewBox="0 0 200 200" aria-label={texts.key}>
          {KEYS.map((key) => {
            const { hour, ring } = placeOf(key)
            const [inner, outer] = RINGS[ring]
            const isCompatible = chosen && withCompatible && mixesWith(chosen, key)
            const count = options && (counts.get(key) ?? 0)
            const name = formatKey(key, notation)
            return (
              // biome-ignore lint/a11y/useSemanticElements: HTML inputs can't be segments of a ring
              <g
                key={key}
                role="radio"
                aria-checked={key === chosen}
                aria-label={count === undefined ? name : format(texts.keyWithCount, { name, count })}
                tabIndex={key === focused ? 0 : -1}
                data-key={camelot(key)}
                data-state={key === chosen ? 'chosen' : isCompatible ? 'compatible' : undefined}
                data-minor={ring === 'A' || undefined}
                style={{ '--h': keyHue(key) } as CSSProperties}
                onFocus={() => setFocused(key)}
                onClick={() => toggle(key)}
              >
                <path d={segmentOf(hour, inner, outer)} />
                <text {...pointAt((inner + outer) / 2, hour)}>{name}</text>
              </g>
            )
          })}
        </svg>
      </div>
      <label className={css.check}>
        <input
          type="checkbox"
          checked={withCompatible}
          onChange={(event) => {
            setIncludesCompatible(event.target.checked)
            if (chosen) choose(chosen, event.target.checked)
          }}
        />
        {texts.includeCompatibleKeys}
      </label>
    </div>
  )
}
