import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

/** Finds which process serves a cluster, from the lock files of PostgreSQL, which may remain after a power cut. */

/**
 * The first line of `postmaster.pid` and of a socket's `.lock` file is the process id. PostgreSQL may delete the file at
 * any moment.
 */
function pidIn(file: string): number | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const pid = Math.abs(Number(text.split('\n')[0]))
  return Number.isInteger(pid) && pid > 1 ? pid : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * PostgreSQL works in the folder of its cluster, and has it on its command line. Undefined if the system does not say.
 */
function servesCluster(pid: number, cluster: string): boolean | undefined {
  const procFolder = `/proc/${pid}`
  if (existsSync(procFolder)) {
    try {
      return readlinkSync(`${procFolder}/cwd`) === realpathSync(cluster)
    } catch {
      // The working directory of another user's process is not readable; its command line is.
    }
    try {
      const words = readFileSync(`${procFolder}/cmdline`, 'utf8').split('\0')
      return path.basename(words[0] ?? '') === 'postgres' && words.includes(cluster)
    } catch {
      return undefined
    }
  }
  const listed = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return listed.status === 0 ? listed.stdout.includes(cluster) : undefined
}

/** Returns the process id of this cluster's running server; undefined if there is none, whatever the lock file says. */
export function findPostmaster(cluster: string): number | undefined {
  const pid = pidIn(path.join(cluster, 'postmaster.pid'))
  if (pid === undefined || !isAlive(pid)) return undefined
  return servesCluster(pid, cluster) === false ? undefined : pid
}

/** PostgreSQL writes its process id as soon as it has created a lock file. */
const WRITTEN_AFTER_MS = 10_000

/** A power cut may leave an empty lock file, with which PostgreSQL does not start. */
function isLeftEmpty(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.size === 0 && Date.now() - found.mtimeMs > WRITTEN_AFTER_MS
}

/**
 * Removes lock files whose process id is not this cluster's server: after a power cut the id may belong to any program,
 * or be missing, and PostgreSQL would refuse to start. Returns what it removed.
 */
export function removeStaleLocks(cluster: string, socketDir: string): string[] {
  const locks = [path.join(cluster, 'postmaster.pid'), path.join(socketDir, '.s.PGSQL.5432.lock')]
  const stale = locks.filter((file) => {
    const pid = pidIn(file)
    if (isLeftEmpty(file)) return true
    return pid !== undefined && isAlive(pid) && servesCluster(pid, cluster) === false
  })
  for (const file of stale) rmSync(file, { force: true })
  return stale
}
