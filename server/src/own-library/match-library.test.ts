import type { LibraryEntry } from '@dubplate/contract/library-files'
import { describe, expect, test } from 'vitest'
import type { CatalogueSong } from './candidates.ts'
import { indexCatalogue } from './catalogue-index.ts'
import type { LibraryMatch } from './entry-match.ts'
import { matchLibrary, type ProfilePath } from './match-library.ts'

type SongOptions = Partial<Omit<CatalogueSong, 'versions'>> & { versions?: [label: string, seconds: number][] }

/** A song with the versions 'Clean' (200 s) and 'Extended' (280 s), whose ids are 10 times its own, and so on. */
function makeSong(entity_id: number, artist: string, title: string, options: SongOptions = {}): CatalogueSong {
  const { versions = [['Clean', 200], ['Extended', 280]], ...values } = options // biome-ignore format: one line
  return {
    entity_id,
    artist,
    title,
    remixer: '',
    isrc: '',
    ...values,
    versions: versions.map(([version_label, duration_seconds], n) => ({
      song_version_id: entity_id * 10 + n,
      version_label,
      duration_seconds,
    })),
  }
}

type EntryOptions = Partial<LibraryEntry> & { seconds?: number; path?: string }

function makeEntry({ seconds, path = 'New/file.mp3', ...values }: EntryOptions): LibraryEntry {
  const path_parts = path.split('/')
  return {
    artist: '',
    title: '',
    version: '',
    remixer: '',
    album: '',
    isrc: '',
    duration_seconds: seconds ?? null,
    bpm: null,
    bytes: null,
    file_name: path_parts.at(-1) ?? '',
    path_parts,
    ...values,
  }
}

async function match(songs: CatalogueSong[], entry: EntryOptions, paths: ProfilePath[] = []): Promise<LibraryMatch> {
  const [result] = await matchLibrary([makeEntry(entry)], indexCatalogue(songs), paths)
  return result!
}

/** 'certain 1', 'certain 1 Extended' with the version, 'review 1 2', 'none'. */
async function outcome(songs: CatalogueSong[], entry: EntryOptions, paths: ProfilePath[] = []): Promise<string> {
  const result = await match(songs, entry, paths)
  if (result.kind === 'none') return 'none'
  if (result.kind === 'review') return `review ${result.candidates.map(({ entity_id }) => entity_id).join(' ')}`
  const versions = songs.flatMap((song) => song.versions)
  const version = versions.find(({ song_version_id }) => song_version_id === result.song_version_id)
  return ['certain', result.entity_id, ...(version ? [version.version_label] : [])].join(' ')
}

const nightBus = makeSong(1, 'Kwame Stone', 'Night Bus Home')

describe('path', () => {
  const profilePath = { path: '/Users/kwame/Music/House/Éa - Über (Clean).mp3', entity_id: 7, song_version_id: 70 }

  test.each([
    'Music/House/Éa - Über (Clean).mp3',
    'music/HOUSE/éa - über (clean).MP3',
    'Music/House/Éa - Über (Clean).mp3'.normalize('NFD'),
  ])('recognises a download by the end of its path: %s', async (path) => {
    const result = await match([nightBus], { path, artist: 'Kwame Stone', title: 'Night Bus Home' }, [profilePath])
    expect(result).toEqual({ kind: 'certain', reason: 'path', confidence: 1, entity_id: 7, song_version_id: 70 })
  })

  test('recognises a path of Windows', async () => {
    const paths = [{ ...profilePath, path: 'C:\\Music\\House\\a.mp3' }]
    expect(await match([], { path: 'Music/House/a.mp3' }, paths)).toMatchObject({ reason: 'path', entity_id: 7 })
  })

  test.each(['Other/House/Éa - Über (Clean).mp3', 'House/Éa - Über (Clean).mp3', 'Music/House/Éa - Über.mp3'])(
    'does not recognise another path: %s',
    async (path) => {
      expect(await match([], { path }, [profilePath])).toEqual({ kind: 'none' })
    },
  )

  test('ignores a path that two versions have', async () => {
    const paths = [profilePath, { ...profilePath, song_version_id: 71 }]
    expect(await match([], { path: 'Music/House/Éa - Über (Clean).mp3' }, paths)).toEqual({ kind: 'none' })
    expect(await match([], { path: 'Music/House/Éa - Über (Clean).mp3' }, [profilePath, profilePath])).toMatchObject({
      song_version_id: 70,
    })
  })
})

