import { readFileSync } from 'node:fs'
import { catalogue, downloads, uploads } from '@dubplate/contract'
import type { BenchPool, Server } from './bench-pool.ts'
import { insertMembers } from './counting.bench.ts'
import { downloadLinks } from './download.bench.ts'
import { cpuSeconds, peakMemoryMb, quantile } from './measure.ts'
import { type Measured, runLoad } from './processes.ts'
import { atMostTarget, type Finding, megabytes, ms, perSecond, type Report } from './results.ts'
import { makeQueries } from './search-queries.ts'
import { type StoredAudio, storeTestAudio } from './store-test-audio.ts'

const ROUNDS = 3
const FILES = 20
const FILE_BYTES = 10_000_000
const PAGES = 300
const PARTS = ['lists', 'searches', 'counted downloads', 'files', 'zip'] as const

/** What every round of the load sends, all at the same time. */
const REQUESTS = { lists: 3000, searches: 300, counted: 300, files: 20, zips: 1, uploads: 2 }

/** Web and worker in one process, as `npm start` runs them, under all kinds of load at once, compared with the same process idle. */
export async function benchMemory(pool: BenchPool): Promise<Report> {
  const files = await storeTestAudio(pool, FILES, FILE_BYTES)
  const uploadedFiles = await storeTestAudio(pool, ROUNDS * REQUESTS.uploads, FILE_BYTES)
  await fillCrate(pool, files)
  const members = await insertMembers(pool, files, (ROUNDS * REQUESTS.counted) / FILES)
  const queries = await makeQueries(pool.sql)
  const server = await pool.startServer({}, { program: 'start', reportsMemory: true })
  try {
    const idle = await memoryOf(server)
    const cpuBefore = cpuSeconds(server.pid)
    const results: Measured[][] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { url } = await server.callApi(downloads.downloadCrateBundle, {})
      const links = await downloadLinks(server, files)
      const some = <T>(all: readonly T[], count: number) => all.slice(round * count, (round + 1) * count)
      const loads = [
        runLoad(server, { connections: 16, count: REQUESTS.lists, requests: listRequests() }),
        runLoad(server, {
          connections: 8,
          count: REQUESTS.searches,
          requests: queries.map(({ searchParams }) => ({
            ...{ method: 'POST' as const, path: `/api/${catalogue.searchSongs.path}`, body: searchParams },
          })),
        }),
        runLoad(server, {
          ...{ connections: 20, count: REQUESTS.counted, requests: some(members.requests, REQUESTS.counted) },
        }),
        runLoad(server, {
          ...{ connections: 4, count: REQUESTS.files },
          requests: links.map((path) => ({ method: 'GET' as const, path })),
        }),
        runLoad(server, { connections: 1, count: REQUESTS.zips, requests: [{ method: 'GET', path: url }] }),
      ]
      await upload(pool, server, some(uploadedFiles, REQUESTS.uploads))
      results.push(await Promise.all(loads))
    }
    const cpu = cpuSeconds(server.pid) - cpuBefore
    return report(idle, { ...(await memoryOf(server)), peakMb: peakMemoryMb(server.pid), cpu }, results)
  } finally {
    await server.stop()
  }
}

const listRequests = () =>
  Array.from({ length: PAGES }, (_, n) => ({
    method: 'POST' as const,
    path: `/api/${catalogue.genreSongs.path}`,
    body: { genre_id: 31, page: n + 1, song_section_id: 1 },
    headers: { 'accept-encoding': 'gzip' },
  }))

async function fillCrate({ sql }: BenchPool, files: StoredAudio[]): Promise<void> {
  await sql`
    insert into crate_item (customer_id, song_version_id, entity_id)
    select (select max(customer_id) from customer where dj_name = 'Bench'), song_version_id, entity_id
    from song_version where song_version_id = any(${files.map((file) => file.song_version_id)}::bigint[])`
}

/** Sends files as the browser does, and waits until the worker has analysed them. */
async function upload({ sql, token }: BenchPool, { port }: Server, files: StoredAudio[]): Promise<void> {
  const origin = `http://127.0.0.1:${port}`
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  for (const file of files) {
    const bytes = readFileSync(file.path)
    const filename = Buffer.from(`Bench - ${file.song_version_id} ${Date.now()} (Clean).wav`).toString('base64')
    const created = await fetch(`${origin}${uploads.RESUMABLE_PATH}`, {
      method: 'POST',
      headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': `filename ${filename}` },
    })
    if (created.status !== 201) throw new Error(`The upload was not accepted: ${await created.text()}`)
    const sent = await fetch(new URL(created.headers.get('location') ?? '', origin), {
      method: 'PATCH',
      headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: bytes,
    })
    if (sent.status !== 204) throw new Error(`The upload failed: ${await sent.text()}`)
  }
  const isPending = async () => {
    const rows = await sql`select 1 from upload where state in ('queued', 'running') limit 1`
    return rows.length > 0
  }
  while (await isPending()) await new Promise((resolve) => setTimeout(resolve, 100))
}

type Memory = { rss: number; heapUsed: number; heapTotal: number; external: number; arrayBuffers: number }

/** In MB. */
async function memoryOf(server: Server): Promise<Memory> {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = await server.memoryUsage()
  const mb = (bytes: number) => bytes / 1e6
  return {
    ...{ rss: mb(rss), heapUsed: mb(heapUsed), heapTotal: mb(heapTotal) },
    ...{ external: mb(external), arrayBuffers: mb(arrayBuffers) },
  }
}

function report(idle: Memory, loaded: Memory & { peakMb: number; cpu: number }, results: Measured[][]): Report {
  const compare = (what: string, name: keyof Memory): Finding => ({
    what,
    ours: megabytes(loaded[name]),
    against: `${megabytes(idle[name])} (idle)`,
  })
  const speed = (part: number): Finding => {
    const runs = results.map((round) => round[part]!)
    const latencies = runs.flatMap((run) => run.latencies)
    const seconds = runs.reduce((sum, run) => sum + run.seconds, 0)
    return {
      what: `${PARTS[part]} at the same time`,
      ours: `${perSecond(latencies.length / seconds)}, p95 ${ms(quantile(latencies, 0.95))}`,
      against: '',
    }
  }
  return {
    title: 'Memory under load',
    findings: [
      {
        what: 'resident memory of web and worker in one process, at most',
        ours: megabytes(loaded.peakMb),
        against: `${megabytes(idle.rss)} (idle)`,
        ratio: loaded.peakMb / idle.rss,
        target: atMostTarget(loaded.peakMb, 250, ' MB'),
      },
      compare('resident after the load', 'rss'),
      compare('JavaScript heap in use', 'heapUsed'),
      compare('JavaScript heap reserved', 'heapTotal'),
      compare('outside of the heap', 'external'),
      compare('of that, buffers', 'arrayBuffers'),
      { what: 'CPU of the process for the load', ours: `${loaded.cpu.toFixed(1)} s`, against: '' },
      ...PARTS.map((_, part) => speed(part)),
    ],
    notes: [
      `${ROUNDS} rounds, each with ${REQUESTS.lists} list pages, ${REQUESTS.searches} searches, ${REQUESTS.counted} counted downloads, ${REQUESTS.files} files and a zip of ${FILES} files of ${FILE_BYTES / 1e6} MB, and ${REQUESTS.uploads} uploads of such files, which the worker analyses. The database and the analyser are processes of their own.`,
    ],
  }
}
