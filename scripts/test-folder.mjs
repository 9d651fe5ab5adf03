// The temporary folder of one test run. Everything the run writes or starts is inside it or names it, so that an
// interrupted run leaves nothing behind, and the next run finds what a killed one left.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isRunning, processId } from './lock.mjs'
import { endProcesses } from './test-processes.mjs'

/** Short, because the path of PostgreSQL's socket may have at most 107 bytes. */
const PREFIX = 'dubplate-run-'
const OWNER = 'owner'

export function createRunFolder(parent = tmpdir()) {
  const folder = mkdtempSync(path.join(parent, PREFIX))
  // When the tests run as root, PostgreSQL runs as another user, who needs access.
  chmodSync(folder, 0o755)
  writeFileSync(path.join(folder, OWNER), processId())
  return folder
}

export function removeRunFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/** A folder without an owner is still being created. */
function isAbandoned(folder) {
  try {
    if (process.getuid && statSync(folder).uid !== process.getuid()) return false
    return !isRunning(readFileSync(path.join(folder, OWNER), 'utf8'))
  } catch {
    return false
  }
}

/** Ends the processes and removes the folders of earlier runs that were killed. Returns the folders. */
export async function removeAbandonedRuns(parent = tmpdir()) {
  const names = readdirSync(parent).filter((name) => name.startsWith(PREFIX))
  const abandoned = names.map((name) => path.join(parent, name)).filter(isAbandoned)
  for (const folder of abandoned) {
    await endProcesses(folder, { grace_ms: 5000 })
    removeRunFolder(folder)
  }
  return abandoned
}
