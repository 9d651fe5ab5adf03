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
const upgrading = path.join(releases, 'upgrading')

/**
 * Lets `npm run upgrade` find this process, which restarts its server on SIGUSR2, and tells it about each server: the returned
 * function is called with the one that started, or with nothing when it ended.
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
      // A folder that cannot be written to is not upgraded by this command either.
    }
  }
}

/** The `npm start` processes of this clone; `server` is null while theirs is stopped. */
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

/** As the server reads DATA_DIR. */
export const dataFolder = (env) => path.resolve(home, env.DATA_DIR || './data')

/** A mark that holds as long as the process that made it runs and has not removed it. */
function mark(file) {
  mkdirSync(releases, { recursive: true })
  replaceFile(file, processId())
  return () => rmSync(file, { force: true })
}

function isMarked(file) {
  const owner = read(file)
  return owner !== undefined && isRunning(owner)
}

/** Until the returned function is called, `npm start` does not start its server again. */
export const holdStarts = () => mark(hold)
export const areStartsHeld = () => isMarked(hold)

/** Until the returned function is called, `npm start` stays when its server ends: the upgrade may switch back. */
export const beginUpgrade = () => mark(upgrading)
export const isUpgrading = () => isMarked(upgrading)

/** Folders of releases, without those that are being built. */
export const listReleases = () =>
  existsSync(releases)
    ? readdirSync(releases)
        .filter((name) => /^[0-9a-f]{12}$/.test(name))
        .map((name) => path.join(releases, name))
    : []

/** A folder to build a release in; it gets its name when it is complete. */
export const unfinishedFolder = (commit) => `${folderOf(commit)}.new-${processId()}`

/** Removes what upgrades that were killed left half built. */
export function removeUnfinished() {
  if (!existsSync(releases)) return
  for (const name of readdirSync(releases)) {
    const [, owner] = name.split('.new-')
    if (owner && !isRunning(owner)) rmSync(path.join(releases, name), { recursive: true, force: true })
  }
}

export const lockFolder = path.join(releases, 'lock')
