import type { Pool } from '../platform/db.ts'
import type { Storage } from '../platform/storage.ts'
import { BOOKS, COUNTS, findUsedNumbers, findWrongCounts } from './counts.ts'
import { KINDS } from './named-files.ts'
import type { Steps } from './steps.ts'
import { checkFiles, type OnFile } from './stored-files.ts'

type Tools = { sql: Pool; storage: Storage; now(): Date }
type Wish = {
  /** `all`: every byte is read and hashed; `fast`: whether a file is there and as long as it should be. */
  files: 'all' | 'fast'
  steps: Steps
  signal: AbortSignal
  /** Called with each file and what is wrong with it; undefined for one that was read and is good. */
  onFile?: OnFile | undefined
}

/** What a look through the whole pool finds, a line for each; `unnamed` are files that take room and harm nobody. */
export type Found = { troubles: string[]; unnamed: string[] }

/** Looks through the whole pool, which may run meanwhile. Changes nothing. */
export async function checkPool(tools: Tools, { files, steps, signal, onFile }: Wish): Promise<Found> {
  const found: Found = { troubles: [], unnamed: [] }
  for (const kind of KINDS) {
    steps.begin(`Checking ${kind}`, 0)
    const { wrong, unnamed } = await checkFiles(tools, { kind, readsAll: files === 'all', steps, signal, onFile })
    found.troubles.push(...wrong)
    found.unnamed.push(...unnamed)
  }
  steps.begin('Recounting', COUNTS.length + BOOKS.length + 1)
  const wrong = await tools.sql.begin('isolation level repeatable read read only', async (sql) => {
    await sql`select set_config('TimeZone', 'UTC', true), set_config('statement_timeout', '0', true)`
    return [...(await findWrongCounts(sql, [...COUNTS, ...BOOKS], steps.done)), ...(await findUsedNumbers(sql))]
  })
  steps.end()
  found.troubles.push(...(wrong as string[]))
  return found
}
