import { KEYS } from '@dubplate/contract/keys'
import type { DemoSong } from './songs.ts'

export type WorldPlaylist = {
  title: string
  description: string
  /** Public playlists belong to staff; the demo's DJ has private ones. */
  owner: 'staff' | 'dj'
  public: boolean
  changed_at: Date
  /** In playing order. */
  song_ids: number[]
}

const HOUR = 3_600_000

type PlaylistFilter = {
  genre_ids: readonly number[]
  bpm: readonly [low: number, high: number]
  mood_ids?: readonly number[]
}
type ListPlan = Pick<WorldPlaylist, 'title' | 'description' | 'owner'> & {
  hours_ago: number
  size: number
  choice: PlaylistFilter
}

// biome-ignore format: a table reads best as a table
const PLANS: readonly ListPlan[] = [
  { title: 'Warm-up: deep and slow', description: 'Deep house and afro house under 123 BPM, ordered by tempo for the first two hours.', owner: 'staff', hours_ago: 20, size: 18, choice: { genre_ids: [31, 41], bpm: [118, 123], mood_ids: [1, 4, 10] } },
  { title: 'Peak time: 126 and up', description: 'House into techno, from 126 to 136 BPM, for the middle of the night.', owner: 'staff', hours_ago: 44, size: 22, choice: { genre_ids: [31, 32, 33], bpm: [126, 136], mood_ids: [2, 9] } },
  { title: 'Open format: 88 to 108', description: 'Hip-hop, R&B, reggaeton and moombahton in one tempo range.', owner: 'staff', hours_ago: 70, size: 25, choice: { genre_ids: [37, 39, 40, 45], bpm: [88, 108] } },
  { title: 'Garage into drum & bass', description: 'Starts at 130 BPM and ends at 174, with a step at every change of genre.', owner: 'staff', hours_ago: 116, size: 20, choice: { genre_ids: [35, 43], bpm: [130, 176] } },
  { title: 'Disco brunch', description: 'Disco and funk for daylight, ordered so that each song mixes into the next.', owner: 'staff', hours_ago: 190, size: 14, choice: { genre_ids: [42], bpm: [110, 124] } },
  { title: 'Saturday, first hour', description: '', owner: 'dj', hours_ago: 3, size: 12, choice: { genre_ids: [31, 41, 42], bpm: [116, 124], mood_ids: [1, 5] } },
  { title: 'Try these out loud', description: '', owner: 'dj', hours_ago: 52, size: 8, choice: { genre_ids: [32, 33, 36], bpm: [120, 145] } },
]

const matchesFilter = ({ genre_ids, bpm: [low, high], mood_ids }: PlaylistFilter, song: DemoSong): boolean =>
  song.song_section_id === 1 &&
  genre_ids.includes(song.genre_ids[0] ?? 0) &&
  song.min_bpm >= low &&
  song.max_bpm <= high &&
  (!mood_ids || song.mood_ids.some((mood) => mood_ids.includes(mood)))

/** The most popular songs that match, ordered by tempo and then by key. */
function pickSongs(songs: readonly DemoSong[], choice: PlaylistFilter, size: number): number[] {
  const matches = songs.filter((song) => matchesFilter(choice, song)).sort((a, b) => b.weight - a.weight)
  return matches
    .slice(0, size)
    .sort((a, b) => a.min_bpm - b.min_bpm || KEYS.indexOf(a.song_key) - KEYS.indexOf(b.song_key))
    .map((song) => song.song_id)
}

/** The pool's public playlists and two of the demo's DJ. */
export const buildPlaylists = (songs: readonly DemoSong[], now: Date): WorldPlaylist[] =>
  PLANS.map(({ title, description, owner, hours_ago, size, choice }) => ({
    title,
    description,
    owner,
    public: owner === 'staff',
    changed_at: new Date(now.getTime() - hours_ago * HOUR),
    song_ids: pickSongs(songs, choice, size),
  }))
