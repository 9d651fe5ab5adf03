// Where `npm run upgrade` stores versions (.releases/COMMIT), and which of them runs (.releases/current, a symbolic
// link).
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

/** The operator's clone: `root`, or the folder that contains the release `root` belongs to. */
export const home = path.basename(path.dirname(root)) === '.releases' ? path.dirname(path.dirname(root)) : root

const releases = path.join(home, '.releases')
const current = path.join(releases, 'current')
/**
 * Stores the clone's commit at the time the release was chosen. An operator who checks out another commit wants to run
 * that one.
 */
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

/** The release that `current` points at, regardless of the clone's commit. */
export const readCurrent = () => (existsSync(programIn(current, 'start')) ? realpathSync(current) : undefined)

/**
 * The release to run instead of the clone; undefined when there is none, or when the clone has changed commit since.
 */
export function findActiveRelease() {
  const release = root === home ? readCurrent() : undefined
  if (!release) return undefined
  const head = headOf()
  return head === undefined || head === read(checkoutFile) || head === commitOf(release) ? release : undefined
}

/** From now on programs run from this folder. The switch is a single rename. */
export function switchTo(folder) {
  if (folder === home) return leaveRelease()
  const head = headOf()
  if (head) replaceFile(checkoutFile, head)
  const link = `${current}.new-${process.pid}`
  rmSync(link, { force: true })
  symlinkSync(path.basename(folder), link)
  renameSync(link, current)
}

/** From now on programs run from the clone itself. */
export function leaveRelease() {
  if (root === home) rmSync(current, { force: true })
}

const supervisors = path.join(releases, 'running')
const hold = path.join(releases, 'hold')
const upgrading = path.join(releases, 'upgrading')

/**
 * Registers this process, which restarts its server on SIGUSR2, for `npm run upgrade`. The returned function is called
 * with each server that starts, or with nothing when it ended.
 */
export function registerSupervisor() {
  const file = path.join(supervisors, String(process.pid))
  const own = { id: processId(), data: dataFolder(process.env) }
  process.on('exit', () => rmSync(file, { force: true }))
  return (server) => {
    try {
      mkdirSync(supervisors, { recursive: true })
      replaceFile(file, JSON.stringify({ ...own, server: server?.pid ?? null }))
    } catch {
      // A folder that cannot be written to cannot be upgraded by this command either.
    }
  }
}

/** The `npm start` processes of this clone; `server` is null while the server is stopped. */
export function findSupervisors() {
  if (!existsSync(supervisors)) return []
  return readdirSync(supervisors)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const { id, data, server } = JSON.parse(read(path.join(supervisors, name)) || '{"id":""}')
      if (isRunning(id)) return [{ pid: Number(id.split('~')[1]), data, server }]
      rmSync(path.join(supervisors, name), { force: true })
      return []
    })
}

/** Resolves DATA_DIR the same way as the server. */
export const dataFolder = (env) => path.resolve(home, env.DATA_DIR || './data')

/** Creates a marker file that is valid while the process that created it runs and has not removed it. */
function mark(file) {
  mkdirSync(releases, { recursive: true })
  replaceFile(file, processId())
  return () => rmSync(file, { force: true })
}

function isMarked(file) {
  const owner = read(file)
  return owner !== undefined && isRunning(owner)
}

/** Until the returned function is called, `npm start` does not restart its server. */
export const holdStarts = () => mark(hold)
export const areStartsHeld = () => isMarked(hold)

/**
 * Until the returned function is called, `npm start` does not exit when its server ends, because the upgrade may switch
 * back.
 */
export const beginUpgrade = () => mark(upgrading)
export const isUpgrading = () => isMarked(upgrading)

/** Folders of releases, without those still being built. */
export const listReleases = () =>
  existsSync(releases)
    ? readdirSync(releases)
        .filter((name) => /^[0-9a-f]{12}$/.test(name))
        .map((name) => path.join(releases, name))
    : []

/** A folder to build a release in; it is renamed when it is complete. */
export const unfinishedFolder = (commit) => `${folderOf(commit)}.new-${processId()}`

/** Removes unfinished releases of upgrades that were killed. */
export function removeUnfinished() {
  if (!existsSync(releases)) return
  for (const name of readdirSync(releases)) {
    const [, owner] = name.split('.new-')
    if (owner && !isRunning(owner)) rmSync(path.join(releases, name), { recursive: true, force: true })
  }
}

export const lockFolder = path.join(releases, 'lock')
