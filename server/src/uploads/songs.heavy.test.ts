import {
  catalogue,
  corrections,
  type ParsedInputOf,
  review,
  staffSongs,
  uploadedSongs,
  uploads,
} from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGenre, aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, aWav, inProcessAnalyser, songData } from '../../test/upload-makers.ts'
import { listSongs } from '../catalogue/lists.ts'
import { analyseNext } from './upload-analysis.ts'

let pool: TestPool
let house: number
let staff: Awaited<ReturnType<typeof aMember>>

beforeAll(async () => {
  pool = await openTestPool()
  house = await aGenre(pool.ctx, 'House')
  staff = await aMember(pool.ctx, { staff_role: 'curator' })
})
afterAll(() => pool.close())

const aLabel = () => aMember(pool.ctx, { group_id: 3 })
type Label = Awaited<ReturnType<typeof aLabel>>

let songCount = 0
/** Saves a song with these versions, each with an audio file. */
async function aSavedSong(label: Label, labels: string[] = ['Clean'], overrides: Partial<uploadedSongs.SongData> = {}) {
  const files: number[] = []
  for (const _ of labels) files.push(await anUpload(pool.ctx, label))
  const saved = await pool.ask(
    uploadedSongs.createSong,
    {
      songData: songData({ title: `Night Drive ${++songCount}`, genres: [house], ...overrides }),
      versions: labels.map((new_label, n) => ({ new_label, song: files[n] as number })),
    },
    label.token,
  )
  return { ...saved, files }
}

const findEntry = async (label: Label, entity_id: number) =>
  (await pool.ask(uploadedSongs.getSongEntry, { entity_id }, label.token)).song
const listSlots = async (label: Label, entity_id: number) =>
  (await pool.ask(uploadedSongs.getSongVersions, { entity_id }, label.token)).versions
const toForm = async (label: Label, entity_id: number) => {
  const [song, versions] = [await findEntry(label, entity_id), await listSlots(label, entity_id)]
  return {
    entity_id,
    songData: songData({
      ...song,
      year: String(song.year),
      song_key: song.song_key ?? '',
      bpm: String(song.min_bpm),
      expire_date: null,
    }),
    versions: versions.map(({ file: _, name: __, entity_id: ___, ...slot }) => slot),
  }
}

async function publishUploads(...ids: number[]) {
  const songs = await Promise.all(
    ids.map(async (entity_id) => {
      const { song } = await pool.ask(review.getUpload, { entity_id }, staff.token)
      return { entity_id, version: song.version }
    }),
  )
  return pool.ask(review.decideUploads, { songs, decision: 'publish' }, staff.token)
}

/** Returns the newest songs of a section, bypassing replies cached for a second. */
const listNewest = async (song_section_id: number) =>
  (await listSongs(pool.ctx.sql, { page: 1, order: 'entity_id', orderDir: 'DESC', song_section_id }, 2)).songs
const kuts = async () => (await listNewest(2)).map(({ title }) => title)

test('a song goes from files to the pool: saved, reviewed, published, listed among the kuts', async () => {
  const label = await aLabel()
  const { entity_id, status } = await aSavedSong(label, ['Clean', 'Dirty'], { title: 'Harbour Lights' })
  expect(status).toBe('in_review')
  expect(await kuts()).not.toContain('Harbour Lights')
  const { songs, counts } = await pool.ask(review.getUploads, {}, staff.token)
  expect(songs.map((song) => song.title)).toContain('Harbour Lights')
  expect(counts.in_review).toBeGreaterThan(0)

  expect(await publishUploads(entity_id)).toEqual({ done: [entity_id], left: [] })
  const [listed] = await listNewest(2)
  expect(listed).toMatchObject({
    title: 'Harbour Lights',
    song_section_id: 2,
    min_bpm: 124,
    song_key: 'Am',
    year: 2026,
  })
  expect(listed?.version.map(({ version_label }) => version_label)).toEqual(['Clean', 'Dirty'])
  expect(listed?.wave).not.toBe('')
  expect(await findEntry(label, entity_id)).toMatchObject({ status: 'published', listed_entity_id: listed?.entity_id })
  const found = await pool.ask(catalogue.searchSongs, { searchTerm: 'harbour lights', song_section_id: 2 })
  expect(found.songs.map(({ title }) => title)).toEqual(['Harbour Lights'])
  const mails = await pool.ctx.sql`select subject from outgoing_mail where owner = ${`customer ${label.customer_id}`}`
  expect(mails).toMatchObject([{ subject: '“Harbour Lights” has been published' }])
})

