import type { DemoGenre } from '../sound/recipe.ts'

export type WorldGenre = {
  genre_id: number
  name: string
  description: string
  parent_id: number | null
  sort_order: number
}
export type WorldMood = { mood_id: number; name: string; sort_order: number }

/** Scenes group genres: the scene determines names, languages and the versions of a song. */
export type Scene = 'club' | 'bass' | 'urban' | 'latin' | 'pop'

/** A main genre with its usual tempo and the style in which the synthesiser plays it. */
export type GenreCrate = {
  genre_id: number
  name: string
  description: string
  scene: Scene
  sound: DemoGenre
  bpm: readonly [low: number, high: number]
  /** Number of demo songs in this genre. */
  songs: number
  subgenres: readonly string[]
  /** Moods its songs may have. */
  moods: readonly number[]
}

/** The home page opens on this genre. */
export const HOUSE = 31

export const MOODS: readonly WorldMood[] = [
  'Warm-up',
  'Peak time',
  'After hours',
  'Sunset',
  'Feel good',
  'Dark',
  'Romantic',
  'Throwback',
  'Festival',
  'Lounge',
].map((name, i) => ({ mood_id: i + 1, name, sort_order: i + 1 }))

type GenreLine = Omit<GenreCrate, 'genre_id' | 'name'>

const genreCrate = (genre_id: number, name: string, line: GenreLine): GenreCrate => ({ genre_id, name, ...line })

// biome-ignore format: a table reads best as a table
export const GENRE_CRATES: readonly GenreCrate[] = [
  genreCrate(31, 'House', { description: 'Four to the floor, from deep and soulful to piano and jackin house.', scene: 'club', sound: 'house', bpm: [120, 127], songs: 36, subgenres: ['Deep House', 'Soulful House', 'Piano House', 'Jackin House'], moods: [1, 2, 4, 5, 10] }),
  genreCrate(32, 'Tech House', { description: 'Rolling bass lines and dry drums, built for long blends.', scene: 'club', sound: 'techhouse', bpm: [124, 130], songs: 20, subgenres: ['Latin Tech', 'Minimal'], moods: [1, 2, 6, 9] }),
  genreCrate(33, 'Techno', { description: 'Hypnotic, hard and dub techno at 130 to 142 BPM.', scene: 'club', sound: 'techno', bpm: [130, 142], songs: 14, subgenres: ['Melodic Techno', 'Hard Techno', 'Dub Techno'], moods: [2, 3, 6] }),
  genreCrate(34, 'Trance', { description: 'Long builds and big melodies, progressive and uplifting.', scene: 'club', sound: 'trance', bpm: [132, 140], songs: 10, subgenres: ['Progressive Trance', 'Uplifting'], moods: [2, 4, 9] }),
  genreCrate(35, 'Drum & Bass', { description: 'Liquid, jump up and jungle at 170 to 176 BPM.', scene: 'bass', sound: 'dnb', bpm: [170, 176], songs: 16, subgenres: ['Liquid', 'Jump Up', 'Jungle'], moods: [2, 5, 6, 9] }),
  genreCrate(36, 'Dubstep', { description: 'Half-time drums and heavy sub-bass around 140 BPM.', scene: 'bass', sound: 'dubstep', bpm: [138, 144], songs: 8, subgenres: ['140', 'Riddim'], moods: [3, 6, 9] }),
  genreCrate(37, 'Hip-Hop', { description: 'Boom bap, West Coast and jazz rap, clean and dirty.', scene: 'urban', sound: 'hiphop', bpm: [84, 102], songs: 24, subgenres: ['Boom Bap', 'West Coast', 'Jazz Rap'], moods: [1, 5, 8, 10] }),
  genreCrate(38, 'Trap', { description: 'Fast hi-hats and deep 808s, from drill to melodic trap.', scene: 'urban', sound: 'trap', bpm: [132, 150], songs: 14, subgenres: ['Drill', 'Melodic Trap'], moods: [2, 6, 9] }),
  genreCrate(39, 'R&B', { description: 'Neo soul and slow jams for early sets and late nights.', scene: 'urban', sound: 'rnb', bpm: [86, 108], songs: 16, subgenres: ['Neo Soul', 'Slow Jam'], moods: [6, 7, 8, 10] }),
  genreCrate(40, 'Reggaeton', { description: 'Dembow drums from perreo to romantiqueo.', scene: 'latin', sound: 'reggaeton', bpm: [88, 100], songs: 24, subgenres: ['Perreo', 'Romantiqueo', 'Dembow'], moods: [2, 5, 7] }),
  genreCrate(41, 'Afro House', { description: 'Organic percussion and deep grooves at 118 to 124 BPM.', scene: 'club', sound: 'afro', bpm: [118, 124], songs: 18, subgenres: ['Afro Tech', 'Afro Latin'], moods: [1, 3, 4] }),
  genreCrate(42, 'Disco & Funk', { description: 'Live bass, strings and hand claps: nu disco, Italo and boogie.', scene: 'pop', sound: 'disco', bpm: [110, 124], songs: 16, subgenres: ['Nu Disco', 'Italo', 'Boogie'], moods: [1, 5, 8] }),
  genreCrate(43, 'UK Garage', { description: 'Shuffled drums and chopped vocals, two-step and speed garage.', scene: 'bass', sound: 'garage', bpm: [130, 136], songs: 14, subgenres: ['2-Step', 'Speed Garage'], moods: [2, 5, 8] }),
  genreCrate(44, 'Pop', { description: 'Dance pop and synth pop in versions made for DJs.', scene: 'pop', sound: 'pop', bpm: [96, 128], songs: 18, subgenres: ['Dance Pop', 'Synth Pop'], moods: [5, 7, 9] }),
  genreCrate(45, 'Moombahton', { description: 'Reggaeton rhythms at 106 to 112 BPM, slowed-down house energy.', scene: 'latin', sound: 'reggaeton', bpm: [106, 112], songs: 8, subgenres: ['Moombahcore'], moods: [2, 5, 9] }),
]

const FIRST_SUBGENRE = 101

/** Main genres in their order, each followed by its sub-genres. Ids are fixed. */
export const GENRES: readonly WorldGenre[] = buildGenres()

function buildGenres(): WorldGenre[] {
  let nextId = FIRST_SUBGENRE
  return GENRE_CRATES.flatMap(({ genre_id, name, description, subgenres }, order) => [
    { genre_id, name, description, parent_id: null, sort_order: order + 1 },
    ...subgenres.map((subgenre, i) => ({
      genre_id: nextId++,
      name: subgenre,
      description: '',
      parent_id: genre_id,
      sort_order: i + 1,
    })),
  ])
}

export function subgenresOf(genreId: number): WorldGenre[] {
  return GENRES.filter((genre) => genre.parent_id === genreId)
}
