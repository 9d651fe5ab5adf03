import { uploads } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, inProcessAnalyser } from '../../test/upload-makers.ts'
import { analyseNext } from './upload-analysis.ts'

let pool: TestPool
let server: string

beforeAll(async () => {
  pool = await openTestPool()
  server = await pool.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => pool.close())

type Event = { files: uploads.ContainerFile[] }

/** Opens a stream; `next` waits for its next event and returns undefined at its end. */
async function watch(token: string) {
  const { url } = await pool.ask(uploads.watchUploads, {}, token)
  const closing = new AbortController()
  const response = await fetch(`${server}${url}`, { signal: closing.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<Event | undefined> => {
    for (;;) {
      const found = /event: files\ndata: (.*)\n\n/.exec(text)
      if (found) {
        text = text.slice(found.index + found[0].length)
        return JSON.parse(found[1] ?? '')
      }
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return undefined
      text += value
    }
  }
  return { status: response.status, type: response.headers.get('content-type'), next, close: () => closing.abort() }
}

test('reports a queued file, and again when its analysis is done', async () => {
  const member = await aMember(pool.ctx)
  const upload = await anUpload(pool.ctx, member, { analysed: false })
  const { type, next, close } = await watch(member.token)
  expect(type).toContain('text/event-stream')
  expect((await next())?.files).toMatchObject([{ upload_id: upload, analysis: { state: 'queued' } }])
  await analyseNext(pool.ctx, inProcessAnalyser)
  let last: Event | undefined
  do last = await next()
  while (last && last.files[0]?.analysis.state !== 'done')
  expect(last?.files).toMatchObject([{ upload_id: upload, analysis: { state: 'done', progress: 1 } }])
  close()
})

test('reports a file that is analysed before it was seen queued', async () => {
  const member = await aMember(pool.ctx)
  const { next, close } = await watch(member.token)
  const upload = await anUpload(pool.ctx, member)
  let last: Event | undefined
  do last = await next()
  while (last && last.files[0]?.analysis.state !== 'done')
  expect(last?.files[0]?.upload_id).toBe(upload)
  close()
})

test('reports when a queued file has to wait until the next day', async () => {
  const member = await aMember(pool.ctx)
  const upload = await anUpload(pool.ctx, member, { analysed: false })
  const { next, close } = await watch(member.token)
  expect((await next())?.files[0]?.analysis.faults).toEqual([])
  await pool.ctx.sql`
    insert into analysis_usage (customer_id, day, seconds)
    values (${member.customer_id}, (now() at time zone 'UTC')::date, ${uploads.MINUTES_PER_DAY * 60})`
  expect((await next())?.files).toMatchObject([
    { upload_id: upload, analysis: { state: 'queued', faults: [{ code: 'daily_limit_reached' }] } },
  ])
  close()
  await pool.ctx.sql`update upload set removed_at = now() where upload_id = ${upload}`
})

test('does not report other members’ files', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const upload = await anUpload(pool.ctx, member, { analysed: false })
  await anUpload(pool.ctx, other, { analysed: false })
  const { next, close } = await watch(member.token)
  expect((await next())?.files.map(({ upload_id }) => upload_id)).toEqual([upload])
  close()
  await pool.ctx.sql`update upload set removed_at = now()`
})

test('ends with the session it was opened in', async () => {
  const member = await aMember(pool.ctx)
  const { next } = await watch(member.token)
  await pool.ctx.sql`delete from session where customer_id = ${member.customer_id}`
  expect(await next()).toBeUndefined()
})

test('ends when its member is suspended', async () => {
  const member = await aMember(pool.ctx)
  const { next } = await watch(member.token)
  await pool.ctx.sql`update customer set status = 'suspended' where customer_id = ${member.customer_id}`
  expect(await next()).toBeUndefined()
})

test('rejects a changed URL', async () => {
  const member = await aMember(pool.ctx)
  const { url } = await pool.ask(uploads.watchUploads, {}, member.token)
  const response = await fetch(`${server}${url.replace(/watch\/\d+/, 'watch/1')}`)
  expect(response.status).toBe(403)
})

test('the server stops while a stream is open', async () => {
  const another = await openTestPool()
  const member = await aMember(another.ctx)
  const address = await another.app.listen({ port: 0, host: '127.0.0.1' })
  const { url } = await another.ask(uploads.watchUploads, {}, member.token)
  const response = await fetch(`${address}${url}`)
  const ended = response.text()
  await another.close()
  expect(await ended).toContain('retry:')
})
