import { KEYS, type SongKey } from '@dubplate/contract/keys'
import { between, pick, type Random, seededRandom, seedOf, shuffled } from '../random.ts'
import type { DemoVersion, Recipe } from '../sound/recipe.ts'
import { GENRE_CRATES, type GenreCrate, type Scene, subgenresOf } from './genres.ts'
import { ARTISTS, LABELS, TITLES } from './names.ts'

export type WorldVersion = { label: DemoVersion; recipe: Recipe }

export type DemoSong = {
  /** Counts from 1 in order of release, like the pool's own ids. */
  song_id: number
  title: string
  artist: string
  album: string
  label: string
  year: number
  min_bpm: number
  max_bpm: number
  song_key: SongKey
  genre_ids: number[]
  mood_ids: number[]
  /** 1 songs, 2 kuts. */
  song_section_id: 1 | 2
  released_at: Date
  cover_seed: number
  /** Popularity apart from age; 1 is average. */
  weight: number
  versions: WorldVersion[]
}

const SEED = 1977
const DAY = 86_400_000
const OLDEST_DAYS = 425
const TODAY = 5
const YESTERDAY = 4
const KUT_EVERY = 12
const TRANSITION_EVERY = 16

/** Version types that a record pool usually has for a scene. The first one is played when a row is tapped. */
const VERSION_SETS: Record<Scene, readonly (readonly DemoVersion[])[]> = {
  club: [
    ['Original', 'Extended', 'Instrumental'],
    ['Extended', 'Original', 'Quick Hit', 'Acapella'],
    ['Original', 'Extended', 'Acapella Intro', 'Instrumental'],
  ],
  bass: [
    ['Original', 'Extended', 'Instrumental'],
    ['Original', 'Intro Clean', 'Quick Hit', 'Instrumental'],
  ],
  urban: [
    ['Intro Clean', 'Intro Dirty', 'Clean', 'Dirty', 'Instrumental'],
    ['Clean', 'Dirty', 'Acapella', 'Instrumental'],
    ['Intro Clean', 'Intro Dirty', 'Quick Hit', 'Acapella Intro'],
  ],
  latin: [
    ['Intro Clean', 'Intro Dirty', 'Clean', 'Dirty'],
    ['Intro Clean', 'Clean', 'Quick Hit', 'Acapella Intro', 'Instrumental'],
    ['Original', 'Intro Clean', 'Acapella'],
  ],
  pop: [
    ['Intro Clean', 'Clean', 'Quick Hit', 'Instrumental'],
    ['Original', 'Extended', 'Acapella', 'Quick Hit'],
    ['Clean', 'Intro Clean', 'Acapella Intro', 'Acapella'],
  ],
}

const KUT_VERSIONS: readonly (readonly DemoVersion[])[] = [
  ['Quick Hit', 'Clean', 'Dirty'],
  ['Quick Hit', 'Acapella Intro', 'Instrumental'],
]

type SongDraft = Omit<DemoSong, 'song_id' | 'released_at'>

/** Hands out each title once: a scene's own first, then the common ones. */
function createTitleGenerator(random: Random): (scene: Scene) => string {
  const shuffledTitles = new Map(Object.entries(TITLES).map(([scene, titles]) => [scene, shuffled(random, titles)]))
  const usedTitles = new Set<string>()
  const drawCard = (deckName: string): string | undefined => {
    const title = shuffledTitles.get(deckName)!.pop()
    if (title === undefined || !usedTitles.has(title)) return title
    return drawCard(deckName)
  }
  return (scene) => {
    const title = drawCard(scene) ?? drawCard('common')
    if (!title) throw new Error(`the ${scene} scene has no titles left`)
    usedTitles.add(title)
    return title
  }
}

/**
 * The artist line, and the title with its remixer: one song in eight has a guest, one in ten a second artist, one in
 * nine a remixer.
 */
function credit(random: Random, scene: Scene, title: string): { title: string; artist: string } {
  const [artist, other, third] = shuffled(random, ARTISTS[scene])
  const chance = random()
  if (chance < 0.12) return { title, artist: `${artist} feat. ${other}` }
  if (chance < 0.22) return { title, artist: `${artist} & ${other}` }
  if (chance < 0.33) return { title: `${title} (${other} Remix)`, artist: artist! }
  if (chance < 0.36) return { title, artist: `${artist}, ${other} & ${third}` }
  return { title, artist: artist! }
}

function drawKey(random: Random, scene: Scene): SongKey {
  const isMinor = random() < (scene === 'pop' ? 0.5 : 0.74)
  return KEYS[between(random, 0, 11) + (isMinor ? 12 : 0)]!
}

