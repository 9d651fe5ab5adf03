import { catalogue, corrections, downloads, type InputOf, reanalyses, staffSongs } from '@dubplate/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { addPlainSongs } from '../../test/plain-songs.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { completeSong } from '../catalogue/completion.ts'
import { applyReanalysis } from '../catalogue/reanalysed-files.ts'
import { indexSong } from '../catalogue/search-index.ts'
import { areGenresStaffs } from '../catalogue/value-sources.ts'
import { refreshTempoAndKey } from '../catalogue/version-values.ts'

let pool: TestPool
let curator: { customer_id: number; token: string }
let n = 0

beforeAll(async () => {
  pool = await openTestPool()
  curator = await aMember(pool.ctx, { group_id: 4, staff_role: 'curator' })
})
afterAll(() => pool.close())

const ask: TestPool['ask'] = (endpoint, input, token = curator.token) => pool.ask(endpoint, input, token)

/** Returns the ids a search finds, in either section. */
async function found(searchTerm: string): Promise<number[]> {
  const { songs } = await pool.ask(catalogue.searchSongs, { searchTerm })
  return songs.map(({ entity_id }) => entity_id)
}

/** Adds a song with a unique name. */
async function plain(overrides: Parameters<typeof addPlainSongs>[1][number] | object = {}): Promise<number> {
  n += 1
  const song = { title: `Night ${n}`, artist: `Kwame ${n}`, versions: ['Clean'], ...overrides }
  const [id] = await addPlainSongs(pool.ctx.sql, [song])
  return id as number
}

const read = async (entity_id: number) => (await ask(staffSongs.getSong, { entity_id })).song

/** Corrects a song in its current state. */
async function edit(entity_id: number, change: corrections.SongChange, more: object = {}) {
  const { revision } = await read(entity_id)
  return ask(corrections.editSong, { entity_id, revision, change, ...more })
}

/** Returns everything stored about songs, which an undo has to restore. */
async function whole(ids: readonly number[]) {
  const { sql } = pool.ctx
  const songs = await sql`
    select to_jsonb(s) - 'revision' - 'changed_at' as song,
      array(select (genre_id, listed_section)::text from song_genre g where g.entity_id = s.entity_id order by genre_id) as genres,
      array(select to_jsonb(v) from song_version v where v.entity_id = s.entity_id order by song_version_id) as versions,
      (select (max_bpm, tsv)::text from song_search f where f.entity_id = s.entity_id) as search
    from song s where entity_id = any(${[...ids]}::bigint[]) order by entity_id`
  const counters = await sql`select * from genre_counter where songs > 0 order by 1, 2`
  return JSON.parse(JSON.stringify({ songs, counters }))
}

