import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { uploads } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { aWav } from '../../test/upload-makers.ts'
import { ingestUpload } from './intake.ts'
import { receiveFiles } from './multipart-upload.ts'
import { sweepUnfinishedUploads } from './resumable.ts'

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

type StartedUpload = { bytes: Buffer; name?: string; sha256?: string; length?: number }

/** Announces a file; the Location of the response is where its bytes go. */
const startUpload = (
  { token }: Pick<Member, 'token'>,
  { bytes, name = 'Kwame - Tide (Dirty).wav', sha256, length }: StartedUpload,
) =>
  fetch(`${server}${uploads.RESUMABLE_PATH}`, {
    method: 'POST',
    headers: {
      ...TUS,
      authorization: `Bearer ${token}`,
      'upload-length': String(length ?? bytes.length),
      'upload-metadata': `filename ${base64(name)},sha256 ${base64(sha256 ?? sha256Of(bytes))}`,
    },
  })

const readLocation = (response: Response) => `${server}${response.headers.get('location')}`

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

const readOffset = async ({ token }: Pick<Member, 'token'>, place: string) => {
  const response = await fetch(place, { method: 'HEAD', headers: { ...TUS, authorization: `Bearer ${token}` } })
  return response.status === 200 ? Number(response.headers.get('upload-offset')) : response.status
}

const uploadsOf = ({ customer_id }: Member) =>
  pool.ctx.sql<{ upload_id: number; name: string; state: string; sha256: string }[]>`
    select upload_id, name, state, encode(sha256, 'hex') as sha256 from upload
    where customer_id = ${customer_id} and removed_at is null`

const unfinished = () => path.join(pool.ctx.config.dataDir, 'media', 'unfinished')

test('an upload can be resumed, and its analysis is queued after the last byte', async () => {
  const member = await aMember(pool.ctx)
  const bytes = aWav()
  const place = readLocation(await startUpload(member, { bytes }))
  const half = Math.floor(bytes.length / 2)
  expect((await send(member, place, 0, bytes.subarray(0, half))).status).toBe(204)
  expect(await readOffset(member, place)).toBe(half)
  expect(await uploadsOf(member)).toEqual([])
  const last = await send(member, place, half, bytes.subarray(half))
  expect(last.status).toBe(204)
  const [upload] = await uploadsOf(member)
  expect(upload).toMatchObject({ name: 'Kwame - Tide (Dirty).wav', state: 'queued', sha256: sha256Of(bytes) })
  expect(Number(last.headers.get('upload-id-of-file'))).toBe(upload?.upload_id)
  expect(await pool.ctx.storage.readAll('audio', sha256Of(bytes))).toEqual(bytes)
  expect(readdirSync(unfinished()).filter((name) => name.startsWith(`${member.customer_id}-`))).toEqual([])
})

test('a connection that breaks within a chunk loses nothing that has arrived', async () => {
  const member = await aMember(pool.ctx)
  const bytes = aWav()
  const place = readLocation(await startUpload(member, { bytes }))
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
  // Bytes sent before the break may still arrive after the first check: clients then check again.
  const resumeUpload = async () => {
    const offset = await readOffset(member, place)
    return (await send(member, place, offset, bytes.subarray(offset))).status
  }
  await expect.poll(resumeUpload, { interval: 20 }).toBe(204)
  expect(await uploadsOf(member)).toMatchObject([{ sha256: sha256Of(bytes) }])
})

test('a file damaged in transit is rejected with a message and deleted', async () => {
  const member = await aMember(pool.ctx)
  const bytes = aWav()
  const place = readLocation(await startUpload(member, { bytes }))
  const damagedBytes = Buffer.from(bytes)
  damagedBytes[5000] = (damagedBytes[5000] ?? 0) ^ 1
  const response = await send(member, place, 0, damagedBytes)
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({
    code: 'upload_corrupted',
    message: '“Kwame - Tide (Dirty).wav” was corrupted during upload. Upload it again.',
  })
  expect(await uploadsOf(member)).toEqual([])
  expect(await readOffset(member, place)).toBe(404)
})

