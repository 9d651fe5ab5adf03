import { DEFAULT_FILE_TEMPLATE, filePaths, KEYS, type PathProfile } from '@dubplate/contract'
import type { KitTrack } from './kit-track.ts'

/** Tracks for the tests of this module, with names that break careless writers. The product does not use it. */

const HARD_NAMES: readonly [artist: string, title: string][] = [
  ['A "B" & C’s', 'Rock & Roll <Again>'],
  ['Percent % Sign', '100% #1 (50%20)'],
  ['Emoji 😀', '🔥🕺🏽 Fire 👩‍👩‍👧'],
  ['Хор Ё Й', 'Подмосковные вечера'],
  ['東京 ガギグ', 'さくら（日本）'],
  ['Ångström'.normalize('NFD'), 'Café Déjà vu'.normalize('NFD')],
  ['Long Name', 'L'.repeat(240)],
  ['Punctuation', "!'()*;:@&=+$,/?[] {}^`~"],
  ['aux', 'CON'],
  ['new\nline', 'tab\there'],
  ['#Artist', '#hash first'],
  ['++plus++ and space', '%%double%%percent'],
  ['RTL \u202emix', 'שלום عليكم'],
  ['control\u0001', '\u0000NUL'],
  ['<![CDATA[x]]>', '&amp; &#38; already'],
  ['Broken \udc00', '\ud83d lone surrogate'],
]

const TIMING_CASES = ['A', 'B', 'C', 'D'] as const
const VERSIONS = ['Clean', 'Dirty', 'Intro', 'Instrumental']

export const testProfile = {
  system: 'macos',
  music_folder: "/Users/d'j & co/My Music",
  folder_template: '{genre}',
  file_template: DEFAULT_FILE_TEMPLATE,
  unicode_form: 'nfc',
  traktor_volume: 'Macintosh HD',
  traktor_version: 3,
  serato_root: '/',
} as const

/** Hard names first, then plain ones; everything else varies with the position. */
export function makeKitTracks(count: number, profile: PathProfile = testProfile): KitTrack[] {
  const named = Array.from({ length: count }, (_, n) => {
    const [artist, title] = HARD_NAMES[n] ?? [`Artist ${n % 7}`, `Song ${n}`]
    const format = n % 10 === 9 ? ('flac' as const) : ('mp3' as const)
    const genre = ['House', 'Hip-Hop & R&B', 'Afro / Latin'][n % 3]!
    return { artist, title, genre, format, version_label: VERSIONS[n % VERSIONS.length]! }
  })
  const paths = filePaths(
    profile,
    named.map(({ genre, format, ...version }) => ({ ...version, genres: [genre], extension: `.${format}` })),
  )
  return named.map((version, n) => makeTrack(n, { ...version, path: paths[n]! }))
}

type NamedTrack = Pick<KitTrack, 'path' | 'artist' | 'title' | 'genre' | 'format' | 'version_label'>

function makeTrack(n: number, { title, ...named }: NamedTrack): KitTrack {
  const bpm = Number((70 + ((n * 7.31) % 110)).toFixed(2))
  const first = Number((0.025 + ((n * 0.0137) % 0.4)).toFixed(6))
  const song_key = KEYS[n % KEYS.length]!
  const later = first + (64 * 60) / bpm
  return {
    ...named,
    title: `${title} (${named.version_label})`,
    remixer: n % 4 === 0 ? 'DJ Ремикс' : '',
    album: ['', 'Album & Co', 'Ålbum'][n % 3]!,
    label: ['', 'Lábel', 'L & M'][n % 3]!,
    comment: `8A · Energy ${1 + (n % 10)} & more`,
    year: n % 5 === 4 ? null : 1990 + (n % 36),
    bpm,
    song_key,
    key_text: song_key,
    rating: n % 6,
    colour: ['#FF007F', '#00FF00', null][n % 3]!,
    bytes: 4_000_000 + n,
    duration_seconds: 180.25 + n,
    bit_rate: named.format === 'mp3' ? 320_000 : 912_345,
    sample_rate: n % 2 === 0 ? 44_100 : 48_000,
    added_at: new Date('2026-11-20T10:00:00Z'),
    grid: [
      { seconds: first, bpm, beat: ((n % 4) + 1) as 1 | 2 | 3 | 4 },
      ...(n % 9 === 8 ? [{ seconds: later, bpm: bpm + 1, beat: 1 as const }] : []),
    ],
    cues: [
      { number: 0, kind: 'first_beat', name: 'First beat', seconds: first, colour: '#CC0000' },
      { number: 1, kind: 'drop', name: 'Drop & "go" 🔥', seconds: later, colour: '#CC8800' },
    ],
    timing_case: named.format === 'mp3' ? TIMING_CASES[n % TIMING_CASES.length]! : null,
  }
}
