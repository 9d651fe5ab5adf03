import { parseArgs } from 'node:util'
import { benchAnalysis } from './analysis.bench.ts'
import { benchBeats } from './beats.bench.ts'
import { type BenchPool, openBenchPool } from './bench-pool.ts'
import { benchBrowser } from './browser.bench.ts'
import { benchBundle } from './bundle.bench.ts'
import { benchCalls } from './calls.bench.ts'
import { benchCharts } from './charts.bench.ts'
import { closeAll } from './close-at-exit.ts'
import { benchConversion } from './conversion.bench.ts'
import { benchCounting } from './counting.bench.ts'
import { benchDownload } from './download.bench.ts'
import { benchFingerprints } from './fingerprints.bench.ts'
import { benchFirstVisit } from './first-visit.bench.ts'
import { benchImport } from './import.bench.ts'
import { benchLighthouse } from './lighthouse.bench.ts'
import { benchListPage } from './list-page.bench.ts'
import { benchMemory } from './memory.bench.ts'
import { benchOwnLibrary } from './own-library.bench.ts'
import { describeMachine, describeRun, type Report, table, writeResults } from './results.ts'
import { benchSearch } from './search.bench.ts'
import { benchSignIn } from './sign-in.bench.ts'
import { benchSongsTable } from './songs-table.bench.ts'
import { benchTraces } from './traces.bench.ts'
import { benchVersions } from './versions.bench.ts'

const USAGE = `npm run bench -- [NAME …] [--songs 100000] [--keep FOLDER] [--calls PREFIX]… [--write]
  NAME     calls, list-page, charts, search, sign-in, counting, download, bundle, memory, import, analysis, beats, versions, conversion, fingerprints, traces, own-library, first-visit, lighthouse, songs-table or browser; default: all
  --songs  number of songs in the catalogue
  --keep   data folder to keep and reuse in the next run (default: temporary)
  --calls  measure only the calls whose names begin with this, such as staff/songs (of the benchmark calls; not with --write)
  --write  write the results to bench/RESULTS.md (always done when all benchmarks run)`

const benchmarks: Record<string, (pool: BenchPool) => Promise<Report>> = {
  calls: (pool) => benchCalls(pool, values.calls),
  'list-page': benchListPage,
  charts: benchCharts,
  search: benchSearch,
  'sign-in': benchSignIn,
  counting: benchCounting,
  download: benchDownload,
  bundle: benchBundle,
  memory: benchMemory,
  import: benchImport,
  analysis: benchAnalysis,
  beats: benchBeats,
  versions: benchVersions,
  conversion: benchConversion,
  fingerprints: benchFingerprints,
  traces: benchTraces,
  'own-library': benchOwnLibrary,
  'first-visit': benchFirstVisit,
  lighthouse: benchLighthouse,
  'songs-table': benchSongsTable,
  browser: benchBrowser,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    songs: { type: 'string', default: '100000' },
    keep: { type: 'string' },
    calls: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const unknown = positionals.find((name) => !benchmarks[name])
const isPartial = values.calls.length > 0
if (values.help || unknown || !(Number(values.songs) >= 1) || (isPartial && values.write)) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 1)
}
if (process.platform !== 'linux') {
  console.log('The benchmarks only run on Linux: CPU time is read from /proc.')
  process.exit(1)
}

let isStopped = false
// Ctrl + C sends the signal twice: from the terminal, and from scripts/bench.mjs.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopped = true
    void closeAll().finally(() => process.exit(130))
  })
const results: { report: Report; when: string }[] = []
try {
  const pool = await openBenchPool(Number(values.songs), values.keep)
  for (const name of positionals.length > 0 ? positionals : Object.keys(benchmarks)) {
    const measuredAt = describeRun(pool.songs)
    const report = await benchmarks[name]!(pool)
    console.log(`\n${report.title}\n${table(report.findings)}\n${report.notes.join('\n')}`)
    results.push({ report, when: measuredAt })
  }
  if (values.write || positionals.length === 0) writeResults(describeMachine(pool.serverVersion), results)
} catch (error) {
  // What was measured fails when its server is stopped.
  if (!isStopped) throw error
} finally {
  await closeAll()
}