test('an invalid upload is rejected before a byte is sent', async () => {
  const member = await aMember(pool.ctx)
  const bytes = aWav()
  const refused = async (startedUpload: StartedUpload) => {
    const response = await startUpload(member, startedUpload)
    return [response.status, ((await response.json()) as { code: string }).code]
  }
  expect(await refused({ bytes, name: 'cover.jpg' })).toEqual([415, 'unsupported_file_type'])
  expect(await refused({ bytes, name: 'empty.wav', length: 0 })).toEqual([415, 'unsupported_file_type'])
  expect((await startUpload(member, { bytes, length: 501 * 1024 * 1024 })).status).toBe(413)
  const place = readLocation(await startUpload(member, { bytes }))
  await send(member, place, 0, bytes)
  expect(await refused({ bytes, name: 'the same under another name.wav' })).toEqual([409, 'already_uploaded'])
})

test('a full disk is reported before a byte is sent', async () => {
  const member = await aMember(pool.ctx)
  const { freeBytes } = pool.ctx.storage
  pool.ctx.storage.freeBytes = async () => 600 * 1024 * 1024
  try {
    const response = await startUpload(member, { bytes: aWav(), length: 100 * 1024 * 1024 })
    expect(response.status).toBe(507)
    expect(await response.json()).toMatchObject({ code: 'insufficient_storage' })
  } finally {
    pool.ctx.storage.freeBytes = freeBytes
  }
})

test('someone else’s upload does not exist, and only members can upload', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const bytes = aWav()
  const place = readLocation(await startUpload(member, { bytes }))
  expect(await readOffset(other, place)).toBe(404)
  expect((await send(other, place, 0, bytes)).status).toBe(404)
  expect(
    (await fetch(place, { method: 'DELETE', headers: { ...TUS, authorization: `Bearer ${other.token}` } })).status,
  ).toBe(404)
  expect((await startUpload({ token: 'none' }, { bytes })).status).toBe(401)
  expect(await readOffset(member, place)).toBe(0)
  expect(
    await fetch(place, { method: 'DELETE', headers: { ...TUS, authorization: `Bearer ${member.token}` } }),
  ).toMatchObject({ status: 204 })
  expect(await readOffset(member, place)).toBe(404)
})

test('the sweep takes in a file whose process ended after its last byte', async () => {
  const member = await aMember(pool.ctx)
  const bytes = aWav()
  const { putFile: keepFile } = pool.ctx.storage
  pool.ctx.storage.putFile = async () => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  }
  const place = readLocation(await startUpload(member, { bytes }))
  const response = await send(member, place, 0, bytes)
  expect(response.status).toBe(507)
  pool.ctx.storage.putFile = keepFile
  expect(await uploadsOf(member)).toEqual([])
  const later = { ...pool.ctx, now: () => new Date(Date.now() + 2 * 60_000) }
  await sweepUnfinishedUploads(later)
  expect(await uploadsOf(member)).toMatchObject([{ sha256: sha256Of(bytes) }])
})

test('the sweep keeps an incomplete file for three days, and no longer', async () => {
  const member = await aMember(pool.ctx)
  const bytes = aWav()
  const place = readLocation(await startUpload(member, { bytes }))
  await send(member, place, 0, bytes.subarray(0, 1000))
  await sweepUnfinishedUploads({ ...pool.ctx, now: () => new Date(Date.now() + 2 * 60_000) })
  expect(await readOffset(member, place)).toBe(1000)
  const file = path.join(unfinished(), place.split('/').at(-1) as string)
  truncateSync(file, 500)
  expect(await readOffset(member, place)).toBe(500)
  expect(existsSync(file)).toBe(true)
})

test('limits unfinished uploads to twenty', async () => {
  const member = await aMember(pool.ctx)
  for (let n = 0; n < 20; n++) expect((await startUpload(member, { bytes: aWav({ seconds: 0.1 }) })).status).toBe(201)
  const response = await startUpload(member, { bytes: aWav() })
  expect(await response.json()).toMatchObject({ code: 'too_many_files' })
})

