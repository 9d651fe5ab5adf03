import { uploadedSongs, uploads } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aGenre, aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, aWav, inProcessAnalyser, songData } from '../../test/upload-makers.ts'
import { type Analyser, AnalyserError } from '../analysis/analyser.ts'
import { flacOf, tune, wavOf } from '../analysis/make-audio.ts'
import { analyseNext } from './upload-analysis.ts'

let pool: TestPool
let member: Awaited<ReturnType<typeof aMember>>

beforeAll(async () => {
  pool = await openTestPool()
})
beforeEach(async () => {
  member = await aMember(pool.ctx)
})
afterAll(() => pool.close())

const fileOf = async (uploadId: number) => {
  const { files } = await pool.ask(uploads.getContainer, {}, member.token)
  return files.find(({ upload_id }) => upload_id === uploadId)
}

/** An analyser whose process crashes each time. */
const crashingAnalyser = (): Analyser & { tries: number } => {
  const analyser = {
    tries: 0,
    analyse: async (path: string) => {
      analyser.tries++
      throw new AnalyserError(path, 'crashed', 'the process exited with SIGKILL')
    },
    stop: async () => {},
  }
  return analyser
}

const makeClaimStale = (uploadId: number) =>
  pool.ctx.sql`update upload set updated_at = now() - interval '5 minutes' where upload_id = ${uploadId}`

test('an analysis returns a file’s measurements and tags', async () => {
  const house = await aGenre(pool.ctx, 'House')
  const upload = await anUpload(pool.ctx, member, { name: 'Kwame - Night Drive (Intro Clean) [124 8A].wav' })
  const file = await fileOf(upload)
  expect(file).toMatchObject({
    file: 'Kwame - Night Drive (Intro Clean) [124 8A].wav',
    tag: { title: 'Night Drive', artist: 'Kwame', version_label: 'Intro Clean' },
    analysis: { state: 'done', progress: 1, format: 'wav', sample_rate: 22_050, duration_seconds: 1 },
  })
  expect(house).toBeGreaterThan(0)
  const preview = await pool.app.inject({ url: file?.mp3 ?? '' })
  expect(preview.headers['content-type']).toBe('audio/mpeg')
  expect(preview.rawPayload.length).toBeGreaterThan(12_000)
  expect((await pool.app.inject({ url: file?.peaks ?? '' })).rawPayload).toHaveLength(3200)
})

test('a name without an artist still gives the title and the version', async () => {
  const file = await fileOf(await anUpload(pool.ctx, member, { name: 'Second Sunday (Dirty).wav' }))
  expect(file?.tag).toMatchObject({ title: 'Second Sunday', artist: '', version_label: 'Dirty' })
})

test('the tags of a file are known before its analysis is complete', async () => {
  const upload = await anUpload(pool.ctx, member, { analysed: false })
  let known: unknown
  const recordingAnalyser: Analyser = {
    stop: async () => {},
    analyse: async (path, options) => {
      known = (await fileOf(upload))?.tag
      return inProcessAnalyser.analyse(path, options)
    },
  }
  await analyseNext(pool.ctx, recordingAnalyser)
  expect(known).toMatchObject({ title: 'Night Drive', version_label: 'Clean' })
})

test('the URL of an unpublished preview belongs to a session, and ends with it', async () => {
  const file = await fileOf(await anUpload(pool.ctx, member))
  expect((await pool.app.inject({ url: file?.mp3 ?? '' })).statusCode).toBe(200)
  const tampered = (file?.mp3 ?? '').replace(/media\/\d+\./, 'media/1.')
  expect((await pool.app.inject({ url: tampered })).statusCode).toBe(403)
  await pool.ctx.sql`delete from session where customer_id = ${member.customer_id}`
  expect((await pool.app.inject({ url: file?.mp3 ?? '' })).statusCode).toBe(410)
})

test('reports a file that is not music with its type, and it can still be removed', async () => {
  const upload = await anUpload(pool.ctx, member, { bytes: Buffer.from('<!doctype html><p>Sign in to download') })
  const file = await fileOf(upload)
  expect(file?.analysis).toMatchObject({ state: 'done', duration_seconds: 0, faults: [{ blocks: true }] })
  expect(file?.mp3).toBe('')
  await pool.ask(uploads.removeUpload, { upload_id: upload }, member.token)
  expect(await fileOf(upload)).toBeUndefined()
})

