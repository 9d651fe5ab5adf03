import { camelot, KEYS, mixesWith, type SongKey } from '@dubplate/contract'
import { IconX } from '@tabler/icons-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { count as formatCount } from '../format/format.ts'
import { format } from '../format/message.ts'
import { usePreferences } from '../platform/preferences.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { SearchInput } from '../ui/SearchField.tsx'
import css from './FilterPanels.module.css'
import { formatKey, keyHue } from './mixing.ts'
import {
  boundsOf,
  bpmText,
  chosenKey,
  type FilterAddress,
  type FilterOptions,
  type FilterSource,
  genresChange,
  genresOf,
  MAX_BPM,
  MIN_BPM,
  PANEL_TITLES,
  type PanelName,
  partsOf,
} from './songFilter.ts'
import * as texts from './texts.ts'

type PanelProps = {
  address: FilterAddress
  source: FilterSource
  /** Undefined while they load. */
  options: FilterOptions | undefined
  isFailed: boolean
  onChange: (changes: Record<string, string | number | undefined>) => void
}

const PRESETS = [
  [90, 100],
  [118, 122],
  [122, 128],
  [128, 134],
  [170, 178],
] as const

/** The limits of the server. */
const isTempo = (bpm: number) => bpm >= 20 && bpm <= 400

function BpmPanel({ address, onChange }: PanelProps) {
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

function KeyPanel({ address, options, onChange }: PanelProps) {
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

type Option = { value: string; label: string; count: number | undefined }

/** With more options than this, they can be searched. */
const MAX_WITHOUT_SEARCH = 11

type ListProps = {
  title: string
  options: Option[]
  chosen: string[]
  more: boolean
  onChange: (chosen: string[]) => void
}

function OptionList({ title, options, chosen, more, onChange }: ListProps) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = options.filter(({ label }) => label.toLowerCase().includes(wanted))
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
  return (
    <div className={css.panel}>
      {options.length > MAX_WITHOUT_SEARCH && (
        <SearchInput label={format(texts.searchOptions, { title })} value={search} onChange={setSearch} />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't scroll */}
      <div className={css.options} role="group" aria-label={title}>
        {shown.map(({ value, label, count }) => (
          <label key={value}>
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            <span>{label}</span>{' '}
            {count !== undefined && (
              <i>{more ? format(texts.countOrMore, { count: formatCount(count) }) : formatCount(count)}</i>
            )}
          </label>
        ))}
        {shown.length === 0 && <p>{texts.noOptions}</p>}
      </div>
    </div>
  )
}

/** Options of the reply, and chosen values that it does not contain. */
function withChosen(options: Option[], chosen: string[]): Option[] {
  const missing = chosen.filter((value) => !options.some((option) => option.value === value))
  return [...missing.map((value) => ({ value, label: value.replace('-', '–'), count: undefined })), ...options]
}

function OptionsPanel({ name, address, source, options, isFailed, onChange }: PanelProps & { name: PanelName }) {
  if (!options) return <p className={css.wait}>{isFailed ? texts.couldntLoadOptions : texts.loading}</p>
  const title = PANEL_TITLES[name]
  const { more } = options
  if (name === 'genres') {
    const list = options.genres.map(({ genre_id, name, count }) => ({ value: String(genre_id), label: name, count }))
    const change = (chosen: string[]) => onChange(genresChange(chosen.map(Number), source))
    return (
      <OptionList
        {...{ title, more }}
        options={list}
        chosen={genresOf(address, source).map(String)}
        onChange={change}
      />
    )
  }
  const list =
    name === 'versions'
      ? options.versions.map(({ version_code, name, count }) => ({ value: version_code, label: name, count }))
      : options.years.map(({ year, count }) => ({ value: String(year), label: String(year), count }))
  const chosen = partsOf(address[name === 'versions' ? 'versions' : 'year'])
  return (
    <OptionList
      {...{ title, more, chosen }}
      options={withChosen(list, chosen)}
      onChange={(next) => onChange({ [name]: next.join() || undefined })}
    />
  )
}

function Panel(props: PanelProps & { name: PanelName }) {
  if (props.name === 'bpm') return <BpmPanel {...props} />
  return props.name === 'key' ? <KeyPanel {...props} /> : <OptionsPanel {...props} />
}

const PANEL_WIDTH = 280
const MARGIN = 8

/** The panel under a pill. Escape, a click outside and moving the focus out of it close it. */
export function FilterPanel({
  name,
  opener,
  onClose,
  ...panel
}: PanelProps & { name: PanelName; opener: HTMLElement; onClose: () => void }) {
  const container = useRef<HTMLDivElement>(null)
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const place = () => {
      const { left, bottom } = (opener.parentElement ?? opener).getBoundingClientRect()
      const x = Math.max(MARGIN, Math.min(left, document.documentElement.clientWidth - PANEL_WIDTH - MARGIN))
      const height = container.current?.offsetHeight ?? 0
      const y = Math.max(MARGIN, Math.min(bottom + MARGIN, innerHeight - height - MARGIN))
      container.current?.style.setProperty('translate', `${x}px ${y}px`)
    }
    place()
    // Options that arrive later make the panel higher.
    const observer = new ResizeObserver(place)
    if (container.current) observer.observe(container.current)
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  }, [opener])
  useEffect(() => {
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !container.current?.contains(target) && !opener.contains(target)) close()
    }
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('focusin', onPress)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('focusin', onPress)
    }
  }, [opener])
  useEffect(
    () => container.current?.querySelector<HTMLElement>('input, [tabindex="0"]')?.focus({ preventScroll: true }),
    [],
  )
  return createPortal(
    <div
      ref={container}
      key={name}
      role="dialog"
      aria-label={PANEL_TITLES[name]}
      className={css.popover}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        opener.focus()
        onClose()
      }}
    >
      <Panel {...panel} name={name} />
    </div>,
    document.getElementById('main') ?? document.body,
  )
}

type SheetProps = PanelProps & {
  panels: readonly PanelName[]
  /** “Show 7 songs” */
  showText: string
  onClear: () => void
  onClose: () => void
}

/** All filters in a sheet at the bottom, for phones. */
export function FilterSheet({ panels, showText, onClear, onClose, ...panel }: SheetProps) {
  const sheet = useRef<HTMLDialogElement>(null)
  useEffect(() => sheet.current?.showModal(), [])
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={sheet}
      className={css.sheet}
      aria-label={texts.filters}
      onClose={onClose}
      onClick={(event) => event.target === sheet.current && onClose()}
    >
      <div className={css.sheetHead}>
        <h2>{texts.filters}</h2>
        <IconButton label={texts.close} onClick={onClose}>
          <IconX size={20} />
        </IconButton>
      </div>
      <div className={css.sheetBody}>
        {panels.map((name) => (
          <section key={name}>
            <h3>{PANEL_TITLES[name]}</h3>
            <Panel {...panel} name={name} />
          </section>
        ))}
      </div>
      <div className={css.sheetEnd}>
        <Button onClick={onClear}>{texts.clearAll}</Button>
        <Button variant="primary" onClick={onClose}>
          {showText}
        </Button>
      </div>
    </dialog>,
    document.body,
  )
}
