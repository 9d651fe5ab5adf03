import type { Pool } from '../platform/db.ts'
import type { Storage } from '../platform/storage.ts'
import { COUNT_CHECKS, findSequenceConflicts, findWrongCounts, LEDGER_CHECKS } from './consistency-checks.ts'
import type { ProgressReporter } from './progress.ts'
import { KINDS } from './referenced-files.ts'
import { checkFiles, type OnFile } from './stored-files.ts'

type Deps = { sql: Pool; storage: Storage; now(): Date }
type CheckOptions = {
  /** `all`: every byte is read and hashed; `fast`: only existence and length are checked. */
  files: 'all' | 'fast'
  progress: ProgressReporter
  signal: AbortSignal
  /** Called with each file and its damage; undefined for one that was read and is intact. */
  onFile?: OnFile | undefined
}

/** The problems found in the whole pool, one line each; `unnamed` are unreferenced files, which only take up space. */
export type CheckResult = { problems: string[]; unnamed: string[] }

/** Checks the whole pool, which may be running. Changes nothing. */
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