describe('a correction', () => {
  test('applies at once to lists, search and tags, and records its author', async () => {
    const [house, deep] = [await aGenre(pool.ctx, `House ${n}`), await aGenre(pool.ctx, `Techno ${n}`)]
    const id = await plain({ genres: [house], origins: { title: 'tag' }, min_bpm: 124, bpm_source: 'analysis' })
    const { song } = await edit(id, {
      title: 'Zephyrine',
      bpm: '98-124',
      song_key: '8A',
      year: '1999',
      isrc: 'gb-aye-06-01477',
      genres: { how: 'replace', genre_ids: [deep] },
    })
    expect(song).toMatchObject({
      ...{ title: 'Zephyrine', min_bpm: 98, max_bpm: 124, song_key: 'Am', year: 1999, isrc: 'GBAYE0601477' },
      genres: [{ genre_id: deep }],
      origins: { title: 'staff', bpm: 'staff', song_key: 'staff', year: 'staff', genres: 'staff' },
    })
    expect(await found('zephyrine key:8A')).toEqual([id])
    const [row] = await pool.ctx.sql`
      select tags_changed_at is not null as tagged,
        (select songs from genre_counter where genre_id = ${house} and song_section_id = 1) as left_behind,
        (select songs from genre_counter where genre_id = ${deep} and song_section_id = 1) as listed
      from song where entity_id = ${id}`
    expect(row).toEqual({ tagged: true, left_behind: 0, listed: 1 })
  })

  test('without changes is not an edit', async () => {
    const id = await plain({ year: 2020 })
    const before = await read(id)
    const { song, song_edit_id } = await edit(id, { year: 2020, title: before.title })
    expect(song_edit_id).toBeNull()
    expect(song).toEqual(before)
  })

  test('with an outdated revision is rejected, and nothing is written', async () => {
    const id = await plain()
    const { revision } = await read(id)
    await edit(id, { title: `First ${n}` })
    const late = ask(corrections.editSong, { entity_id: id, revision, change: { title: 'Second' } })
    expect(await errorOf(late)).toMatchObject({ status: 409, code: 'conflict' })
    expect((await read(id)).title).toBe(`First ${n}`)
  })

  test('that would duplicate artist and title is rejected with the other song', async () => {
    const [one, other] = [await plain(), await plain()]
    const { title, artist } = await read(one)
    expect(await errorOf(edit(other, { title: title.toUpperCase(), artist }))).toMatchObject({
      code: 'already_in_catalogue',
      message: expect.stringContaining(`song ${one}`),
    })
  })

  test.each([
    [{ song_key: 'H flat' }, 'Enter a key such as Am, F#m, 8A or 1m.'],
    [{ bpm: '12' }, 'Enter a BPM from 20 to 400, or a range such as 98-124.'],
    [{ year: '20' }, 'Enter a four-digit year from 1900 to 2100.'],
    [{ title: ' ' }, 'Enter a title.'],
    [{ isrc: 'X' }, 'Enter an ISRC with two letters, three letters or digits, and seven digits, such as GBAYE0601477.'],
  ])('%o is rejected with a message', async (change, message) => {
    expect(await errorOf(edit(await plain(), change))).toMatchObject({ status: 400, message })
  })

  test('clears a value, and a value cleared by staff stays cleared', async () => {
    const { sql } = pool.ctx
    const genre = await aGenre(pool.ctx, `Gone ${n}`)
    const id = await plain({
      year: 2019,
      album: 'Wrong',
      min_bpm: 120,
      bpm_source: 'tag',
      song_key: 'Em',
      genres: [genre],
    })
    await edit(id, { year: '', album: '', bpm: '', song_key: '', genres: { how: 'set', genre_ids: [] } })
    await sql.begin(async (sql) => {
      await completeSong(sql, id, { title: 'x', artist: 'x', year: 2019, album: 'Wrong' })
      await refreshTempoAndKey(sql, id)
    })
    expect(await read(id)).toMatchObject({ year: null, album: '', min_bpm: null, song_key: null, genres: [] })
    expect(await areGenresStaffs(sql, id)).toBe(true)
  })

  test('is not overwritten by a later analysis', async () => {
    const song = await aSong(pool.ctx, { bpm_source: 'analysis', min_bpm: 120 })
    const { sql } = pool.ctx
    await sql`
      insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm, bpm_confidence,
        song_key, key_confidence, loudness_lufs, loudness_range, true_peak_db)
      values (${song.files[0]?.file_id ?? 0}, 1, 1, 44100, 2, 128, 61, 0.5, 'Em', 0.5, -9, 3, -1)`
    await edit(song.entity_id, { bpm: '122' })
    await sql.begin((sql) => refreshTempoAndKey(sql, song.entity_id))
    expect(await read(song.entity_id)).toMatchObject({
      min_bpm: 122,
      song_key: 'Em',
      origins: { song_key: 'analysis' },
    })
  })

  test('marks the tags as corrected: members who have the song can download it again without it being counted', async () => {
    const song = await aSong(pool.ctx)
    const dj = await aMember(pool.ctx)
    const [song_version_id] = song.versionIds as [number]
    await pool.ask(downloads.downloadVersion, { version: song_version_id }, dj.token)
    const rescued = async () => (await pool.ask(downloads.downloadRescue, {}, dj.token)).results[0]
    expect(await rescued()).toMatchObject({ is_corrected: false })
    await edit(song.entity_id, { song_section_id: 2 })
    expect(await rescued()).toMatchObject({ is_corrected: false })
    await edit(song.entity_id, {}, { versions: [{ song_version_id, version_label: 'Clean Intro' }] })
    expect(await rescued()).toMatchObject({ is_corrected: true })
  })
})

describe('where a value came from', () => {
  test('lists the value of each source, and a value can be reset to a source', async () => {
    const { sql } = pool.ctx
    const genre = await aGenre(pool.ctx, `Breaks ${n}`)
    const song = await aSong(pool.ctx, { title: `Told ${n}`, min_bpm: 61, bpm_source: 'tag' })
    const id = song.entity_id
    await sql`
      insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm, bpm_confidence,
        bpm_alternatives, key_confidence, loudness_lufs, loudness_range, true_peak_db)
      values (${song.files[0]?.file_id ?? 0}, 1, 1, 44100, 2, 128, 122.004, 0.8, '{61, 61.001}', 0.5, -9, 3, -1)`
    await sql`
      update song_version set tag = ${sql.json({ title: 'Told in the tag', bpm: 61, genres: [`breaks ${n}`] })},
        uploaded_name = 'Kwame - Told by name (Clean).mp3' where entity_id = ${id}`
    const { value_sources: valueSources } = await ask(staffSongs.getSong, { entity_id: id })
    expect(valueSources).toContainEqual(
      expect.objectContaining({
        field: 'bpm',
        from: 'analysis',
        value: '122',
        confidence: expect.closeTo(0.8),
        alternatives: ['61'],
      }),
    )
    expect(valueSources).toContainEqual(
      expect.objectContaining({ field: 'title', from: 'tag', value: 'Told in the tag' }),
    )
    expect(valueSources).toContainEqual(
      expect.objectContaining({ field: 'title', from: 'name', value: 'Told by name' }),
    )
    expect(valueSources).toContainEqual(expect.objectContaining({ field: 'genres', from: 'tag', genre_ids: [genre] }))
    await edit(id, { bpm: '122' }, { from: 'analysis' })
    // As measured, not as displayed.
    expect(await read(id)).toMatchObject({ min_bpm: 122.004, origins: { bpm: 'analysis' } })
    expect(await errorOf(edit(id, { bpm: '99' }, { from: 'analysis' }))).toMatchObject({ code: 'conflict' })
    await edit(id, { genres: { how: 'replace', genre_ids: [genre] } }, { from: 'tag' })
    expect((await read(id)).origins.genres).toBe('tag')
  })
})

