import { between, type Random, seededRandom, seedOf, shuffled } from '../random.ts'
import { CURATORS } from './names.ts'
import type { DemoSong } from './songs.ts'

export type WorldCuratedGenre = { curated_genre_id: number; title: string; name: string; parent_id: number | null }

export type WorldCuratedList = {
  curated_list_id: number
  title: string
  description: string
  created_by: string
  cover_seed: number
  curated_genre_id: number
  created_at: Date
  song_ids: number[]
}

export type WorldTop20 = {
  top20_track_id: number
  title: string
  description: string
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

type ListPlan = readonly [title: string, category: number, size: number, choice: SongFilter, description: string]

// biome-ignore format: a table reads best as a table
const LIST_PLANS: readonly ListPlan[] = [
  ['Warm-up hours', 11, 24, inMood(1), 'Unhurried grooves for an empty floor, with room to build.'],
  ['Peak time tools', 12, 32, inMood(2), 'Big drums and clean intros for the busiest hour of the night.'],
  ['Latin heat', 21, 28, inGenre(40, 45), 'Reggaeton and moombahton that mix with almost anything at 90 to 110 BPM.'],
  ['Nineties flips & edits', 41, 18, fromYears(1990, 1999), 'Songs from 1990 to 1999, edited so that they start on the beat.'],
  ['Sunset terrace', 11, 20, inMood(4), 'Warm pads, soft drums and long blends for the last hour of daylight.'],
  ['Last hour, lights low', 13, 18, inMood(3, 6), 'After-hours and dark cuts for the people who always stay until the end.'],
  ['Tempo changers', 31, 16, withVersion('Transition'), 'Transition versions that take the floor from one tempo to another in a few bars.'],
  ['Hip-hop essentials', 22, 24, inGenre(37, 38), 'Hip-hop and trap that every open-format set needs, clean and dirty.'],
  ['Afro house passport', 12, 18, inGenre(41), 'Percussion first: afro house at 118 to 124 BPM.'],
  ['Garage & friends', 23, 22, inGenre(43, 35), 'UK garage and its faster relatives, from two-step to drum and bass.'],
  ['First dance to last dance', 5, 36, inMood(5, 7), 'A whole wedding in one list: romantic at first, feel-good until the lights come on.'],
  ['Naked vocals: acapellas to layer', 32, 30, withVersion('Acapella'), 'Acapellas with tempo and key, ready to layer over your own drums.'],
  ['Disco never left', 5, 16, inGenre(42), 'Disco and funk with live bass lines, old and new.'],
  ['174 and rising', 23, 16, inGenre(35), 'Drum and bass for the moment when the room wants more.'],
  ['Y2K glow', 42, 20, fromYears(2000, 2012), 'Hooks from 2000 to 2012 that everyone can sing.'],
  ['Slow jams & late drives', 22, 16, inGenre(39), 'R&B between 86 and 108 BPM for small rooms and long roads.'],
]

function buildList(plan: ListPlan, index: number, songs: readonly DemoSong[], now: Date): WorldCuratedList {
  const [title, curated_genre_id, size, choice, description] = plan
  const random = seededRandom(seedOf(SEED, title))
  return {
    curated_list_id: index + 1,
    title,
    description,
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
    const title = monthFormat.format(first)
    const random = seededRandom(seedOf(SEED, month))
    return {
      top20_track_id: 24 - monthsAgo,
      title,
      description: `Our curators’ 20 picks of ${title}, ranked.`,
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
