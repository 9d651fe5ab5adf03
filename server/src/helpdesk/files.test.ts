import { PassThrough } from 'node:stream'
import { deflateSync } from 'node:zlib'
import { account, helpdesk, support } from '@dubplate/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { aTicket, sendFiles, uploadAttachments } from '../../test/ticket-makers.ts'
import { waitUntil } from '../../test/wait-until.ts'
import { StorageUnavailableError } from '../platform/storage.ts'
import { sweepUnsentFiles } from './files.ts'

let pool: TestPool
let picture: Buffer
beforeAll(async () => {
  pool = await openTestPool()
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
})
afterAll(() => pool.close())

let member: Awaited<ReturnType<typeof aMember>>
beforeEach(async () => {
  member = await aMember(pool.ctx)
})

/** Opens a ticket with one file and returns the file's signed URL. */
async function withFile(name: string, bytes: Buffer): Promise<helpdesk.Attachment> {
  const attachments = await uploadAttachments(pool, member.token, [{ name, bytes }])
  const ticket_number = await aTicket(pool, member.token, { attachments })
  const { ticket } = await pool.ask(helpdesk.getTicket, { ticket_number }, member.token)
  const [file] = ticket.attachments
  if (!file) throw new Error('no file')
  return file
}

const fetched = (path: string) => pool.app.inject({ method: 'GET', url: path })

test('shows a picture, recognised by its content and not by its name', async () => {
  const file = await withFile('screen.txt', picture)
  expect(file).toMatchObject({ is_image: true, type: 'image/png', bytes: picture.length })
  const response = await fetched(file.file_path)
  expect(response.rawPayload).toEqual(picture)
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'inline',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const saved = await fetched(`${file.file_path}?download`)
  expect(saved.headers['content-disposition']).toContain('attachment')
})

test.each([
  ['page.html', '<!doctype html><script>parent.ran = true</script>'],
  ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'],
  ['picture.png', '<html><body onload=x()>'],
  ['list.xml', '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><a/>'],
  ['paper.pdf', '%PDF-1.7 1 0 obj'],
])('%s is always downloaded, never shown as a page', async (name, content) => {
  const file = await withFile(name, Buffer.from(content))
  expect(file.is_image).toBe(false)
  const { headers } = await fetched(file.file_path)
  expect(headers['content-type']).toBe('application/octet-stream')
  expect(headers['content-disposition']).toMatch(/^attachment; filename=/)
  expect(headers['content-security-policy']).toContain('sandbox')
})

test('a file is only available to the ticket’s customer and help desk staff, until the session ends', async () => {
  const file = await withFile('words.txt', Buffer.from('words'))
  const staff = await aMember(pool.ctx, { group_id: 4, staff_role: 'support', application: 'none' })
  const [row] = await pool.ctx.sql<{ ticket_number: number }[]>`
    select ticket_number from ticket_file where ticket_file_id = ${file.ticket_file_id}`
  const { ticket } = await pool.ask(support.getTicket, { ticket_number: row?.ticket_number ?? 0 }, staff.token)
  const otherPath = ticket.attachments[0]?.file_path ?? ''
  expect((await fetched(otherPath)).body).toBe('words')
  await pool.ctx.sql`update customer set staff_role = 'curator' where customer_id = ${staff.customer_id}`
  expect((await fetched(otherPath)).json().code).toBe('link_expired')
  expect((await fetched(file.file_path.replace(/\d+\./, '1.'))).json().code).toBe('invalid_link')
  await pool.ctx.sql`delete from session where customer_id = ${member.customer_id}`
  expect((await fetched(file.file_path)).json().code).toBe('link_expired')
})

test('a file name keeps no path and no characters that change the writing direction', async () => {
  const file = await withFile('..\\..\\etc/\u202egnp.exe', Buffer.from('x'))
  expect(file.filename).toBe('gnp.exe')
})

test('refuses files that are too large, empty, too many or missing, with a message', async () => {
  const send = async (files: Parameters<typeof sendFiles>[2]) => (await sendFiles(pool, member.token, files)).json()
  const large = await send([{ name: 'set.wav', bytes: Buffer.alloc(10 * 1024 * 1024 + 1) }])
  expect(large).toMatchObject({
    code: 'too_large',
    message: '“set.wav” is too large. The limit for attachments is 10 MB.',
  })
  expect((await send([{ name: 'a', bytes: Buffer.alloc(0) }])).code).toBe('empty_file')
  const nineFiles = Array.from({ length: 9 }, (_, n) => ({ name: `${n}`, bytes: Buffer.from('x') }))
  expect((await send(nineFiles)).code).toBe('too_many_files')
  expect((await send([{ name: 'a', bytes: Buffer.from('x'), field: 'other' }])).code).toBe('file_required')
  const [left] = await pool.ctx
    .sql`select count(*)::int as n from ticket_file where customer_id = ${member.customer_id} and created_at > '-infinity'`
  expect(left?.n).toBe(0)
})