describe('the table', () => {
  test('finds songs in every state by words, number and ISRC, and counts the matches of each filter', async () => {
    const genre = await aGenre(pool.ctx, `Filter ${n}`)
    const mood = await aGenre(pool.ctx, `Mood ${n}`, { kind: 'mood' })
    const word = `Qwirkle${n}`
    const one = await plain({
      title: `${word} One`,
      artist: 'Ängström',
      song_key: 'Am',
      year: 2001,
      genres: [genre],
      isrc: 'GBAYE0601499',
    })
    const two = await plain({ title: 'Two', remixer: word, min_bpm: 120, genres: [mood], song_section_id: 2 })
    const { revision } = await read(one)
    await ask(corrections.unpublishSongs, { songs: [{ entity_id: one, revision }], reason: 'A bootleg.' })
    const listSongs = async (input: object) =>
      (await ask(staffSongs.getSongs, input)).songs.map(({ entity_id }) => entity_id)
    expect(await listSongs({ find: word.slice(0, 5) })).toEqual([two, one])
    expect(await listSongs({ find: `angstrom ${word}` })).toEqual([one])
    // Other songs may have this number in their title.
    expect(await listSongs({ find: `#${one}` })).toContain(one)
    expect(await listSongs({ find: 'gb-aye-06-01499' })).toEqual([one])
    expect(await listSongs({ find: word, state: 'unpublished' })).toEqual([one])
    expect(await listSongs({ find: word, lacks: 'genre' })).toEqual([two])
    expect([(await read(one)).lacks, (await read(two)).lacks]).toEqual([
      ['bpm', 'art'],
      ['key', 'art', 'genre', 'year'],
    ])
    expect(await listSongs({ find: word, genre_id: mood })).toEqual([two])
    expect(await listSongs({ find: word, sort: 'added' })).toEqual([one, two])
    expect(await listSongs({ find: '“”' })).toEqual([])
    expect(await ask(staffSongs.countSongs, { find: word, state: 'published' })).toEqual({
      states: { all: 2, published: 1, unpublished: 1, draft: 0 },
      lacks: { key: 1, bpm: 0, art: 1, genre: 1, year: 1 },
      sections: { songs: 0, kuts: 1 },
    })
    type Filters = InputOf<typeof staffSongs.countSongs>
    const countList = async (filters: Filters) => (await ask(staffSongs.getSongs, filters)).pagination.totalCount
    const combined: Filters[] = [
      { find: word, lacks: 'key' },
      { find: word, genre_id: mood },
      { find: word, song_section_id: 2 },
      { genre_id: mood, state: 'published' },
      { song_section_id: 2, lacks: 'year' },
    ]
    for (const filters of combined) {
      const { states, lacks, sections } = await ask(staffSongs.countSongs, filters)
      for (const state of staffSongs.STAFF_SONG_STATES)
        expect(states[state]).toBe(await countList({ ...filters, state }))
      for (const field of staffSongs.LACKS) expect(lacks[field]).toBe(await countList({ ...filters, lacks: field }))
      expect(sections.kuts).toBe(await countList({ ...filters, song_section_id: 2 }))
    }
    const { songs, total } = await ask(staffSongs.selectSongs, { find: word })
    expect({ ids: songs.map(({ entity_id }) => entity_id), total }).toEqual({ ids: [two, one], total: 2 })
  })

  test('sorts by each column in both directions, songs without a value last', async () => {
    const word = `Sortable${n}`
    const b = await plain({ title: `${word} B`, artist: 'C', min_bpm: 120, song_key: 'Am', year: 2020 })
    const c = await plain({ title: `${word} C`, artist: 'B', min_bpm: 90, song_key: 'Em', year: 2001 })
    const a = await plain({ title: `${word} A`, artist: 'A' })
    await edit(c, { album: 'First' })
    await edit(b, { album: 'Second' })
    const sorted = async (sort: (typeof staffSongs.STAFF_SONG_SORTS)[number]) =>
      (await ask(staffSongs.getSongs, { find: word, sort })).songs.map(({ entity_id }) => entity_id)
    expect([await sorted('title'), await sorted('-title')]).toEqual([
      [a, b, c],
      [c, b, a],
    ])
    expect([await sorted('artist'), await sorted('-artist')]).toEqual([
      [a, c, b],
      [b, c, a],
    ])
    expect([await sorted('added'), await sorted('-added')]).toEqual([
      [b, c, a],
      [a, c, b],
    ])
    for (const column of ['bpm', 'year', 'changed'] as const)
      expect([await sorted(column), await sorted(`-${column}`)], column).toEqual([
        [c, b, a],
        [b, c, a],
      ])
    expect([await sorted('key'), await sorted('-key')]).toEqual([
      [b, c, a],
      [c, b, a],
    ])
  })

  test('has pages of 50 songs, or as many as requested up to 1,000', async () => {
    const word = `Paged${n}`
    const ids = [await plain({ title: `${word} 1` }), await plain({ title: `${word} 2` }), await plain({ title: word })]
    const { songs, pagination } = await ask(staffSongs.getSongs, { find: word, sort: 'added', page: 2, per_page: 2 })
    expect(songs.map(({ entity_id }) => entity_id)).toEqual([ids[2]])
    expect(pagination).toEqual({ page: 2, perPageLimit: 2, totalCount: 3 })
    expect((await ask(staffSongs.getSongs, {})).pagination.perPageLimit).toBe(50)
    expect(await errorOf(ask(staffSongs.getSongs, { per_page: 1001 }))).toMatchObject({ status: 400 })
  })
})

