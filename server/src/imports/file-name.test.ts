import { describe, expect, test } from 'vitest'
import { fc, runCount } from '../../test/properties.ts'
import { type ParsedName, parseFileName } from './file-name.ts'

const NAMES: [name: string, parsed: ParsedName][] = [
  // Plain.
  ['Artist - Title.mp3', { artist: 'Artist', title: 'Title' }],
  ['Artist - Title.FLAC', { artist: 'Artist', title: 'Title' }],
  ['Artist – Title.wav', { artist: 'Artist', title: 'Title' }],
  ['Artist — Title.aiff', { artist: 'Artist', title: 'Title' }],
  ['Artist- Title.mp3', { artist: 'Artist', title: 'Title' }],
  ['Jay-Z - 99 Problems.mp3', { artist: 'Jay-Z', title: '99 Problems' }],
  ['Title Only.mp3', { title: 'Title Only' }],
  ['a-ha - Take On Me.mp3', { artist: 'a-ha', title: 'Take On Me' }],
  ['will.i.am - Scream & Shout.mp3', { artist: 'will.i.am', title: 'Scream & Shout' }],
  ['Mr. Oizo - Flat Beat.aif', { artist: 'Mr. Oizo', title: 'Flat Beat' }],
  ['Prince - 1999.mp3', { artist: 'Prince', title: '1999' }],
  ['Beyoncé - Déjà Vu.mp3', { artist: 'Beyoncé', title: 'Déjà Vu' }],
  ['Beyonce\u0301 - De\u0301ja\u0300 Vu.mp3', { artist: 'Beyoncé', title: 'Déjà Vu' }],
  ['Кино - Группа крови.mp3', { artist: 'Кино', title: 'Группа крови' }],
  ['宇多田ヒカル - First Love (Clean).mp3', { artist: '宇多田ヒカル', title: 'First Love', version: 'Clean' }],
  [
    'Mylène Farmer - Désenchantée (Extended).flac',
    { artist: 'Mylène Farmer', title: 'Désenchantée', version: 'Extended' },
  ],
  // Track numbers.
  ['01 Artist - Title.mp3', { track: '01', artist: 'Artist', title: 'Title' }],
  ['01. Artist - Title.mp3', { track: '01', artist: 'Artist', title: 'Title' }],
  ['01 - Artist - Title.mp3', { track: '01', artist: 'Artist', title: 'Title' }],
  ['12 Artist - Title.mp3', { track: '12', artist: 'Artist', title: 'Title' }],
  ['7. Artist - Title.mp3', { track: '7', artist: 'Artist', title: 'Title' }],
  ['1-04 Artist - Title.mp3', { track: '1-04', artist: 'Artist', title: 'Title' }],
  ['A1 Artist - Title.flac', { track: 'A1', artist: 'Artist', title: 'Title' }],
  ['A1. Artist - Title.flac', { track: 'A1', artist: 'Artist', title: 'Title' }],
  ['03 - Title.mp3', { track: '03', title: 'Title' }],
  ['50 Cent - In Da Club (Dirty).mp3', { artist: '50 Cent', title: 'In Da Club', version: 'Dirty' }],
  ['2 Chainz - Birthday Song.mp3', { artist: '2 Chainz', title: 'Birthday Song' }],
  ['112 - Peaches & Cream.mp3', { artist: '112', title: 'Peaches & Cream' }],
  ['808 State - Pacific.mp3', { artist: '808 State', title: 'Pacific' }],
  ['05 50 Cent - Candy Shop.mp3', { track: '05', artist: '50 Cent', title: 'Candy Shop' }],
  ['Artist - Album - 07 - Title.mp3', { track: '07', artist: 'Artist', title: 'Title' }],
  ['12345678_Song_Title_(Original_Mix).mp3', { title: 'Song Title', version: 'Original' }],
  // Tempo and key.
  [
    'Artist - Title (Intro Clean) [8A 124].mp3',
    { artist: 'Artist', title: 'Title', version: 'Intro Clean', bpm: 124, song_key: 'Am' },
  ],
  ['Artist - Title (124 BPM).mp3', { artist: 'Artist', title: 'Title', bpm: 124 }],
  ['Artist - Title [124bpm] [Dirty].mp3', { artist: 'Artist', title: 'Title', version: 'Dirty', bpm: 124 }],
  ['8A - 124 - Artist - Title.mp3', { artist: 'Artist', title: 'Title', bpm: 124, song_key: 'Am' }],
  ['8A - 7 - Artist - Title.mp3', { artist: 'Artist', title: 'Title', song_key: 'Am' }],
  ['124 - 8A - Artist - Title.mp3', { artist: 'Artist', title: 'Title', bpm: 124, song_key: 'Am' }],
  ['Artist - Title - 8A - 124.mp3', { artist: 'Artist', title: 'Title', bpm: 124, song_key: 'Am' }],
  ['Artist - Title 124 Am.mp3', { artist: 'Artist', title: 'Title', bpm: 124, song_key: 'Am' }],
  ['Artist - Title - 124 Am.mp3', { artist: 'Artist', title: 'Title', bpm: 124, song_key: 'Am' }],
  ['Artist - Title - F#m.mp3', { artist: 'Artist', title: 'Title', song_key: 'F#m' }],
  ['Artist - Title (98.5 - 12B).mp3', { artist: 'Artist', title: 'Title', bpm: 98.5, song_key: 'E' }],
  ['[8A 124] Artist - Title.mp3', { artist: 'Artist', title: 'Title', bpm: 124, song_key: 'Am' }],
  ['Artist - Who I am 100.mp3', { artist: 'Artist', title: 'Who I am 100' }],
  ['Artist - Title (B).mp3', { artist: 'Artist', title: 'Title (B)' }],
  // Versions.
  ['Artist - Title (Intro - Dirty).mp3', { artist: 'Artist', title: 'Title', version: 'Intro Dirty' }],
  ['Artist - Title (Clean Intro).mp3', { artist: 'Artist', title: 'Title', version: 'Intro Clean' }],
  ['Artist - Title (Dirty Extended Intro).mp3', { artist: 'Artist', title: 'Title', version: 'Extended Intro Dirty' }],
  ['Artist - Title (Explicit).mp3', { artist: 'Artist', title: 'Title', version: 'Dirty' }],
  ['Artist - Title (A Cappella).mp3', { artist: 'Artist', title: 'Title', version: 'Acapella' }],
  ['Artist - Title (Acappella - Clean).mp3', { artist: 'Artist', title: 'Title', version: 'Acapella Clean' }],
  ['Artist - Title (Acap In).mp3', { artist: 'Artist', title: 'Title', version: 'Acapella In' }],
  ['Artist - Title (Acap Out Clean).mp3', { artist: 'Artist', title: 'Title', version: 'Acapella Out Clean' }],
  ['Artist - Title (Acapella Intro).mp3', { artist: 'Artist', title: 'Title', version: 'Acapella Intro' }],
  ['Artist - Title (Inst.).mp3', { artist: 'Artist', title: 'Title', version: 'Instrumental' }],
  ['Artist - Title (Radio Edit).mp3', { artist: 'Artist', title: 'Title', version: 'Radio Edit' }],
  ['Artist - Title (Club Mix) [Clean].mp3', { artist: 'Artist', title: 'Title', version: 'Club Mix Clean' }],
  ['Artist - Title (Original Mix).mp3', { artist: 'Artist', title: 'Title', version: 'Original' }],
  ['Artist - Title (Quick Hit - Clean).mp3', { artist: 'Artist', title: 'Title', version: 'Quick Hit Clean' }],
  ['Artist - Title (Quickhitter).mp3', { artist: 'Artist', title: 'Title', version: 'Quick Hit' }],
  ['Artist - Title (Short Edit) (Dirty).mp3', { artist: 'Artist', title: 'Title', version: 'Short Edit Dirty' }],
  ['Artist - Title (Super Short).mp3', { artist: 'Artist', title: 'Title', version: 'Super Short Edit' }],
  ['Artist - Title (Hype Intro Clean).mp3', { artist: 'Artist', title: 'Title', version: 'Hype Intro Clean' }],
  [
    'Artist - Title (Transition 98-128).mp3',
    { artist: 'Artist', title: 'Title', version: 'Transition 98-128', bpm: 98, bpm_to: 128 },
  ],
  [
    'Artist - Title (98 - 128 Transition) (Clean).mp3',
    { artist: 'Artist', title: 'Title', version: 'Transition 98-128 Clean', bpm: 98, bpm_to: 128 },
  ],
  ['Artist - Title (Redrum).mp3', { artist: 'Artist', title: 'Title', version: 'Redrum' }],
  ['Artist - Title (Main).mp3', { artist: 'Artist', title: 'Title', version: 'Main' }],
  ['Artist - Title (VIP).mp3', { artist: 'Artist', title: 'Title', version: 'VIP' }],
  ['Artist - Title (Dub Mix).mp3', { artist: 'Artist', title: 'Title', version: 'Dub' }],
  ['Artist - Title (Snip).mp3', { artist: 'Artist', title: 'Title', version: 'Snip' }],
  ['Artist - Title {Clean}.mp3', { artist: 'Artist', title: 'Title', version: 'Clean' }],
  ['Artist - Title - Intro Clean.mp3', { artist: 'Artist', title: 'Title', version: 'Intro Clean' }],
  [
    'Artist - Title - Clean - 8A - 124.mp3',
    { artist: 'Artist', title: 'Title', version: 'Clean', bpm: 124, song_key: 'Am' },
  ],
  ['Artist - Title Intro Dirty.mp3', { artist: 'Artist', title: 'Title', version: 'Intro Dirty' }],
  ['Artist - Title Acapella.mp3', { artist: 'Artist', title: 'Title', version: 'Acapella' }],
  ['Artist - Title (DJ Bob Intro Clean).mp3', { artist: 'Artist', title: 'Title', version: 'Intro Clean' }],
  ['The xx - Intro.mp3', { artist: 'The xx', title: 'Intro' }],
  ['Christina Aguilera - Dirrty (Dirty).mp3', { artist: 'Christina Aguilera', title: 'Dirrty', version: 'Dirty' }],
  ['Mr Clean - Stay Clean.mp3', { artist: 'Mr Clean', title: 'Stay Clean' }],
  ['Artist - Song (Keep It Clean).mp3', { artist: 'Artist', title: 'Song (Keep It Clean)' }],
  // Remixes are separate songs.
  [
    '01 Artist - Title (Remixer Remix) (Dirty).mp3',
    { track: '01', artist: 'Artist', title: 'Title (Remixer Remix)', remixer: 'Remixer', version: 'Dirty' },
  ],
  ['Artist - Title (Bob Bootleg).mp3', { artist: 'Artist', title: 'Title (Bob Bootleg)', remixer: 'Bob' }],
  [
    'Artist - Title (Bob Edit) [Clean].mp3',
    { artist: 'Artist', title: 'Title (Bob Edit)', remixer: 'Bob', version: 'Clean' },
  ],
  [
    'Artist - Title (Purple Disco Machine Extended Remix).mp3',
    {
      artist: 'Artist',
      title: 'Title (Purple Disco Machine Remix)',
      remixer: 'Purple Disco Machine',
      version: 'Extended',
    },
  ],
  [
    'Artist - Title (Bob Remix - Clean).mp3',
    { artist: 'Artist', title: 'Title (Bob Remix)', remixer: 'Bob', version: 'Clean' },
  ],
  [
    'Artist - Title (Clean - Bob Remix).mp3',
    { artist: 'Artist', title: 'Title (Bob Remix)', remixer: 'Bob', version: 'Clean' },
  ],
  ['Artist - Title (Remixed by Bob).mp3', { artist: 'Artist', title: 'Title (Bob Remix)', remixer: 'Bob' }],
  [
    'Artist - Title (Dirty South Remix).mp3',
    { artist: 'Artist', title: 'Title (Dirty South Remix)', remixer: 'Dirty South' },
  ],
  ['Artist - Title (Skrillex VIP).mp3', { artist: 'Artist', title: 'Title (Skrillex VIP)', remixer: 'Skrillex' }],
  ['Artist - Title - Bob Remix.mp3', { artist: 'Artist', title: 'Title (Bob Remix)', remixer: 'Bob' }],
  ['Artist - Title (Remix).mp3', { artist: 'Artist', title: 'Title (Remix)' }],
  // Guests.
  ['Artist ft. Guest - Title (Clean).mp3', { artist: 'Artist', featuring: 'Guest', title: 'Title', version: 'Clean' }],
  [
    'Artist - Title (feat. Guest) (Clean).mp3',
    { artist: 'Artist', featuring: 'Guest', title: 'Title', version: 'Clean' },
  ],
  [
    'Artist - Title featuring Guest & Other [Dirty].mp3',
    { artist: 'Artist', featuring: 'Guest & Other', title: 'Title', version: 'Dirty' },
  ],
  [
    'Artist feat. Guest - Title (Bob Remix).mp3',
    { artist: 'Artist', featuring: 'Guest', title: 'Title (Bob Remix)', remixer: 'Bob' },
  ],
  ['Daft Punk - Craft.mp3', { artist: 'Daft Punk', title: 'Craft' }],
  // Underscores, and additions by other programs.
  ['Artist_-_Title_(Clean).mp3', { artist: 'Artist', title: 'Title', version: 'Clean' }],
  [
    '01_artist_name-song_title_(clean).mp3',
    { track: '01', artist: 'Artist Name', title: 'Song Title', version: 'Clean' },
  ],
  ['Artist%20-%20Title.mp3', { artist: 'Artist', title: 'Title' }],
  ['Artist - Title (promo only).mp3', { artist: 'Artist', title: 'Title' }],
  ['Artist - Title (Clean) (www.site.com).mp3', { artist: 'Artist', title: 'Title', version: 'Clean' }],
  ['Artist - Title [www.djsite.net].mp3', { artist: 'Artist', title: 'Title' }],
  ['Artist - Title (Clean) www.site.com.mp3', { artist: 'Artist', title: 'Title', version: 'Clean' }],
  ['Artist - Title - www.site.com.mp3', { artist: 'Artist', title: 'Title' }],
  ['Artist - Title (Official Audio) [320kbps] (1).mp3', { artist: 'Artist', title: 'Title' }],
  ['Artist - Title (From "The Film").mp3', { artist: 'Artist', title: 'Title (From "The Film")' }],
]

