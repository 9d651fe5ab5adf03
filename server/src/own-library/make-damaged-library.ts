import type { LibraryEntry } from '@dubplate/contract/library-files'
import type { CatalogueSong } from './candidates.ts'

/**
 * A catalogue, and the library of a DJ who has some of its songs: with the damage that files collect over years, and with
 * songs that the pool does not have but that look like some it has. Written without knowledge of the matcher's code.
 */

/** What an entry is: a version of the pool, or a file that the pool does not have. */
export type MadeEntry = {
  entry: LibraryEntry
  entity_id: number | null
  song_version_id: number | null
  damage: string
}

const FIRST =
  'Mara Kwame Lena Øystein Zoë Junip Amadou Priya Dmitri Élodie Tomás Ingrid Yuki Sade Marek Noor Otis Paloma Rasmus Tariq Uma Viktor Wren Xiomara Yann Zeynep'.split(
    ' ',
  )
const LAST =
  'Voss Ofori Sørensen Park Diallo Nair Volkov Moreau Núñez Falk Tanaka Kimura Brandt Haddad Reyes Holm Aziz Bloom Keller Okafor Lindqvist Duarte Moss Winter Castellanos Yıldız'.split(
    ' ',
  )
const NOUN =
  'River Mirror Signal Harbour Velvet Thunder Orchid Lantern Satellite Concrete Paper Crystal Shadow Garden Ocean Copper Midnight Neon Silver Fever Desert Marble Echo Carnival Avenue Gravity Horizon Tiger Cinema Winter'.split(
    ' ',
  )
const VERB =
  'Falling Dancing Running Waiting Burning Drifting Calling Breathing Rising Turning Chasing Dreaming Holding Leaving Fading Shining Breaking Sinking'.split(
    ' ',
  )
const TAIL =
  'Tonight|in the Dark|for You|Again|After Hours|on Fire|Over Me|Without Love|to the Sun|Forever|in Berlin|Back Home|Down Low|Like Rain|Beyond the Line'.split(
    '|',
  )
const BAND =
  'The Late Orchestra|Glass Harbour|Room 14|Night Transit|Low Ceiling|Sol & Sombra|Hey Margot|Two Step Away'.split('|')
const VERSIONS = ['Clean', 'Dirty', 'Intro Clean', 'Intro Dirty', 'Extended', 'Instrumental', 'Acapella']

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

class Maker {
  readonly random: () => number
  constructor(seed: number) {
    this.random = randomFrom(seed)
  }
  chance = (share: number) => this.random() < share
  below = (limit: number) => Math.floor(this.random() * limit)
  one = <T>(list: readonly T[]): T => list[this.below(list.length)]!
  artist = () => (this.chance(0.2) ? this.one(BAND) : `${this.one(FIRST)} ${this.one(LAST)}`)
  title = () => {
    const [noun, verb] = [this.one(NOUN), this.one(VERB)]
    const shape = this.below(4)
    if (shape === 0) return `${noun} ${this.one(NOUN)}`
    if (shape === 1) return `${verb} ${this.one(TAIL)}`
    if (shape === 2) return `${noun} ${verb} ${this.one(TAIL)}`
    return `${verb} the ${noun}`
  }
}

/** Songs with one to four versions; a fifth are remixes and a tenth have a guest. No two have the same artist and title. */
export function makeCatalogue(count: number, seed: number): CatalogueSong[] {
  const maker = new Maker(seed)
  const names = new Set<string>()
  const songs: CatalogueSong[] = []
  while (songs.length < count) {
    const [artist, base] = [maker.artist(), maker.title()]
    const remixer = maker.chance(0.2) ? maker.artist() : ''
    const guest = maker.chance(0.1) ? ` (feat. ${maker.artist()})` : ''
    const title = `${base}${guest}${remixer && ` (${remixer} Remix)`}`
    if (names.has(`${artist} ${base}`)) continue
    names.add(`${artist} ${base}`)
    const entity_id = songs.length + 1
    const labels = VERSIONS.filter(() => maker.chance(0.35))
    const length = 150 + maker.below(200)
    const versions = (labels.length > 0 ? labels : ['Clean']).map((version_label, n) => ({
      song_version_id: entity_id * 10 + n,
      version_label,
      duration_seconds: length + (/Intro|Extended/.test(version_label) ? 30 + maker.below(60) : maker.below(2)),
    }))
    const isrc = maker.chance(0.4) ? `GB${String(1e9 + entity_id).slice(-10)}` : ''
    songs.push({ entity_id, artist, title, remixer, isrc, versions })
  }
  return songs
}

type Names = { artist: string; title: string; version: string; file: string; seconds: number | null; isrc: string }
type Damage = (names: Names, maker: Maker) => Names

const withoutTags = (names: Names): Names => ({ ...names, artist: '', title: '', version: '', isrc: '' })
const fileOf = ({ artist, title, version }: Names) => `${artist} - ${title}${version && ` (${version})`}`

function misspelt(text: string, maker: Maker): string {
  const places = [...text.matchAll(/(?<=\p{L}{3})\p{L}(?=\p{L})/gu)].map(({ index }) => index)
  if (places.length === 0) return text
  const at = maker.one(places)
  const kind = maker.below(3)
  if (kind === 0) return text.slice(0, at) + text.slice(at + 1)
  if (kind === 1) return text.slice(0, at) + text[at] + text.slice(at)
  return `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`
}

