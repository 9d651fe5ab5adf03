import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type BenchPool, openBenchPool } from './bench-pool.ts'
import { benchBundle } from './bundle.bench.ts'
import { benchDownload } from './download.bench.ts'
import { benchImport } from './import.bench.ts'
import { benchListPage } from './list-page.bench.ts'
import { describeMachine, type Report, table, writeResults } from './results.ts'
import { benchSearch } from './search.bench.ts'

const USAGE = `npm run bench -- [NAME …] [--songs 100000] [--keep FOLDER]
  NAME     list-page, search, download, bundle or import; all of them where none is named
  --songs  how many songs the catalogue has
  --keep   the folder of the benchmarks' pool, kept for the next run instead of being thrown away`

const benchmarks: Record<string, (pool: BenchPool) => Promise<Report>> = {
  'list-page': benchListPage,
  search: benchSearch,
  download: benchDownload,
  bundle: benchBundle,
  import: benchImport,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    songs: { type: 'string', default: '100000' },
    keep: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const unknown = positionals.find((name) => !benchmarks[name])
if (values.help || unknown || !(Number(values.songs) >= 1)) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 1)
}
if (process.platform !== 'linux') {
  console.log('The benchmarks read the CPU of processes from /proc, so they run on Linux only.')
  process.exit(1)
}

const loadBefore = loadavg()[0] ?? 0
const pool = await openBenchPool(Number(values.songs), values.keep)
const reports: Report[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => pool.close().finally(() => process.exit(130)))
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(benchmarks)) {
    const report = await benchmarks[name]!(pool)
    console.log(`\n${report.title}\n${table(report.findings)}\n${report.notes.join('\n')}`)
    reports.push(report)
  }
  // Only a whole run replaces the results.
  if (positionals.length === 0) writeResults(describeMachine(pool.serverVersion, loadBefore), pool.songs, reports)
} finally {
  await pool.close()
}