test('of two simultaneous curators one publishes, and the other gets an error', async () => {
  const label = await aLabel()
  const { entity_id } = await aSavedSong(label)
  const answers = await Promise.all([publishUploads(entity_id), publishUploads(entity_id)])
  expect(answers.flatMap(({ done }) => done)).toEqual([entity_id])
  expect(answers.flatMap(({ left }) => left.map(({ code }) => code))).toHaveLength(1)
})

test.each([
  ['title', '  ', 'Song title cannot be blank!'],
  ['artist', '', 'Artist cannot be blank!'],
  ['year', '', 'Year cannot be blank!'],
  ['song_key', '', 'Song Key cannot be blank!'],
  ['bpm', '', 'BPM cannot be blank!'],
  ['genres', [], 'Please select genre!'],
])('rejects a song without its %s at that field', async (field, value, sentence) => {
  const label = await aLabel()
  const response = await pool.request(
    uploadedSongs.createSong,
    { songData: { ...songData({ genres: [house] }), [field]: value }, versions: [] },
    label.token,
  )
  expect(response.statusCode).toBe(400)
  expect(response.json().fields).toEqual({ [`songData.${field}`]: sentence })
})

describe('value sources', () => {
  test('distinguishes tags, analysis and uploader, and unchanged values keep their source', async () => {
    const label = await aLabel()
    const song = await anUpload(pool.ctx, label, { name: 'Kwame - Harbour Song (Clean).wav' })
    const { entity_id } = await pool.ask(
      uploadedSongs.createSong,
      {
        songData: songData({ title: 'Harbour Song', bpm: 99, genres: [house] }),
        versions: [{ new_label: 'Clean', song }],
      },
      label.token,
    )
    const { sources } = await findEntry(label, entity_id)
    expect(sources).toMatchObject({ title: 'tag', artist: 'tag', year: 'uploader', bpm: 'uploader' })

    const reanalysis = await pool.ask(review.getUpload, { entity_id }, staff.token)
    const edited = await pool.ask(
      review.editUpload,
      {
        ...{ entity_id, version: reanalysis.song.version, song_section_id: 2 },
        songData: songData({ title: 'Harbour Song', year: '2025', bpm: 99, genres: [house] }),
      },
      staff.token,
    )
    expect(edited.song.sources).toMatchObject({ title: 'tag', year: 'staff', bpm: 'uploader' })
  })
})

