import { downloads, helpdesk, joining, library, player } from '@dubplate/contract'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePort } from './free-port.ts'
import { findMailTo, openMailServer } from './mail-server.ts'
import { aMember, aSong } from './makers.ts'
import { openTestPool, type TestPool } from './pool.ts'
import { openDatabaseProxy, openPooler, Process, proxyTo } from './server-processes.ts'

/**
 * Two web processes and two workers with one database and one folder, behind a simulated proxy. The web processes use
 * the database through PgBouncer in transaction mode, if it is installed.
 */
const MEMBERS = 6
let pool: TestPool
let mail: Awaited<ReturnType<typeof openMailServer>>
let pooler: Awaited<ReturnType<typeof openPooler>>
let databaseProxy: Awaited<ReturnType<typeof openDatabaseProxy>>
let webs: Process[]
let workers: Process[]
let proxy: ReturnType<typeof proxyTo>

beforeAll(async () => {
  mail = await openMailServer()
  pool = await openTestPool()
  const { sql, config } = pool.ctx
  const [{ database } = { database: '' }] = await sql<{ database: string }[]>`select current_database() as database`
  databaseProxy = await openDatabaseProxy(inject('socketDir'))
  pooler = await openPooler(databaseProxy.port)
  const postgresUrl = (port: number) => `postgres://dubplate@127.0.0.1:${port}/${database}`
  const env = {
    DATABASE_URL: postgresUrl(databaseProxy.port),
    DATA_DIR: config.dataDir,
    SECRET: config.secret,
    SMTP_URL: mail.url,
    DEMO: 'off',
    LOG_LEVEL: 'info',
    DOWNLOAD_LIMIT: '20',
    DRAIN_SECONDS: '2',
  }
  // It supports prepared statements since 1.21.
  const poolerSettings = pooler ? { DATABASE_URL: postgresUrl(pooler.port), PREPARE: 'off' } : {}
  const ports = [await freePort(), await freePort()]
  webs = ports.map((port) => new Process('web', port, { ...env, ...poolerSettings }))
  workers = [new Process('worker', 0, env), new Process('worker', 0, env)]
  await Promise.all([...webs, ...workers].map((one) => one.start()))
  proxy = proxyTo(webs)
}, 600_000)

afterAll(async () => {
  await proxy?.close()
  await Promise.all([...webs, ...workers].map((one) => one.stop()))
  await pooler?.close()
  databaseProxy.close()
  await Promise.all([pool.close(), mail.close()])
})

/** Successful requests, whose results must exist in the end. */
const done = {
  /** The number of downloads according to the replies, for each member and version. */
  downloads: new Map<string, number>(),
  listens: 0,
  favourites: new Set<string>(),
  tickets: new Set<number>(),
  signUps: new Set<string>(),
}

/**
 * After this many rounds a member has downloaded a version of each song. Restarts take longer on a busy machine: later
 * rounds must not reach the limit of downloads, nor add emails faster than they are sent.
 */
const SONGS = 12

test('two web processes and two workers are restarted one after the other under load, and nothing is lost', async () => {
  const songs: Awaited<ReturnType<typeof aSong>>[] = []
  for (let n = 0; n < SONGS; n++) songs.push(await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }))
  const members: Awaited<ReturnType<typeof aMember>>[] = []
  for (let n = 0; n < MEMBERS; n++) members.push(await aMember(pool.ctx))

  const failures: string[] = []
  let isRunningRounds = true
  let rounds = 0
  const runMember = async ({ customer_id, token }: (typeof members)[number], n: number) => {
    // The first failure ends the rounds of all members: repeating requests that fail at once would block this process.
    for (let roundIndex = 0; isRunningRounds && failures.length === 0; roundIndex++) {
      const song = songs[(n + roundIndex) % songs.length]
      if (!song) return
      await runRound({ customer_id, token }, song, roundIndex).catch((error) => failures.push(String(error)))
      rounds++
    }
  }
  const working = members.map(runMember)
  const codes: (number | null)[] = []
  try {
    for (const web of webs) codes.push(await restartWeb(web))
    for (const worker of workers) codes.push(await worker.restart())
    await workers[0]?.restart('SIGKILL')
    for (const web of webs) codes.push(await restartWeb(web))
  } finally {
    isRunningRounds = false
    await Promise.all(working)
  }

  expect(failures).toEqual([])
  expect(codes).toEqual([0, 0, 0, 0, 0, 0])
  expect(rounds).toBeGreaterThan(MEMBERS * 4)
  await expectNothingLost()
}, 600_000)