test('limits files that are not in a song to five hundred, by either upload method', async () => {
  const member = await aMember(pool.ctx)
  await pool.ctx.sql`
    insert into upload (customer_id, name, bytes, sha256, state)
    select ${member.customer_id}, 'old.wav', 1, sha256((${String(member.customer_id)} || '-' || n)::bytea), 'failed'
    from generate_series(1, 500) n`
  const message = 'You have 500 unused files. Add them to songs or delete some first.'
  expect(await (await startUpload(member, { bytes: aWav() })).json()).toMatchObject({ code: 'too_many_files', message })
  const form = receiveFiles(pool.ctx, member.customer_id, { headers: {} } as FastifyRequest)
  await expect(form).rejects.toMatchObject({ code: 'too_many_files', message })
})

test('a member who has used the daily hours of audio can upload nothing more until the next day', async () => {
  const member = await aMember(pool.ctx)
  await pool.ctx.sql`
    insert into analysis_usage (customer_id, day, seconds)
    values (${member.customer_id}, (now() at time zone 'UTC')::date, ${uploads.MINUTES_PER_DAY * 60})`
  const message = 'You have reached today’s limit of 24 hours of audio. Upload this file after midnight UTC.'
  const startedUpload = await startUpload(member, { bytes: aWav() })
  expect([startedUpload.status, await startedUpload.json()]).toMatchObject([
    403,
    { code: 'daily_limit_reached', message },
  ])
  const form = receiveFiles(pool.ctx, member.customer_id, { headers: {} } as FastifyRequest)
  await expect(form).rejects.toMatchObject({ code: 'daily_limit_reached', message })
  await pool.ctx.sql`update analysis_usage set day = day - 1 where customer_id = ${member.customer_id}`
  expect((await startUpload(member, { bytes: aWav() })).status).toBe(201)
})

/** The endpoint of older clients: whole files in one form. */
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

test('one form accepts two whole files; a third rejects all of them', async () => {
  const member = await aMember(pool.ctx)
  const files = ['a.wav', 'b.wav', 'c.wav'].map((name) => ({ name, bytes: aWav() }))
  const { reply } = await sendForm(member, files.slice(0, 2))
  expect(reply.data?.files.map(({ file }) => file).sort()).toEqual(['a.wav', 'b.wav'])
  const three = await sendForm(await aMember(pool.ctx), files)
  expect(three).toMatchObject({ status: 422, reply: { code: 'too_many_files' } })
})

test('rejects a form with a wrong file, without one, or with a wrong field, and leaves nothing on the disk', async () => {
  const member = await aMember(pool.ctx)
  const good = { name: 'a.wav', bytes: aWav() }
  expect(await sendForm(member, [good, { name: 'notes.txt', bytes: Buffer.from('hi') }])).toMatchObject({
    status: 415,
    reply: { code: 'unsupported_file_type' },
  })
  expect(await sendForm(member, [])).toMatchObject({ status: 422, reply: { code: 'file_required' } })
  expect(await sendForm(member, [good], 'files')).toMatchObject({ reply: { code: 'file_required' } })
  expect(await uploadsOf(member)).toEqual([])
  const scratch = path.dirname(await pool.ctx.storage.scratch('x'))
  expect(readdirSync(scratch).filter((name) => name.endsWith('upload'))).toEqual([])
})

/** Changes when the upload was started. */
function backdateUpload(place: string, ms: number): string {
  const id = place.split('/').at(-1) as string
  const notes = path.join(unfinished(), `${id}.json`)
  const wordsByFile = JSON.parse(readFileSync(notes, 'utf8'))
  writeFileSync(notes, JSON.stringify({ ...wordsByFile, creation_date: new Date(Date.now() - ms).toISOString() }))
  return id
}

const HOUR_MS = 3600 * 1000
const withoutFreeSpace = async () => {
  throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
}

test('the protocol’s metadata file of an upload cannot be deleted separately', async () => {
  const member = await aMember(pool.ctx)
  const bytes = aWav()
  const place = readLocation(await startUpload(member, { bytes }))
  await send(member, place, 0, bytes.subarray(0, 1000))
  const headers = { ...TUS, authorization: `Bearer ${member.token}` }
  expect((await fetch(`${place}.json`, { method: 'DELETE', headers })).status).toBe(404)
  expect(await readOffset(member, place)).toBe(1000)
})

