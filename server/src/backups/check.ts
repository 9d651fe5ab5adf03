import type { Pool } from '../platform/db.ts'
import type { Storage } from '../platform/storage.ts'
import { COUNT_CHECKS, findSequenceConflicts, findWrongCounts, LEDGER_CHECKS } from './consistency-checks.ts'
import type { ProgressReporter } from './progress.ts'
import { KINDS } from './referenced-files.ts'
import { checkFiles, type OnFile } from './stored-files.ts'

type Deps = { sql: Pool; storage: Storage; now(): Date }
type CheckOptions = {
  /** `all`: every byte is read and hashed; `fast`: whether a file is there and as long as it should be. */
  files: 'all' | 'fast'
  progress: ProgressReporter
  signal: AbortSignal
  /** Called with each file and what is wrong with it; undefined for one that was read and is good. */
  onFile?: OnFile | undefined
}

/** What a look through the whole pool finds, a line for each; `unnamed` are files that take room and harm nobody. */
export type CheckResult = { problems: string[]; unnamed: string[] }

/** Looks through the whole pool, which may run meanwhile. Changes nothing. */
export async function checkPool(deps: Deps, { files, progress, signal, onFile }: CheckOptions): Promise<CheckResult> {
  const found: CheckResult = { problems: [], unnamed: [] }
  for (const kind of KINDS) {
    progress.begin(`Checking ${kind}`, 0)
    const { wrong, unnamed } = await checkFiles(deps, { kind, readsAll: files === 'all', progress, signal, onFile })
    found.problems.push(...wrong)
    found.unnamed.push(...unnamed)
  }
  progress.begin('Recounting', COUNT_CHECKS.length + LEDGER_CHECKS.length + 1)
  const wrong = await deps.sql.begin('isolation level repeatable read read only', async (sql) => {
    await sql`select set_config('TimeZone', 'UTC', true), set_config('statement_timeout', '0', true)`
    return [
      ...(await findWrongCounts(sql, [...COUNT_CHECKS, ...LEDGER_CHECKS], progress.done)),
      ...(await findSequenceConflicts(sql)),
    ]
  })
  progress.end()
  found.problems.push(...(wrong as string[]))
  return found
}
