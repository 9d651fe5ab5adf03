import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { catalogue } from '@dubplate/contract'
import { listSongs } from '../server/src/catalogue/lists.ts'
import type { BenchPool, Server } from './bench-pool.ts'
import { cpuSecondsOf, median, quantile, timed } from './measure.ts'
import { type Measured, runLoad, type ServerProcess, startBareServer } from './processes.ts'
import { atLeastTarget, atMostTarget, megabytes, ms, perSecond, type Report } from './results.ts'

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 16
const GENRE = 31
const PAGES = 300

type Page = { genre_id: number; page: number; song_section_id: number }
const toRequest = (page: Page, headers: Record<string, string> = {}) => ({
  method: 'POST' as const,
  path: `/api/${catalogue.genreSongs.path}`,
  body: page,
  headers,
})

/** The list page, compared with a bare server that sends the same bytes and with the SQL of the page alone. */
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
  const plainRun = await measurePair(pool, server, page, {})
  const gzipRun = await measurePair(pool, server, page, { 'accept-encoding': 'gzip' })
  const pages = Array.from({ length: PAGES }, (_, n) => ({ ...page, page: n + 1 }))
  const manyPagesRun = await runLoad(server, {
    connections: CONNECTIONS,
    seconds: SECONDS * 2,
    requests: pages.map((p) => toRequest(p)),
  })
  const uncached = await againstSql(pool, server, pages)
  const sorted = await measureOtherOrders(server)
  return {
    title: 'The list page',
    findings: [
      ...compare('one page, 16 clients', plainRun),
      ...compare('the same, gzipped', gzipRun),
      {
        what: `${PAGES} pages in turn, 16 clients`,
        ours: `${perSecond(manyPagesRun.requests / manyPagesRun.seconds)}, p95 ${ms(quantile(manyPagesRun.latencies, 0.95))}`,
        against: `${measureCost(manyPagesRun).toFixed(2)} ms of the server's CPU for each`,
      },
      {
        what: 'a page nobody asked for in the last second, one client, wall p50',
        ours: ms(uncached.wall),
        against: `${ms(uncached.sqlWall)} (its SQL alone)`,
        ratio: uncached.wall / uncached.sqlWall,
      },
      {
        what: 'the same, CPU of the database',
        ours: ms(uncached.cpu),
        against: `${ms(uncached.sqlCpu)} (its SQL alone)`,
        ratio: uncached.cpu / uncached.sqlCpu,
      },
      {
        what: 'the first ten pages in six other orders, both ways, CPU of the database',
        ours: `p50 ${ms(median(sorted))}, max ${ms(Math.max(...sorted))}`,
        against: '',
      },
      {
        what: 'resident memory of the web process, at most',
        ours: megabytes(manyPagesRun.peakMb),
        against: '',
        target: atMostTarget(manyPagesRun.peakMb, 250, ' MB'),
      },
    ],
    notes: [
      `The page is ${Math.round(plainRun.bytes / 1000)} kB (${Math.round(gzipRun.bytes / 1000)} kB gzipped); it is kept rendered for at most a second.`,
    ],
  }
}

type ComparedRun = { ours: Measured[]; bareServer: Measured[]; bytes: number }

/** Alternates between the two, so that other load on the machine affects both equally. */
async function measurePair(
  pool: BenchPool,
  server: Server,
  page: Page,
  headers: Record<string, string>,
): Promise<ComparedRun> {
  const file = path.join(pool.dataDir, 'page.bytes')
  const bytes = await bodyOf(server, page, headers)
  writeFileSync(file, bytes)
  const bareServer = await startBareServer('same', file)
  const round = (of: ServerProcess) =>
    runLoad(of, { connections: CONNECTIONS, seconds: SECONDS, requests: [toRequest(page, headers)] })
  const measurePair: ComparedRun = { ours: [], bareServer: [], bytes: bytes.length }
  try {
    await round(server)
    await round(bareServer)
    for (let n = 0; n < ROUNDS; n++) {
      measurePair.ours.push(await round(server))
      measurePair.bareServer.push(await round(bareServer))
    }
  } finally {
    await bareServer.stop()
  }
  return measurePair
}

