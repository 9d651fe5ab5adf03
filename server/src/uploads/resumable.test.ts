import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { uploads } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { aWav } from '../../test/uploading.ts'
import { takeIn } from './intake.ts'
import { sweepUnfinished } from './resumable.ts'
import { receiveFiles } from './whole-files.ts'

let pool: TestPool
let server: string

beforeAll(async () => {
  pool = await openTestPool()
  server = await pool.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>

const TUS = { 'tus-resumable': '1.0.0' }
const base64 = (text: string) => Buffer.from(text).toString('base64')
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

type Begun = { bytes: Buffer; name?: string; sha256?: string; length?: number }

/** Announces a file; the answer's Location is where its bytes go. */
const begin = ({ token }: Pick<Member, 'token'>, { bytes, name = 'Kwame - Tide (Dirty).wav', sha256, length }: Begun) =>
  fetch(`${server}${uploads.RESUMABLE_PATH}`, {
    method: 'POST',
    headers: {
      ...TUS,
      authorization: `Bearer ${token}`,
      'upload-length': String(length ?? bytes.length),
      'upload-metadata': `filename ${base64(name)},sha256 ${base64(sha256 ?? sha256Of(bytes))}`,
    },
  })

const placeOf = (response: Response) => `${server}${response.headers.get('location')}`

const send = ({ token }: Pick<Member, 'token'>, place: string, offset: number, bytes: Buffer) =>
  fetch(place, {
    method: 'PATCH',
    headers: {
      ...TUS,
      authorization: `Bearer ${token}`,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(bytes),
  })

const offsetOf = async ({ token }: Pick<Member, 'token'>, place: string) => {
  const response = await fetch(place, { method: 'HEAD', headers: { ...TUS, authorization: `Bearer ${token}` } })
  return response.status === 200 ? Number(response.headers.get('upload-offset')) : response.status
}

const uploadsOf = ({ customer_id }: Member) =>
  pool.world.sql<{ upload_id: number; name: string; state: string; sha256: string }[]>`
    select upload_id, name, state, encode(sha256, 'hex') as sha256 from upload
    where customer_id = ${customer_id} and removed_at is null`

const unfinished = () => path.join(pool.world.config.dataDir, 'media', 'unfinished')

test('a file goes on where it broke off, and is waited for by the analysis when its last byte is here', async () => {
  const member = await aMember(pool.world)
  const bytes = aWav()
  const place = placeOf(await begin(member, { bytes }))
  const half = Math.floor(bytes.length / 2)
  expect((await send(member, place, 0, bytes.subarray(0, half))).status).toBe(204)
  expect(await offsetOf(member, place)).toBe(half)
  expect(await uploadsOf(member)).toEqual([])
  const last = await send(member, place, half, bytes.subarray(half))
  expect(last.status).toBe(204)
  const [upload] = await uploadsOf(member)
  expect(upload).toMatchObject({ name: 'Kwame - Tide (Dirty).wav', state: 'queued', sha256: sha256Of(bytes) })
  expect(Number(last.headers.get('upload-id-of-file'))).toBe(upload?.upload_id)
  expect(await pool.world.storage.readAll('audio', sha256Of(bytes))).toEqual(bytes)
  expect(readdirSync(unfinished()).filter((name) => name.startsWith(`${member.customer_id}-`))).toEqual([])
})

test('a line that breaks within a chunk loses nothing that has arrived', async () => {
  const member = await aMember(pool.world)
  const bytes = aWav()
  const place = placeOf(await begin(member, { bytes }))
  const broken = new AbortController()
  let given = 0
  const body = new ReadableStream({
    async pull(controller) {
      if (given >= 60_000) {
        broken.abort()
        return
      }
      controller.enqueue(new Uint8Array(bytes.subarray(given, given + 20_000)))
      given += 20_000
    },
  })
  await expect(
    fetch(place, {
      method: 'PATCH',
      signal: broken.signal,
      duplex: 'half',
      headers: {
        ...TUS,
        authorization: `Bearer ${member.token}`,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body,
    } as RequestInit),
  ).rejects.toThrow()
  // What had left before the break may still come in after the first look: a sender then looks again.
  const goOn = async () => {
    const arrived = await offsetOf(member, place)
    return (await send(member, place, arrived, bytes.subarray(arrived))).status
  }
  await expect.poll(goOn, { interval: 20 }).toBe(204)
  expect(await uploadsOf(member)).toMatchObject([{ sha256: sha256Of(bytes) }])
})

test('a file that was damaged on its way is refused in words and thrown away', async () => {
  const member = await aMember(pool.world)
  const bytes = aWav()
  const place = placeOf(await begin(member, { bytes }))
  const damaged = Buffer.from(bytes)
  damaged[5000] = (damaged[5000] ?? 0) ^ 1
  const response = await send(member, place, 0, damaged)
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({
    code: 'upload_corrupted',
    message: '“Kwame - Tide (Dirty).wav” was corrupted during upload. Upload it again.',
  })
  expect(await uploadsOf(member)).toEqual([])
  expect(await offsetOf(member, place)).toBe(404)
})

test('what would be refused is refused before a byte is sent', async () => {
  const member = await aMember(pool.world)
  const bytes = aWav()
  const refused = async (begun: Begun) => {
    const response = await begin(member, begun)
    return [response.status, ((await response.json()) as { code: string }).code]
  }
  expect(await refused({ bytes, name: 'cover.jpg' })).toEqual([415, 'unsupported_file_type'])
  expect(await refused({ bytes, name: 'empty.wav', length: 0 })).toEqual([415, 'unsupported_file_type'])
  expect((await begin(member, { bytes, length: 501 * 1024 * 1024 })).status).toBe(413)
  const place = placeOf(await begin(member, { bytes }))
  await send(member, place, 0, bytes)
  expect(await refused({ bytes, name: 'the same under another name.wav' })).toEqual([409, 'already_uploaded'])
})

test('a full disk is said before a byte is sent', async () => {
  const member = await aMember(pool.world)
  const { freeBytes } = pool.world.storage
  pool.world.storage.freeBytes = async () => 600 * 1024 * 1024
  try {
    const response = await begin(member, { bytes: aWav(), length: 100 * 1024 * 1024 })
    expect(response.status).toBe(507)
    expect(await response.json()).toMatchObject({ code: 'insufficient_storage' })
  } finally {
    pool.world.storage.freeBytes = freeBytes
  }
})

test('somebody else’s upload is not there, and nobody sends without being a member', async () => {
  const [member, other] = [await aMember(pool.world), await aMember(pool.world)]
  const bytes = aWav()
  const place = placeOf(await begin(member, { bytes }))
  expect(await offsetOf(other, place)).toBe(404)
  expect((await send(other, place, 0, bytes)).status).toBe(404)
  expect(
    (await fetch(place, { method: 'DELETE', headers: { ...TUS, authorization: `Bearer ${other.token}` } })).status,
  ).toBe(404)
  expect((await begin({ token: 'none' }, { bytes })).status).toBe(401)
  expect(await offsetOf(member, place)).toBe(0)
  expect(
    await fetch(place, { method: 'DELETE', headers: { ...TUS, authorization: `Bearer ${member.token}` } }),
  ).toMatchObject({ status: 204 })
  expect(await offsetOf(member, place)).toBe(404)
})

test('a file whose process ended after its last byte is taken in by the sweep', async () => {
  const member = await aMember(pool.world)
  const bytes = aWav()
  const { keepFile } = pool.world.storage
  pool.world.storage.keepFile = async () => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  }
  const place = placeOf(await begin(member, { bytes }))
  const response = await send(member, place, 0, bytes)
  expect(response.status).toBe(507)
  pool.world.storage.keepFile = keepFile
  expect(await uploadsOf(member)).toEqual([])
  const later = { ...pool.world, now: () => new Date(Date.now() + 2 * 60_000) }
  await sweepUnfinished(later)
  expect(await uploadsOf(member)).toMatchObject([{ sha256: sha256Of(bytes) }])
})

test('the sweep leaves a half alone for three days, and no longer', async () => {
  const member = await aMember(pool.world)
  const bytes = aWav()
  const place = placeOf(await begin(member, { bytes }))
  await send(member, place, 0, bytes.subarray(0, 1000))
  await sweepUnfinished({ ...pool.world, now: () => new Date(Date.now() + 2 * 60_000) })
  expect(await offsetOf(member, place)).toBe(1000)
  const file = path.join(unfinished(), place.split('/').at(-1) as string)
  truncateSync(file, 500)
  expect(await offsetOf(member, place)).toBe(500)
  expect(existsSync(file)).toBe(true)
})

test('twenty uploads that are not finished are enough', async () => {
  const member = await aMember(pool.world)
  for (let n = 0; n < 20; n++) expect((await begin(member, { bytes: aWav({ seconds: 0.1 }) })).status).toBe(201)
  const response = await begin(member, { bytes: aWav() })
  expect(await response.json()).toMatchObject({ code: 'too_many_files' })
})

test('five hundred files in no song are enough, by either way in', async () => {
  const member = await aMember(pool.world)
  await pool.world.sql`
    insert into upload (customer_id, name, bytes, sha256, state)
    select ${member.customer_id}, 'old.wav', 1, sha256((${String(member.customer_id)} || '-' || n)::bytea), 'failed'
    from generate_series(1, 500) n`
  const message = 'You have 500 unused files. Add them to songs or delete some first.'
  expect(await (await begin(member, { bytes: aWav() })).json()).toMatchObject({ code: 'too_many_files', message })
  const form = receiveFiles(pool.world, member.customer_id, { headers: {} } as FastifyRequest)
  await expect(form).rejects.toMatchObject({ code: 'too_many_files', message })
})

test('a member who has used up the hours of audio of a day can send nothing more until the next', async () => {
  const member = await aMember(pool.world)
  await pool.world.sql`
    insert into analysis_usage (customer_id, day, seconds)
    values (${member.customer_id}, (now() at time zone 'UTC')::date, ${uploads.MINUTES_PER_DAY * 60})`
  const message = 'You have reached today’s limit of 24 hours of audio. Upload this file after midnight UTC.'
  const begun = await begin(member, { bytes: aWav() })
  expect([begun.status, await begun.json()]).toMatchObject([403, { code: 'daily_limit_reached', message }])
  const form = receiveFiles(pool.world, member.customer_id, { headers: {} } as FastifyRequest)
  await expect(form).rejects.toMatchObject({ code: 'daily_limit_reached', message })
  await pool.world.sql`update analysis_usage set day = day - 1 where customer_id = ${member.customer_id}`
  expect((await begin(member, { bytes: aWav() })).status).toBe(201)
})

/** The call of older clients: whole files in one form. */
const sendForm = async (
  { token }: Member,
  files: { name: string; bytes: Buffer }[],
  field = 'UploadForm[mp3Files]',
) => {
  const form = new FormData()
  for (const { name, bytes } of files) form.append(field, new Blob([new Uint8Array(bytes)]), name)
  const response = await fetch(`${server}/api/${uploads.uploadSongs.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  return {
    status: response.status,
    reply: (await response.json()) as { code?: string; data?: { files: { file: string }[] } },
  }
}

test('two whole files come in by one form, a third is refused with all of them', async () => {
  const member = await aMember(pool.world)
  const files = ['a.wav', 'b.wav', 'c.wav'].map((name) => ({ name, bytes: aWav() }))
  const { reply } = await sendForm(member, files.slice(0, 2))
  expect(reply.data?.files.map(({ file }) => file).sort()).toEqual(['a.wav', 'b.wav'])
  const three = await sendForm(await aMember(pool.world), files)
  expect(three).toMatchObject({ status: 422, reply: { code: 'too_many_files' } })
})

test('a form with a wrong file, without one, or with a wrong field is refused, and leaves nothing on the disk', async () => {
  const member = await aMember(pool.world)
  const good = { name: 'a.wav', bytes: aWav() }
  expect(await sendForm(member, [good, { name: 'notes.txt', bytes: Buffer.from('hi') }])).toMatchObject({
    status: 415,
    reply: { code: 'unsupported_file_type' },
  })
  expect(await sendForm(member, [])).toMatchObject({ status: 422, reply: { code: 'file_required' } })
  expect(await sendForm(member, [good], 'files')).toMatchObject({ reply: { code: 'file_required' } })
  expect(await uploadsOf(member)).toEqual([])
  const scratch = path.dirname(await pool.world.storage.scratch('x'))
  expect(readdirSync(scratch).filter((name) => name.endsWith('upload'))).toEqual([])
})

/** As if the upload had been begun so long ago. */
function beganBefore(place: string, ms: number): string {
  const id = place.split('/').at(-1) as string
  const notes = path.join(unfinished(), `${id}.json`)
  const said = JSON.parse(readFileSync(notes, 'utf8'))
  writeFileSync(notes, JSON.stringify({ ...said, creation_date: new Date(Date.now() - ms).toISOString() }))
  return id
}

const HOUR_MS = 3600 * 1000
const noRoom = async () => {
  throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
}

test('what the protocol notes of an upload cannot be taken away beside its file', async () => {
  const member = await aMember(pool.world)
  const bytes = aWav()
  const place = placeOf(await begin(member, { bytes }))
  await send(member, place, 0, bytes.subarray(0, 1000))
  const headers = { ...TUS, authorization: `Bearer ${member.token}` }
  expect((await fetch(`${place}.json`, { method: 'DELETE', headers })).status).toBe(404)
  expect(await offsetOf(member, place)).toBe(1000)
})

test('the sweep leaves a file alone that has just become whole, however long ago it was begun', async () => {
  const member = await aMember(pool.world)
  const bytes = aWav()
  const { keepFile } = pool.world.storage
  const place = placeOf(await begin(member, { bytes }))
  beganBefore(place, HOUR_MS)
  let kept = 0
  pool.world.storage.keepFile = async (...args: Parameters<typeof keepFile>) => {
    if (kept++ === 0) await sweepUnfinished(pool.world)
    return keepFile(...args)
  }
  try {
    expect((await send(member, place, 0, bytes)).status).toBe(204)
  } finally {
    pool.world.storage.keepFile = keepFile
  }
  expect(kept).toBe(1)
  expect(await uploadsOf(member)).toHaveLength(1)
})

test('a whole file is kept until our side can take it in, a half for three days', async () => {
  const member = await aMember(pool.world)
  const [bytes, other] = [aWav(), aWav()]
  const { keepFile } = pool.world.storage
  const place = placeOf(await begin(member, { bytes }))
  const half = placeOf(await begin(member, { bytes: other }))
  await send(member, half, 0, other.subarray(0, 1000))
  const halfId = beganBefore(half, 73 * HOUR_MS)
  utimesSync(path.join(unfinished(), halfId), new Date(), new Date(Date.now() - 73 * HOUR_MS))
  const later = { ...pool.world, now: () => new Date(Date.now() + HOUR_MS) }
  pool.world.storage.keepFile = noRoom
  try {
    await send(member, place, 0, bytes)
    beganBefore(place, 73 * HOUR_MS)
    await sweepUnfinished(later)
  } finally {
    pool.world.storage.keepFile = keepFile
  }
  await sweepUnfinished(later)
  expect(await uploadsOf(member)).toMatchObject([{ sha256: sha256Of(bytes) }])
  expect(readdirSync(unfinished()).filter((name) => name.startsWith(`${member.customer_id}-`))).toEqual([])
})

test('what a killed process left of an upload, notes without a file or a file without notes, goes with the sweep', async () => {
  const member = await aMember(pool.world)
  const [one, two] = [placeOf(await begin(member, { bytes: aWav() })), placeOf(await begin(member, { bytes: aWav() }))]
  rmSync(path.join(unfinished(), one.split('/').at(-1) as string))
  rmSync(path.join(unfinished(), `${two.split('/').at(-1)}.json`))
  await sweepUnfinished({ ...pool.world, now: () => new Date(Date.now() + 96 * HOUR_MS) })
  expect(readdirSync(unfinished()).filter((name) => name.startsWith(`${member.customer_id}-`))).toEqual([])
})

test('a disk that became full meanwhile takes no further chunk, and says so', async () => {
  const member = await aMember(pool.world)
  const bytes = aWav()
  const place = placeOf(await begin(member, { bytes }))
  const { freeBytes } = pool.world.storage
  pool.world.storage.freeBytes = async () => 400 * 1024 * 1024
  try {
    const response = await send(member, place, 0, bytes)
    expect(response.status).toBe(507)
    expect(await response.json()).toMatchObject({ code: 'insufficient_storage' })
  } finally {
    pool.world.storage.freeBytes = freeBytes
  }
  expect((await send(member, place, await offsetOf(member, place), bytes)).status).toBe(204)
})

test('a file whose sender deleted the account meanwhile is not taken in', async () => {
  const member = await aMember(pool.world)
  const bytes = aWav()
  const file = await pool.world.storage.scratch('late.wav')
  writeFileSync(file, bytes)
  await pool.world
    .sql`update customer set status = 'deleted', deleted_at = now() where customer_id = ${member.customer_id}`
  const late = takeIn(pool.world, { customer_id: member.customer_id, path: file, name: 'late.wav' })
  await expect(late).rejects.toMatchObject({ code: 'session_expired' })
  expect(await uploadsOf(member)).toEqual([])
})
