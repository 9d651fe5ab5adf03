import { addWords, fieldWordsOf } from '../src/catalogue/search-index.ts'
import { identityOf, wordsOf } from '../src/catalogue/words.ts'
import type { CatalogueSong } from '../src/own-library/candidates.ts'
import type { Sql } from '../src/platform/db.ts'

const BATCH_SIZE = 2000

/** Stores made-up songs as published ones, with what a search for their words needs, for tests and benchmarks. */
export async function storeCatalogue(sql: Sql, songs: readonly CatalogueSong[]): Promise<void> {
  const words = new Set<string>()
  for (let start = 0; start < songs.length; start += BATCH_SIZE) {
    const batch = songs.slice(start, start + BATCH_SIZE).map((song) => ({ ...song, words: indexedWords(song) }))
    for (const song of batch) for (const word of song.words) words.add(word)
    await storeSongs(sql, batch)
  }
  const sorted = [...words].sort()
  for (let start = 0; start < sorted.length; start += BATCH_SIZE)
    await addWords(sql, sorted.slice(start, start + BATCH_SIZE))
  await sql`
    insert into genre_counter (genre_id, song_section_id, songs) values (0, 1, ${songs.length})
    on conflict (genre_id, song_section_id) do update set songs = genre_counter.songs + excluded.songs`
}

function indexedWords({ artist, title, remixer, versions }: CatalogueSong): string[] {
  const labels = versions.map(({ version_label }) => version_label).join(' ')
  return [...wordsOf([title, artist, remixer, labels].join(' ')), ...fieldWordsOf({ title, artist, label: '' })]
}

async function storeSongs(sql: Sql, songs: readonly (CatalogueSong & { words: string[] })[]): Promise<void> {
  const rows = songs.map(({ versions: _, ...song }) => ({ ...song, identity: identityOf(song) }))
  const versions = songs.flatMap(({ entity_id, versions }) =>
    versions.map((version, position) => ({ entity_id, position, ...version })),
  )
  await sql`
    insert into song (entity_id, title, artist, remixer, isrc, song_identity)
    select entity_id, title, artist, remixer, isrc, identity
    from jsonb_to_recordset(${sql.json(rows)}) as row (entity_id bigint, title text, artist text, remixer text, isrc text, identity text)`
  await sql`
    insert into song_version (song_version_id, entity_id, version_kind_id, version_label, position, recipe, duration_seconds)
    select song_version_id, entity_id, (select min(version_kind_id) from version_kind), version_label, position, '{}', duration_seconds
    from jsonb_to_recordset(${sql.json(versions)}) as row (song_version_id bigint, entity_id bigint, version_label text,
      position smallint, duration_seconds real)`
  await sql`
    insert into song_search (entity_id, tsv)
    select entity_id, array_to_tsvector(words)
    from jsonb_to_recordset(${sql.json(rows)}) as row (entity_id bigint, words text[])`
}