function recipeOf(
  seed: number,
  genreCrate: GenreCrate,
  key: SongKey,
  tempo: { bpm: number; bpm_to?: number },
  version: DemoVersion,
): Recipe {
  const index = KEYS.indexOf(key)
  const mode = index < 12 ? 'major' : 'minor'
  const targetBpm = version === 'Transition' && tempo.bpm_to ? { bpm_to: tempo.bpm_to } : {}
  return { seed, genre: genreCrate.sound, tonic: index % 12, mode, bpm: tempo.bpm, version, ...targetBpm }
}

type SongSectionKind = 'song' | 'kut' | 'transition'

function sectionKindOf(index: number): SongSectionKind {
  if (index % KUT_EVERY === 7) return 'kut'
  return index % TRANSITION_EVERY === 4 ? 'transition' : 'song'
}

function versionsFor(random: Random, scene: Scene, sectionKind: SongSectionKind): readonly DemoVersion[] {
  if (sectionKind === 'kut') return pick(random, KUT_VERSIONS)
  if (sectionKind === 'transition') return ['Transition', ...pick(random, VERSION_SETS[scene]).slice(0, 3)]
  return pick(random, VERSION_SETS[scene])
}

function draftSong(
  index: number,
  genreCrate: GenreCrate,
  titleOf: (scene: Scene) => string,
  thisYear: number,
): SongDraft {
  const seed = seedOf(SEED, `song ${index}`)
  const random = seededRandom(seed)
  const sectionKind = sectionKindOf(index)
  const songCredit = credit(random, genreCrate.scene, titleOf(genreCrate.scene))
  const bpm = between(random, ...genreCrate.bpm)
  const bpm_to = sectionKind === 'transition' ? Math.round(bpm * pick(random, [1.16, 1.25, 1.33])) : undefined
  const song_key = drawKey(random, genreCrate.scene)
  const isThrowback = random() < 0.24
  const subgenre = random() < 0.75 ? [pick(random, subgenresOf(genreCrate.genre_id)).genre_id] : []
  const labels = versionsFor(random, genreCrate.scene, sectionKind)
  return {
    ...songCredit,
    album: random() < 0.35 ? `${songCredit.title.replace(/ \(.*\)$/, '')} EP` : '',
    label: pick(random, LABELS),
    year: isThrowback ? between(random, 1992, thisYear - 3) : thisYear - (random() < 0.25 ? 1 : 0),
    min_bpm: bpm,
    max_bpm: bpm_to ?? bpm,
    song_key,
    genre_ids: [genreCrate.genre_id, ...subgenre],
    mood_ids: shuffled(random, genreCrate.moods).slice(0, between(random, 1, 2)),
    song_section_id: sectionKind === 'kut' ? 2 : 1,
    cover_seed: seedOf(seed, 'sleeve'),
    weight: Math.exp(1.1 * (random() + random() + random() - 1.5) * 1.6),
    versions: labels.map((label) => ({
      label,
      recipe: recipeOf(seed, genreCrate, song_key, { bpm, ...(bpm_to && { bpm_to }) }, label),
    })),
  }
}

/** A random time on a day: office hours in Europe and America, never later than `now`. */
function randomTimeOn(random: Random, midnight: number, now: number): number {
  const target = midnight + (8 + 11 * random()) * 3_600_000
  return target < now ? target : midnight + (now - midnight) * random()
}

/**
 * Release times, oldest first: a handful today and yesterday, the rest over fourteen months, denser towards the
 * present.
 */
function releaseTimes(count: number, now: Date): Date[] {
  const random = seededRandom(seedOf(SEED, 'calendar'))
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const ageInDays = Array.from({ length: count }, (_, i) => {
    if (i < TODAY) return 0
    if (i < TODAY + YESTERDAY) return 1
    return 2 + Math.floor((OLDEST_DAYS - 2) * random() ** 1.4)
  })
  const times = ageInDays.map((days) => randomTimeOn(random, midnight - days * DAY, now.getTime()))
  return times.sort((a, b) => a - b).map((time) => new Date(time))
}

/** All songs of the demo pool, oldest first. Only dates and years depend on `now`. */
export function buildSongs(now: Date): DemoSong[] {
  const titleOf = createTitleGenerator(seededRandom(seedOf(SEED, 'titles')))
  const crates = GENRE_CRATES.flatMap((genreCrate) => Array.from({ length: genreCrate.songs }, () => genreCrate))
  const thisYear = now.getUTCFullYear()
  const drafts = crates.map((genreCrate, index) => draftSong(index, genreCrate, titleOf, thisYear))
  const times = releaseTimes(drafts.length, now)
  return shuffled(seededRandom(seedOf(SEED, 'order')), drafts).map((song, i) => ({
    ...song,
    song_id: i + 1,
    released_at: times[i]!,
    year: Math.min(song.year, times[i]!.getUTCFullYear()),
  }))
}
