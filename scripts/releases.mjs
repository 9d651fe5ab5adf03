// Where `npm run upgrade` puts versions (.releases/COMMIT) and which of them runs (.releases/current, a link).
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import path from 'node:path'
import { replaceFile } from './builds.mjs'
import { isRunning, processId } from './lock.mjs'

/** The folder of this version's sources. */
export const root = path.dirname(import.meta.dirname)

/** The operator's clone: `root`, or what holds the releases this one is among. */
export const home = path.basename(path.dirname(root)) === '.releases' ? path.dirname(path.dirname(root)) : root

const releases = path.join(home, '.releases')
const current = path.join(releases, 'current')
/** The commit the clone was at when the release was chosen: someone who checks out another one wants to run that. */
const checkoutFile = path.join(releases, 'checkout')

export const folderOf = (commit) => path.join(releases, commit.slice(0, 12))
export const programIn = (folder, name) => path.join(folder, 'server/dist', `${name}.js`)

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)

export const commitOf = (folder) => read(path.join(folder, '.commit'))

export function git(args, options = {}) {
  const done = spawnSync('git', args, { cwd: home, encoding: 'utf8', ...options })
  return { isDone: done.status === 0, text: (done.stdout ?? '').trim(), problem: (done.stderr ?? '').trim() }
}

const headOf = () => git(['rev-parse', 'HEAD']).text || undefined

/** The release that `current` names, whatever the clone is at. */
export const readCurrent = () => (existsSync(programIn(current, 'start')) ? realpathSync(current) : undefined)

/** The release to run instead of the clone; undefined when there is none, or when the clone has moved on since. */
export function findActiveRelease() {
  const release = root === home ? readCurrent() : undefined
  if (!release) return undefined
  const head = headOf()
  return head === undefined || head === read(checkoutFile) || head === commitOf(release) ? release : undefined
}

/** From now on programs are run from this folder; one rename decides. */
export function switchTo(folder) {
  if (folder === home) return leaveRelease()
  const head = headOf()
  if (head) replaceFile(checkoutFile, head)
  const link = `${current}.new-${process.pid}`
  rmSync(link, { force: true })
  symlinkSync(path.basename(folder), link)
  renameSync(link, current)
}

/** From now on programs are run from the clone itself. */
export function leaveRelease() {
  if (root === home) rmSync(current, { force: true })
}

const supervisors = path.join(releases, 'running')
const hold = path.join(releases, 'hold')

/** Lets `npm run upgrade` find this process, which restarts its server on SIGUSR2. */
export function registerSupervisor() {
  const file = path.join(supervisors, String(process.pid))
  try {
    mkdirSync(supervisors, { recursive: true })
    replaceFile(file, JSON.stringify({ id: processId(), data: dataFolder(process.env) }))
    process.on('exit', () => rmSync(file, { force: true }))
  } catch {
    // A folder that cannot be written to cannot be upgraded in place either.
  }
}

/** The `npm start` processes of this clone. */
export function findSupervisors() {
  if (!existsSync(supervisors)) return []
  return readdirSync(supervisors).flatMap((name) => {
    const text = read(path.join(supervisors, name))
    const { id, data } = JSON.parse(text || '{"id":""}')
    if (isRunning(id)) return [{ pid: Number(id.split('~')[1]), data }]
    rmSync(path.join(supervisors, name), { force: true })
    return []
  })
}

/** As the server reads DATA_DIR. */
export const dataFolder = (env) => path.resolve(home, env.DATA_DIR || './data')

/** While this process lives and has not let go, `npm start` does not start its server again. */
export function holdStarts() {
  mkdirSync(releases, { recursive: true })
  replaceFile(hold, processId())
  return () => rmSync(hold, { force: true })
}

export function areStartsHeld() {
  const owner = read(hold)
  return owner !== undefined && isRunning(owner)
}
