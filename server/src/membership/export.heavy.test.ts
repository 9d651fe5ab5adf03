import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { account, library, membership } from '@dubplate/contract'
import rateLimit from '@fastify/rate-limit'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBuffer } from 'yauzl'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { serveExports } from './export.ts'
import { toCsv } from './export-files.ts'
import { type OwnData, readBatches } from './own-data.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const password = 'a good long password'

/** Returns the files of a zip by name, as read by another program. */
async function filesIn(zip: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const opened = await new Promise<import('yauzl').ZipFile>((done, failed) =>
    fromBuffer(zip, { lazyEntries: true }, (error, file) => (file ? done(file) : failed(error))),
  )
  const ended = once(opened, 'end')
  opened.on('entry', (entry) => {
    opened.openReadStream(entry, async (_error, stream) => {
      files.set(entry.fileName, stream ? await buffer(stream) : Buffer.alloc(0))
      opened.readEntry()
    })
  })
  opened.readEntry()
  await ended
  return files
}

async function copyOf(token: string): Promise<Map<string, Buffer>> {
  const { url, file } = await pool.ask(account.exportAccount, { password }, token)
  expect(url.endsWith(`/${file}`)).toBe(true)
  const response = await pool.app.inject({ url })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/zip'])
  expect(response.headers['content-disposition']).toContain('attachment')
  return filesIn(response.rawPayload)
}

test('an export contains all data of a member, as JSON and as CSV', async () => {
  const { ctx } = pool
  const member = await aMember(ctx, { password })
  const stranger = await aMember(ctx)
  const song = await aSong(ctx, { title: '=1+1, "live"' })
  const [version = 0] = song.versionIds
  for (const { token } of [member, stranger]) {
    await pool.ask(library.crateAddRemove, { songId: song.entity_id, versionId: version }, token)
    await pool.ask(library.favouriteAddRemove, { songId: song.entity_id }, token)
  }
  const { sha256 } = await ctx.storage.putBytes('images', Buffer.from('a picture'))
  await ctx.sql`update customer set profile_picture = ${sha256}, city = 'Köln' where customer_id = ${member.customer_id}`
  await ctx.sql`
    insert into outgoing_mail (to_address, subject, html, body, owner)
    values ('former@example.test', 'Hello', '', '', ${`customer ${member.customer_id}`})`
  const files = await copyOf(member.token)
  const read = (name: string) => JSON.parse(String(files.get(`${name}.json`)))
  expect(read('profile')).toMatchObject([{ email: member.email, city: 'Köln', has_password: true }])
  expect(read('application')).toMatchObject([{ state: 'approved' }])
  expect(read('sessions')).toHaveLength(1)
  expect(read('emails')).toMatchObject([{ to_address: 'former@example.test' }])
  expect(read('crate')).toMatchObject([{ title: '=1+1, "live"', song_version_id: version }])
  expect(read('favourites')).toHaveLength(1)
  expect(read('playlists')).toEqual([])
  const rows = String(files.get('favourites.csv')).split('\r\n')
  expect(rows[0]).toBe('\ufeffentity_id,artist,title,added_at')
  expect(rows[1]).toContain(`,"'=1+1, ""live""",`)
  expect(String(files.get('picture.webp'))).toBe('a picture')
})

test('contains no credentials', async () => {
  const member = await aMember(pool.ctx, { password })
  await pool.ask(account.startTwoStep, { password }, member.token)
  const [row] = await pool.ctx.sql<{ password_hash: string }[]>`
    select password_hash from customer where customer_id = ${member.customer_id}`
  const files = await copyOf(member.token)
  const whole = Buffer.concat([...files.values()]).toString()
  expect(whole).not.toContain(row?.password_hash)
  expect(whole).not.toMatch(/argon2|token_hash|secret/)
})

