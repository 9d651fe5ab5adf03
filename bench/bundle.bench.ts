import { spawnSync } from 'node:child_process'
import { downloads } from '@dubplate/contract'
import { type Shelved, shelve } from './audio-shelf.ts'
import type { BenchPool } from './bench-pool.ts'
import { cpuPerGb, linksTo } from './download.bench.ts'
import { endedChildrenCpuSeconds, median } from './measure.ts'
import { type Measured, pull } from './processes.ts'
import { atMost, type Finding, megabytes, perGb, type Report } from './results.ts'

const FILES = 40
const FILE_BYTES = 10_000_000
const ROUNDS = 5

/** A crate of 40 files as one zip, against `zip -0` and against the same bytes as one plain file. */
export async function benchBundle(pool: BenchPool): Promise<Report> {
  const files = await shelve(pool, FILES, FILE_BYTES)
  const [whole] = await shelve(pool, 1, FILES * FILE_BYTES)
  if (!whole) throw new Error('No file was shelved.')
  await fillCrate(pool, files)
  const server = await pool.startServer()
  try {
    const { url } = await server.ask(downloads.downloadCrateBundle, {})
    const [plainLink = ''] = await linksTo(server, [whole])
    const get = (path: string) => ({ connections: 1, count: 2, requests: [{ method: 'GET' as const, path }] })
    const [zips, plain, zip0]: [Measured[], Measured[], number[]] = [[], [], []]
    await pull(server, get(url))
    for (let n = 0; n < ROUNDS; n++) {
      zips.push(await pull(server, get(url)))
      plain.push(await pull(server, get(plainLink)))
      zip0.push(zipCost(files))
    }
    return report(zips, plain, zip0)
  } finally {
    await server.stop()
  }
}

async function fillCrate(pool: BenchPool, files: Shelved[]): Promise<void> {
  const versions = files.map((file) => file.song_version_id)
  await pool.sql`
    insert into crate_item (customer_id, song_version_id, entity_id)
    select (select max(customer_id) from customer), song_version_id, entity_id
    from song_version where song_version_id = any(${versions}::bigint[])`
}

/** CPU seconds `zip -0` takes for each GB of the same files; NaN where there is no zip. */
function zipCost(files: Shelved[]): number {
  const before = endedChildrenCpuSeconds()
  const done = spawnSync('sh', ['-c', 'zip -0 -q - "$@" > /dev/null', 'zip', ...files.map((file) => file.path)])
  if (done.status !== 0) return Number.NaN
  return (endedChildrenCpuSeconds() - before) / ((FILES * FILE_BYTES) / 1e9)
}

function report(zips: Measured[], plain: Measured[], zip0: number[]): Report {
  const [ours, file, zip] = [median(zips.map(cpuPerGb)), median(plain.map(cpuPerGb)), median(zip0)]
  const peakMb = Math.max(...zips.map((measured) => measured.peakMb))
  const what = `a zip of ${FILES} files of 10 MB`
  const findings: Finding[] = [
    {
      what,
      ours: perGb(ours),
      against: `${perGb(file)} (one plain file of as many bytes)`,
      ratio: ours / file,
      aim: atMost(ours / file, 1.5),
    },
    ...(Number.isNaN(zip)
      ? []
      : [{ what, ours: perGb(ours), against: `${perGb(zip)} (zip -0, to nowhere)`, ratio: ours / zip }]),
    {
      what: 'resident memory of the web process, at most',
      ours: megabytes(peakMb),
      against: '',
      aim: atMost(peakMb, 250, ' MB'),
    },
  ]
  const notes = Number.isNaN(zip) ? ['There is no `zip` on this machine, so nothing was compared with it.'] : []
  return { title: 'Bundles', findings, notes }
}
