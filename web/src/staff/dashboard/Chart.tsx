import { Group, Text } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import css from './Chart.module.css'

export type Point = {
  /** Displayed time: 'Fri 20 Nov'. */
  name: string
  /** Null for the future, or when it cannot be calculated. */
  value: number | null
  /** The same point of the previous period. */
  before: number | null
  /** Both values in words: '204, 190 before'. */
  words: string
}

type Props = {
  /** Title of the chart: 'Downloads by day'. */
  label: string
  points: readonly Point[]
  /** Momentary values are drawn as a line, sums as bars. The previous period is a dashed line. */
  look: 'bars' | 'line'
  height?: number
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 }

/**
 * An accessible chart: arrow keys move from point to point (Home and End go to the first and last), and each point is
 * described in the text below the chart, also on mouse-over. Tab passes the whole chart in one step.
 */
export function Chart({ label, points, look, height = 96 }: Props) {
  const last = newestPoint(points)
  const [focused, setFocused] = useState<number>()
  const [shown, setShown] = useState<number>()
  const top = Math.max(1, ...points.flatMap(({ value, before }) => [value ?? 0, before ?? 0]))
  const bottom = Math.min(0, ...points.flatMap(({ value, before }) => [value ?? 0, before ?? 0]))
  const scale = { top, bottom, n: points.length }
  const described = points[shown ?? last]
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields */}
      <div
        role="group"
        aria-label={label}
        className={css.plot}
        style={{ height }}
        onKeyDown={moveBetweenPoints}
        onBlur={({ currentTarget, relatedTarget }: FocusEvent) =>
          !currentTarget.contains(relatedTarget) && setShown(undefined)
        }
        onPointerLeave={() => setShown(undefined)}
      >
        <Drawing points={points} look={look} scale={scale} />
        <div className={css.columns}>
          {points.map(({ name, words }, n) => (
            <div
              key={name}
              role="img"
              aria-label={`${name}: ${words}`}
              tabIndex={n === Math.min(focused ?? last, points.length - 1) ? 0 : -1}
              data-shown={shown === n || undefined}
              onFocus={() => {
                setFocused(n)
                setShown(n)
              }}
              onPointerEnter={() => setShown(n)}
            />
          ))}
        </div>
      </div>
      <Group justify="space-between" gap="sm" mt="xs" fz="xs" c="var(--text-2)" className="num" aria-hidden>
        <Text component="span" inherit visibleFrom="sm">
          {points[0]?.name}
        </Text>
        <Text component="span" inherit c="var(--text)">
          {described && `${described.name}: ${described.words}`}
        </Text>
        <Text component="span" inherit visibleFrom="sm">
          {points.at(-1)?.name}
        </Text>
      </Group>
    </div>
  )
}

/** The newest point that has a value. */
const newestPoint = (points: readonly Point[]): number =>
  Math.max(
    0,
    points.findLastIndex(({ value }) => value !== null),
  )

function moveBetweenPoints(event: KeyboardEvent<HTMLElement>) {
  const points = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=img]')]
  const at = points.indexOf(document.activeElement as HTMLElement)
  const step = STEPS[event.key]
  const to = step ? at + step : { Home: 0, End: points.length - 1 }[event.key]
  if (to === undefined || at < 0) return
  // Elsewhere the arrow keys control the player.
  event.preventDefault()
  points[Math.min(Math.max(to, 0), points.length - 1)]?.focus()
}

type Scale = { top: number; bottom: number; n: number }

/** The drawing is 100 by 100 units, stretched to its box. */
const SIDE = 100

const yOf = (value: number, { top, bottom }: Scale): number => ((top - value) / (top - bottom)) * SIDE

const xOf = (n: number, { n: all }: Scale): number => ((n + 0.5) / all) * SIDE

const GAP = 0.24

function Drawing({ points, look, scale }: Pick<Props, 'points' | 'look'> & { scale: Scale }) {
  const width = SIDE / points.length
  const zero = yOf(0, scale)
  return (
    <svg viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <line x1={0} x2={SIDE} y1={zero} y2={zero} className={css.zero} />
      {look === 'bars' &&
        points.map(({ value }, n) => {
          if (!value) return null
          const y = yOf(value, scale)
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
              key={n}
              className={css.bar}
              x={n * width + (width * GAP) / 2}
              width={width * (1 - GAP)}
              y={Math.min(y, zero)}
              height={Math.abs(zero - y)}
            />
          )
        })}
      <path
        d={linePath(
          points.map(({ before }) => before),
          scale,
        )}
        className={css.previous}
      />
      {look === 'line' && (
        <path
          d={linePath(
            points.map(({ value }) => value),
            scale,
          )}
          className={css.line}
        />
      )}
    </svg>
  )
}

/** A line through the known values; an isolated point is a short stroke. */
function linePath(values: readonly (number | null)[], scale: Scale): string {
  let path = ''
  values.forEach((value, n) => {
    if (value === null) return
    const [x, y] = [xOf(n, scale), yOf(value, scale)]
    const isConnected = (values[n - 1] ?? null) !== null
    const isAlone = !isConnected && (values[n + 1] ?? null) === null
    if (isAlone) path += `M${x - 1} ${y}L${x + 1} ${y}`
    else path += `${isConnected ? 'L' : 'M'}${x} ${y}`
  })
  return path
}

/** The course of a metric without axes, for a card. Its values are told elsewhere. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.map((value) => value ?? 0)
  const scale = { top: Math.max(1, ...known), bottom: Math.min(0, ...known), n: values.length }
  const line = linePath(values, scale)
  const ends = values.findLastIndex((value) => value !== null)
  const area = ends > 0 && `${line}L${xOf(ends, scale)} ${SIDE}L${xOf(0, scale)} ${SIDE}Z`
  return (
    <svg
      viewBox={`${xOf(0, scale)} 0 ${SIDE - 2 * xOf(0, scale)} ${SIDE}`}
      preserveAspectRatio="none"
      width="100%"
      height={36}
      style={{ display: 'block' }}
      aria-hidden="true"
      focusable="false"
    >
      {area && <path d={area} fill="var(--chart-soft)" />}
      <path d={line} className={css.line} />
    </svg>
  )
}