describe('many at once', () => {
  test('a preview gives the number of changes and changes nothing; the edit skips songs that cannot be changed, with the reason', async () => {
    const ids = [await plain({ year: 2024 }), await plain(), await plain(), await plain()]
    const songs = await Promise.all(
      ids.map(async (entity_id) => ({ entity_id, revision: (await read(entity_id)).revision })),
    )
    await edit(ids[3] as number, { album: 'Changed since' })
    const before = await whole(ids)
    const change = { year: '2024' }
    expect(await ask(corrections.editSongs, { songs, change, preview: true })).toMatchObject({
      changed: 2,
      same: 1,
      song_edit_id: null,
    })
    expect(await whole(ids)).toEqual(before)
    const result = await ask(corrections.editSongs, { songs, change })
    expect(result).toMatchObject({ changed: 2, same: 1, left: [{ entity_id: ids[3], code: 'conflict' }] })
    expect(result.songs.map(({ year }) => year)).toEqual([2024, 2024])
    const [audited] = await pool.ctx.sql`
      select count(*)::int as n from audit where action = 'song edited' and (after ->> 'edit')::bigint = ${result.song_edit_id}`
    expect(audited).toEqual({ n: 2 })
  })

  test('adds, removes and replaces genres without changing moods', async () => {
    const main = await aGenre(pool.ctx, `Main ${n}`)
    const sub = await aGenre(pool.ctx, `Sub ${n}`, { parent_id: main })
    const [other, mood] = [await aGenre(pool.ctx, `Other ${n}`), await aGenre(pool.ctx, `Calm ${n}`, { kind: 'mood' })]
    const id = await plain({ genres: [other, mood] })
    const setGenres = async (how: 'add' | 'take' | 'replace', genre_ids: number[]) => {
      const { revision } = await read(id)
      await ask(corrections.editSongs, { songs: [{ entity_id: id, revision }], change: { genres: { how, genre_ids } } })
      return (await read(id)).genres.map(({ genre_id }) => genre_id).sort()
    }
    expect(await setGenres('add', [sub])).toEqual([main, sub, other, mood].sort())
    expect(await setGenres('take', [main])).toEqual([other, mood].sort())
    expect(await setGenres('replace', [sub])).toEqual([main, sub, mood].sort())
  })
})

/** Adds the analysis of a file. */
const addAnalysis = (fileId: number | undefined, values: { bpm: number | null; song_key: string | null }) => pool.ctx
  .sql`
  insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm, bpm_confidence,
    song_key, key_confidence, loudness_lufs, loudness_range, true_peak_db)
  values (${fileId ?? 0}, 1, 60, 44100, 2, 128, ${values.bpm}, 0.9, ${values.song_key}, 0.9, -9, 3, -1)`

const refresh = (entityId: number) =>
  pool.ctx.sql.begin(async (sql) => {
    await refreshTempoAndKey(sql, entityId)
    await indexSong(sql, entityId)
  })