describe('the tempo and key of published versions', () => {
  /** Two files, measured as 100 BPM in C and 128 BPM in E minor, published with these values for the song. */
  async function aPublishedSong(values: Partial<uploadedSongs.SongData>) {
    const label = await aLabel()
    const files = [await anUpload(pool.ctx, label), await anUpload(pool.ctx, label)]
    const measured = [
      { bpm: 100, song_key: 'C' },
      { bpm: 128, song_key: 'Em' },
    ]
    for (const [n, { bpm, song_key }] of measured.entries())
      await pool.ctx.sql`
        update analysis a set bpm = ${bpm}, bpm_confidence = 0.9, song_key = ${song_key}, key_confidence = 0.9, duration_seconds = 200
        from upload u where u.file_id = a.file_id and u.upload_id = ${files[n] ?? 0}`
    const { entity_id } = await pool.ask(
      uploadedSongs.createSong,
      {
        songData: songData({ title: `Own tempo ${++songCount}`, genres: [house], ...values }),
        versions: [
          { new_label: 'Clean', song: files[0] as number },
          { new_label: 'Dirty', song: files[1] as number },
        ],
      },
      label.token,
    )
    await publishUploads(entity_id)
    const listed = (await findEntry(label, entity_id)).listed_entity_id ?? 0
    const read = async () => (await pool.ask(staffSongs.getSong, { entity_id: listed }, staff.token)).song
    const tempos = async () =>
      (await read()).versions.map((one) => [one.bpm, one.bpm_source, one.song_key, one.key_source])
    const edit = async (input: Partial<ParsedInputOf<typeof corrections.editSong>>) => {
      const { revision } = await read()
      await pool.ask(corrections.editSong, { entity_id: listed, revision, ...(input as object) }, staff.token)
    }
    /** Saves the form with these changes, and publishes it if that is needed. */
    const saveAndPublish = async (change: Partial<uploadedSongs.SongData>) => {
      const form = await toForm(label, entity_id)
      await pool.ask(uploadedSongs.updateSong, { ...form, songData: { ...form.songData, ...change } }, label.token)
      const { song, differences } = await pool.ask(review.getUpload, { entity_id }, staff.token)
      if (song.status === 'in_review') await publishUploads(entity_id)
      return differences
    }
    return { label, entity_id, read, tempos, edit, saveAndPublish }
  }

  const OWN = [
    [100, 'analysis', 'C', 'analysis'],
    [128, 'analysis', 'Em', 'analysis'],
  ]

  test('are those of each file, unless the uploader set them', async () => {
    const song = await aPublishedSong({ bpm: '100', song_key: 'C' })
    expect(await song.tempos()).toEqual(OWN)
    expect(await song.read()).toMatchObject({ min_bpm: 100, max_bpm: 128, song_key: 'C' })
    // The form still has one tempo, which is not a difference.
    expect(await song.saveAndPublish({})).toEqual([])
    expect((await findEntry(song.label, song.entity_id)).status).toBe('published')
    expect(
      (await song.saveAndPublish({ bpm: '99' })).map(({ field, before, after }) => [field, before, after]),
    ).toEqual([['BPM', '100–128', '99']])
    expect(await song.tempos()).toEqual([
      [99, 'uploader', 'C', 'analysis'],
      [99, 'uploader', 'Em', 'analysis'],
    ])
  })

  test('are the uploader’s for all versions, and a range only the song’s', async () => {
    const song = await aPublishedSong({ bpm: '99', song_key: 'Dm' })
    expect(await song.tempos()).toEqual([
      [99, 'uploader', 'Dm', 'uploader'],
      [99, 'uploader', 'Dm', 'uploader'],
    ])
    await song.saveAndPublish({ bpm: '98-130' })
    expect((await song.tempos()).map(([bpm, source]) => [bpm, source])).toEqual([
      [100, 'analysis'],
      [128, 'analysis'],
    ])
    expect(await song.read()).toMatchObject({ min_bpm: 98, max_bpm: 130, origins: { bpm: 'uploader' } })
  })

  test.each([
    ['of the files', { bpm: '100', song_key: 'C' }, OWN[1]],
    ['of the uploader', { bpm: '99', song_key: 'Dm' }, [99, 'uploader', 'Dm', 'uploader']],
  ])(
    'that staff set for one version stay when the song is published again, next to values %s',
    async (_, values, other) => {
      const song = await aPublishedSong(values)
      const [first] = (await song.read()).versions
      await song.edit({
        versions: [{ song_version_id: first?.song_version_id ?? 0, bpm: '64', song_key: 'Bm' } as never],
      })
      const expected = [[64, 'staff', 'Bm', 'staff'], other]
      expect(await song.tempos()).toEqual(expected)
      expect((await song.saveAndPublish({ year: '1999' })).map(({ field }) => field)).toEqual(['Year'])
      expect(await song.tempos()).toEqual(expected)
    },
  )

  test('that staff set for the song are also those of the upload', async () => {
    const song = await aPublishedSong({ bpm: '100', song_key: 'C' })
    await song.edit({ change: { bpm: '101', song_key: 'F' } as never })
    expect(await findEntry(song.label, song.entity_id)).toMatchObject({
      ...{ min_bpm: 101, max_bpm: 101, song_key: 'F' },
      sources: { bpm: 'staff', song_key: 'staff' },
    })
    expect(await song.saveAndPublish({})).toEqual([])
    await song.saveAndPublish({ bpm: '99' })
    expect((await song.tempos()).map(([bpm, source]) => [bpm, source])).toEqual([
      [99, 'uploader'],
      [99, 'uploader'],
    ])
  })
})

