import { camelotOrder, KEYS } from '@dubplate/contract'
import { between, pick, type Random, seededRandom } from '@dubplate/demo/random'
import { versionCode } from '../server/src/catalogue/additions.ts'
import { rebuildAnchors } from '../server/src/catalogue/lists.ts'
import { addWords, facetsOf, fieldWordsOf, recountWords } from '../server/src/catalogue/search-index.ts'
import { identityOf, wordsOf } from '../server/src/catalogue/words.ts'
import type { Pool, Sql } from '../server/src/platform/db.ts'
import { type Cell, copy, withoutIndexes } from './insert-rows.ts'
import { makeVocabulary, type Vocabulary, zipf } from './vocabulary.ts'

const MAIN_GENRES =
  'House,Tech House,Techno,Trance,Drum & Bass,Dubstep,Hip-Hop,Trap,R&B,Reggaeton,Afro House,Disco,Garage,Pop,Moombahton'.split(
    ',',
  )
const GENRE_VARIANTS = ['Deep', 'Classic', 'Live']
const FIRST_MAIN_GENRE_ID = 31
const FIRST_SUBGENRE_ID = 101

const LABELS =
  'Clean,Dirty,Intro Clean,Intro Dirty,Extended,Acapella,Instrumental,Quick Hit Clean,Quick Hit Dirty,Main,Radio,Short Edit,Acap In,Acap Out,Transition,Snip,Outro,Club,Remix,Redrum,Throwback,Hype,Blend,Segway,Break,Verse Start,Hook Start,Bootleg,Mashup,Loop'.split(
    ',',
  )

const TEMPOS = [95, 105, 124, 128, 140, 174]
const FIRST_DAY = Date.UTC(2018, 0, 1)
const LAST_DAY = Date.UTC(2026, 5, 1)
const SONG_BATCH_SIZE = 5000
const WAVE_BYTES = 80

type Genre = { genre_id: number; name: string; parent_id: number | null }
type Version = { song_version_id: number; kind: number; label: string; position: number; seconds: number }
type Song = {
  entity_id: number
  title: string
  artist: string
  remixer: string
  min_bpm: number | null
  max_bpm: number | null
  key: number
  year: number
  section: number
  identity: string
  created_at: Date
  genres: number[]
  versions: Version[]
}

const genres: Genre[] = [
  ...MAIN_GENRES.map((name, n) => ({ genre_id: FIRST_MAIN_GENRE_ID + n, name, parent_id: null })),
  ...MAIN_GENRES.flatMap((name, n) =>
    GENRE_VARIANTS.map((variant, m) => ({
      genre_id: FIRST_SUBGENRE_ID + n * GENRE_VARIANTS.length + m,
      name: `${variant} ${name}`,
      parent_id: FIRST_MAIN_GENRE_ID + n,
    })),
  ),
]

/**
 * Fills an empty pool with `songs` songs, the same ones every time: 60 genres, one to five versions per song, and
 * made-up words with the frequencies of a natural language. Counters, search index and page anchors are written the
 * same way as by the pool itself. Versions have recipes, but no files.
 */
export async function fillCatalogue(pool: Pool, songs: number): Promise<void> {
  await addGenresAndKinds(pool)
  await withoutIndexes(pool, ['song', 'song_version', 'song_genre', 'song_search'], async (sql) => {
    const words = new Set<string>()
    for (const batch of batches(makeSongs(songs), SONG_BATCH_SIZE)) await copySongs(sql, batch, words)
    for (const some of batches(words, 5000)) await addWords(sql, some)
  })
  await finishCatalogue(pool)
}

async function addGenresAndKinds(sql: Pool): Promise<void> {
  for (const [position, { genre_id, name, parent_id }] of genres.entries()) {
    await sql`insert into genre (genre_id, name, parent_id, position) values (${genre_id}, ${name}, ${parent_id}, ${position})`
  }
  // These version types replace the default ones and have the ids that the songs refer to.
  await sql`delete from version_kind`
  for (const [position, label] of LABELS.entries()) {
    await sql`insert into version_kind (version_kind_id, version_code, name, position)
      overriding system value values (${position + 1}, ${versionCode(label)}, ${label}, ${position})`
  }
}

function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Yields the songs in order of their ids, which is the order they were added in. */
function* makeSongs(count: number): Generator<Song> {
  const random = seededRandom(20_260_601)
  const vocabulary = makeVocabulary(random, count)
  const genreRank = zipf(random, genres.length, 0.9, 1)
  const labelRank = zipf(random, LABELS.length, 0.8)
  const identities = new Set<string>()
  let versionId = 0
  for (let id = 1; id <= count; id++) {
    const versions = distinct(between(random, 1, 5), labelRank).map((kind, position) => {
      versionId++
      const seconds = between(random, 150, 349)
      return { song_version_id: versionId, kind: kind + 1, label: LABELS[kind]!, position, seconds }
    })
    const created_at = new Date(FIRST_DAY + Math.floor(((LAST_DAY - FIRST_DAY) * (id - random())) / count))
    const year = random() < 0.75 ? created_at.getUTCFullYear() : between(random, 1960, 2017)
    yield {
      entity_id: id,
      ...unusedIdentity(vocabulary, identities),
      ...tempo(random),
      key: between(random, 0, KEYS.length - 1),
      year,
      section: random() < 0.93 ? 1 : 2,
      created_at,
      genres: withParentGenres(distinct(pick(random, [1, 2, 2, 3, 3, 4]), genreRank)),
      versions,
    }
  }
}