test('analyses a truncated file as far as possible, and reports where it ends', async () => {
  const wav = aWav({ seconds: 10 })
  const upload = await anUpload(pool.ctx, member, {
    bytes: wav.subarray(0, Math.floor(wav.length * 0.6)),
  })
  const { analysis, mp3 } = (await fileOf(upload)) as uploads.ContainerFile
  expect(analysis.state).toBe('done')
  const [fault] = analysis.faults.filter(({ blocks }) => blocks)
  expect(fault?.code).toBe('truncated')
  expect(analysis.duration_seconds).toBeCloseTo(6, 0)
  expect(mp3).not.toBe('')
})

describe('an interrupted analysis', () => {
  test('is marked after three attempts, and not retried', async () => {
    const upload = await anUpload(pool.ctx, member, { analysed: false })
    const analyser = crashingAnalyser()
    while (await analyseNext(pool.ctx, analyser));
    expect(analyser.tries).toBe(3)
    expect((await fileOf(upload))?.analysis).toMatchObject({
      state: 'failed',
      faults: [{ code: 'analysis_failed', blocks: true }],
    })
    expect(await analyseNext(pool.ctx, inProcessAnalyser)).toBe(false)
  })

  test('is retried when its worker has been silent for a while', async () => {
    const upload = await anUpload(pool.ctx, member, { analysed: false })
    // A killed process: it claimed the file and never continued.
    await pool.ctx
      .sql`update upload set state = 'running', attempts = 1, updated_at = now() where upload_id = ${upload}`
    expect(await analyseNext(pool.ctx, inProcessAnalyser)).toBe(false)
    await makeClaimStale(upload)
    expect(await analyseNext(pool.ctx, inProcessAnalyser)).toBe(true)
    expect((await fileOf(upload))?.analysis.state).toBe('done')
  })

  test('does not block the next file while another worker claims it', async () => {
    const [held, next] = [
      await anUpload(pool.ctx, member, { analysed: false }),
      await anUpload(pool.ctx, member, { analysed: false }),
    ]
    await pool.ctx.sql.begin(async (sql) => {
      await sql`select 1 from upload where upload_id = ${held} for update`
      expect(await analyseNext(pool.ctx, inProcessAnalyser)).toBe(true)
      expect((await fileOf(next))?.analysis.state).toBe('done')
    })
    expect(await analyseNext(pool.ctx, inProcessAnalyser)).toBe(true)
  })

  test('of a late process changes nothing any more', async () => {
    const upload = await anUpload(pool.ctx, member, { analysed: false })
    const late: Analyser = {
      stop: async () => {},
      analyse: async (path, options) => {
        const analysis = await inProcessAnalyser.analyse(path, { previewPath: options?.previewPath ?? '' })
        await makeClaimStale(upload)
        await analyseNext(pool.ctx, inProcessAnalyser)
        return { ...analysis, bpm: 999, duration_seconds: 9 }
      },
    }
    await analyseNext(pool.ctx, late)
    expect((await fileOf(upload))?.analysis).toMatchObject({ state: 'done', duration_seconds: 1 })
  })

  test('by a full disk does not count as the file’s fault', async () => {
    const upload = await anUpload(pool.ctx, member, { analysed: false })
    const full: Analyser = {
      stop: async () => {},
      analyse: async (path) => {
        throw new AnalyserError(path, 'reported', 'ENOSPC: no space left on device')
      },
    }
    for (let n = 0; n < 5; n++) {
      await expect(analyseNext(pool.ctx, full)).rejects.toThrow('ENOSPC')
      expect(await analyseNext(pool.ctx, full), 'at once again').toBe(false)
      await pool.ctx.sql`update upload set due_at = now() where upload_id = ${upload}`
    }
    expect(await analyseNext(pool.ctx, inProcessAnalyser)).toBe(true)
    expect((await fileOf(upload))?.analysis.state).toBe('done')
  })

  test('of a file lost from storage is reported, and blocks nothing', async () => {
    const upload = await anUpload(pool.ctx, member, { analysed: false })
    const [row] = await pool.ctx.sql<{ sha256: string }[]>`
      select encode(sha256, 'hex') as sha256 from upload where upload_id = ${upload}`
    await pool.ctx.storage.remove('audio', row?.sha256 ?? '')
    const next = await anUpload(pool.ctx, member)
    expect((await fileOf(upload))?.analysis).toMatchObject({ state: 'failed', faults: [{ code: 'file_lost' }] })
    expect((await fileOf(next))?.analysis.state).toBe('done')
  })
})