describe('the tempo and key of versions', () => {
  /** Four versions as measured, which disagree. */
  async function fourVersions() {
    const versions = ['Clean', 'Dirty', 'Intro Clean', 'Acapella']
    const song = await aSong(pool.ctx, { title: `Four ${++n}`, versions, seconds: 1 })
    await pool.ctx.sql`update song_version set duration_seconds = 200 where entity_id = ${song.entity_id}`
    const measured = [
      { bpm: 100, song_key: 'C' },
      { bpm: 128, song_key: 'Em' },
      { bpm: 64, song_key: null },
      { bpm: null, song_key: 'G' },
    ]
    for (const [n, values] of measured.entries()) await addAnalysis(song.files[n]?.file_id, values)
    await refresh(song.entity_id)
    return { ...song, id: song.entity_id, versionIds: song.versionIds as [number, number, number, number] }
  }
  const tempos = async (id: number) =>
    (await read(id)).versions.map((one) => [one.bpm, one.bpm_source, one.song_key, one.key_source])

  test('are their own, and the song shows their range', async () => {
    const { id } = await fourVersions()
    expect(await tempos(id)).toEqual([
      [100, 'analysis', 'C', 'analysis'],
      [128, 'analysis', 'Em', 'analysis'],
      [128, 'analysis', 'Em', 'analysis'],
      [null, null, 'G', 'analysis'],
    ])
    expect(await read(id)).toMatchObject({ min_bpm: 100, max_bpm: 128, song_key: 'C', origins: { bpm: 'analysis' } })
    const { versions } = await read(id)
    expect(versions[2]).toMatchObject({ bpm_confidence: 0.9, measured: { bpm: 64, song_key: null } })
  })

  test('can be set for one version, also cleared, and follow the file again', async () => {
    const { id, versionIds } = await fourVersions()
    const [clean, dirty, intro] = versionIds
    await edit(
      id,
      {},
      {
        versions: [
          { song_version_id: clean, bpm: '102.5', song_key: '8A' },
          { song_version_id: dirty, bpm: '', song_key: '' },
          { song_version_id: intro, bpm: '98-130' },
        ],
      },
    )
    expect((await tempos(id)).slice(0, 3)).toEqual([
      [102.5, 'staff', 'Am', 'staff'],
      [null, 'staff', null, 'staff'],
      [98, 'staff', 'Am', 'analysis'],
    ])
    expect(await read(id)).toMatchObject({
      min_bpm: 98,
      max_bpm: 130,
      song_key: 'Am',
      versions: [{}, {}, { bpm_to: 130 }, {}],
    })
    const { song_edit_id } = await edit(
      id,
      {},
      { versions: versionIds.map((song_version_id) => ({ song_version_id, bpm: null, song_key: null })) },
    )
    expect((await tempos(id)).slice(0, 2)).toEqual([
      [100, 'analysis', 'C', 'analysis'],
      [128, 'analysis', 'Em', 'analysis'],
    ])
    await ask(corrections.undoEdit, { song_edit_id: song_edit_id as number })
    expect((await tempos(id))[0]).toEqual([102.5, 'staff', 'Am', 'staff'])
  })

  test('set for the whole song go to all versions, and stay after an analysis', async () => {
    const { id, files } = await fourVersions()
    await edit(id, { bpm: '99', song_key: 'Dm' })
    expect(new Set((await tempos(id)).map(String))).toEqual(new Set(['99,staff,Dm,staff']))
    await pool.ctx.sql`update analysis set bpm = 140, song_key = 'F' where file_id = ${files[0]?.file_id ?? 0}`
    await applyReanalysis(pool.ctx.sql, files[0]?.file_id ?? 0, null)
    expect(new Set((await tempos(id)).map(String))).toEqual(new Set(['99,staff,Dm,staff']))
    expect(await read(id)).toMatchObject({ min_bpm: 99, max_bpm: 99, song_key: 'Dm', origins: { bpm: 'staff' } })
  })

  test('follow a new analysis only of their own file', async () => {
    const { id, files, versionIds } = await fourVersions()
    await edit(id, {}, { versions: [{ song_version_id: versionIds[0], bpm: '101' }] })
    await pool.ctx.sql`
      update analysis set bpm = 140 where file_id = any(${files.slice(0, 2).map(({ file_id }) => file_id)}::bigint[])`
    await applyReanalysis(pool.ctx.sql, files[1]?.file_id ?? 0, null)
    // No other version has twice the tempo of the third one now.
    expect((await read(id)).versions.map(({ bpm }) => bpm)).toEqual([101, 140, 64, null])
    expect(await read(id)).toMatchObject({ min_bpm: 64, max_bpm: 140 })
  })

  test('leave a range that staff set for the whole song as it is', async () => {
    const { id, versionIds } = await fourVersions()
    await edit(id, { bpm: '90-140' })
    expect((await read(id)).versions.map(({ bpm }) => bpm)).toEqual([100, 128, 128, 90])
    await edit(id, {}, { versions: [{ song_version_id: versionIds[0], bpm: '105' }] })
    expect(await read(id)).toMatchObject({ min_bpm: 90, max_bpm: 140, origins: { bpm: 'staff' } })
    await edit(id, { bpm: '120' })
    expect(await read(id)).toMatchObject({ min_bpm: 120, max_bpm: 120 })
  })

  test('of an unpublished version no longer count for the song or its search', async () => {
    const { id, versionIds } = await fourVersions()
    const searched = async () =>
      (await pool.ctx.sql`select max_bpm, tsv::text as words from song_search where entity_id = ${id}`)[0]
    expect(await searched()).toMatchObject({ max_bpm: 128, words: expect.stringContaining('#b100') })
    const { revision } = await read(id)
    await ask(corrections.unpublishVersion, { entity_id: id, revision, song_version_id: versionIds[0], reason: 'Old.' })
    expect(await read(id)).toMatchObject({ min_bpm: 128, max_bpm: 128, song_key: 'Em' })
    expect(await searched()).toMatchObject({ max_bpm: 128, words: expect.stringContaining('#b128') })
  })
})

