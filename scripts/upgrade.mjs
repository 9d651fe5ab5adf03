// `npm run upgrade`: fetches a newer version, builds it in a separate folder, and only then replaces the running one. A
// version that does not become ready is replaced by the previous one. The command can be killed at any moment and run
// again.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { carryOver } from './builds.mjs'
import { acquireLock, isRunning, processId } from './lock.mjs'
import {
  beginUpgrade,
  commitOf,
  dataFolder,
  findActiveRelease,
  findSupervisors,
  folderOf,
  git,
  holdStarts,
  home,
  listReleases,
  lockFolder,
  programIn,
  removeUnfinished,
  switchTo,
  unfinishedFolder,
} from './releases.mjs'
import { checkNode } from './run.mjs'

const USAGE = `npm run upgrade -- [OPTIONS]

  --to VERSION         a tag, branch or commit (what the branch of this folder follows)
  --from REPOSITORY    an address or a folder to fetch it from (the remote of this folder)
  --backup FOLDER      where the backup goes (BACKUP_DIR, or backups in this folder)
  --no-backup          makes none
  --no-restart         installs and switches; you restart the pool yourself
  --wait SECONDS       how long the new version may take until /readyz answers (60)
`

/** Ends the upgrade with a message. The running pool is not affected. */
class UpgradeError extends Error {}

const fail = (sentence) => {
  throw new UpgradeError(sentence)
}

let stepNumber = 0
const step = (text) => console.log(`${++stepNumber}. ${text}`)
const short = (commit) => commit.slice(0, 12)

function readOptions() {
  const text = { type: 'string' }
  const flag = { type: 'boolean', default: false }
  const options = { to: text, from: text, backup: text, 'no-backup': flag, 'no-restart': flag, wait: text, help: flag }
  try {
    const { values } = parseArgs({ options })
    const wait = Number(values.wait ?? 60)
    if (!(wait > 0)) throw new Error(`--wait takes a number of seconds, not "${values.wait}".`)
    return { ...values, wait }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exit(2)
  }
}

// ── Running processes

const UNITS = ['dubplate', 'dubplate-web', 'dubplate-worker']

/** Active systemd units that run from this folder. */
function findUnits() {
  if (!existsSync('/run/systemd/system')) return []
  return UNITS.flatMap((unit) => {
    const asked = spawnSync('systemctl', ['show', unit, '-p', 'ActiveState', '-p', 'WorkingDirectory', '-p', 'MainPID'])
    const facts = Object.fromEntries(
      String(asked.stdout ?? '')
        .split('\n')
        .map((line) => line.split('=', 2)),
    )
    if (facts.ActiveState !== 'active' || path.resolve(facts.WorkingDirectory || '/') !== home) return []
    return [{ unit, pid: Number(facts.MainPID) }]
  })
}

/** The environment of a running process; undefined when the system does not show it. */
function environmentOf(pid) {
  try {
    const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
  } catch {
    return undefined
  }
}

/** Commands on the pool's data run as the same user as the pool. */
function accountOf(pid) {
  if (process.getuid?.() !== 0 || !existsSync(`/proc/${pid}`)) return {}
  const { uid, gid } = statSync(`/proc/${pid}`)
  return uid === 0 ? {} : { uid, gid }
}

function findPool() {
  const units = findUnits()
  const supervisors = findSupervisors()
  const data = [...new Set(supervisors.map((one) => one.data))]
  if (data.length > 1 || (data.length > 0 && units.length > 0))
    fail(`Several pools run from this folder (${data.join(', ')}). Give each a folder of its own, then upgrade each.`)
  const pid = units[0]?.pid ?? supervisors[0]?.server ?? supervisors[0]?.pid
  const env = (pid && environmentOf(pid)) || process.env
  if (supervisors.length > 0 && dataFolder(env) !== data[0])
    fail(
      `The running pool stores its data in ${data[0]}. Use the same settings here as for "npm start", starting with DATA_DIR.`,
    )
  return {
    kind: units.length > 0 ? 'systemd' : supervisors.length > 0 ? 'start' : 'none',
    units,
    env,
    ...placeOf(env),
    account: pid ? accountOf(pid) : {},
  }
}