test('a file that is in the pool already cannot be published again in another song', async () => {
  const staffMember = await aMember(pool.ctx, { staff_role: 'curator' })
  const { publishUpload } = await import('./publishing.ts')
  const house = await aGenre(pool.ctx, 'Deep House')
  const bytes = aWav()
  const song = await anUpload(pool.ctx, member, { bytes })
  const createdSong = await pool.ask(
    uploadedSongs.createSong,
    { songData: songData({ title: 'First', genres: [house] }), versions: [{ new_label: 'Clean', song }] },
    member.token,
  )
  const decision = { entity_id: createdSong.entity_id, version: 1, staff_id: staffMember.customer_id }
  await pool.ctx.sql.begin((sql) => publishUpload(pool.ctx, sql, decision))

  member = await aMember(pool.ctx)
  const reanalysis = await fileOf(await anUpload(pool.ctx, member, { bytes }))
  expect(reanalysis?.analysis.faults).toMatchObject([
    {
      code: 'already_in_catalogue',
      message: 'This file is already in the catalogue: Kwame – First (Clean).',
      blocks: true,
    },
  ])
})

test('an internal error for one file is counted, so that it is not retried forever', async () => {
  const upload = await anUpload(pool.ctx, member, { analysed: false })
  const failingAnalyser: Analyser = {
    stop: async () => {},
    analyse: async () => {
      throw new TypeError('nobody thought of this file')
    },
  }
  for (let attempts = 0; attempts < 3; attempts++) {
    await expect(analyseNext(pool.ctx, failingAnalyser)).rejects.toThrow('nobody thought')
    await pool.ctx.sql`update upload set due_at = now() where upload_id = ${upload}`
  }
  expect(await analyseNext(pool.ctx, inProcessAnalyser)).toBe(true)
  expect((await fileOf(upload))?.analysis).toMatchObject({ state: 'failed', faults: [{ code: 'analysis_failed' }] })
})

test('half a character at the end of a long tag does not prevent the analysis', async () => {
  const name = `${'a'.repeat(150)} - ${'b'.repeat(30)} (Clean).wav`
  const title = Buffer.from(`\ufeff${'x'.repeat(299)}\u{1f3b5}`, 'utf16le')
  const frame = Buffer.concat([Buffer.from('TIT2'), Buffer.alloc(4), Buffer.from([0, 0, 1]), title])
  frame.writeUInt32BE(title.length + 1, 4)
  const size = frame.length
  const head = Buffer.from([73, 68, 51, 3, 0, 0, 0, 0, (size >> 7) & 127, size & 127])
  const tag = Buffer.concat([head, frame])
  const chunk = Buffer.concat([Buffer.from('id3 '), Buffer.alloc(4), tag, Buffer.alloc(tag.length % 2)])
  chunk.writeUInt32LE(tag.length, 4)
  const bytes = Buffer.concat([aWav(), chunk])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  const file = await fileOf(await anUpload(pool.ctx, member, { name, bytes }))
  expect(file?.tag.title).toContain('xxx')
  expect(file?.analysis.state).toBe('done')
})

test('a recording published after another copy was analysed is also reported for that copy', async () => {
  const { publishUpload } = await import('./publishing.ts')
  const house = await aGenre(pool.ctx, 'Twin House')
  const media = tune({ seed: 11, seconds: 30, rate: 22_050, channels: 1 })
  // Quieter: another file with the same music.
  const [loud, quiet] = [media, media.map((samples) => samples.map((sample) => sample * 0.7))].map((channels) =>
    wavOf(channels, { rate: 22_050 }),
  )
  const first = await anUpload(pool.ctx, member, { bytes: loud as Buffer, name: 'first.wav' })
  const other = await aMember(pool.ctx)
  const song = await anUpload(pool.ctx, other, { bytes: quiet as Buffer, name: 'second.wav' })
  const form = { songData: songData({ title: 'Twin', genres: [house] }), versions: [{ new_label: 'Clean', song }] }
  const { entity_id } = await pool.ask(uploadedSongs.createSong, form, other.token)
  const staff_id = (await aMember(pool.ctx, { staff_role: 'curator' })).customer_id
  await pool.ctx.sql.begin((sql) => publishUpload(pool.ctx, sql, { entity_id, version: 1, staff_id }))
  expect((await fileOf(first))?.analysis.faults).toMatchObject([{ code: 'already_in_catalogue', blocks: false }])
})