describe('an incomplete song', () => {
  test('is a draft without a version, analysing while a file is, and a draft again if the file is broken', async () => {
    const label = await aLabel()
    const draft = await aSavedSong(label, [])
    expect(draft.status).toBe('draft')

    const song = await anUpload(pool.ctx, label, {
      bytes: Buffer.from('This is a letter, not music.'),
      analysed: false,
    })
    const { entity_id, status } = await pool.ask(
      uploadedSongs.createSong,
      { songData: songData({ title: 'Letter', genres: [house] }), versions: [{ new_label: 'Dirty', song }] },
      label.token,
    )
    expect(status).toBe('analysing')
    while (await analyseNext(pool.ctx, inProcessAnalyser));
    const entry = await findEntry(label, entity_id)
    expect(entry.status).toBe('draft')
    expect(entry.corrupt_version).toMatch(/^Dirty: /)
    expect((await publishUploads(entity_id)).left).toMatchObject([{ entity_id, code: 'song_not_ready' }])
  })

  test('shows a version that is shorter than the others, and can still be published', async () => {
    const label = await aLabel()
    const longUpload = await anUpload(pool.ctx, label, { bytes: aWav({ seconds: 12 }) })
    const shortUpload = await anUpload(pool.ctx, label, { bytes: aWav({ seconds: 6 }) })
    const intro = await anUpload(pool.ctx, label, { bytes: aWav({ seconds: 4 }) })
    const { entity_id, status } = await pool.ask(
      uploadedSongs.createSong,
      {
        songData: songData({ title: 'Cut Off', genres: [house] }),
        versions: [
          { new_label: 'Clean', song: longUpload },
          { new_label: 'Dirty', song: shortUpload },
          { new_label: 'Quick Hit', song: intro },
        ],
      },
      label.token,
    )
    expect(status).toBe('in_review')
    const { faults } = await findEntry(label, entity_id)
    expect(faults.filter(({ code }) => code === 'length_differs')).toMatchObject([
      { version_label: 'Dirty', message: 'This version is 0:06 long: 0:06 shorter than Clean.', blocks: false },
    ])
  })
})

describe('a change of a published song', () => {
  test('goes into review while the pool keeps the song as it is, with the differences', async () => {
    const label = await aLabel()
    const { entity_id } = await aSavedSong(label, ['Clean', 'Dirty'], { title: 'Before' })
    await publishUploads(entity_id)
    const form = await toForm(label, entity_id)
    const changed = { ...form, songData: { ...form.songData, title: 'After' }, versions: form.versions.slice(0, 1) }
    expect((await pool.ask(uploadedSongs.updateSong, changed, label.token)).status).toBe('in_review')
    expect(await kuts()).toContain('Before')
    const { differences } = await pool.ask(review.getUpload, { entity_id }, staff.token)
    expect(differences).toEqual([
      { field: 'Title', before: 'Before', after: 'After' },
      { field: 'Version', before: 'Dirty', after: null },
    ])
    await publishUploads(entity_id)
    const song = (await listNewest(2)).find(({ title }) => title === 'After')
    expect(song?.version.map(({ version_label }) => version_label)).toEqual(['Clean'])
    expect(await kuts()).not.toContain('Before')
  })

  test('that is undone leaves review', async () => {
    const label = await aLabel()
    const { entity_id } = await aSavedSong(label, ['Clean'], { title: 'To and fro' })
    await publishUploads(entity_id)
    const form = await toForm(label, entity_id)
    await pool.ask(uploadedSongs.updateSong, { ...form, songData: { ...form.songData, year: '1999' } }, label.token)
    expect((await findEntry(label, entity_id)).status).toBe('in_review')
    expect((await pool.ask(uploadedSongs.updateSong, form, label.token)).status).toBe('published')
  })

  test('returns a conflict to the second of two windows', async () => {
    const label = await aLabel()
    const { entity_id } = await aSavedSong(label)
    const form = { ...(await toForm(label, entity_id)), version: 1 }
    await pool.ask(uploadedSongs.updateSong, form, label.token)
    expect(await errorOf(pool.ask(uploadedSongs.updateSong, form, label.token))).toMatchObject({
      code: 'conflict',
    })
  })

  test('can swap the files of two versions', async () => {
    const label = await aLabel()
    const { entity_id, files } = await aSavedSong(label, ['Clean', 'Dirty'], { title: 'Swap' })
    await publishUploads(entity_id)
    const form = await toForm(label, entity_id)
    const [clean, dirty] = form.versions
    const versions = [
      { ...clean!, song: files[1] as number },
      { ...dirty!, song: files[0] as number },
    ]
    await pool.ask(uploadedSongs.updateSong, { ...form, versions }, label.token)
    expect((await publishUploads(entity_id)).left).toEqual([])
    const slots = await listSlots(label, entity_id)
    expect(slots.map(({ name, song, song_version_id }) => [name, song, song_version_id])).toEqual([
      ['Clean', files[1], clean?.song_version_id],
      ['Dirty', files[0], dirty?.song_version_id],
    ])
  })
})

