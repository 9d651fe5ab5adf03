import { between, type Random, seededRandom, seedOf, shuffled } from '../random.ts'
import { CURATORS } from './names.ts'
import type { DemoSong } from './songs.ts'

export type WorldCuratedGenre = { curated_genre_id: number; title: string; name: string; parent_id: number | null }

export type WorldCuratedList = {
  curated_list_id: number
  title: string
  created_by: string
  cover_seed: number
  curated_genre_id: number
  created_at: Date
  song_ids: number[]
}

export type WorldTop20 = {
  top20_track_id: number
  title: string
  month: string
  cover_seed: number /** Best first. */
  song_ids: number[]
}

const SEED = 20
const DAY = 86_400_000

const category = (curated_genre_id: number, title: string, parent_id: number | null = null): WorldCuratedGenre => ({
  curated_genre_id,
  title,
  name: title,
  parent_id,
})

export const CURATED_GENRES: readonly WorldCuratedGenre[] = [
  category(1, 'For the night'),
  category(11, 'Opening', 1),
  category(12, 'Main room', 1),
  category(13, 'Closing', 1),
  category(2, 'By scene'),
  category(21, 'Latin', 2),
  category(22, 'Urban', 2),
  category(23, 'Bass', 2),
  category(3, 'Tools'),
  category(31, 'Transitions', 3),
  category(32, 'Acapellas', 3),
  category(4, 'Decades'),
  category(41, 'Nineties', 4),
  category(42, 'Two-thousands', 4),
  category(5, 'Weddings & parties'),
]

type SongFilter = (song: DemoSong) => boolean

const inGenre =
  (...ids: number[]): SongFilter =>
  (song) =>
    song.genre_ids.some((id) => ids.includes(id))
const inMood =
  (...ids: number[]): SongFilter =>
  (song) =>
    song.mood_ids.some((id) => ids.includes(id))
const withVersion =
  (label: string): SongFilter =>
  (song) =>
    song.versions.some((version) => version.label === label)
const fromYears =
  (first: number, last: number): SongFilter =>
  (song) =>
    song.year >= first && song.year <= last

type ListPlan = readonly [title: string, category: number, size: number, choice: SongFilter]

const LIST_PLANS: readonly ListPlan[] = [
  ['Warm-up hours', 11, 24, inMood(1)],
  ['Peak time tools', 12, 32, inMood(2)],
  ['Latin heat', 21, 28, inGenre(40, 45)],
  ['Nineties flips & edits', 41, 18, fromYears(1990, 1999)],
  ['Sunset terrace', 11, 20, inMood(4)],
  ['Last hour, lights low', 13, 18, inMood(3, 6)],
  ['Tempo changers', 31, 16, withVersion('Transition')],
  ['Hip-hop essentials', 22, 24, inGenre(37, 38)],
  ['Afro house passport', 12, 18, inGenre(41)],
  ['Garage & friends', 23, 22, inGenre(43, 35)],
  ['First dance to last dance', 5, 36, inMood(5, 7)],
  ['Naked vocals: acapellas to layer', 32, 30, withVersion('Acapella')],
  ['Disco never left', 5, 16, inGenre(42)],
  ['174 and rising', 23, 16, inGenre(35)],
  ['Y2K glow', 42, 20, fromYears(2000, 2012)],
  ['Slow jams & late drives', 22, 16, inGenre(39)],
]

function buildList(plan: ListPlan, index: number, songs: readonly DemoSong[], now: Date): WorldCuratedList {
  const [title, curated_genre_id, size, choice] = plan
  const random = seededRandom(seedOf(SEED, title))
  return {
    curated_list_id: index + 1,
    title,
    created_by: CURATORS[index % CURATORS.length]!,
    cover_seed: seedOf(SEED, `sleeve ${title}`),
    curated_genre_id,
    created_at: new Date(now.getTime() - (index * 9 + 1) * DAY),
    song_ids: shuffled(random, songs.filter(choice))
      .slice(0, size)
      .map((song) => song.song_id),
  }
}

/** Sixteen lists, newest first. */
export function buildCuratedLists(songs: readonly DemoSong[], now: Date): WorldCuratedList[] {
  const regularSongs = songs.filter((song) => song.song_section_id === 1)
  return LIST_PLANS.map((plan, i) => buildList(plan, i, regularSongs, now))
}

/** Most popular first, with some randomness so that two months differ. */
function ranked(random: Random, songs: readonly DemoSong[], count: number): number[] {
  const scored = songs.map((song) => ({ id: song.song_id, score: song.weight * (0.3 + 1.4 * random()) }))
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ id }) => id)
}

/** Songs that a month's top 20 may contain: those already in the pool by then, and those recorded long before. */
function songsReleasedBefore(songs: readonly DemoSong[], end: Date): DemoSong[] {
  const released = songs.filter((song) => song.released_at < end || song.year < end.getUTCFullYear())
  return released.length >= 60 ? released : songs.slice(0, 60)
}

/** Top 20 of the last 24 months, the current month first. */
export function buildTop20(songs: readonly DemoSong[], now: Date): WorldTop20[] {
  const monthFormat = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return Array.from({ length: 24 }, (_, monthsAgo) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1))
    const end = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1))
    const month = first.toISOString().slice(0, 7)
    const random = seededRandom(seedOf(SEED, month))
    return {
      top20_track_id: 24 - monthsAgo,
      title: monthFormat.format(first),
      month,
      cover_seed: seedOf(SEED, `month ${month}`),
      song_ids: ranked(random, songsReleasedBefore(songs, end), 20),
    }
  })
}

/** Thirty trending songs: popular, and from the last two months. */
export function listTrending(songs: readonly DemoSong[], now: Date): number[] {
  const recent = songs.filter((song) => now.getTime() - song.released_at.getTime() < 60 * DAY)
  const pool = recent.length >= 30 ? recent : songs.slice(-60)
  return ranked(seededRandom(seedOf(SEED, 'trending')), pool, 30)
}

/** Ids of the suggested lists in the sidebar. */
export function pickSuggestedLists(lists: readonly WorldCuratedList[]): number[] {
  const random = seededRandom(seedOf(SEED, 'suggested'))
  return shuffled(random, lists)
    .slice(0, between(random, 5, 6))
    .map((list) => list.curated_list_id)
}
