import { spawnSync } from 'node:child_process'
import { downloads } from '@dubplate/contract'
import type { BenchPool } from './bench-pool.ts'
import { cpuPerGb, downloadLinks } from './download.bench.ts'
import { endedChildrenCpuSeconds, median } from './measure.ts'
import { type Measured, runLoad } from './processes.ts'
import { atMostTarget, type Finding, megabytes, perGb, type Report } from './results.ts'
import { type StoredAudio, storeTestAudio } from './store-test-audio.ts'

const FILES = 40
const FILE_BYTES = 10_000_000
const ROUNDS = 5

/** Downloads a crate of 40 files as one zip, compared with `zip -0` and with the same bytes as one plain file. */
export async function benchBundle(pool: BenchPool): Promise<Report> {
  const files = await storeTestAudio(pool, FILES, FILE_BYTES)
  const [whole] = await storeTestAudio(pool, 1, FILES * FILE_BYTES)
  if (!whole) throw new Error('No file was stored.')
  await fillCrate(pool, files)
  const server = await pool.startServer()
  try {
    const { url } = await server.callApi(downloads.downloadCrateBundle, {})
    const [plainLink = ''] = await downloadLinks(server, [whole])
    const get = (path: string) => ({ connections: 1, count: 2, requests: [{ method: 'GET' as const, path }] })
    const [zips, plainDownloads, zip0]: [Measured[], Measured[], number[]] = [[], [], []]
    await runLoad(server, get(url))
    for (let n = 0; n < ROUNDS; n++) {
      zips.push(await runLoad(server, get(url)))
      plainDownloads.push(await runLoad(server, get(plainLink)))
      zip0.push(zipCost(files))
    }
    return report(zips, plainDownloads, zip0)
  } finally {
    await server.stop()
  }
}

async function fillCrate(pool: BenchPool, files: StoredAudio[]): Promise<void> {
  const versions = files.map((file) => file.song_version_id)
  await pool.sql`
    insert into crate_item (customer_id, song_version_id, entity_id)
    select (select max(customer_id) from customer), song_version_id, entity_id
    from song_version where song_version_id = any(${versions}::bigint[])`
}

/** CPU seconds per GB that `zip -0` needs for the same files. NaN when zip is not installed. */
function zipCost(files: StoredAudio[]): number {
  const before = endedChildrenCpuSeconds()
  const result = spawnSync('sh', ['-c', 'zip -0 -q - "$@" > /dev/null', 'zip', ...files.map((file) => file.path)])
  if (result.status !== 0) return Number.NaN
  return (endedChildrenCpuSeconds() - before) / ((FILES * FILE_BYTES) / 1e9)
}

function report(zips: Measured[], plainDownloads: Measured[], zip0: number[]): Report {
  const [ourResult, file, zip] = [median(zips.map(cpuPerGb)), median(plainDownloads.map(cpuPerGb)), median(zip0)]
  const peakMb = Math.max(...zips.map((measured) => measured.peakMb))
  const what = `a zip of ${FILES} files of 10 MB`
  const findings: Finding[] = [
    {
      what,
      ours: perGb(ourResult),
      against: `${perGb(file)} (one plain file of as many bytes)`,
      ratio: ourResult / file,
      target: atMostTarget(ourResult / file, 1.5),
    },
    ...(Number.isNaN(zip)
      ? []
      : [{ what, ours: perGb(ourResult), against: `${perGb(zip)} (zip -0, to nowhere)`, ratio: ourResult / zip }]),
    {
      what: 'resident memory of the web process, at most',
      ours: megabytes(peakMb),
      against: '',
      target: atMostTarget(peakMb, 250, ' MB'),
    },
  ]
  const notes = Number.isNaN(zip) ? ['There is no `zip` on this machine, so nothing was compared with it.'] : []
  return { title: 'Bundles', findings, notes }
}