test('the sweep does not touch a file that was just completed, however long ago it was started', async () => {
  const member = await aMember(pool.ctx)
  const bytes = aWav()
  const { putFile: keepFile } = pool.ctx.storage
  const place = readLocation(await startUpload(member, { bytes }))
  backdateUpload(place, HOUR_MS)
  let storeCalls = 0
  pool.ctx.storage.putFile = async (...args: Parameters<typeof keepFile>) => {
    if (storeCalls++ === 0) await sweepUnfinishedUploads(pool.ctx)
    return keepFile(...args)
  }
  try {
    expect((await send(member, place, 0, bytes)).status).toBe(204)
  } finally {
    pool.ctx.storage.putFile = keepFile
  }
  expect(storeCalls).toBe(1)
  expect(await uploadsOf(member)).toHaveLength(1)
})

test('a complete file is kept until the server can take it in, an incomplete one for three days', async () => {
  const member = await aMember(pool.ctx)
  const [bytes, other] = [aWav(), aWav()]
  const { putFile: keepFile } = pool.ctx.storage
  const place = readLocation(await startUpload(member, { bytes }))
  const half = readLocation(await startUpload(member, { bytes: other }))
  await send(member, half, 0, other.subarray(0, 1000))
  const halfUploadId = backdateUpload(half, 73 * HOUR_MS)
  utimesSync(path.join(unfinished(), halfUploadId), new Date(), new Date(Date.now() - 73 * HOUR_MS))
  const later = { ...pool.ctx, now: () => new Date(Date.now() + HOUR_MS) }
  pool.ctx.storage.putFile = withoutFreeSpace
  try {
    await send(member, place, 0, bytes)
    backdateUpload(place, 73 * HOUR_MS)
    await sweepUnfinishedUploads(later)
  } finally {
    pool.ctx.storage.putFile = keepFile
  }
  await sweepUnfinishedUploads(later)
  expect(await uploadsOf(member)).toMatchObject([{ sha256: sha256Of(bytes) }])
  expect(readdirSync(unfinished()).filter((name) => name.startsWith(`${member.customer_id}-`))).toEqual([])
})

test('the sweep deletes what a killed process left of an upload: metadata without a file or a file without metadata', async () => {
  const member = await aMember(pool.ctx)
  const [one, two] = [
    readLocation(await startUpload(member, { bytes: aWav() })),
    readLocation(await startUpload(member, { bytes: aWav() })),
  ]
  rmSync(path.join(unfinished(), one.split('/').at(-1) as string))
  rmSync(path.join(unfinished(), `${two.split('/').at(-1)}.json`))
  await sweepUnfinishedUploads({ ...pool.ctx, now: () => new Date(Date.now() + 96 * HOUR_MS) })
  expect(readdirSync(unfinished()).filter((name) => name.startsWith(`${member.customer_id}-`))).toEqual([])
})

test('a disk that became full since accepts no further chunk, with an error', async () => {
  const member = await aMember(pool.ctx)
  const bytes = aWav()
  const place = readLocation(await startUpload(member, { bytes }))
  const { freeBytes } = pool.ctx.storage
  pool.ctx.storage.freeBytes = async () => 400 * 1024 * 1024
  try {
    const response = await send(member, place, 0, bytes)
    expect(response.status).toBe(507)
    expect(await response.json()).toMatchObject({ code: 'insufficient_storage' })
  } finally {
    pool.ctx.storage.freeBytes = freeBytes
  }
  expect((await send(member, place, await readOffset(member, place), bytes)).status).toBe(204)
})

test('a file whose sender deleted the account in the meantime is not taken in', async () => {
  const member = await aMember(pool.ctx)
  const bytes = aWav()
  const file = await pool.ctx.storage.scratch('late.wav')
  writeFileSync(file, bytes)
  await pool.ctx
    .sql`update customer set status = 'deleted', deleted_at = now() where customer_id = ${member.customer_id}`
  const late = ingestUpload(pool.ctx, { customer_id: member.customer_id, path: file, name: 'late.wav' })
  await expect(late).rejects.toMatchObject({ code: 'session_expired' })
  expect(await uploadsOf(member)).toEqual([])
})