test('a decline is emailed with its reason, and saving again sends the song back to review', async () => {
  const label = await aLabel()
  const { entity_id } = await aSavedSong(label, ['Clean'], { title: 'Not yet' })
  const { song } = await pool.ask(review.getUpload, { entity_id }, staff.token)
  const overrides = { songs: [{ entity_id, version: song.version }], decision: 'decline' as const }
  expect(await errorOf(pool.ask(review.decideUploads, overrides, staff.token))).toMatchObject({
    code: 'invalid_request',
    message: 'Enter a reason. It will be sent to the uploader.',
  })
  await pool.ask(review.decideUploads, { ...overrides, reason: 'The vocal clips.' }, staff.token)
  expect(await findEntry(label, entity_id)).toMatchObject({ status: 'declined', reason: 'The vocal clips.' })
  const [mail] = await pool.ctx.sql<{ body: string }[]>`
    select body from outgoing_mail where owner = ${`customer ${label.customer_id}`}`
  expect(mail?.body).toContain('The vocal clips.')
  const saved = await pool.ask(uploadedSongs.updateSong, await toForm(label, entity_id), label.token)
  expect(saved.status).toBe('in_review')
  expect((await findEntry(label, entity_id)).reason).toBe('')
})

test('changes saved after staff read the song are not published unseen', async () => {
  const label = await aLabel()
  const { entity_id } = await aSavedSong(label, ['Clean'], { title: 'As read' })
  const { song } = await pool.ask(review.getUpload, { entity_id }, staff.token)
  const form = await toForm(label, entity_id)
  await pool.ask(
    uploadedSongs.updateSong,
    { ...form, songData: { ...form.songData, title: 'Something else' } },
    label.token,
  )
  for (const decision of ['publish', 'decline'] as const) {
    const overrides = { songs: [{ entity_id, version: song.version }], decision, reason: 'x' }
    const { done, left } = await pool.ask(review.decideUploads, overrides, staff.token)
    expect([done, left]).toMatchObject([[], [{ code: 'conflict' }]])
  }
  expect(await kuts()).not.toContain('Something else')
})

test('staff can hear an unpublished file while they are staff', async () => {
  const label = await aLabel()
  const curator = await aMember(pool.ctx, { staff_role: 'curator' })
  const { entity_id } = await aSavedSong(label)
  const { versions } = await pool.ask(review.getUpload, { entity_id }, curator.token)
  const { mp3, peaks } = (versions[0] as uploadedSongs.Slot).file
  const listListens = async () => [
    (await pool.app.inject({ url: mp3 })).statusCode,
    (await pool.app.inject({ url: peaks })).statusCode,
  ]
  expect(await listListens()).toEqual([200, 200])
  for (const role of ['support', null]) {
    await pool.ctx.sql`update customer set staff_role = ${role} where customer_id = ${curator.customer_id}`
    expect(await listListens()).toEqual([410, 410])
  }
})

