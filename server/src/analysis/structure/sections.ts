import type { SectionKind } from '@dubplate/contract/song-structure'
import { type BarSound, barSoundsOf } from './bar-sounds.ts'
import type { RhythmSeries } from './beat-envelopes.ts'
import { sectionStarts } from './section-boundaries.ts'

/** A run of bars that sound alike. */
export type Section = {
  /** Index of its first bar line. */
  bar: number
  bars: number
  kind: SectionKind
  /** 1 as loud as the loudest section, 0 twenty decibels below or less. */
  level: number
  has_kick: boolean
}

/** A section has a kick when its low onsets reach this share of the strongest section's … */
const KICK_SHARE = 0.2
/** … and its low level is at most this far, in dB, under the highest one. */
const KICK_DB = 9
/** Chords or voices are there at most this far, in dB, under the section with the most of them. */
const TONES_DB = 10
const LEVEL_RANGE_DB = 20
/** How much energy, in dB, a step up to a drop needs, and how far under the most energetic section a drop may be. */
const DROP_STEP = 0.6
const DROP_BELOW_AFTER_STEP = 0.7
const DROP_BELOW_AFTER_BREAK = 4
const DROP_BELOW_TO_CONTINUE = 2
/** Onsets, as a share of the strong bars, of a drum roll and of a break that drums lead out of. */
const ROLL_HITS = 0.6
const BUILD_HITS = 0.55
const LONGEST_BUILD_BARS = 8
const ROLL_BARS = 2

type SectionSound = BarSound & { bar: number; bars: number; energy: number }
type MeasuredSection = SectionSound & { hasKick: boolean; isFull: boolean }

function meanSound(sounds: readonly BarSound[], bar: number, end: number): SectionSound {
  const mean = (key: 'loud' | 'low' | 'tonal' | 'kick' | 'hits' | 'hats') =>
    sounds.slice(bar, end).reduce((sum, sound) => sum + sound[key], 0) / (end - bar)
  const [loud, tonal, hits, hats] = [mean('loud'), mean('tonal'), mean('hits'), mean('hats')]
  return {
    ...{ bar, bars: end - bar, loud, tonal, hits, hats, low: mean('low'), kick: mean('kick'), profile: [] },
    energy: loud + 0.5 * tonal + 4 * hits + 2 * hats,
  }
}

function partsOf(sounds: readonly BarSound[]): MeasuredSection[] {
  const starts = sectionStarts(sounds.map(({ profile }) => profile))
  const measured = starts.map((bar, i) => meanSound(sounds, bar, starts[i + 1] ?? sounds.length))
  const longEnough = measured.filter(({ bars }) => bars >= ROLL_BARS)
  const highest = (key: 'low' | 'tonal' | 'kick') => Math.max(...longEnough.map((part) => part[key]))
  const [low, tonal, kick] = [highest('low'), highest('tonal'), highest('kick')]
  return measured.map((part) => {
    const hasKick = part.kick > KICK_SHARE * kick && part.low > low - KICK_DB
    return { ...part, hasKick, isFull: hasKick && part.tonal > tonal - TONES_DB }
  })
}

/** Kick and bass return after a section without kick, with something before it or with a drum roll. */
function isRelease(parts: readonly MeasuredSection[], i: number): boolean {
  const before = parts[i - 1]
  if (!before || before.hasKick || !parts[i]!.isFull) return false
  return parts.slice(0, i).some(({ isFull }) => isFull) || before.hits > ROLL_HITS
}

/** Which parts are drops: a return of kick and bass, a clear step up between full parts, and what continues one. */
function dropsAmong(parts: readonly MeasuredSection[]): boolean[] {
  const releases = parts.map((_, i) => isRelease(parts, i))
  const released = parts.filter((_, i) => releases[i])
  const full = parts.filter(({ isFull, bars }) => isFull && bars >= ROLL_BARS)
  const most = Math.max(...(released.length > 0 ? released : full).map(({ energy }) => energy))
  const drops: boolean[] = []
  parts.forEach((part, i) => {
    const before = parts[i - 1]
    const isWithin = (range: number) => part.energy >= most - range
    const isStep = before?.isFull && part.energy - before.energy >= DROP_STEP && isWithin(DROP_BELOW_AFTER_STEP)
    const isContinued = drops[i - 1] && isWithin(DROP_BELOW_TO_CONTINUE)
    drops.push(part.isFull && Boolean((releases[i] && isWithin(DROP_BELOW_AFTER_BREAK)) || isStep || isContinued))
  })
  return drops
}

function kindOf(parts: readonly MeasuredSection[], drops: readonly boolean[], i: number): SectionKind {
  const part = parts[i]!
  const before = parts[i - 1]
  const isBeforeDrop = drops[i + 1] === true
  const firstFull = Math.max(
    0,
    parts.findIndex(({ isFull }) => isFull),
  )
  const lastFull = parts.findLastIndex(({ isFull }) => isFull)
  const lastDrop = drops.lastIndexOf(true)
  if (drops[i]) return 'drop'
  if (before && part.bars <= ROLL_BARS && !before.hasKick && isBeforeDrop) return 'build'
  if (i < firstFull) {
    const isRoll = part.hits > ROLL_HITS && !part.hasKick && parts[i + 1]?.isFull && before
    return isRoll ? 'build' : 'intro'
  }
  if (lastDrop >= 0 && i > lastDrop && (i > lastFull || !part.isFull)) return 'outro'
  if (part.hasKick) return 'main'
  const leadsToDrop = part.bars <= LONGEST_BUILD_BARS && isBeforeDrop
  return leadsToDrop && (part.hits > BUILD_HITS || before?.hasKick === false) ? 'build' : 'break'
}

/**
 * The sections of a song; `barFrames` are the onset frames of its bar lines. Boundaries and kicks are reliable; of the
 * names, drops, intros and outros are: see bench/RESULTS.md.
 */
export function sectionsOf(series: RhythmSeries, barFrames: readonly number[]): Section[] {
  const parts = partsOf(barSoundsOf(series, barFrames.map(Math.round)))
  const drops = dropsAmong(parts)
  const loudest = Math.max(...parts.filter(({ bars }) => bars >= ROLL_BARS).map(({ loud }) => loud))
  return parts.map((part, i) => ({
    ...{ bar: part.bar, bars: part.bars, kind: kindOf(parts, drops, i), has_kick: part.hasKick },
    level: Math.round(100 * Math.max(0, Math.min(1, 1 + (part.loud - loudest) / LEVEL_RANGE_DB))) / 100,
  }))
}
