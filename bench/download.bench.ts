import { createHash } from 'node:crypto'
import { linkSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { downloads } from '@dubplate/contract'
import { type AudioPayload, readPayload } from '../server/src/audio-files/payload.ts'
import { tagFile } from '../server/src/downloads/tagged-file.ts'
import type { BenchPool, Server } from './bench-pool.ts'
import { median } from './measure.ts'
import {
  type Measured,
  runLoad,
  type ServerProcess,
  startBareServer,
  startFrontServer,
  startNginx,
} from './processes.ts'
import { atMostTarget, type Finding, megabytes, ms, perGb, type Report } from './results.ts'
import { type StoredAudio, storeTestAudio } from './store-test-audio.ts'

const ROUNDS = 5
const LARGE_BYTES = 100_000_000
const SMALL_BYTES = 10_000_000
const SMALL_FILES = 20
const REQUESTS_PER_ROUND = { large: 8, small: 80 }
const CONNECTIONS = 4
const COVER_BYTES = 60_000
const LAYOUTS = 200

export const cpuPerGb = ({ cpu, bytes }: Measured): number => cpu / (bytes / 1e9)
const gbPerSecond = ({ bytes, seconds }: Measured): number => bytes / 1e9 / seconds

/** Downloads compared with nginx with sendfile and with a bare Node server, by CPU seconds per GB. */
export async function benchDownload(pool: BenchPool): Promise<Report> {
  const [large] = await storeTestAudio(pool, 1, LARGE_BYTES)
  const small = await storeTestAudio(pool, SMALL_FILES, SMALL_BYTES)
  if (!large) throw new Error('No file was stored.')
  // Without a limit of downloads; each of their links sends at most two copies.
  await pool.sql`update customer set staff_role = 'admin' where dj_name = 'Bench'`
  const server = await pool.startServer({ SENDFILE: 'nginx' })
  const frontServer = await startFrontServer(server, path.join(pool.dataDir, 'media'), path.join(pool.dataDir, 'front'))
  const folder = publish(pool, [large, ...small])
  const nginx = await startNginx(folder, path.join(pool.dataDir, 'nginx'))
  const bareServer = await startBareServer('pipe', large.path)
  try {
    const others = { nginx, bareServer, frontServer }
    const one = await race(server, others, [large], ['/0.wav'], REQUESTS_PER_ROUND.large)
    const names = small.map((_, n) => `/${n + 1}.wav`)
    const smallFiles = await race(server, { ...others, bareServer: undefined }, small, names, REQUESTS_PER_ROUND.small)
    return report(one, smallFiles, buildLayouts(await readPayload(large.path, 'wav')))
  } finally {
    await Promise.all([frontServer?.stop(), server.stop(), nginx?.stop(), bareServer.stop()])
  }
}

/** Copies the files to a folder that nginx may read. */
function publish(pool: BenchPool, files: StoredAudio[]): string {
  const folder = path.join(pool.dataDir, `published-${Date.now()}`)
  mkdirSync(folder)
  for (const [n, file] of files.entries()) linkSync(file.path, path.join(folder, `${n}.wav`))
  return folder
}

export async function downloadLinks(server: Server, files: StoredAudio[]): Promise<string[]> {
  const links: string[] = []
  for (const { song_version_id } of files) {
    links.push((await server.callApi(downloads.downloadVersion, { version: song_version_id })).url)
  }
  return links
}

type Race = { ours: Measured[]; behindNginx: Measured[]; nginx: Measured[]; bareServer: Measured[] }

type Others = {
  nginx: ServerProcess | undefined
  bareServer: ServerProcess | undefined
  /** nginx in front of our server. */
  frontServer: ServerProcess | undefined
}

async function race(
  server: Server,
  compareWith: Others,
  files: StoredAudio[],
  names: string[],
  count: number,
): Promise<Race> {
  const result: Race = { ours: [], behindNginx: [], nginx: [], bareServer: [] }
  const get = (paths: string[]) => ({
    connections: CONNECTIONS,
    count,
    requests: paths.map((url) => ({ method: 'GET' as const, path: url })),
  })
  const links = () =>
    downloadLinks(
      server,
      Array.from({ length: count }, (_, n) => files[n % files.length]!),
    )
  await runLoad(server, get(await links()))
  // The second requests for the files, which make their copies.
  if (compareWith.frontServer) for (let n = 0; n < 2; n++) await runLoad(compareWith.frontServer, get(await links()))
  for (let n = 0; n < ROUNDS; n++) {
    result.ours.push(await runLoad(server, get(await links())))
    if (compareWith.frontServer)
      result.behindNginx.push(await runLoad(compareWith.frontServer, get(await links()), [server]))
    if (compareWith.nginx) result.nginx.push(await runLoad(compareWith.nginx, get(names)))
    if (compareWith.bareServer) result.bareServer.push(await runLoad(compareWith.bareServer, get(names)))
  }
  return result
}

/**
 * The work before a file's first byte (new tags with a cover, checksums and ETag), compared with one hash of that
 * cover.
 */
function buildLayouts(body: AudioPayload): Finding {
  const bytes = Buffer.alloc(COVER_BYTES, 7)
  const picture = { mime: 'image/jpeg', bytes, width: 500, height: 500 } as const
  const elapsedMs = (work: () => unknown) => median(Array.from({ length: LAYOUTS }, () => msOf(work)))
  const ourResult = elapsedMs(() =>
    tagFile(body, { title: 'Noise (Clean)', artist: 'Bench', genres: ['House'], picture }),
  )
  const hash = elapsedMs(() => createHash('sha256').update(bytes).digest())
  const ratio = ourResult / hash
  const what = `laying out a file with a cover of ${COVER_BYTES / 1000} kB`
  return {
    what,
    ours: ms(ourResult),
    against: `${ms(hash)} (SHA-256 of the cover)`,
    ratio,
    target: atMostTarget(ratio, 20),
  }
}

function msOf(work: () => unknown): number {
  const from = performance.now()
  work()
  return performance.now() - from
}

function report(one: Race, smallFiles: Race, layout: Finding): Report {
  const peakMb = Math.max(...[...one.ours, ...smallFiles.ours].map((measured) => measured.peakMb))
  const reference = one.nginx.length > 0
  return {
    title: 'Downloads',
    findings: [
      ...(reference ? [compare('one 100 MB file, 4 clients', one.ours, one.nginx, 'nginx sendfile', true)] : []),
      compare('one 100 MB file, 4 clients', one.ours, one.bareServer, 'bare node:http pipe', !reference),
      ...(reference
        ? [compare('20 files of 10 MB, 4 clients', smallFiles.ours, smallFiles.nginx, 'nginx sendfile', true)]
        : []),
      ...(reference ? [behindNginx('one 100 MB file', one), behindNginx('20 files of 10 MB', smallFiles)] : []),
      layout,
      {
        what: 'resident memory of the web process, at most',
        ours: megabytes(peakMb),
        against: '',
        target: atMostTarget(peakMb, 250, ' MB'),
      },
    ],
    notes: [
      'CPU seconds of the serving processes (nginx and Dubplate, if both serve), all their threads, for each GB sent over the loopback. Behind sendfile the bytes never enter the process; Node copies them in and out, so the bare pipe is what a Node process can be held to.',
    ],
  }
}

/** Aims at 0.15 s/GB for nginx and our process together. */
function behindNginx(what: string, { behindNginx: measured, nginx }: Race): Finding {
  const finding = compare(`${what}, 4 clients, behind nginx (SENDFILE)`, measured, nginx, 'nginx sendfile', false)
  return { ...finding, target: atMostTarget(median(measured.map(cpuPerGb)), 0.15, ' s/GB') }
}

function compare(what: string, ourResult: Measured[], other: Measured[], name: string, isReference: boolean): Finding {
  const [ourMedian, otherMedian] = [median(ourResult.map(cpuPerGb)), median(other.map(cpuPerGb))]
  const speed = (some: Measured[]) => `${median(some.map(gbPerSecond)).toFixed(2)} GB/s`
  return {
    what,
    ours: `${perGb(ourMedian)}, ${speed(ourResult)}`,
    against: `${perGb(otherMedian)}, ${speed(other)} (${name})`,
    ratio: ourMedian / otherMedian,
    ...(isReference ? { target: atMostTarget(ourMedian / otherMedian, 1.3) } : {}),
  }
}