const DAMAGES: Record<string, Damage> = {
  none: (names) => names,
  'only a file name': (names) => withoutTags({ ...names, file: fileOf(names) }),
  'numbered file name': (names, maker) =>
    withoutTags({ ...names, file: `${String(1 + maker.below(40)).padStart(2, '0')} ${fileOf(names)}` }),
  'underscores in the file name': (names) => withoutTags({ ...names, file: fileOf(names).replaceAll(' ', '_') }),
  'BPM and key in the file name': (names, maker) =>
    withoutTags({ ...names, file: `${fileOf(names)} ${90 + maker.below(60)} ${1 + maker.below(12)}A` }),
  'site in the title': (names) => ({ ...names, title: `${names.title} [www.music-site.example]` }),
  'no version': (names) => ({ ...names, version: '' }),
  'version after a dash': (names) => ({ ...names, title: `${names.title} - ${names.version}`, version: '' }),
  'misspelt title': (names, maker) => ({ ...names, title: misspelt(names.title, maker) }),
  'misspelt artist': (names, maker) => ({ ...names, artist: misspelt(names.artist, maker) }),
  'guest in the artist': (names) => {
    const guest = /\(feat\. ([^)]+)\)/.exec(names.title)?.[1]
    return guest
      ? { ...names, artist: `${names.artist} ft. ${guest}`, title: names.title.replace(/ \(feat\. [^)]+\)/, '') }
      : names
  },
  'capital letters': (names) => ({ ...names, artist: names.artist.toUpperCase(), title: names.title.toUpperCase() }),
  'without accents': (names) => {
    const plain = (text: string) =>
      text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ø', 'o').replaceAll('Ø', 'O').replaceAll('ı', 'i')
    return { ...names, artist: plain(names.artist), title: plain(names.title) }
  },
  entities: (names) => ({
    ...names,
    artist: names.artist.replaceAll('&', '&amp;'),
    title: names.title.replaceAll("'", '&#39;'),
  }),
  mojibake: (names) => ({ ...names, artist: Buffer.from(names.artist).toString('latin1') }),
  remastered: (names) => ({ ...names, title: `${names.title} (2019 Remaster)` }),
  'Original Mix': (names) => ({ ...names, version: `${names.version && `${names.version}) (`}Original Mix` }),
  'no length': (names) => ({ ...names, seconds: null }),
  'other length': (names, maker) => ({ ...names, seconds: (names.seconds ?? 200) + (maker.chance(0.5) ? 1 : -1) }),
  'artist and title swapped': (names) => ({ ...names, artist: names.title, title: names.artist }),
}

function entryOf(names: Names): LibraryEntry {
  const title = names.version ? `${names.title} (${names.version})` : names.title
  return {
    ...{
      artist: names.artist,
      title: names.title === '' ? '' : title,
      version: '',
      remixer: '',
      album: '',
      isrc: names.isrc,
    },
    ...{ duration_seconds: names.seconds, bpm: null, bytes: null },
    file_name: `${names.file}.mp3`,
    path_parts: ['Music', 'Sets', `${names.file}.mp3`],
  }
}

/** Songs that the pool does not have, made from one that it has. */
const FOREIGN: Record<string, Damage> = {
  'other artist': (names, maker) => ({ ...names, artist: `${maker.one(FIRST)}a ${maker.one(LAST)}son` }),
  'other remix': (names, maker) => ({
    ...names,
    title: `${names.title.replace(/ \([^)]* Remix\)/, '')} (${maker.one(LAST)}berg Remix)`,
  }),
  live: (names) => ({ ...names, title: `${names.title} (Live at Wembley)`, version: '' }),
  sequel: (names) => ({ ...names, title: `${names.title.replace(/ \(.*/, '')} Pt. 2` }),
  'other song': (names, maker) => ({ ...names, title: `${maker.one(TAIL)} ${maker.one(VERB)} ${maker.one(NOUN)}s` }),
}

const FOREIGN_SHARE = 0.24

/** Returns the library of a DJ with `count` files, a quarter of which the pool does not have. */
export function makeDamagedLibrary(songs: readonly CatalogueSong[], count: number, seed: number): MadeEntry[] {
  const maker = new Maker(seed)
  const known = new Set(songs.map(({ artist, title }) => `${artist} ${title}`.toLowerCase()))
  return Array.from({ length: count }, (_, n) => {
    const song = maker.one(songs)
    const version = maker.one(song.versions)
    const names: Names = {
      ...{ artist: song.artist, title: song.title, version: version.version_label, file: `track ${n}` },
      ...{ seconds: version.duration_seconds, isrc: song.isrc },
    }
    if (maker.chance(FOREIGN_SHARE)) {
      const damage = maker.one(Object.keys(FOREIGN))
      const changed = FOREIGN[damage]!({ ...names, isrc: '' }, maker)
      if (!known.has(`${changed.artist} ${changed.title}`.toLowerCase()))
        return { entry: entryOf(changed), entity_id: null, song_version_id: null, damage }
    }
    const damage = maker.one(Object.keys(DAMAGES))
    const changed = DAMAGES[damage]!(names, maker)
    return { entry: entryOf(changed), entity_id: song.entity_id, song_version_id: version.song_version_id, damage }
  })
}