describe('the queue', () => {
  /** Records the names of the files it analyses. */
  const recorder = () => {
    const analysed: string[] = []
    const analyser: Analyser = {
      stop: async () => {},
      analyse: async (path, options) => {
        const [running] = await pool.ctx.sql<{ name: string }[]>`
          select name from upload where state = 'running' order by updated_at desc limit 1`
        analysed.push(running?.name ?? '')
        return inProcessAnalyser.analyse(path, options)
      },
    }
    return { analysed, analyser }
  }
  const send = (sender: { customer_id: number }, name: string) =>
    anUpload(pool.ctx, sender, { name: `${name}.wav`, bytes: aWav({ seconds: 1 }), analysed: false })
  const useUpLimit = (minutes: number) => pool.ctx.sql`
    insert into analysis_usage (customer_id, day, seconds)
    values (${member.customer_id}, (now() at time zone 'UTC')::date, ${minutes * 60})`

  test('takes turns between members, however many files the first one has sent', async () => {
    const other = await aMember(pool.ctx)
    for (const name of ['a1', 'a2', 'a3', 'a4']) await send(member, name)
    for (const name of ['b1', 'b2']) await send(other, name)
    const { analysed, analyser } = recorder()
    while (await analyseNext(pool.ctx, analyser));
    expect(analysed).toEqual(['a1.wav', 'b1.wav', 'a2.wav', 'b2.wav', 'a3.wav', 'a4.wav'])
  })

  test('gives a free worker to a member who has none', async () => {
    const other = await aMember(pool.ctx)
    const first = await send(member, 'a1')
    await send(member, 'a2')
    await send(other, 'b1')
    await pool.ctx.sql`
      update upload set state = 'running', updated_at = now() - interval '5 seconds' where upload_id = ${first}`
    const { analysed, analyser } = recorder()
    await analyseNext(pool.ctx, analyser)
    expect(analysed).toEqual(['b1.wav'])
    await pool.ctx.sql`update upload set state = 'queued' where upload_id = ${first}`
    while (await analyseNext(pool.ctx, inProcessAnalyser));
  })

  test('postpones what exceeds a member’s daily hours to the next day, and says so', async () => {
    const other = await aMember(pool.ctx)
    const upload = await send(member, 'late')
    await useUpLimit(uploads.MINUTES_PER_DAY)
    await send(other, 'other')
    const { analysed, analyser } = recorder()
    while (await analyseNext(pool.ctx, analyser));
    expect(analysed).toEqual(['other.wav'])
    expect((await fileOf(upload))?.analysis).toMatchObject({
      state: 'queued',
      faults: [
        {
          code: 'daily_limit_reached',
          message:
            'You have reached today’s limit of 24 hours of audio. This file will be analysed after midnight UTC.',
          blocks: false,
        },
      ],
    })
    await pool.ctx.sql`update analysis_usage set day = day - 1 where customer_id = ${member.customer_id}`
    expect(await analyseNext(pool.ctx, inProcessAnalyser)).toBe(true)
    expect((await fileOf(upload))?.analysis).toMatchObject({ state: 'done', faults: [] })
  })

  test('counts the audio it decodes for a member, and failed attempts', async () => {
    const used = async () => {
      const [row] = await pool.ctx.sql<{ seconds: number }[]>`
        select seconds from analysis_usage where customer_id = ${member.customer_id}`
      return row?.seconds
    }
    await anUpload(pool.ctx, member)
    expect(await used()).toBeCloseTo(1, 1)
    await anUpload(pool.ctx, member, { analysed: false })
    await analyseNext(pool.ctx, crashingAnalyser())
    expect(await used()).toBeCloseTo(301, 1)
    while (await analyseNext(pool.ctx, inProcessAnalyser));
  })

  test('limits the length of each file', async () => {
    await send(member, 'long')
    let limit: number | undefined
    await analyseNext(pool.ctx, {
      stop: async () => {},
      analyse: async (path, options) => {
        limit = options?.maxDurationSeconds
        return inProcessAnalyser.analyse(path, { ...options, maxDurationSeconds: 0.5 })
      },
    })
    expect(limit).toBe(3 * 3600)
    const { files } = await pool.ask(uploads.getContainer, {}, member.token)
    expect(files[0]?.analysis.faults).toMatchObject([{ code: 'too_long', blocks: true }])
  })
})

test('a file whose tags cannot be replaced is not published', async () => {
  const flac = flacOf(tune({ seed: 5, seconds: 2 }))
  const padding = Buffer.from([1, 0, 0, 0])
  const many = Buffer.concat([...Array.from({ length: 1000 }, () => padding), Buffer.from([0x81, 0, 0, 0])])
  const bytes = Buffer.concat([flac.subarray(0, 42), many, flac.subarray(42)])
  bytes[4] = 0
  const upload = await anUpload(pool.ctx, member, { bytes, name: 'Kwame - Night Drive (Clean).flac' })
  expect((await fileOf(upload))?.analysis.faults).toMatchObject([{ code: 'unreplaceable_tags', blocks: true }])
})
