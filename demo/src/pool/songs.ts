import { KEYS, type SongKey } from '@dubplate/contract/keys'
import { between, pick, type Random, seededRandom, seedOf, shuffled } from '../random.ts'
import type { DemoVersion, Recipe } from '../sound/recipe.ts'
import { CRATES, type Crate, type Scene, subgenresOf } from './genres.ts'
import { ARTISTS, LABELS, TITLES } from './names.ts'

export type WorldVersion = { label: DemoVersion; recipe: Recipe }

export type WorldSong = {
  /** Counts from 1 in order of release, as the pool's own ids would. */
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
  /** How wanted it is, apart from its age; 1 is usual. */
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

/** What a record pool ships for a scene; the first is what plays when a row is tapped. */
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

type Draft = Omit<WorldSong, 'song_id' | 'released_at'>

/** Deals titles so that none comes twice: a scene's own first, then the common ones. */
function titleDealer(random: Random): (scene: Scene) => string {
  const decks = new Map(Object.entries(TITLES).map(([scene, titles]) => [scene, shuffled(random, titles)]))
  const dealt = new Set<string>()
  const deal = (deck: string): string | undefined => {
    const title = decks.get(deck)!.pop()
    if (title === undefined || !dealt.has(title)) return title
    return deal(deck)
  }
  return (scene) => {
    const title = deal(scene) ?? deal('common')
    if (!title) throw new Error(`the ${scene} scene has no titles left`)
    dealt.add(title)
    return title
  }
}

/** The artist line, and the title with its remixer: one in eight has a guest, one in ten a partner, one in nine a remixer. */
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
  crate: Crate,
  key: SongKey,
  tempo: { bpm: number; bpm_to?: number },
  version: DemoVersion,
): Recipe {
  const index = KEYS.indexOf(key)
  const mode = index < 12 ? 'major' : 'minor'
  const arrival = version === 'Transition' && tempo.bpm_to ? { bpm_to: tempo.bpm_to } : {}
  return { seed, genre: crate.sound, tonic: index % 12, mode, bpm: tempo.bpm, version, ...arrival }
}

type Shelf = 'song' | 'kut' | 'transition'

function shelfOf(index: number): Shelf {
  if (index % KUT_EVERY === 7) return 'kut'
  return index % TRANSITION_EVERY === 4 ? 'transition' : 'song'
}

function versionsFor(random: Random, scene: Scene, shelf: Shelf): readonly DemoVersion[] {
  if (shelf === 'kut') return pick(random, KUT_VERSIONS)
  if (shelf === 'transition') return ['Transition', ...pick(random, VERSION_SETS[scene]).slice(0, 3)]
  return pick(random, VERSION_SETS[scene])
}

function draft(index: number, crate: Crate, titleOf: (scene: Scene) => string, thisYear: number): Draft {
  const seed = seedOf(SEED, `song ${index}`)
  const random = seededRandom(seed)
  const shelf = shelfOf(index)
  const credited = credit(random, crate.scene, titleOf(crate.scene))
  const bpm = between(random, ...crate.bpm)
  const bpm_to = shelf === 'transition' ? Math.round(bpm * pick(random, [1.16, 1.25, 1.33])) : undefined
  const song_key = drawKey(random, crate.scene)
  const isThrowback = random() < 0.24
  const subgenre = random() < 0.75 ? [pick(random, subgenresOf(crate.genre_id)).genre_id] : []
  const labels = versionsFor(random, crate.scene, shelf)
  return {
    ...credited,
    album: random() < 0.35 ? `${credited.title.replace(/ \(.*\)$/, '')} EP` : '',
    label: pick(random, LABELS),
    year: isThrowback ? between(random, 1992, thisYear - 3) : thisYear - (random() < 0.25 ? 1 : 0),
    min_bpm: bpm,
    max_bpm: bpm_to ?? bpm,
    song_key,
    genre_ids: [crate.genre_id, ...subgenre],
    mood_ids: shuffled(random, crate.moods).slice(0, between(random, 1, 2)),
    song_section_id: shelf === 'kut' ? 2 : 1,
    cover_seed: seedOf(seed, 'sleeve'),
    weight: Math.exp(1.1 * (random() + random() + random() - 1.5) * 1.6),
    versions: labels.map((label) => ({
      label,
      recipe: recipeOf(seed, crate, song_key, { bpm, ...(bpm_to && { bpm_to }) }, label),
    })),
  }
}

/** A moment of a day: office hours in Europe and America, never later than `now`. */
function momentOn(random: Random, midnight: number, now: number): number {
  const wanted = midnight + (8 + 11 * random()) * 3_600_000
  return wanted < now ? wanted : midnight + (now - midnight) * random()
}

/** Release moments, oldest first: a handful today and yesterday, the rest over fourteen months, denser lately. */
function releaseMoments(count: number, now: Date): Date[] {
  const random = seededRandom(seedOf(SEED, 'calendar'))
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const daysAgo = Array.from({ length: count }, (_, i) => {
    if (i < TODAY) return 0
    if (i < TODAY + YESTERDAY) return 1
    return 2 + Math.floor((OLDEST_DAYS - 2) * random() ** 1.4)
  })
  const moments = daysAgo.map((days) => momentOn(random, midnight - days * DAY, now.getTime()))
  return moments.sort((a, b) => a - b).map((moment) => new Date(moment))
}

/** All songs of the demo pool, oldest first. Only dates and years depend on `now`. */
export function listSongs(now: Date): WorldSong[] {
  const titleOf = titleDealer(seededRandom(seedOf(SEED, 'titles')))
  const crates = CRATES.flatMap((crate) => Array.from({ length: crate.songs }, () => crate))
  const thisYear = now.getUTCFullYear()
  const drafts = crates.map((crate, index) => draft(index, crate, titleOf, thisYear))
  const moments = releaseMoments(drafts.length, now)
  return shuffled(seededRandom(seedOf(SEED, 'order')), drafts).map((song, i) => ({
    ...song,
    song_id: i + 1,
    released_at: moments[i]!,
    year: Math.min(song.year, moments[i]!.getUTCFullYear()),
  }))
}
