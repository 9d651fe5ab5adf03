import { type Random, seededRandom } from '../random.ts'
import type { DemoSong } from './songs.ts'

export type Activity = {
  at: Date
  kind: 'download' | 'listen'
  /** Indexes: the song in the world, the version in the song, the member in `members`. */
  song: number
  version: number
  member: number
}

type ActivityChoice = Pick<Activity, 'song' | 'version' | 'member'>

export type ActivityOptions = { days: number; downloadsPerDay: number; members: number; seed?: number }

const DAY = 86_400_000
const LISTENS_PER_DOWNLOAD = 2.5
/** The pool's default download limit: two downloads of a version per member. */
const DOWNLOADS_PER_VERSION = 2
/** DJs prepare for the weekend, so Friday has the most downloads. Sunday comes first. */
const WEEKDAYS = [0.7, 0.65, 0.75, 0.9, 1.25, 1.6, 1.25] as const
/** Relative activity by UTC hour, from a quiet morning to a busy evening. */
const HOURS = [5, 4, 3, 2, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 9, 9, 9, 8, 7, 6] as const

/** Draws an index by weight from running totals, with a binary search. */
function drawIndex(random: Random, totals: Float64Array): number {
  const target = random() * totals[totals.length - 1]!
  let low = 0
  let high = totals.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (totals[middle]! > target) high = middle
    else low = middle + 1
  }
  return low
}

function runningTotals(weights: readonly number[]): Float64Array {
  let sum = 0
  return Float64Array.from(weights, (weight) => (sum += weight))
}

/** A song is most popular in its first weeks; popular songs keep being played. */
function popularityAt(song: DemoSong, at: number): number {
  const ageDays = (at - song.released_at.getTime()) / DAY
  if (ageDays < 0) return 0
  return song.weight * (5 * Math.exp(-ageDays / 10) + 1.2 * Math.exp(-ageDays / 60) + 0.2)
}

const hourTotals = runningTotals(HOURS)

function randomTimeOfDay(random: Random, midnight: number): number {
  return midnight + (drawIndex(random, hourTotals) + random()) * 3_600_000
}

/** First versions are chosen more often than later ones. */
function drawVersion(random: Random, versions: number): number {
  return Math.floor(versions * random() ** 1.5)
}

/** Counts a member's downloads of a version. The returned function tells whether one was left. */
function createDownloadLimiter(): (activityChoice: ActivityChoice) => boolean {
  const used = new Map<number, number>()
  return ({ song, version, member }) => {
    const key = (song * 16 + version) * 65_536 + member
    const count = used.get(key) ?? 0
    if (count >= DOWNLOADS_PER_VERSION) return false
    used.set(key, count + 1)
    return true
  }
}

/** Draws again when the member has no downloads left for a version. Gives up when no version has any left. */
function drawAllowed(
  draw: () => ActivityChoice,
  isAllowed: (activityChoice: ActivityChoice) => boolean,
): ActivityChoice | undefined {
  for (let attempt = 0; attempt < 8; attempt++) {
    const activityChoice = draw()
    if (isAllowed(activityChoice)) return activityChoice
  }
  return undefined
}

/** Number of events on a day, downloads and listens together. */
function eventCountOn(random: Random, midnight: number, downloadsPerDay: number): number {
  const weekday = WEEKDAYS[new Date(midnight).getUTCDay()]!
  return Math.round(downloadsPerDay * (1 + LISTENS_PER_DOWNLOAD) * weekday * (0.85 + 0.3 * random()))
}

/**
 * Members' activity over the last `days` days (today counts as one, up to `now`), oldest first. There is none for a
 * song before its release, and nobody downloads a version more than twice.
 */
export function* activity(
  world: { songs: readonly DemoSong[]; now: Date },
  options: ActivityOptions,
): Generator<Activity> {
  const { songs } = world
  const now = world.now.getTime()
  const random = seededRandom(options.seed ?? 1)
  const isDownloadAllowed = createDownloadLimiter()
  const memberTotals = runningTotals(Array.from({ length: options.members }, (_, i) => 1 / (i + 6) ** 0.7))
  const draw = (totals: Float64Array): ActivityChoice => {
    const song = drawIndex(random, totals)
    const version = drawVersion(random, songs[song]!.versions.length)
    return { song, version, member: drawIndex(random, memberTotals) }
  }
  const today = Math.floor(now / DAY) * DAY
  for (let midnight = today - (options.days - 1) * DAY; midnight <= today; midnight += DAY) {
    const count = eventCountOn(random, midnight, options.downloadsPerDay)
    const times = Array.from({ length: count }, () => randomTimeOfDay(random, midnight)).sort((a, b) => a - b)
    const totals = runningTotals(songs.map((song) => popularityAt(song, Math.min(now, midnight + DAY - 1))))
    if (totals[totals.length - 1] === 0) continue
    for (const at of times) {
      const kind = random() < 1 / (1 + LISTENS_PER_DOWNLOAD) ? 'download' : 'listen'
      const activityChoice = kind === 'listen' ? draw(totals) : drawAllowed(() => draw(totals), isDownloadAllowed)
      if (!activityChoice || at > now || at < songs[activityChoice.song]!.released_at.getTime()) continue
      yield { at: new Date(at), kind, ...activityChoice }
    }
  }
}