describe('ISRC', () => {
  const song = makeSong(1, 'Kwame Stone', 'Night Bus Home', { isrc: 'USRC17607839' })

  test('needs a similar title, and any artist', async () => {
    const entry = { isrc: 'us-rc1-76-07839', artist: 'Another Artist', title: 'Nite Bus Home (Clean)' }
    expect(await match([song], entry)).toEqual({
      kind: 'certain',
      reason: 'isrc',
      confidence: 0.99,
      entity_id: 1,
      song_version_id: 10,
    })
  })

  test.each([
    ['another title', { artist: 'A', title: 'Completely Different' }, 'none'],
    ['another remix', { artist: 'Kwame Stone', title: 'Night Bus Home (Solara Remix)' }, 'review 1'],
    ['another recording', { artist: 'Kwame Stone', title: 'Night Bus Home (Live)' }, 'review 1'],
    ['text that is no ISRC', { isrc: 'unknown', artist: 'A', title: 'Night Bus Home' }, 'none'],
  ])('is not enough with %s', async (_, entry, expected) => {
    expect(await outcome([song], { isrc: 'USRC17607839', ...entry })).toBe(expected)
  })

  test('of two songs with the same title decides nothing', async () => {
    const songs = [song, { ...song, entity_id: 2, artist: 'Another Artist' }]
    const entry = { isrc: 'USRC17607839', artist: 'Kwame Stone', title: 'Night Bus Home' }
    expect(await match(songs, entry)).toMatchObject({ reason: 'name', entity_id: 1 })
  })
})