describe('undo', () => {
  const undo = (song_edit_id: number | null) => ask(corrections.undoEdit, { song_edit_id: song_edit_id as number })

  test('undoing every change in reverse order restores the original state', async () => {
    const genres = [
      await aGenre(pool.ctx, `U1 ${n}`),
      await aGenre(pool.ctx, `U2 ${n}`),
      await aGenre(pool.ctx, `U3 ${n}`),
    ]
    const made = [
      await aSong(pool.ctx, {
        title: `Undone A ${n}`,
        versions: ['Clean', 'Dirty', 'Intro'],
        genres: [genres[0] as number],
        year: 2001,
      }),
      await aSong(pool.ctx, {
        title: `Undone B ${n}`,
        versions: ['Clean', 'Dirty'],
        min_bpm: 100,
        origins: { title: 'tag' },
      }),
    ]
    const ids = made.map(({ entity_id }) => entity_id)
    await addAnalysis(made[0]?.files[0]?.file_id, { bpm: 100, song_key: 'Am' })
    await addAnalysis(made[0]?.files[1]?.file_id, { bpm: 128, song_key: 'C' })
    await addAnalysis(made[0]?.files[2]?.file_id, { bpm: 64, song_key: null })
    await refresh(ids[0] ?? 0)
    let seed = 7
    const randomItem = <T>(from: readonly T[]): T => {
      seed = (seed * 48271) % 2147483647
      return from[seed % from.length] as T
    }
    const random = () => {
      const words = ['Alpha', 'Beta', '', 'Gamma delta']
      return randomItem<() => corrections.SongChange>([
        () => ({ title: `${randomItem(words)} ${seed}` }),
        () => ({ artist: `${randomItem(words)} ${seed}`, remixer: randomItem(words) }),
        () => ({ bpm: randomItem(['', '98', '98-124.5', '61.25']), song_key: randomItem(['', '8A', 'F#m']) }),
        () => ({
          genres: { how: randomItem(['set', 'add', 'take', 'replace'] as const), genre_ids: [randomItem(genres)] },
        }),
        () => ({
          song_section_id: randomItem([1, 2]),
          year: randomItem(['', '1987', '2020']),
          album: randomItem(words),
        }),
      ])()
    }
    const before = await whole(ids)
    const edits: number[] = []
    for (let check = 0; check < 40; check++) {
      const song = randomItem(made)
      const { entity_id } = song
      const { revision } = await read(entity_id)
      const song_version_id = randomItem(song.versionIds)
      const one = { entity_id, revision }
      const auditEntry = randomItem([
        () => ask(corrections.editSong, { ...one, change: random() }),
        () => ask(corrections.editSong, { ...one, change: {}, order: [...song.versionIds].reverse() }),
        () =>
          ask(corrections.editSong, {
            ...one,
            versions: [{ song_version_id, version_label: `Own ${seed}`, start_seconds: 0.3 }],
          }),
        () =>
          ask(corrections.editSong, {
            ...one,
            versions: [
              {
                song_version_id,
                bpm: randomItem(['', '100', '98-128', null]),
                song_key: randomItem(['', '8A', 'Em', null]),
              },
            ],
          }),
        () => ask(corrections.unpublishSongs, { songs: [one], reason: 'Why.' }),
        () => ask(corrections.restoreSongs, { songs: [one] }),
        () => ask(corrections.unpublishVersion, { ...one, song_version_id, reason: 'Why.' }),
        () => ask(corrections.restoreVersion, { ...one, song_version_id }),
      ])
      const { song_edit_id } = await auditEntry().catch(() => ({ song_edit_id: null }))
      if (song_edit_id !== null) edits.push(song_edit_id)
    }
    expect(edits.length).toBeGreaterThan(15)
    const after = await whole(ids)
    const undoneEdits: (number | null)[] = []
    for (const id of edits.toReversed()) {
      const { left: excluded, song_edit_id } = await undo(id)
      expect(excluded).toEqual([])
      undoneEdits.push(song_edit_id)
    }
    expect(await whole(ids)).toEqual(before)
    // And undoing all of that again.
    const tags = (state: typeof after) =>
      JSON.parse(JSON.stringify(state).replace(/"tags_changed_at":("[^"]*"|null)/g, '"t":0'))
    for (const id of undoneEdits.toReversed()) await undo(id)
    expect(tags(await whole(ids))).toEqual(tags(after))
  })

  test('skips a song that was changed since, with the changed fields, and undoes the others', async () => {
    const ids = [await plain({ year: 2000 }), await plain({ year: 2001 })]
    const songs = await Promise.all(
      ids.map(async (entity_id) => ({ entity_id, revision: (await read(entity_id)).revision })),
    )
    const { song_edit_id } = await ask(corrections.editSongs, { songs, change: { year: '1990', album: 'X' } })
    await edit(ids[0] as number, { year: '1991' })
    const result = await undo(song_edit_id)
    expect(result).toMatchObject({
      changed: 1,
      left: [{ entity_id: ids[0], code: 'conflict', message: 'Changed since then: year.' }],
    })
    expect(await read(ids[0] as number)).toMatchObject({ year: 1991, album: 'X' })
    expect(await read(ids[1] as number)).toMatchObject({ year: 2001, album: '' })
    expect(await errorOf(ask(corrections.undoEdit, { song_edit_id: 999_999 }))).toMatchObject({
      status: 404,
      code: 'unknown_edit',
    })
  })

  test('succeeds only once, also after a reload, and is in the list of edits', async () => {
    const id = await plain({ year: 2000 })
    const { song_edit_id } = await edit(id, { year: '1990' })
    const { edits } = await ask(staffSongs.getEdits, { mine: true })
    expect(edits[0]).toMatchObject({
      song_edit_id,
      kind: 'edited',
      fields: ['year'],
      songs: 1,
      undone: 0,
      example: { entity_id: id },
    })
    await undo(song_edit_id)
    expect(await errorOf(ask(corrections.undoEdit, { song_edit_id: song_edit_id as number }))).toMatchObject({
      code: 'already_undone',
    })
    const other = await aMember(pool.ctx, { group_id: 4, staff_role: 'curator' })
    expect((await ask(staffSongs.getEdits, { mine: true }, other.token)).edits).toEqual([])
    const { edits: ofSong } = await ask(staffSongs.getSong, { entity_id: id }, other.token)
    expect(ofSong.map(({ kind, changes }) => ({ kind, changes }))).toEqual([
      { kind: 'undone', changes: [{ field: 'year', before: '1990', after: '2000' }] },
      { kind: 'edited', changes: [{ field: 'year', before: '2000', after: '1990' }] },
    ])
  })

  test('soon after an edit cancels free downloads; members who downloaded in between may download again', async () => {
    const { sql } = pool.ctx
    const song = await aSong(pool.ctx)
    const marked = async () =>
      (await sql`select tags_changed_at from song where entity_id = ${song.entity_id}`)[0]?.tags_changed_at
    const first = await edit(song.entity_id, { title: `Slip ${n}` })
    await undo(first.song_edit_id)
    expect(await marked()).toBeNull()
    const second = await edit(song.entity_id, { title: `Slip again ${n}` })
    const dj = await aMember(pool.ctx)
    await pool.ask(downloads.downloadVersion, { version: song.versionIds[0] ?? 0 }, dj.token)
    await undo(second.song_edit_id)
    expect(await marked()).toEqual(expect.any(Date))
  })
})

describe('unpublishing', () => {
  test('removes a song from lists and search at once, with the reason in the audit log, and can be undone', async () => {
    const { sql } = pool.ctx
    const song = await aSong(pool.ctx, { title: 'Zanzibarberry' })
    const before = await whole([song.entity_id])
    const one = { entity_id: song.entity_id, revision: 1 }
    expect(await errorOf(ask(corrections.unpublishSongs, { songs: [one], reason: ' ' }))).toMatchObject({
      status: 400,
    })
    await ask(corrections.unpublishSongs, { songs: [one], reason: 'A bootleg.' })
    expect(await found(song.title)).toEqual([])
    const [auditEntry] = await sql`
      select action, before, after - 'edit' as after from audit where subject = ${`song ${song.entity_id}`} order by audit_id desc limit 1`
    expect(auditEntry).toEqual({
      action: 'song unpublished',
      before: { status: 'published' },
      after: { status: 'unpublished', reason: 'A bootleg.' },
    })
    await ask(corrections.restoreSongs, { songs: [{ ...one, revision: 2 }] })
    expect(await found(song.title)).toEqual([song.entity_id])
    expect(await whole([song.entity_id])).toEqual(before)
  })

  test('unpublishes one version, but not the last', async () => {
    const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
    const { entity_id } = song
    const [clean, dirty] = song.versionIds as [number, number]
    const downloadVersion = async (song_version_id: number) =>
      ask(corrections.unpublishVersion, {
        entity_id,
        song_version_id,
        reason: 'Bad rip.',
        revision: (await read(entity_id)).revision,
      })
    const downloaded = await downloadVersion(dirty)
    expect(downloaded.song.versions.map(({ status }) => status)).toEqual(['published', 'unpublished'])
    expect(await errorOf(downloadVersion(clean))).toMatchObject({ code: 'last_version' })
    await edit(entity_id, {}, { versions: [{ song_version_id: clean, version_label: 'dirty' }] })
    const back = ask(corrections.restoreVersion, {
      entity_id,
      song_version_id: dirty,
      revision: (await read(entity_id)).revision,
    })
    expect(await errorOf(back)).toMatchObject({ code: 'duplicate_version_label' })
  })

  test('does not republish a version whose file was imported again in another song', async () => {
    const { sql } = pool.ctx
    const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
    const { entity_id } = song
    const dirty = song.versionIds[1] as number
    await ask(corrections.unpublishVersion, { entity_id, song_version_id: dirty, reason: 'Bad rip.', revision: 1 })
    const other = await aSong(pool.ctx)
    await sql`update song_version set file_id = ${song.files[1]?.file_id ?? 0} where song_version_id = ${other.versionIds[0] ?? 0}`
    const back = ask(corrections.restoreVersion, { entity_id, song_version_id: dirty, revision: 2 })
    expect(await errorOf(back)).toMatchObject({ code: 'already_in_catalogue' })
  })
})

describe('versions', () => {
  test('can get names, order and preview starts in one save', async () => {
    const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'], seconds: 2 })
    const { entity_id } = song
    const [clean, dirty] = song.versionIds as [number, number]
    const { song: saved } = await edit(
      entity_id,
      {},
      { order: [dirty, clean], versions: [{ song_version_id: dirty, start_seconds: 1.5 }] },
    )
    expect(saved.versions.map(({ song_version_id, start_seconds }) => ({ song_version_id, start_seconds }))).toEqual([
      { song_version_id: dirty, start_seconds: 1.5 },
      { song_version_id: clean, start_seconds: 0 },
    ])
    const late = edit(entity_id, {}, { versions: [{ song_version_id: clean, start_seconds: 2.5 }] })
    expect(await errorOf(late)).toMatchObject({ code: 'preview_start_out_of_range' })
    const twice = edit(entity_id, {}, { versions: [{ song_version_id: clean, version_label: 'DIRTY' }] })
    expect(await errorOf(twice)).toMatchObject({ code: 'duplicate_version_label' })
  })
})

describe('the cover', () => {
  const send = async (fields: Record<string, string>, bytes: Buffer) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('picture', new Blob([new Uint8Array(bytes)]), 'cover.png')
    const body = new Response(form)
    return pool.app.inject({
      method: 'POST',
      url: `/api/${corrections.setCover.path}`,
      headers: { authorization: `Bearer ${curator.token}`, 'content-type': body.headers.get('content-type') ?? '' },
      payload: Buffer.from(await body.arrayBuffer()),
    })
  }

  test('is re-encoded from a picture, can be undone, and the generated one can be restored', async () => {
    const id = await plain()
    const made = (await read(id)).image
    const png = await sharp({ create: { width: 1400, height: 900, channels: 3, background: '#c04' } })
      .png()
      .toBuffer()
    const sent = await send({ entity_id: `${id}`, revision: '1' }, png)
    expect(sent.statusCode).toBe(200)
    const { song, song_edit_id } = sent.json().data
    expect(song).toMatchObject({ has_cover: true, origins: { artwork: 'staff' } })
    const kept = await pool.ctx.storage.readAll('images', song.image.split('/')[2])
    expect(await sharp(kept).metadata()).toMatchObject({ format: 'jpeg', width: 1000 })
    await ask(corrections.undoEdit, { song_edit_id })
    expect(await read(id)).toMatchObject({ has_cover: false, image: made })
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    expect((await send({ entity_id: `${id}`, revision: '3' }, svg)).json()).toMatchObject({ code: 'invalid_image' })
    expect((await send({ entity_id: `${id}`, revision: '1' }, png)).json()).toMatchObject({ code: 'conflict' })
  })

  test('removed by staff is not restored by the next file', async () => {
    const id = await plain()
    const { sql } = pool.ctx
    const [art] = await sql`insert into artwork (sha256, width, height) values (sha256('x'), 1, 1) returning artwork_id`
    await sql`update song set artwork_id = ${art?.artwork_id} where entity_id = ${id}`
    await ask(corrections.dropCover, { entity_id: id, revision: 1 })
    await sql.begin((sql) => completeSong(sql, id, { title: 'x', artist: 'x', artwork_id: art?.artwork_id }))
    expect((await read(id)).has_cover).toBe(false)
  })
})

test('lists what cannot be analysed again, and queues the rest', async () => {
  const { sql } = pool.ctx
  const [stored, made, lost] = [await aSong(pool.ctx), await plain(), await aSong(pool.ctx)]
  await sql`update file set missing_since = now() where file_id = ${lost.files[0]?.file_id ?? 0}`
  const reply = await ask(reanalyses.analyseSongs, { entity_ids: [stored.entity_id, made, lost.entity_id] })
  expect(reply.files).toBe(1)
  expect(reply.left.map(({ entity_id, code }) => ({ entity_id, code }))).toEqual([
    { entity_id: made, code: 'made_on_demand' },
    { entity_id: lost.entity_id, code: 'file_unavailable' },
  ])
  expect(await ask(reanalyses.getAnalyses, {})).toMatchObject({ waiting: 1, running: 0 })
  const { analysing } = await ask(staffSongs.getSong, { entity_id: stored.entity_id })
  expect(analysing[String(stored.versionIds[0])]).toMatchObject({ state: 'queued' })
})
