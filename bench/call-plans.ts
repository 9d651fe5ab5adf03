import { makeApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { connect } from '../server/src/platform/db.ts'
import { createLog } from '../server/src/platform/log.ts'
import { createAppContext } from '../server/src/process.ts'
import type { BenchPool } from './bench-pool.ts'
import { type Caller, endpointOf, type MeasuredCall, nameOf } from './call-inputs.ts'

/** What the plans of a call read that they should not, in words; by the call's name. */
export type PlanWarnings = Map<string, string[]>

/** Rows a request may read of one table; a page of a list has at most a hundred. */
const MAX_ROWS = 10_000
const INPUTS_PER_CALL = 10

/** Plans as PostgreSQL's auto_explain reports them: to the client, with the rows each node has read. */
const EXPLAIN = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_nested_statements': 'on',
}

type ExplainOptions = { findWarnings?: (plan: PlanNode) => string[]; parameters?: Record<string, string> }

export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Sort Space Type'?: string
  Plans?: PlanNode[]
}

/**
 * Makes the calls in this process, and looks at the plan of every statement that they run, with `parameters` as settings of
 * the database.
 */
export async function explainCalls(
  pool: Pick<BenchPool, 'location' | 'dataDir'>,
  calls: MeasuredCall[],
  tokens: Record<Caller, string | undefined>,
  { findWarnings = findExpensiveReads, parameters = {} }: ExplainOptions = {},
): Promise<PlanWarnings> {
  let found = new Set<string>()
  const sql = connect(pool.location, {
    max: 1,
    parameters: { ...EXPLAIN, ...parameters },
    onNotice: (message) => {
      const plan = /plan:\n(\{.*\})\s*$/s.exec(message)?.[1]
      if (plan) for (const warning of findWarnings((JSON.parse(plan) as { Plan: PlanNode }).Plan)) found.add(warning)
    },
  })
  const config = readConfig({ DATA_DIR: pool.dataDir, LOG_LEVEL: 'silent', DEMO: 'off' })
  const app = await makeApp(await createAppContext(config, createLog('silent'), { sql }))
  const warnings: PlanWarnings = new Map()
  try {
    for (const call of calls) {
      found = new Set()
      const { method, path } = endpointOf(call)
      for (const input of call.inputs.slice(0, INPUTS_PER_CALL)) {
        const token = tokens[call.caller]
        const response = await app.inject({
          method,
          url: `/api/${path}`,
          ...(method === 'GET' ? { query: input as Record<string, string> } : { payload: input }),
          ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
        })
        if (response.statusCode !== 200) throw new Error(`${path} ${JSON.stringify(input)}: ${response.body}`)
      }
      warnings.set(nameOf(call), [...found])
    }
  } finally {
    await app.close()
    await sql.end()
  }
  return warnings
}

/** Nodes that read more than MAX_ROWS rows of a table, and sorts that do not fit in memory. */
function findExpensiveReads(node: PlanNode): string[] {
  const loops = node['Actual Loops'] ?? 1
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const rows = Math.round(((node['Actual Rows'] ?? 0) + removed) * loops)
  const table = node['Relation Name']
  return [
    ...(table && rows > MAX_ROWS
      ? [`reads ${rows.toLocaleString('en')} rows of ${table} (${node['Node Type'].toLowerCase()})`]
      : []),
    ...(node['Sort Space Type'] === 'Disk' ? ['a sort spills to disk'] : []),
    ...(node.Plans ?? []).flatMap(findExpensiveReads),
  ]
}