test('of two songs with the same file only one can be published, at once or one after the other', async () => {
  for (const decideUploads of [
    async (ids: number[]) => (await publishUploads(...ids)).left,
    async (ids: number[]) => (await Promise.all(ids.map((id) => publishUploads(id)))).flatMap(({ left }) => left),
  ]) {
    const bytes = aWav()
    const ids: number[] = []
    for (const label of [await aLabel(), await aLabel()]) {
      const song = await anUpload(pool.ctx, label, { bytes })
      const form = {
        songData: songData({ title: `Same ${++songCount}`, genres: [house] }),
        versions: [{ new_label: 'Clean', song }],
      }
      ids.push((await pool.ask(uploadedSongs.createSong, form, label.token)).entity_id)
    }
    expect(await decideUploads(ids)).toMatchObject([{ code: 'already_in_catalogue' }])
  }
})

test('staff find a song under its state, and no other', async () => {
  const label = await aLabel()
  const [draft, waits, declined, listed] = [
    await aSavedSong(label, []),
    await aSavedSong(label),
    await aSavedSong(label),
    await aSavedSong(label),
  ].map(({ entity_id }) => entity_id) as [number, number, number, number]
  await pool.ask(
    review.decideUploads,
    { songs: [{ entity_id: declined, version: 1 }], decision: 'decline', reason: 'Too loud.' },
    staff.token,
  )
  await publishUploads(listed)
  const gone = (await aSavedSong(label)).entity_id
  await publishUploads(gone)
  await pool.ctx.sql`update upload_song set expires_at = now() - interval '1 day' where upload_song_id = ${gone}`
  const [{ dj_name }] = (await pool.ctx.sql`
    select dj_name from customer where customer_id = ${label.customer_id}`) as unknown as [{ dj_name: string }]
  const expected = { draft, in_review: waits, declined, published: listed, expired: gone } as const
  for (const [status, entity_id] of Object.entries(expected) as [uploadedSongs.SongState, number][]) {
    const { songs, counts, pagination } = await pool.ask(review.getUploads, { status, search: dj_name }, staff.token)
    const ownSongs = songs.filter(({ uploader }) => uploader.customer_id === label.customer_id)
    expect(ownSongs.map((song) => [song.entity_id, song.status])).toEqual([[entity_id, status]])
    expect(counts[status]).toBe(pagination.totalCount)
  }
})

test('counts a song’s statistics by week, from Monday on, and in total', async () => {
  const label = await aLabel()
  const { entity_id } = await aSavedSong(label)
  await publishUploads(entity_id)
  const { listed_entity_id: listed } = await findEntry(label, entity_id)
  const at = new Date('2026-11-18T15:00:00Z')
  const { now } = pool.ctx
  pool.ctx.now = () => at
  try {
    await pool.ctx.sql`
      insert into chart_count (period, start, entity_id, n) values ('day', '2026-11-15T00:00Z', ${listed}, 3),
        ('day', '2026-11-16T00:00Z', ${listed}, 4), ('day', '2026-11-18T00:00Z', ${listed}, 5),
        ('hour', '2026-11-18T00:00Z', ${listed}, 5), ('day', '2026-08-30T00:00Z', ${listed}, 9)`
    await pool.ctx.sql`insert into listen_count (day, entity_id, n) values ('2026-11-17', ${listed}, 7)`
    await pool.ctx.sql`insert into song_total (entity_id, downloads, listens) values (${listed}, 21, 7)`
    const { weeks, totals } = await pool.ask(uploadedSongs.getSongFigures, { entity_id }, label.token)
    expect(weeks).toHaveLength(12)
    expect(weeks.slice(-2)).toEqual([
      { week: '2026-11-09', listens: 0, downloads: 3, favourites: 0, crates: 0 },
      { week: '2026-11-16', listens: 7, downloads: 9, favourites: 0, crates: 0 },
    ])
    expect(weeks.reduce((sum, { downloads }) => sum + downloads, 0)).toBe(12)
    expect(totals).toMatchObject({ downloads: 21, listens: 7 })
  } finally {
    pool.ctx.now = now
  }
})