function placeOf(env) {
  const host = env.HOST || 'localhost'
  const asked = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host)
  return { url: `http://${asked}:${env.PORT || 3000}`, data: dataFolder(env) }
}

const isReady = (url) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function waitUntil(isSo, seconds) {
  const deadline = Date.now() + seconds * 1000
  while (Date.now() < deadline) {
    if (await isSo()) return true
    await pause(200)
  }
  return false
}

/** A version that becomes ready but ends a moment later is not kept. */
const STEADY_SECONDS = 5

async function isSteady(url, seconds) {
  const deadline = Date.now() + seconds * 1000
  while (await waitUntil(() => isReady(url), (deadline - Date.now()) / 1000))
    if (!(await waitUntil(async () => !(await isReady(url)), STEADY_SECONDS))) return true
  return false
}

/** Runs one of the operator's commands on the pool's data; returns its output. */
function runPool(folder, { env, account }, args, { isShown = false } = {}) {
  const stdio = ['ignore', isShown ? 'inherit' : 'pipe', 'pipe']
  const done = spawnSync(process.execPath, [programIn(folder, 'pool'), ...args], {
    ...{ cwd: home, env, stdio, encoding: 'utf8' },
    ...account,
  })
  if (done.status !== 0) fail((done.stderr || done.error?.message || 'The command was stopped.').trim())
  return (done.stdout ?? '').trim()
}

// ── Getting the version