describe('a file name', () => {
  test.each(NAMES)('%s', (name, parsed) => {
    expect(parseFileName(name)).toEqual(parsed)
  })

  test('is parsed the same with a path', () => {
    expect(parseFileName('/music/2024/Artist - Title.mp3')).toEqual({ artist: 'Artist', title: 'Title' })
  })
})

const word = fc.constantFrom('Velvet', 'Noir', 'Sunrise', 'Océan', 'Kiss', 'Wolf', 'Ночь', 'Paradise', 'O’Neil', '光')
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '))
const version = fc.constantFrom(
  'Intro Clean',
  'Intro Dirty',
  'Extended',
  'Acapella',
  'Quick Hit Clean',
  'Extended Intro Dirty',
)
const bpm = fc.integer({ min: 60, max: 199 })
const key = fc.constantFrom(['8A', 'Am'], ['5B', 'Eb'], ['11A', 'F#m'], ['1B', 'B'])

describe('any name', () => {
  test('returns the artist, title, version, tempo and key it was built from, in any format', {
    tags: 'property',
  }, () => {
    fc.assert(
      fc.property(
        words,
        words,
        version,
        bpm,
        key,
        fc.nat(6),
        (artist, title, label, tempo, [camelot, song_key], shape) => {
          const permutedLabel = label.split(' ').reverse().join(' ').replace('Hit Quick', 'Quick Hit')
          const forms = [
            `${artist} - ${title} (${label}) [${camelot} ${tempo}].mp3`,
            `01 ${artist} - ${title} (${permutedLabel}) (${tempo} ${camelot}).flac`,
            `${camelot} - ${tempo} - ${artist} - ${title} (${label}).wav`,
            `${artist} – ${title} [${label}] – ${camelot} – ${tempo}.mp3`,
            `${artist}_-_${title}_(${label})_(${tempo}_BPM)_(${camelot}).mp3`.replaceAll(' ', '_'),
            `03. ${artist} - ${title} - ${label} - ${tempo} ${song_key}.aiff`,
            `${artist} - ${title} (${label}) ${tempo}bpm [${camelot}] (promo only).mp3`,
          ]
          expect(parseFileName(forms[shape] ?? '')).toMatchObject({
            artist,
            title,
            version: label,
            bpm: tempo,
            song_key,
          })
        },
      ),
      { numRuns: runCount(500) },
    )
  })

  test('is parsed without an error, into normalised NFC', { tags: 'property' }, () => {
    const part = fc.constantFrom(
      ' - ',
      '(',
      ')',
      '[',
      '8A',
      'Clean',
      '_',
      '01',
      'feat.',
      'Remix',
      '-',
      '124',
      'bpm',
      'é',
      'e\u0301',
    )
    const odd = fc.array(fc.oneof(part, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 14 })
    fc.assert(
      fc.property(odd, (parts) => {
        for (const value of Object.values(parseFileName(`${parts.join('')}.mp3`))) {
          if (typeof value !== 'string') continue
          expect(value).toBe(value.normalize('NFC'))
          expect(value.trim()).toBe(value)
          expect(value).not.toBe('')
        }
      }),
      { numRuns: runCount(2000) },
    )
  })
})