test('a file used by a version cannot be in a second song, and returns to the container when the version is removed', async () => {
  const label = await aLabel()
  const { entity_id, files } = await aSavedSong(label, ['Clean', 'Dirty'])
  const [song] = files as [number]
  const reanalysis = {
    songData: songData({ title: 'Twice', genres: [house] }),
    versions: [{ new_label: 'Clean', song }],
  }
  expect(await errorOf(pool.ask(uploadedSongs.createSong, reanalysis, label.token))).toMatchObject({
    code: 'upload_in_use',
  })
  const listContainerFiles = async () =>
    (await pool.ask(uploads.getContainer, {}, label.token)).files.map(({ upload_id }) => upload_id)
  expect(await listContainerFiles()).toEqual([])
  const [clean] = await listSlots(label, entity_id)
  await pool.ask(uploadedSongs.removeSongVersion, { entity_id, song_version_id: clean!.song_version_id }, label.token)
  expect(await listContainerFiles()).toEqual([song])
  expect((await pool.ask(uploadedSongs.createSong, reanalysis, label.token)).status).toBe('in_review')
})

test('someone else’s songs do not exist', async () => {
  const [label, other] = [await aLabel(), await aLabel()]
  const { entity_id, files } = await aSavedSong(label)
  for (const call of [
    uploadedSongs.getSongEntry,
    uploadedSongs.getSongVersions,
    uploadedSongs.deleteSong,
    uploadedSongs.renewSong,
    uploadedSongs.getSongFigures,
  ])
    expect(await errorOf(pool.ask(call, { entity_id }, other.token))).toMatchObject({
      status: 404,
      code: 'unknown_song',
    })
  const change = { entity_id, songData: songData({ genres: [house] }) }
  expect(await errorOf(pool.ask(uploadedSongs.updateSong, change, other.token))).toMatchObject({
    code: 'unknown_song',
  })
  const stolenForm = {
    songData: songData({ genres: [house] }),
    versions: [{ new_label: 'Clean', song: files[0] as number }],
  }
  expect(await errorOf(pool.ask(uploadedSongs.createSong, stolenForm, other.token))).toMatchObject({
    code: 'unknown_upload',
  })
  expect(await errorOf(pool.ask(uploads.removeUpload, { upload_id: files[0] as number }, other.token))).toMatchObject({
    code: 'unknown_upload',
  })
})

test('offers the default version types in an empty pool, and a custom label only to its member', async () => {
  const label = await aLabel()
  const offered = async () =>
    (await pool.ask(uploadedSongs.getVersions, {}, label.token)).versions.map(({ name }) => name)
  expect((await offered()).slice(0, 3)).toEqual(['Original', 'Intro Clean', 'Intro Dirty'])
  const { entity_id } = await aSavedSong(label, ['Clean', 'Ridley Road Rub'])
  expect((await publishUploads(entity_id)).left).toEqual([])
  expect(await offered()).not.toContain('Ridley Road Rub')
  const reanalysis = await aSavedSong(label, ['Ridley Road Rub'])
  expect(await listSlots(label, reanalysis.entity_id)).toMatchObject([{ version_id: 0, new_label: 'Ridley Road Rub' }])
  expect((await publishUploads(reanalysis.entity_id)).left).toEqual([])
})

test('reports every error in a song at once', async () => {
  const label = await aLabel()
  const song = await anUpload(pool.ctx, label)
  const wrongForm = {
    songData: songData({ title: '', genres: [999_999], expire_date: { day: 1, month: 1, year: 2001 } }),
    versions: [
      { new_label: 'Clean', song },
      { new_label: 'Clean', song },
    ],
  }
  const fieldsOf = async (given: object) =>
    Object.keys((await pool.request(uploadedSongs.createSong, given, label.token)).json().fields)
  const others = ['songData.genres', 'songData.expire_date', 'versions.1.version_id', 'versions.1.song']
  expect((await fieldsOf(wrongForm)).sort()).toEqual(['songData.title', ...others].sort())
  const titled = { ...wrongForm, songData: { ...wrongForm.songData, title: 'Night Drive' } }
  expect((await fieldsOf(titled)).sort()).toEqual([...others].sort())
})