describe('names', () => {
  const songs = [
    nightBus,
    makeSong(2, 'The Roots feat. Lena Dash', 'Für Élise & Me'),
    makeSong(3, 'Big Nadia', "(I Can't Wait) Tonight"),
    makeSong(4, 'Marcus Hart', 'Dance With My Baby'),
    makeSong(5, 'P$YCHO', 'Smørrebrød Łódź'),
    makeSong(6, 'Vera Kim', 'Crystal Moon Over The Ocean Tonight'),
    makeSong(7, 'Rico Nash', 'Golden Street (Solara Remix)', { remixer: 'Solara' }),
    makeSong(8, 'Ангелина Ким', 'Подмосковные ночи'),
    makeSong(9, 'Owen Lake', 'Part Time Lover Pt. 1'),
  ]
  const certain: [artist: string, title: string, song: number][] = [
    ['KWAME STONE', 'night bus home', 1],
    ['Kwame_Stone', 'Night_Bus_Home', 1],
    ['Kwame Stone', 'Night Bus Home [www.somepool.com]', 1],
    ['Kwame Stone', 'Night Bus Home (Official Video)', 1],
    ['Kwame Stone', 'Night Bus Home - 2011 Remaster', 1],
    ['Kwame Stone', 'Night Bus Home - Single (Clean)', 1],
    ['Kwame Stone', 'Night Bus Home - 8A - 128', 1],
    ['Kwame Stone', '8A - 128 - Night Bus Home', 1],
    ['Kwame Stone', 'Kwame Stone - Night Bus Home', 1],
    ['Kwame Stone', 'Night Bus Home ft. Somebody', 1],
    ['Kwame Stone', 'Night Bus Home Clean', 1],
    ['Kwame Stone', 'Nihgt Bus Home', 1],
    ['Kwame Stoen', 'Night Bus Home', 1],
    ['Kwame Stone & Somebody', 'Night Bus Home', 1],
    ['Night Bus Home', 'Kwame Stone', 1],
    ['Night Bus Home', 'Kwame Stone (Extended)', 1],
    ['Roots', 'Fur Elise and Me (feat. Lena Dash)', 2],
    ['The Roots &amp; Lena Dash', 'F&#252;r Elise + Me', 2],
    ['The Roots', 'FÃ¼r Ã‰lise & Me', 2],
    ['The Roots', 'Für Élise & Me'.normalize('NFD'), 2],
    ['Big Nadia', 'I Cant Wait Tonight', 3],
    ['Marcus Hart', 'Dance With My Baby', 4],
    ['Psycho', 'Smorrebrod Lodz', 5],
    ['Vera Kim', 'Crystal Moon Over The Ocean To', 6],
    ['Rico Nash', 'Golden Street [solara rmx]', 7],
    ['Ангелина Ким', 'ПОДМОСКОВНЫЕ НОЧИ', 8],
  ]
  test.each(certain)('finds %s – %s', async (artist, title, song) => {
    expect(await outcome(songs, { artist, title })).toMatch(new RegExp(`^certain ${song}\\b`))
  })

  const names: [name: string, song: number][] = [
    ['Kwame Stone - Night Bus Home.mp3', 1],
    ['07 - Kwame Stone - Night Bus Home (Clean).mp3', 1],
    ['128 - 8A - Kwame_Stone_-_Night_Bus_Home.flac', 1],
    ['Night Bus Home - Kwame Stone [somepool.com].mp3', 1],
    ['Marcus Hart - Dance With My Baby (320).mp3', 4],
  ]
  test.each(names)('finds a file without tags: %s', async (file, song) => {
    expect(await outcome(songs, { path: `New/${file}` })).toMatch(new RegExp(`^certain ${song}\\b`))
    const placeholders = { artist: 'Unknown Artist', title: 'Track 01' }
    expect(await outcome(songs, { path: `New/${file}`, ...placeholders })).toMatch(new RegExp(`^certain ${song}\\b`))
  })

  test('finds a title tag that contains the artist', async () => {
    expect(await outcome(songs, { title: 'Kwame Stone - Night Bus Home' })).toBe('certain 1')
  })

  test('reads version and remixer from fields of their own', async () => {
    const entry = { artist: 'Kwame Stone', title: 'Night Bus Home' }
    expect(await outcome(songs, { ...entry, version: 'Extended' })).toBe('certain 1 Extended')
    expect(await outcome(songs, { ...entry, remixer: 'Solara' })).toBe('review 1')
    expect(await outcome(songs, { artist: 'Rico Nash', title: 'Golden Street', remixer: 'Solara' })).toBe('certain 7')
    // Next to version words, it is the editor of the version.
    expect(await outcome(songs, { ...entry, version: 'Extended', remixer: 'DJ Bob' })).toBe('certain 1 Extended')
  })

  const uncertain: [artist: string, title: string, expected: string][] = [
    ['Kwame Stone', 'Night Bus Home (Moritz Ahn Remix)', 'review 1'],
    ['Kwame Stone', 'Night Bus Home (Moritz Ahn Bootleg)', 'review 1'],
    ['Kwame Stone', 'Night Bus Home (Live at Wembley)', 'review 1'],
    ['Kwame Stone', 'Night Bus Home - Acoustic', 'review 1'],
    ['Kwame Stone', 'Night Bus Home (Karaoke Version)', 'review 1'],
    ['Kwame Stone', 'Night Bus Home (Sped Up)', 'review 1'],
    ['Rico Nash', 'Golden Street', 'review 7'],
    ['Rico Nash', 'Golden Street (Moritz Ahn Remix)', 'review 7'],
    ['Owen Lake', 'Part Time Lover Pt. 2', 'review 9'],
    ['Kwame Stone', 'Night Bus Home Tonight', 'none'],
    ['Someone Else', 'Night Bus Home', 'none'],
    ['Kwame Stone', 'Another Song', 'none'],
  ]
  test.each(uncertain)('is not certain that a file is the song: %s – %s', async (artist, title, expected) => {
    expect(await outcome(songs, { artist, title })).toBe(expected)
  })
})

test.each([
  ['one more word', { artist: 'Kwame Stone', title: 'Night Bus Home By' }, 'review 1'],
  ['a similar artist', { artist: 'Kwame Stonefield', title: 'Night Bus Home' }, 'none'],
])('is not certain of a song with %s, even of the same length', async (_, names, expected) => {
  expect(await outcome([nightBus], { ...names, seconds: 200 })).toBe(expected)
})

