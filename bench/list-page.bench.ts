import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { catalogue } from '@dubplate/contract'
import { listSongs } from '../server/src/catalogue/lists.ts'
import type { BenchPool, Server } from './bench-pool.ts'
import { cpuSecondsOf, median, quantile, timed } from './measure.ts'
import { type Measured, pull, type Serving, startBareServer } from './processes.ts'
import { atLeast, atMost, megabytes, ms, perSecond, type Report } from './results.ts'

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 16
const GENRE = 31
const PAGES = 300

type Page = { genre_id: number; page: number; song_section_id: number }
const asRequest = (page: Page, headers: Record<string, string> = {}) => ({
  method: 'POST' as const,
  path: `/api/${catalogue.genreSongs.path}`,
  body: page,
  headers,
})

/** The list page against a bare server that answers the same bytes, and against the SQL of the page. */
export async function benchListPage(pool: BenchPool): Promise<Report> {
  const server = await pool.startServer()
  try {
    return await measureListPage(pool, server)
  } finally {
    await server.stop()
  }
}

async function measureListPage(pool: BenchPool, server: Server): Promise<Report> {
  const page = { genre_id: GENRE, page: 1, song_section_id: 1 }
  const shown = await pair(pool, server, page, {})
  const zipped = await pair(pool, server, page, { 'accept-encoding': 'gzip' })
  const pages = Array.from({ length: PAGES }, (_, n) => ({ ...page, page: n + 1 }))
  const many = await pull(server, {
    connections: CONNECTIONS,
    seconds: SECONDS * 2,
    requests: pages.map((p) => asRequest(p)),
  })
  const raw = await againstSql(pool, server, pages)
  const sorted = await otherOrders(server)
  return {
    title: 'The list page',
    findings: [
      ...compare('one page, 16 clients', shown),
      ...compare('the same, gzipped', zipped),
      {
        what: `${PAGES} pages in turn, 16 clients`,
        ours: `${perSecond(many.requests / many.seconds)}, p95 ${ms(quantile(many.latencies, 0.95))}`,
        against: `${cost(many).toFixed(2)} ms of the server's CPU for each`,
      },
      {
        what: 'a page nobody asked for in the last second, one client, wall p50',
        ours: ms(raw.wall),
        against: `${ms(raw.sqlWall)} (its SQL alone)`,
        ratio: raw.wall / raw.sqlWall,
      },
      {
        what: 'the same, CPU of the database',
        ours: ms(raw.cpu),
        against: `${ms(raw.sqlCpu)} (its SQL alone)`,
        ratio: raw.cpu / raw.sqlCpu,
      },
      {
        what: 'the first ten pages in six other orders, both ways, CPU of the database',
        ours: `p50 ${ms(median(sorted))}, max ${ms(Math.max(...sorted))}`,
        against: '',
      },
      {
        what: 'resident memory of the web process, at most',
        ours: megabytes(many.peakMb),
        against: '',
        aim: atMost(many.peakMb, 250, ' MB'),
      },
    ],
    notes: [
      `The page is ${Math.round(shown.bytes / 1000)} kB (${Math.round(zipped.bytes / 1000)} kB gzipped); it is kept rendered for at most a second.`,
    ],
  }
}

type Pair = { ours: Measured[]; bare: Measured[]; bytes: number }

/** Rounds in turn, so that what else the machine does falls on both alike. */
async function pair(pool: BenchPool, server: Server, page: Page, headers: Record<string, string>): Promise<Pair> {
  const file = path.join(pool.dataDir, 'page.bytes')
  const bytes = await bodyOf(server, page, headers)
  writeFileSync(file, bytes)
  const bare = await startBareServer('same', file)
  const round = (of: Serving) =>
    pull(of, { connections: CONNECTIONS, seconds: SECONDS, requests: [asRequest(page, headers)] })
  const pair: Pair = { ours: [], bare: [], bytes: bytes.length }
  try {
    await round(server)
    await round(bare)
    for (let n = 0; n < ROUNDS; n++) {
      pair.ours.push(await round(server))
      pair.bare.push(await round(bare))
    }
  } finally {
    await bare.stop()
  }
  return pair
}

/** The reply's bytes as they travel; fetch would unpack them. */
async function bodyOf(server: Serving, page: Page, headers: Record<string, string>): Promise<Buffer> {
  const { request } = await import('node:http')
  const { path: url, body } = asRequest(page)
  return new Promise((done, failed) => {
    const asked = request(
      {
        port: server.port,
        host: '127.0.0.1',
        path: url,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      },
      async (reply) => done(Buffer.concat(await reply.toArray())),
    )
    asked.on('error', failed).end(JSON.stringify(body))
  })
}

const rate = ({ requests, seconds }: Measured): number => requests / seconds
const cost = ({ requests, cpu }: Measured): number => (cpu / requests) * 1000

function compare(what: string, { ours, bare }: Pair) {
  const [rateOurs, rateBare] = [median(ours.map(rate)), median(bare.map(rate))]
  const [costOurs, costBare] = [median(ours.map(cost)), median(bare.map(cost))]
  return [
    {
      what,
      ours: perSecond(rateOurs),
      against: `${perSecond(rateBare)} (bare node:http)`,
      ratio: rateOurs / rateBare,
      aim: atLeast(rateOurs / rateBare, 0.6),
    },
    {
      what: `${what}, CPU of the server for each`,
      ours: `${costOurs.toFixed(3)} ms`,
      against: `${costBare.toFixed(3)} ms (bare node:http)`,
      ratio: costOurs / costBare,
    },
  ]
}

/** Each page once, so that none is kept: the whole way through the server, then the page's SQL from here. */
async function againstSql(pool: BenchPool, server: Server, pages: Page[]) {
  const through: { wall: number[]; cpu: number[] } = { wall: [], cpu: [] }
  const direct: { wall: number[]; cpu: number[] } = { wall: [], cpu: [] }
  const [self] = await pool.sql<{ pids: number[] }[]>`
    select array_agg(pid) as pids from pg_stat_activity where application_name = ${`dubplate:${process.pid}`}`
  await new Promise((passed) => setTimeout(passed, 1100))
  const backends = await server.backends()
  for (const page of pages) {
    const before = cpuSecondsOf(backends)
    through.wall.push((await timed(() => server.ask(catalogue.genreSongs, page))).ms)
    through.cpu.push((cpuSecondsOf(backends) - before) * 1000)
    const mine = self?.pids ?? []
    const start = cpuSecondsOf(mine)
    const wish = { ...page, order: 'entity_id', orderDir: 'DESC' } as const
    direct.wall.push((await timed(() => listSongs(pool.sql, wish, 2))).ms)
    direct.cpu.push((cpuSecondsOf(mine) - start) * 1000)
  }
  return {
    wall: median(through.wall),
    cpu: median(through.cpu),
    sqlWall: median(direct.wall),
    sqlCpu: median(direct.cpu),
  }
}

const ORDERS = ['title', 'artist', 'min_bpm', 'song_key', 'year', 'created_at'] as const

/** CPU milliseconds of the database for pages of the whole section in each order. */
async function otherOrders(server: Server): Promise<number[]> {
  const backends = await server.backends()
  const spent: number[] = []
  for (const order of ORDERS) {
    for (let n = 0; n < 20; n++) {
      const before = cpuSecondsOf(backends)
      const orderDir = n % 2 === 0 ? 'ASC' : 'DESC'
      await server.ask(catalogue.getNewRelease, { page: 1 + (n >> 1), order, orderDir, song_section_id: 1 })
      spent.push((cpuSecondsOf(backends) - before) * 1000)
    }
  }
  return spent
}
