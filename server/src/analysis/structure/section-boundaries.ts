/** What a boundary costs: little at the start of a phrase of eight bars, more at four, most elsewhere. */
const EIGHT_BARS = 0.5
const FOUR_BARS = 2
const ELSEWHERE = 6
const PHRASE_BARS = 8
/** Phrases that begin later in the file cost a little more, so that equal ones begin with the first bar. */
const LATER_PHRASE = 0.05
const LEAST_BARS = 2
/** Longer sections than this are not looked for, so that a long mix does not take minutes. */
const MOST_BARS = 128

function priceOf(bar: number, phrase: number): number {
  if (bar === 0) return 0
  const inPhrase = (((bar - phrase) % PHRASE_BARS) + PHRASE_BARS) % PHRASE_BARS
  if (inPhrase === 0) return EIGHT_BARS
  return inPhrase === PHRASE_BARS / 2 ? FOUR_BARS : ELSEWHERE
}

/** Sum of squared distances from the mean, of any run of bars, in constant time. */
function spreadOf(profiles: readonly (readonly number[])[]): (from: number, to: number) => number {
  const dimensions = profiles[0]?.length ?? 0
  const sums = Array.from({ length: dimensions }, () => new Float64Array(profiles.length + 1))
  const squares = new Float64Array(profiles.length + 1)
  profiles.forEach((profile, bar) => {
    squares[bar + 1] = squares[bar]! + profile.reduce((sum, value) => sum + value * value, 0)
    profile.forEach((value, i) => {
      sums[i]![bar + 1] = sums[i]![bar]! + value
    })
  })
  return (from, to) => {
    let spread = squares[to]! - squares[from]!
    for (let i = 0; i < dimensions; i++) {
      const sum = sums[i]![to]! - sums[i]![from]!
      spread -= (sum * sum) / (to - from)
    }
    return spread
  }
}

/**
 * The first bars of the sections: the bars are cut where their sounds differ most, exactly, by dynamic programming over
 * the spread inside the sections plus the price of each boundary. All eight beginnings of the phrases are tried.
 */
export function sectionStarts(profiles: readonly (readonly number[])[]): number[] {
  const count = profiles.length
  const spread = spreadOf(profiles)
  let best = { cost: Number.POSITIVE_INFINITY, starts: [0] }
  for (let phrase = 0; phrase < PHRASE_BARS; phrase++) {
    const costs = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
    const previous = new Int32Array(count + 1)
    costs[0] = phrase * LATER_PHRASE
    for (let to = 1; to <= count; to++) {
      for (let from = Math.max(0, to - MOST_BARS); from < to; from++) {
        const isShort = to - from < LEAST_BARS
        if (isShort && from > 0 && to < count) continue
        const cost = costs[from]! + priceOf(from, phrase) + spread(from, to)
        if (cost < costs[to]!) [costs[to], previous[to]] = [cost, from]
      }
    }
    if (costs[count]! >= best.cost) continue
    const starts: number[] = []
    for (let bar = count; bar > 0; bar = previous[bar]!) starts.unshift(previous[bar]!)
    best = { cost: costs[count]!, starts }
  }
  return best.starts
}