/** Restarts it as an operator does: the next one is restarted when the proxy sends requests to this one again. */
async function restartWeb(web: Process): Promise<number | null> {
  const code = await web.restart()
  await proxy.waitUntilReady(web)
  return code
}

async function runRound(
  { customer_id, token }: { customer_id: number; token: string },
  { entity_id, versionIds }: { entity_id: number; versionIds: number[] },
  roundIndex: number,
): Promise<void> {
  const version = versionIds[roundIndex % versionIds.length] ?? 0
  if (roundIndex < SONGS) await download(customer_id, token, version)
  const { favourite } = await proxy.ask(library.favouriteAddRemove, { songId: entity_id }, token)
  done.favourites[favourite ? 'add' : 'delete'](`${customer_id} ${entity_id}`)
  const listen_key = crypto.randomUUID()
  await proxy.ask(player.songPlayed, { song_version_id: version, listen_key }, token)
  done.listens++
  if (roundIndex === 1 || roundIndex === 4) await askForHelp(token)
  if (roundIndex < SONGS && roundIndex % 3 === 0) await signUp()
}

async function download(customer_id: number, token: string, version: number): Promise<void> {
  const { url, bytes, used: usedGrants } = await proxy.ask(downloads.downloadVersion, { version }, token)
  done.downloads.set(`${customer_id} ${version}`, usedGrants)
  const file = await proxy.get({ path: url })
  expect([file.status, file.bytes.length]).toEqual([200, bytes])
}

async function askForHelp(token: string): Promise<void> {
  const [{ departments }, { priorities }] = await Promise.all([
    proxy.ask(helpdesk.getDepartments, {}, token),
    proxy.ask(helpdesk.getPriorities, {}, token),
  ])
  const requests = { subject: 'Renewed', details: '<p>While it was renewed.</p>', attachments: [] }
  const { ticket_number } = await proxy.ask(
    helpdesk.submitTicket,
    { HelpdeskTickets: { ...requests, department_id: departments[0]?.id ?? 0, priority_id: priorities[0]?.id ?? 0 } },
    token,
  )
  done.tickets.add(ticket_number)
}

async function signUp(): Promise<void> {
  const email = `${crypto.randomUUID()}@example.test`
  await proxy.ask(joining.signUp, { dj_name: 'DJ Renewed', email, password_hash: 'a good long password' })
  done.signUps.add(email)
}

async function expectNothingLost(): Promise<void> {
  const { sql } = pool.ctx
  const [present] = await sql<Record<'downloads' | 'listens' | 'tickets', number>[]>`
    select (select count(*)::int from download) as downloads, (select count(*)::int from listen) as listens,
      (select count(*)::int from ticket) as tickets`
  const downloaded = [...done.downloads.values()].reduce((sum, usedGrants) => sum + usedGrants, 0)
  expect(present).toEqual({ downloads: downloaded, listens: done.listens, tickets: done.tickets.size })
  const favourites = await sql`select customer_id || ' ' || entity_id as one from favourite`
  expect(new Set(favourites.map(({ one }) => one))).toEqual(done.favourites)
  // Background work is done once, by either worker: counts are aggregated, and each email is sent.
  const waitForAggregation = async () => {
    const [{ n } = { n: 0 }] = await sql<{ n: number }[]>`select coalesce(sum(downloads), 0)::int as n from song_total`
    return n
  }
  await expect.poll(waitForAggregation, { timeout: 90_000 }).toBe(downloaded)
  const countEmailsTo = (email: string) => findMailTo(mail, email).length
  const sent = () => [...done.signUps].filter((email) => countEmailsTo(email) > 0).length
  await expect.poll(sent, { timeout: 90_000 }).toBe(done.signUps.size)
}
