import type * as z from 'zod/mini'
import { makeValue } from './sampleOf.ts'

const TITLES = [
  'Low Ceiling',
  'Paper Crown (feat. Junip & Rose)',
  'A very long title that goes on well past the width of its column, as titles of remixes do (Extended Intro Edit)',
  'Smoke Signal',
  'Мія Зоря',
  'Linear B',
]
const ARTISTS = ['Ada Vale', 'Kwame Ofori', 'Room 14 feat. Północ', 'Mara Voss & The Late Night Orchestra of Lisbon']
const KEYS = ['Am', 'F#m', 'C', 'Ebm', 'G']

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!

/** Text for properties whose names end like this. */
const TEXTS: [ending: RegExp, make: (index: number) => string][] = [
  [/(^|_)(images?|covers?|cover_image|picture|profile_picture|logo)$/, () => '/images/cover/320.webp'],
  [/mp3$/, () => '/previews/1.mp3'],
  [/^peaks$/, () => '/peaks/1'],
  [/^wave$/, () => btoa('Z'.repeat(80))],
  [/_at$|_on$|^date|_date$|^day$|_until$|_from$/, () => '2026-11-20T10:00:00Z'],
  [/key$/, (index) => pick(KEYS, index)],
  [/artist/, (index) => pick(ARTISTS, index)],
  [/email$|mail$/, () => 'dj.marlow@pool.test'],
  [/dj_name|author|customer|member/, (index) => pick(['DJ Marlow', 'Front Desk', 'Nightshift'], index)],
  [/label$/, (index) => pick(['Clean', 'Intro Clean', 'Acapella', 'Original'], index)],
  [/code$/, (index) => pick(['clean', 'intro', 'acapella'], index)],
  [/currency/, () => 'USD'],
  [/amount|price|total|fee/, (index) => pick(['14.99', '29.00', '149.00'], index)],
  [/url$|link$|href$/, () => '/charts'],
  [
    /html|body|text|description|message|answer|question|content/,
    () => 'Fresh cuts every weekday. See you in the booth!',
  ],
  [/country/, () => 'US'],
  [/colou?r/, () => '#b6d63a'],
]

const NUMBERS: [name: RegExp, make: (index: number) => number][] = [
  [/bpm$/, (index) => 96 + ((index * 7) % 40)],
  [/year$/, () => 2026],
  [/month$/, () => 11],
  [/day$/, () => 20],
  [/seconds$/, (index) => 150 + ((index * 13) % 90)],
  [/lufs$/, () => -9],
  [/^(page|version|group_id|song_section_id)$/, () => 1],
  [/perPageLimit/, () => 24],
  [/totalCount/, () => 240],
]

/** Lists whose entries all differ in a real pool, and of which only so many different ones can be generated. */
const LENGTHS: Record<string, number> = { download: 1, appearances: 1, artists: ARTISTS.length }

/**
 * A reply as in a pool in use, generated only from the schema of a call: lists with up to six entries, long and short titles,
 * every optional value present. Always the same, so that screenshots can be compared.
 */
export const exampleOf = (schema: z.ZodMiniType): unknown =>
  makeValue(schema, {
    text: (name, index) => TEXTS.find(([ending]) => ending.test(name))?.[1](index) ?? pick(TITLES, index),
    number: (name, index) => NUMBERS.find(([ending]) => ending.test(name))?.[1](index) ?? index + 1,
    flag: (name) => /available|published|active|confirmed|enabled/.test(name),
    length: (name) => LENGTHS[name] ?? 6,
    hasOptional: true,
  })