test('two songs with the same title and guest are not by the same artist', async () => {
  const songs = [makeSong(1, 'Wren Keller', 'After Hours (feat. Junip Okafor)')]
  const entry = { artist: 'Zeynepa Haddadson', title: 'After Hours (feat. Junip Okafor) (Clean)', seconds: 200 }
  expect(await outcome(songs, entry)).not.toMatch(/^certain/)
  // The guest is the artist for some shops.
  const guest = { artist: 'Junip Okafor', title: 'After Hours (Clean)', seconds: 200 }
  expect(await outcome(songs, guest)).toBe('certain 1 Clean')
})

describe('candidates', () => {
  test('leave the choice between two songs to the member', async () => {
    const twins = [nightBus, makeSong(2, 'Kwame Stone', 'Night Bus Home')]
    expect(await match(twins, { artist: 'Kwame Stone', title: 'Night Bus Home', seconds: 200 })).toEqual({
      kind: 'review',
      candidates: [
        { entity_id: 1, song_version_id: 10, confidence: 0.8 },
        { entity_id: 2, song_version_id: 20, confidence: 0.8 },
      ],
    })
  })

  test('include the song of the artist among many with the same title', async () => {
    const songs = Array.from({ length: 100 }, (_, n) => makeSong(n + 1, `Artist ${'abcdefghij'[n % 10]}${n}`, 'Love'))
    expect(await outcome(songs, { artist: 'Artist g76', title: 'Love' })).toBe('certain 77')
  })

  test('are looked up once for a batch of entries, and only as long as an entry has no match', async () => {
    const lookUps: string[][] = []
    const index = indexCatalogue([nightBus])
    const source = {
      ...{ findByIsrc: () => [] },
      findByName: async (names: Parameters<typeof index.findByName>[0]) => {
        lookUps.push(names.map(({ core }) => core))
        return index.findByName(names)
      },
    }
    const entries = [
      { artist: 'Kwame Stone', title: 'Night Bus Home' },
      { artist: 'A', title: 'B' },
    ]
    const results = await matchLibrary(entries.map(makeEntry), source)
    expect(results.map(({ kind }) => kind)).toEqual(['certain', 'none'])
    expect(lookUps).toEqual([['night bus home', 'b'], ['a']])
  })
})

describe('length', () => {
  test.each([
    ['a misspelt artist', { artist: 'Kwami Stona', title: 'Night Bus Home' }],
    ['a misspelt title', { artist: 'Kwame Stone', title: 'Nihgt Buss Home' }],
  ])('raises or lowers the confidence of %s', async (_, names) => {
    const confidenceOf = async (seconds: number) => {
      const result = await match([nightBus], { ...names, seconds })
      return result.kind === 'certain'
        ? result.confidence
        : result.kind === 'review'
          ? result.candidates[0]!.confidence
          : 0
    }
    expect(await confidenceOf(201)).toBeGreaterThan(await confidenceOf(205))
    expect(await confidenceOf(205)).toBeGreaterThan(await confidenceOf(350))
  })

  const cut = makeSong(1, 'Vera Kim', 'Crystal Moon Over The Ocean')
  test.each([
    ['within a word', 'Crystal Moon Over The Oc', undefined, 'certain 1'],
    ['with the same length', 'Crystal Moon Over The', 201, 'certain 1 Clean'],
    ['between words', 'Crystal Moon Over The', 230, 'review 1'],
    ['in a bracket, with the same length', 'Crystal Moon Over The Ocean (Ext', 280, 'certain 1 Extended'],
    ['in a bracket', 'Crystal Moon Over The Ocean (Sol', undefined, 'review 1'],
  ])('decides about a title that was cut off %s', async (_, title, seconds, expected) => {
    expect(await outcome([cut], { artist: 'Vera Kim', title, ...(seconds ? { seconds } : {}) })).toBe(expected)
  })

  test('accepts a title that was cut at the 30 letters of ID3v1', async () => {
    const song = makeSong(1, 'Vera Kim', 'Crystal Moon Over The Seas And Oceans')
    expect(await outcome([song], { artist: 'Vera Kim', title: 'Crystal Moon Over The Seas And' })).toBe('certain 1')
    expect(await outcome([song], { artist: 'Vera Kim', title: 'Crystal Moon Over The Seas' })).toBe('none')
  })

  test('does not make another word of a short title', async () => {
    const song = makeSong(1, 'Vera Kim', 'Blue')
    expect(await outcome([song], { artist: 'Vera Kim', title: 'Blues', seconds: 200 })).not.toMatch(/^certain/)
  })
})