test('has a file for every table with a customer_id', async () => {
  const tables = await pool.ctx.sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'customer_id' order by 1`
  const EXPORTED_COLUMNS: Record<string, string> = {
    cloud_connection: 'cloud-connections',
    crate_item: 'crate',
    crate_order: 'crate-order',
    customer: 'profile',
    dj_application: 'application',
    download: 'downloads',
    download_grant: 'download-counts',
    download_transfer: 'download-links',
    bundle: 'zip-downloads',
    favourite: 'favourites',
    listen: 'listens',
    external_identity: 'linked-accounts',
    playlist: 'playlists',
    session: 'sessions',
    announcement_hidden: 'hidden-announcements',
    cancel_feedback: 'feedback',
    charge: 'payments',
    coupon_use: 'subscriptions',
    invoice: 'payments',
    ledger: 'payments',
    sandbox_clock: 'subscriptions',
    subscription: 'subscriptions',
    analysis_usage: 'analysed-audio',
    upload: 'uploaded-files',
    upload_song: 'uploaded-songs',
    ticket: 'tickets',
    ticket_file: 'ticket-files',
    notification: 'notifications',
    notification_preference: 'email-notification-settings',
    download_profile: 'download-profiles',
    saved_search: 'saved-searches',
    dig_decision: 'dig-decisions',
    mute: 'mutes',
    own_library: 'libraries',
    followed_genre: 'followed-genres',
    followed_name: 'followed-names',
    followed_list: 'followed-lists',
    staff_note: 'staff-notes',
    // The profile contains since when two-factor authentication is on; these tables contain credentials.
    totp: 'profile',
    recovery_code: 'profile',
    // Only the hash of a link is stored; its email is included.
    mailed_link: 'emails',
  }
  const { token } = await aMember(pool.ctx, { password })
  const files = await copyOf(token)
  const missing = tables.filter(
    ({ name }) => !files.has(`${EXPORTED_COLUMNS[name]}.json`) || !files.has(`${EXPORTED_COLUMNS[name]}.csv`),
  )
  expect(missing).toEqual([])
})

test('the link requires the password, and expires after 15 minutes and with the session', async () => {
  const { token } = await aMember(pool.ctx, { password })
  expect(await errorOf(pool.ask(account.exportAccount, { password: 'wrong' }, token))).toMatchObject({
    status: 422,
    code: 'incorrect_password',
  })
  const { url } = await pool.ask(account.exportAccount, { password }, token)
  const open = async (address: string) =>
    (await pool.app.inject({ url: address, remoteAddress: '10.0.0.7' })).statusCode
  expect(await open(url)).toBe(200)
  expect(await open(url.replace(/\/exports\/\d+/, (start) => `${start}1`))).toBe(403)
  const now = pool.ctx.now
  pool.ctx.now = () => new Date(Date.now() + 15 * 60_000 + 2000)
  expect(await open(url)).toBe(410)
  pool.ctx.now = now
  await pool.ask(membership.signOut, {}, token)
  expect(await open(url)).toBe(410)
})

test('reads many rows in batches, and a client that disconnects holds no connection', async () => {
  const { ctx } = pool
  const { customer_id, token } = await aMember(ctx, { password })
  const song = await aSong(ctx)
  await ctx.sql`
    insert into listen (listen_key, customer_id, song_version_id, entity_id, at)
    select 'key ' || n, ${customer_id}, ${song.versionIds[0] ?? 0}, ${song.entity_id}, now() - n * interval '1 second'
    from generate_series(1, 2500) n`
  const listens = JSON.parse(String((await copyOf(token)).get('listens.json')))
  expect(listens).toHaveLength(2500)
  expect(new Set(listens.map((one: { at: string }) => one.at)).size).toBe(2500)

  await pool.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = pool.app.server.address() as AddressInfo
  for (let n = 0; n < 4; n++) {
    const { url } = await pool.ask(account.exportAccount, { password }, token)
    const [response] = await once(get({ host: '127.0.0.1', port, path: url }), 'response')
    response.destroy()
  }
  const [idle] = await ctx.sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in%'`
  expect(idle?.n).toBe(0)
})

test('an export that cannot be read completely is aborted, and nothing else is', async () => {
  const { token } = await aMember(pool.ctx, { password })
  const { url } = await pool.ask(account.exportAccount, { password }, token)
  const app = Fastify()
  await app.register(rateLimit, { global: false })
  const broken: OwnData[] = ['first', 'second'].map((name) => ({
    name,
    // biome-ignore lint/correctness/useYield: it fails before it has anything
    read: async function* () {
      throw new Error('The database is away.')
    },
  }))
  serveExports(app, pool.ctx, broken)
  const reply = await app.inject({ url }).catch(() => undefined)
  expect(reply === undefined || reply.statusCode === 500).toBe(true)
  await app.close()
})

test('handles row counts that are a multiple of the batch size', async () => {
  const all: unknown[] = []
  const batch = async (limit: number, offset: number) =>
    offset === 0 ? Array.from({ length: limit }, (_, n) => ({ n })) : []
  for await (const row of readBatches(batch)) all.push(row)
  expect(all).toHaveLength(1000)
})

test('escapes text that a spreadsheet would treat as a formula', async () => {
  async function* rows() {
    for (const text of ['=A1', '+1', '-1', '@x', '\tx', 'plain', 'two\nlines']) yield { text }
  }
  let csv = ''
  for await (const piece of toCsv(rows())) csv += piece
  expect(csv).toBe(`\ufefftext\r\n'=A1\r\n'+1\r\n'-1\r\n'@x\r\n'\tx\r\nplain\r\n"two\nlines"\r\n`)
})