test('a chosen date survives a change that omits it', async () => {
  const label = await aLabel()
  const next = new Date().getUTCFullYear() + 1
  const { entity_id } = await aSavedSong(label, ['Clean'], { expire_date: { day: 1, month: 5, year: next } })
  const { songData: data, ...form } = await toForm(label, entity_id)
  const { expire_date: _, ...silent } = data
  await pool.ask(uploadedSongs.updateSong, { ...form, songData: silent }, label.token)
  expect((await findEntry(label, entity_id)).expire_date).toBe(`${next}-05-01T00:00:00.000Z`)
  await pool.ask(uploadedSongs.updateSong, { ...form, songData: { ...data, expire_date: null } }, label.token)
  expect((await findEntry(label, entity_id)).expire_date).not.toBe(`${next}-05-01T00:00:00.000Z`)
})

test('staff can move a song to the other section, where the same name is another song', async () => {
  const label = await aLabel()
  const { entity_id } = await aSavedSong(label, ['Clean'], { title: 'Namesake' })
  await publishUploads(entity_id)
  const second = await aSavedSong(label, ['Clean'], { title: 'Namesake' })
  const [left] = (await publishUploads(second.entity_id)).left
  expect(left).toMatchObject({ code: 'already_in_catalogue' })
  const { song } = await pool.ask(review.getUpload, { entity_id: second.entity_id }, staff.token)
  await pool.ask(
    review.editUpload,
    {
      ...{ entity_id: second.entity_id, version: song.version, song_section_id: 1 },
      songData: songData({ title: 'Namesake', genres: [house] }),
    },
    staff.token,
  )
  expect((await publishUploads(second.entity_id)).left).toEqual([])
  expect((await listNewest(1)).map(({ title }) => title)).toContain('Namesake')
})

test('genre counts include a song when it is published, changed, and unpublished', async () => {
  const label = await aLabel()
  const garage = await aGenre(pool.ctx, 'Garage')
  const techno = await aGenre(pool.ctx, 'Techno')
  const counted = async (genre_id: number) => {
    const [row] = await pool.ctx.sql<{ songs: number }[]>`
      select songs from genre_counter where genre_id = ${genre_id} and song_section_id = 2`
    return row?.songs ?? 0
  }
  const all = await counted(0)
  const { entity_id } = await aSavedSong(label, ['Clean'], { genres: [garage] })
  await publishUploads(entity_id)
  expect([await counted(0), await counted(garage), await counted(techno)]).toEqual([all + 1, 1, 0])
  const form = await toForm(label, entity_id)
  await pool.ask(uploadedSongs.updateSong, { ...form, songData: { ...form.songData, genres: [techno] } }, label.token)
  await publishUploads(entity_id)
  expect([await counted(0), await counted(garage), await counted(techno)]).toEqual([all + 1, 0, 1])
  await pool.ask(uploadedSongs.deleteSong, { entity_id }, label.token)
  expect([await counted(0), await counted(garage), await counted(techno)]).toEqual([all, 0, 0])
})

test('a deleted song leaves the pool at once, and its file and name can be used again', async () => {
  const label = await aLabel()
  const bytes = aWav()
  const song = await anUpload(pool.ctx, label, { bytes })
  const data = {
    songData: songData({ title: 'Second life', genres: [house] }),
    versions: [{ new_label: 'Clean', song }],
  }
  const { entity_id } = await pool.ask(uploadedSongs.createSong, data, label.token)
  await publishUploads(entity_id)
  await pool.ask(uploadedSongs.deleteSong, { entity_id }, label.token)
  expect(await kuts()).not.toContain('Second life')
  const searched = await pool.ctx.sql`
    select 1 from song_search join upload_song using (entity_id) where upload_song_id = ${entity_id}`
  expect(searched).toHaveLength(0)
  expect(await errorOf(pool.ask(uploadedSongs.getSongEntry, { entity_id }, label.token))).toMatchObject({
    code: 'unknown_song',
  })

  const reanalysis = await anUpload(pool.ctx, label, { bytes })
  expect(reanalysis).not.toBe(song)
  const saved = await pool.ask(
    uploadedSongs.createSong,
    { ...data, versions: [{ new_label: 'Clean', song: reanalysis }] },
    label.token,
  )
  expect((await publishUploads(saved.entity_id)).left).toEqual([])
  expect(await kuts()).toContain('Second life')
})