/** The response body as sent, still compressed; fetch would decompress it. */
async function bodyOf(server: ServerProcess, page: Page, headers: Record<string, string>): Promise<Buffer> {
  const { request } = await import('node:http')
  const { path: url, body } = toRequest(page)
  return new Promise((resolve, failed) => {
    const clientRequest = request(
      {
        port: server.port,
        host: '127.0.0.1',
        path: url,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      },
      async (reply) => resolve(Buffer.concat(await reply.toArray())),
    )
    clientRequest.on('error', failed).end(JSON.stringify(body))
  })
}

const rate = ({ requests, seconds }: Measured): number => requests / seconds
const measureCost = ({ requests, cpu }: Measured): number => (cpu / requests) * 1000

function compare(what: string, { ours: ourResult, bareServer }: ComparedRun) {
  const [rateOurs, rateBare] = [median(ourResult.map(rate)), median(bareServer.map(rate))]
  const [costOurs, costBare] = [median(ourResult.map(measureCost)), median(bareServer.map(measureCost))]
  return [
    {
      what,
      ours: perSecond(rateOurs),
      against: `${perSecond(rateBare)} (bare node:http)`,
      ratio: rateOurs / rateBare,
      target: atLeastTarget(rateOurs / rateBare, 0.6),
    },
    {
      what: `${what}, CPU of the server for each`,
      ours: `${costOurs.toFixed(3)} ms`,
      against: `${costBare.toFixed(3)} ms (bare node:http)`,
      ratio: costOurs / costBare,
    },
  ]
}

/** Requests each page once, so that none is cached: first through the server, then the page's SQL directly. */
async function againstSql(pool: BenchPool, server: Server, pages: Page[]) {
  const throughServer: { wall: number[]; cpu: number[] } = { wall: [], cpu: [] }
  const direct: { wall: number[]; cpu: number[] } = { wall: [], cpu: [] }
  const [self] = await pool.sql<{ pids: number[] }[]>`
    select array_agg(pid) as pids from pg_stat_activity where application_name = ${`dubplate:${process.pid}`}`
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const backends = await server.backends()
  for (const page of pages) {
    const before = cpuSecondsOf(backends)
    throughServer.wall.push((await timed(() => server.callApi(catalogue.genreSongs, page))).ms)
    throughServer.cpu.push((cpuSecondsOf(backends) - before) * 1000)
    const backendPids = self?.pids ?? []
    const start = cpuSecondsOf(backendPids)
    const pageRequest = { ...page, order: 'entity_id', orderDir: 'DESC' } as const
    direct.wall.push((await timed(() => listSongs(pool.sql, pageRequest, 2))).ms)
    direct.cpu.push((cpuSecondsOf(backendPids) - start) * 1000)
  }
  return {
    wall: median(throughServer.wall),
    cpu: median(throughServer.cpu),
    sqlWall: median(direct.wall),
    sqlCpu: median(direct.cpu),
  }
}

const ORDERS = ['title', 'artist', 'min_bpm', 'song_key', 'year', 'created_at'] as const

/** CPU milliseconds of the database for pages of a whole section, for each sort order. */
async function measureOtherOrders(server: Server): Promise<number[]> {
  const backends = await server.backends()
  const durations: number[] = []
  for (const order of ORDERS) {
    for (let n = 0; n < 20; n++) {
      const before = cpuSecondsOf(backends)
      const orderDir = n % 2 === 0 ? 'ASC' : 'DESC'
      await server.callApi(catalogue.getNewRelease, { page: 1 + (n >> 1), order, orderDir, song_section_id: 1 })
      durations.push((cpuSecondsOf(backends) - before) * 1000)
    }
  }
  return durations
}