test('stores files one by one as they arrive, and releases those of a refused request', async () => {
  const { customer_id, token } = member
  const waiting = async () =>
    pool.ctx.sql`select 1 from ticket_file where customer_id = ${customer_id} and created_at > '-infinity'`
  const part = (name: string, words: string) =>
    `--b\r\ncontent-disposition: form-data; name="UploadAttachmentsForm[attachments][]"; filename="${name}"\r\n\r\n${words}\r\n`
  const payload = new PassThrough()
  const input = pool.app.inject({
    method: 'POST',
    url: `/api/${helpdesk.uploadAttachments.path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    payload,
  })
  payload.write(part('first.txt', 'the first') + part('empty.txt', ''))
  await waitUntil(async () => expect(await waiting()).toHaveLength(1))
  payload.end(`${part('last.txt', 'the last')}--b--\r\n`)
  expect((await input).json().message).toBe('“empty.txt” is empty.')
  expect(await waiting()).toHaveLength(0)
})

test('accepts a file of ten megabytes', async () => {
  const bytes = Buffer.concat([deflateSync('x'), Buffer.alloc(10 * 1024 * 1024 - deflateSync('x').length)])
  expect((await sendFiles(pool, member.token, [{ name: 'set.bin', bytes }])).statusCode).toBe(200)
})

const isStored = async (sha256: string) => pool.ctx.storage.has('attachments', sha256)
const hashOf = async (id: number) => {
  const [row] = await pool.ctx.sql<{ sha256: string }[]>`
    select encode(sha256, 'hex') as sha256 from ticket_file where ticket_file_id = ${id}`
  return row?.sha256 ?? ''
}

test('deletes attachments that were never sent after a day, unless another file has the same bytes', async () => {
  const same = Buffer.from('the same in two files')
  const sent = await withFile('sent.txt', same)
  const [duplicate] = await uploadAttachments(pool, member.token, [{ name: 'twin.txt', bytes: same }])
  const [alone] = await uploadAttachments(pool, member.token, [{ name: 'alone.txt', bytes: Buffer.from('alone') }])
  const hashes = { same: await hashOf(sent.ticket_file_id), alone: await hashOf(Number(alone)) }
  await sweepUnsentFiles(pool.ctx)
  expect(await isStored(hashes.alone)).toBe(true)
  await pool.ctx.sql`
    update ticket_file set created_at = now() - interval '2 days' where ticket_file_id in (${Number(duplicate)}, ${Number(alone)})`
  await sweepUnsentFiles(pool.ctx)
  expect(await isStored(hashes.alone)).toBe(false)
  expect(await isStored(hashes.same)).toBe(true)
  expect((await fetched(sent.file_path)).body).toBe('the same in two files')
})

test('deleting an account deletes its tickets and the bytes of their attachments', async () => {
  const { customer_id, token, email } = await aMember(pool.ctx, { password: 'a long enough password' })
  member = { customer_id, token, email }
  const file = await withFile('mine.txt', Buffer.from('mine alone'))
  const hash = await hashOf(file.ticket_file_id)
  await pool.ask(account.deleteAccount, { password: 'a long enough password' }, token)
  await sweepUnsentFiles(pool.ctx)
  expect(await isStored(hash)).toBe(false)
  const [left] = await pool.ctx.sql`select count(*)::int as n from ticket where customer_id = ${customer_id}`
  expect(left?.n).toBe(0)
})

test('retries bytes that could not be deleted, without blocking the others', async () => {
  const [first, second] = await uploadAttachments(pool, member.token, [
    { name: 'first.txt', bytes: Buffer.from('the first to go') },
    { name: 'second.txt', bytes: Buffer.from('the second to go') },
  ])
  const hashes = [await hashOf(Number(first)), await hashOf(Number(second))]
  await pool.ctx.sql`update ticket_file set created_at = '-infinity' where customer_id = ${member.customer_id}`
  const { storage } = pool.ctx
  const remove: typeof storage.remove = (kind, sha256) =>
    sha256 === hashes[0]
      ? Promise.reject(new StorageUnavailableError('File storage is unavailable'))
      : storage.remove(kind, sha256)
  await sweepUnsentFiles({ ...pool.ctx, storage: { ...storage, remove } })
  expect(await Promise.all(hashes.map(isStored))).toEqual([true, false])
  await sweepUnsentFiles(pool.ctx)
  expect(await Promise.all(hashes.map(isStored))).toEqual([false, false])
})