/** Returns a title and an artist that the pool does not have yet. */
function unusedIdentity(vocabulary: Vocabulary, identities: Set<string>) {
  for (;;) {
    const song = { artist: vocabulary.artist(), ...vocabulary.title() }
    const identity = identityOf(song)
    if (identities.has(identity)) continue
    identities.add(identity)
    return { ...song, identity }
  }
}

function tempo(random: Random): { min_bpm: number | null; max_bpm: number | null } {
  if (random() < 0.03) return { min_bpm: null, max_bpm: null }
  const spread = (random() + random() + random() - 1.5) * 12
  const min_bpm = Math.round(Math.max(60, Math.min(190, pick(random, TEMPOS) + spread)))
  return { min_bpm, max_bpm: random() < 0.9 ? min_bpm : min_bpm + between(random, 1, 30) }
}

function distinct(count: number, draw: () => number): number[] {
  const drawn = new Set<number>()
  while (drawn.size < count) drawn.add(draw())
  return [...drawn]
}

const withParentGenres = (ranks: number[]): number[] => [
  ...new Set(ranks.flatMap((rank) => [genres[rank]!.genre_id, genres[rank]!.parent_id ?? genres[rank]!.genre_id])),
]

async function copySongs(sql: Sql, songs: Song[], words: Set<string>): Promise<void> {
  await copy(
    sql,
    'song (entity_id, title, artist, remixer, min_bpm, max_bpm, song_key, key_position, year, song_section_id, song_identity, created_at)',
    songs.map((song) => [
      ...[song.entity_id, song.title, song.artist, song.remixer, song.min_bpm, song.max_bpm, KEYS[song.key]!],
      ...[camelotOrder(KEYS[song.key]!), song.year, song.section, song.identity, song.created_at.toISOString()],
    ]),
  )
  await copy(
    sql,
    'song_version (song_version_id, entity_id, version_kind_id, version_label, position, recipe, recipe_bytes, duration_seconds, loudness_lufs, wave, created_at)',
    songs.flatMap((song) => song.versions.map((version) => versionRow(song, version))),
  )
  await copy(
    sql,
    'song_genre (entity_id, genre_id, listed_section, year, min_bpm, max_bpm)',
    songs.flatMap((song) =>
      song.genres.map((genre) => [song.entity_id, genre, song.section, song.year, song.min_bpm, song.max_bpm]),
    ),
  )
  await copy(
    sql,
    'song_search (entity_id, max_bpm, tsv)',
    songs.map((song) => [song.entity_id, song.max_bpm, searchTokens(song, words)]),
  )
}

function versionRow(song: Song, version: Version): Cell[] {
  const recipe = JSON.stringify({ seed: version.song_version_id })
  const bytes = version.seconds * 40_000
  const start = [version.song_version_id, song.entity_id, version.kind, version.label, version.position]
  return [...start, recipe, bytes, version.seconds, -9, waveOf(version), song.created_at.toISOString()]
}

/** Eighty waveform levels that look like music. They make up a large part of a list page's bytes. */
function waveOf({ song_version_id }: Version): string {
  const levels = Buffer.alloc(WAVE_BYTES)
  for (let n = 0; n < WAVE_BYTES; n++)
    levels[n] = 90 + ((Math.imul(song_version_id * 80 + n, 2_654_435_761) >>> 24) >> 1)
  return levels.toString('base64')
}

/** The same words and facets as the pool's own search index, as the text of a tsvector. */
function searchTokens(song: Song, seen: Set<string>): string {
  const labels = song.versions.map(({ label }) => label).join(' ')
  const words = wordsOf([song.title, song.artist, song.remixer, labels].join(' '))
  for (const word of words) seen.add(word)
  const facets = facetsOf({
    min_bpm: song.min_bpm,
    key_position: camelotOrder(KEYS[song.key]!),
    year: song.year,
    song_section_id: song.section,
    genres: song.genres,
    has_genre: true,
    kinds: song.versions.map(({ kind }) => kind),
  })
  return [...words, ...fieldWordsOf({ ...song, label: '' }), ...facets].map((token) => `'${token}'`).join(' ')
}

async function finishCatalogue(sql: Pool): Promise<void> {
  await sql`
    insert into genre_counter (genre_id, song_section_id, songs)
    select genre_id, listed_section, count(*) from song_genre where listed_section is not null group by 1, 2
    union all select 0, song_section_id, count(*) from song where status = 'published' group by song_section_id`
  await sql`select setval(pg_get_serial_sequence('song', 'entity_id'), max(entity_id)) from song`
  await sql`select setval(pg_get_serial_sequence('song_version', 'song_version_id'), max(song_version_id)) from song_version`
  await sql`select setval(pg_get_serial_sequence('version_kind', 'version_kind_id'), max(version_kind_id)) from version_kind`
  await sql`vacuum analyze`
  await rebuildAnchors(sql)
  await recountWords(sql)
  await sql`vacuum analyze`
}
