import { parseArgs } from 'node:util'
import { bounce } from './bounce.drill.ts'
import { clusterDrill } from './cluster.drill.ts'
import { diskFull } from './disk-full.drill.ts'
import type { Drill } from './drill.ts'
import { databaseHang } from './hang.drill.ts'
import { killDatabase } from './kill-database.drill.ts'
import { powerCut } from './power-cut.drill.ts'
import { proxyDrill } from './proxy.drill.ts'
import { slowBodies } from './slow-bodies.drill.ts'
import { upgradeDrill } from './upgrade.drill.ts'

/** Every drill, in the order of docs/operating.md. */
const DRILLS: Drill[] = [
  killDatabase,
  powerCut,
  databaseHang,
  diskFull,
  upgradeDrill,
  proxyDrill,
  slowBodies,
  bounce,
  clusterDrill,
]

const USAGE = `npm run drill -- NAME [NAME …] [--rounds N]

${DRILLS.map(({ name, summary }) => `  ${name.padEnd(14)} ${summary}`).join('\n')}
  --rounds N     how often the fault is caused (each drill has its own default)`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, help: { type: 'boolean', default: false } },
})
const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
const unknown = positionals.find((name) => !DRILLS.some((drill) => drill.name === name))
const isValidUsage = positionals.length > 0 && !unknown && (rounds === undefined || rounds >= 1)
if (values.help || !isValidUsage) {
  console.log(unknown ? `There is no drill "${unknown}".\n\n${USAGE}` : USAGE)
  process.exit(values.help ? 0 : 2)
}

let failed = 0
for (const name of positionals) {
  const drill = DRILLS.find((candidate) => candidate.name === name)!
  console.log(`\n── ${drill.name}: ${drill.summary}`)
  const { metric, hasPassed } = await drill.run({ rounds, report: (line) => console.log(`   ${line}`) })
  console.log(`${hasPassed ? 'passed' : 'FAILED'}: ${metric}`)
  if (!hasPassed) failed++
}
process.exit(failed === 0 ? 0 : 1)