const commitNamed = (name) => git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`]).text

/** Fetches the version and returns its commit. */
function findTarget({ to, from }) {
  const changed = git(['status', '--porcelain', '--untracked-files=no'])
  if (!changed.isDone) fail(`This folder is not a readable Git clone, so it cannot be upgraded: ${changed.problem}`)
  if (changed.text)
    fail(
      `This folder has local changes that the new version would not include:\n${changed.text}\nCommit or undo them first.`,
    )
  const [remote, ...branch] = git(['rev-parse', '--abbrev-ref', '@{upstream}']).text.split('/')
  const source = from ? (existsSync(from) ? path.resolve(from) : from) : remote || 'origin'
  const wanted = to ?? (branch.join('/') || 'HEAD')
  const fetch = (...refs) => git(['fetch', '--no-write-fetch-head', '--quiet', source, ...refs])
  const fetched = fetch(`+${wanted}:refs/upgrade/target`)
  if (fetched.isDone) return commitNamed('refs/upgrade/target')
  // Not every server allows fetching a commit by its id; it is part of some branch.
  const all = fetch('--tags', '+refs/heads/*:refs/upgrade/heads/*')
  const commit = all.isDone && commitNamed(wanted)
  return commit || fail(`"${wanted}" could not be fetched from ${source}. ${all.problem || fetched.problem}`)
}

/** Without --to, only newer versions are accepted: this folder's own commits are not dropped silently. */
function requireNewerVersion(commit, own) {
  const has = (ancestor, of) => git(['merge-base', '--is-ancestor', ancestor, of]).isDone
  if (has(own, commit)) return
  fail(
    has(commit, own)
      ? `This folder (${short(own)}) is newer than its upstream (${short(commit)}). There is nothing to upgrade to.`
      : `This folder has commits that are not in ${short(commit)}. Merge them, or choose the version to install with --to.`,
  )
}

function hashOfPackages(folder) {
  const hash = createHash('sha256').update(readFileSync(path.join(folder, 'package-lock.json')))
  const patches = path.join(folder, 'patches')
  for (const name of existsSync(patches) ? readdirSync(patches).sort() : [])
    hash.update(name).update(readFileSync(path.join(patches, name)))
  return hash.digest('hex')
}

/** Installed packages do not change: a version with the same ones shares them by hard links, which takes seconds. */
function installPackages(folder) {
  const wanted = hashOfPackages(folder)
  const has = (other) =>
    existsSync(path.join(other, 'node_modules/.package-lock.json')) && hashOfPackages(other) === wanted
  const other = process.platform === 'linux' ? [home, ...listReleases()].find(has) : undefined
  const modules = path.join(folder, 'node_modules')
  if (other && spawnSync('cp', ['-al', path.join(other, 'node_modules'), modules]).status === 0) {
    for (const cache of ['.cache', '.vite', '.vite-temp', '.vitest'])
      rmSync(path.join(modules, cache), { recursive: true, force: true })
    const list = path.join(modules, '.package-lock.json')
    copyFileSync(list, `${list}.new`)
    renameSync(`${list}.new`, list)
    return
  }
  rmSync(modules, { recursive: true, force: true })
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const done = spawnSync('npm', args, { cwd: folder, stdio: 'inherit', env: { ...process.env, INIT_CWD: folder } })
  if (done.status !== 0)
    fail('The packages of the new version could not be installed. The running pool was not changed.')
}

async function build(commit, pool) {
  const folder = unfinishedFolder(commit)
  mkdirSync(folder, { recursive: true })
  const archive = `${folder}.tar`
  const packed = git(['archive', '--format=tar', '-o', archive, commit])
  if (!packed.isDone) fail(`The files of ${short(commit)} could not be read: ${packed.problem}`)
  const unpacked = spawnSync('tar', ['-xf', archive, '-C', folder])
  rmSync(archive, { force: true })
  if (unpacked.status !== 0) fail(`The files of ${short(commit)} could not be written: ${unpacked.stderr}`)
  writeFileSync(path.join(folder, '.commit'), short(commit))
  step('Installing its packages')
  installPackages(folder)
  step('Building it')
  const built = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (built.status !== 0) fail('The new version could not be built. The running pool was not changed.')
  if (!pool.env.DATABASE_URL) await startTrial(folder)
  rmSync(folderOf(commit), { recursive: true, force: true })
  renameSync(folder, folderOf(commit))
}

const TRIAL_PREFIX = 'dubplate-upgrade-'

/** Ends the trial database of a killed upgrade, which keeps running by itself. */
async function removeTrials() {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(TRIAL_PREFIX))) {
    if (isRunning(name.slice(TRIAL_PREFIX.length))) continue
    const data = path.join(tmpdir(), name)
    await stopDatabase({ data })
    rmSync(data, { recursive: true, force: true })
  }
}

/**
 * Starts the version once with an empty trial database: a version that does not start on this machine is not installed.
 */
async function startTrial(folder) {
  step('Testing it with an empty database')
  const data = path.join(tmpdir(), `${TRIAL_PREFIX}${processId()}`)
  mkdirSync(data)
  chmodSync(data, 0o755)
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: data, DEMO: 'off', LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [programIn(folder, 'start')], {
    ...{ cwd: folder, env: { ...env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output = `${output}${text}`.slice(-4000)
    })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const isUp = await waitUntil(() => child.exitCode !== null || isReady(`http://localhost:${port}`), 120)
  const hasStarted = isUp && child.exitCode === null
  child.kill('SIGTERM')
  await exited
  rmSync(data, { recursive: true, force: true })
  if (!hasStarted)
    fail(`The new version does not start on this machine. The running pool was not changed.\n${output.trim()}`)
}

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, 'localhost', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

// ── The data

function backUp(folder, pool, { backup, commit }) {
  const cluster = path.join(pool.data, 'postgres/cluster')
  if (!pool.env.DATABASE_URL && !existsSync(cluster)) return
  const place = path.resolve(process.env.INIT_CWD ?? home, backup ?? pool.env.BACKUP_DIR ?? path.join(home, 'backups'))
  step(`Creating a backup in ${place}`)
  if (!existsSync(place)) {
    mkdirSync(place, { recursive: true, mode: 0o700 })
    if (pool.account.uid !== undefined) chownSync(place, pool.account.uid, pool.account.gid)
  }
  const name = `${new Date().toISOString().slice(0, 19).replace(/:/g, '')}-before-${short(commit)}`
  try {
    runPool(folder, pool, ['backup', path.join(place, name)], { isShown: true })
  } catch (error) {
    fail(
      `${error.message}\nThe running pool was not changed. Choose another folder with --backup FOLDER, or skip the backup with --no-backup.`,
    )
  }
}

const bytesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size, 0)

const COPY = 'before-upgrade'
const postgresFolder = ({ data }) => path.join(data, 'postgres')

function commandOf(pid) {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  const file = `/proc/${pid}/cmdline`
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** The process that serves the embedded database; undefined when there is none, even if a lock file exists. */
function findDatabaseProcess(pool) {
  const pidFile = path.join(postgresFolder(pool), 'cluster/postmaster.pid')
  if (!existsSync(pidFile)) return undefined
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  return /\bpostgres\b/.test(commandOf(pid)) ? pid : undefined
}

/** A server that crashed leaves its database running, and the next server would take it over. */
async function stopDatabase(pool) {
  const pid = findDatabaseProcess(pool)
  if (pid) process.kill(pid, 'SIGINT')
  if (await waitUntil(() => findDatabaseProcess(pool) === undefined, 30)) return
  fail(`The database (process ${pid}) did not stop within 30 s, so it was not restored.`)
}

/**
 * Copies the stopped embedded database, to return to after migrations. The new version has not run yet, so no data is
 * lost.
 */
function copyDatabase(pool) {
  const postgres = postgresFolder(pool)
  const cluster = path.join(postgres, 'cluster')
  if (pool.env.DATABASE_URL || !existsSync(cluster)) return undefined
  if (findDatabaseProcess(pool))
    fail('The database is used by another process of this pool (a worker or a command). Stop it, then upgrade again.')
  const needed = bytesOf(cluster)
  const { bavail, bsize } = statfsSync(postgres)
  if (bavail * bsize < needed + 200_000_000)
    fail(
      `Not enough disk space in ${postgres} for a copy of the database (${Math.ceil(needed / 1e6)} MB), which is needed to roll back.`,
    )
  step('Copying the stopped database')
  removeCopies(pool)
  const copy = path.join(postgres, COPY)
  const flags = process.platform === 'linux' ? ['-a', '--reflink=auto'] : ['-a']
  if (spawnSync('cp', [...flags, cluster, `${copy}.partial`]).status !== 0) fail('The database could not be copied.')
  renameSync(`${copy}.partial`, copy)
  return async () => {
    await stopDatabase(pool)
    const failed = path.join(postgres, 'after-failed-upgrade')
    rmSync(failed, { recursive: true, force: true })
    renameSync(cluster, failed)
    renameSync(copy, cluster)
    console.log(`   The database was restored to its previous state. The migrated copy is in ${failed}.`)
  }
}

function removeCopies(pool) {
  for (const name of [COPY, `${COPY}.partial`, 'after-failed-upgrade'])
    rmSync(path.join(postgresFolder(pool), name), { recursive: true, force: true })
}

// ── Stopping and starting

const systemctl = (action, { units }) =>
  spawnSync('systemctl', [action, ...units.map(({ unit }) => unit)], { stdio: 'inherit' }).status === 0

/**
 * Stops the pool. Returns a function that starts the current version. If the upgrade is killed in between, `npm start`
 * restarts by itself.
 */
async function stopPool(pool) {
  if (pool.kind === 'systemd') {
    if (!systemctl('stop', pool)) fail('systemd did not stop the pool.')
    return () => systemctl('start', pool)
  }
  const release = holdStarts()
  for (const { pid, server } of findSupervisors()) if (server) process.kill(pid, 'SIGUSR2')
  const isStopped = await waitUntil(() => findSupervisors().every(({ server }) => !server), 60)
  if (isStopped) return release
  release()
  return fail('The pool did not stop within 60 s. It restarts on its own once it has stopped.')
}

async function replace(pool, { from, folder, pending, wait }) {
  step('Stopping the pool')
  let start = await stopPool(pool)
  let restoreDatabase
  try {
    if (pending.length > 0) restoreDatabase = copyDatabase(pool)
    step('Switching to the new version')
    carryOver(path.join(from, 'web/dist'), path.join(folder, 'web/dist'))
    switchTo(folder)
    if (pending.length > 0) {
      step(`Migrating the database (${pending.length})`)
      try {
        runPool(folder, pool, ['migrate', '--at-once'])
      } catch (error) {
        // The switch is complete or not made at all: the older version still works with this database.
        switchTo(from)
        fail(
          `The database could not be migrated and was not changed: ${error.message}\nThe pool still runs the previous version.`,
        )
      }
    }
    step('Starting the new version')
  } finally {
    start()
  }
  if (await isSteady(pool.url, wait)) return
  if (pending.length > 0 && !restoreDatabase)
    fail(
      `The new version is not ready after ${wait} s: see its log. The database has been migrated, so the previous version cannot use it: ` +
        'fix the problem in the log and restart, or restore the backup into a new database (docs/operating.md, Upgrades).',
    )
  console.log(`   It is not ready after ${wait} s. Rolling back to the previous version.`)
  start = await stopPool(pool)
  try {
    await restoreDatabase?.()
    switchTo(from)
  } finally {
    start()
  }
  const isReadyAgain = await waitUntil(() => isReady(pool.url), wait)
  fail(
    `The new version was not ready within ${wait} s: see its log. ` +
      (isReadyAgain
        ? 'The pool runs the previous version again.'
        : 'The previous version is installed again, but is not ready yet: see its log.'),
  )
}

// ── The upgrade

async function upgrade(options) {
  removeUnfinished()
  await removeTrials()
  const pool = options['no-restart'] ? { ...findPool(), kind: 'none' } : findPool()
  const from = findActiveRelease() ?? home
  step('Fetching the new version')
  const commit = findTarget(options)
  const own = from === home ? commitNamed('HEAD') : commitOf(from)
  const isInstalled = own.startsWith(short(commit))
  if (!options.to) requireNewerVersion(commit, own)
  const name = `${short(commit)} (${git(['log', '-1', '--format=%cs %s', commit]).text})`
  if (isInstalled && existsSync(programIn(from, 'start'))) {
    if (pool.kind !== 'none' && !(await isSteady(pool.url, options.wait)))
      fail(`${name} is installed, but the pool is not ready: see its log. To go back: npm run upgrade -- --to COMMIT`)
    if (pool.kind !== 'none') finish(pool, from, from)
    return console.log(`${name} is already installed.`)
  }
  const folder = folderOf(commit)
  if (existsSync(programIn(folder, 'start'))) step(`${name} is already built`)
  else {
    step(`Unpacking ${name}`)
    await build(commit, pool)
  }
  const hasData = pool.env.DATABASE_URL || existsSync(path.join(pool.data, 'postgres/cluster'))
  const pending = hasData ? runPool(folder, pool, ['migrate', '--pending']).split('\n').filter(Boolean) : []
  if (!options['no-backup'])
    backUp(existsSync(programIn(from, 'pool')) ? from : folder, pool, { backup: options.backup, commit })
  if (pool.kind === 'none') {
    step('Switching to the new version')
    carryOver(path.join(from, 'web/dist'), path.join(folder, 'web/dist'))
    switchTo(folder)
    return console.log(`${name} is installed. Start the pool to run it: npm start`)
  }
  const end = beginUpgrade()
  try {
    await replace(pool, { from, folder, pending, wait: options.wait })
  } finally {
    end()
  }
  finish(pool, folder, from)
  console.log(`The pool runs ${name}.`)
  if (from !== home) return
  console.log('The files in this folder are still from the previous version. Run "git pull" to update them.')
}

/** Keeps the running version and the previous one, and deletes the copy of the database. */
function finish(pool, folder, from) {
  removeCopies(pool)
  const others = listReleases().filter((other) => other !== folder && other !== from)
  if (folder !== from) for (const other of others) rmSync(other, { recursive: true, force: true })
}

checkNode()
const options = readOptions()
if (options.help) {
  console.log(USAGE)
  process.exit(0)
}
const unlock = acquireLock(lockFolder, (pid) =>
  console.log(`Waiting for process ${pid}, which is upgrading this folder …`),
)
try {
  await upgrade(options)
} catch (error) {
  console.error(error instanceof UpgradeError ? error.message : error)
  process.exitCode = 1
} finally {
  unlock()
}
