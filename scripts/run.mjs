// Shared by the scripts: the root, running a program, and the two steps a fresh clone needs before anything else.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { publishServer, publishWeb, readBuilds, replaceFile } from './builds.mjs'
import { acquireLock } from './lock.mjs'
import { findActiveRelease, leaveRelease, root } from './releases.mjs'

export { root }

/** Runs a program in the root and shows its output; exits this process when it fails. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (done.error) throw done.error
  if (done.status !== 0) process.exit(done.status ?? 1)
}

export const bin = (name) => path.join(root, 'node_modules', '.bin', name)

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Dubplate requires Node.js 20.19 or later (found ${process.versions.node}).`)
  process.exit(1)
}

const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0)

const areInstalled = () =>
  modified(path.join(root, 'node_modules', '.package-lock.json')) >= modified(path.join(root, 'package-lock.json'))

const newest = (place) => {
  const full = path.join(root, place)
  if (!existsSync(full)) return 0
  if (statSync(full).isFile()) return modified(full)
  const inside = readdirSync(full, { withFileTypes: true }).filter(
    (entry) => !['dist', 'node_modules'].includes(entry.name),
  )
  return Math.max(modified(full), ...inside.map((entry) => newest(path.join(place, entry.name))))
}

const isNewer = (built, sources) => modified(path.join(root, built)) > Math.max(...sources.map(newest))

const SHARED = ['contract/src', 'package-lock.json']
const SERVER_BUILD = ['rolldown.config.ts', 'scripts/builds.mjs', 'scripts/wasm-files.mjs']
const isServerBuilt = () => isNewer('server/dist/start.js', [...SHARED, 'server/src', 'demo/src', ...SERVER_BUILD])
const isWebBuilt = () => isNewer('web/dist/index.html', [...SHARED, 'web'])

/**
 * Installs the packages of the lock file and builds the server and the front end, each only when its sources are newer.
 * Commands that start at the same time take turns, so that none builds with half of the packages installed.
 */
export function prepareCheckout() {
  if (!areInstalled() || !isServerBuilt() || !isWebBuilt()) installAndBuild()
  recordCommit()
}

/** Installs the packages of the lock file, if they are older than it. */
export function installPackages() {
  if (!areInstalled()) withBuildLock(installMissing)
}

function installAndBuild() {
  withBuildLock(() => {
    installMissing()
    if (!isServerBuilt()) buildServer()
    if (!isWebBuilt()) buildWeb()
  })
}

function installMissing() {
  if (!areInstalled()) install()
}

function withBuildLock(action) {
  const release = acquireLock(path.join(root, '.build-lock'), (pid) =>
    console.log(`Waiting for process ${pid}, which is building this folder …`),
  )
  try {
    action()
  } finally {
    release()
  }
}

/** Returns the folder whose programs should run: the release of the last upgrade, or this checkout, built. */
export function prepareProgram() {
  const release = findActiveRelease()
  if (release) return release
  prepareCheckout()
  leaveRelease()
  return root
}

/** Records a new commit even when it did not change the server's sources. */
function recordCommit() {
  const dist = path.join(root, 'server/dist')
  const file = path.join(dist, 'builds', readBuilds(dist)[0]?.id ?? '', 'build.json')
  if (!existsSync(file)) return
  const build = JSON.parse(readFileSync(file, 'utf8'))
  const commit = readCommit()
  if (build.commit === commit) return
  try {
    replaceFile(file, JSON.stringify({ ...build, commit }))
  } catch (error) {
    // A user without write access did not change the commit either.
    if (!['EACCES', 'EROFS', 'EPERM'].includes(error.code)) throw error
  }
}

function install() {
  console.log('Installing packages …')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { shell: process.platform === 'win32' })
}

function buildServer() {
  console.log('Building the server …')
  const startedAt = Date.now()
  const id = `${startedAt.toString(36)}-${process.pid}`
  const dist = path.join(root, 'server/dist')
  const folder = path.join(dist, 'builds', id)
  run(process.execPath, [
    ...['node_modules/rolldown/bin/cli.mjs', '-c', 'rolldown.config.ts', '--dir', folder, '--log-level', 'warn'],
  ])
  writeFileSync(
    path.join(folder, 'build.json'),
    JSON.stringify({ commit: readCommit(), built_at: new Date(startedAt) }),
  )
  publishServer(id, dist, { startedAt })
}

function buildWeb() {
  console.log('Building the web app …')
  const dist = path.join(root, 'web/dist')
  // In a fresh clone this changes the time of the folder with the sources.
  mkdirSync(dist, { recursive: true })
  const startedAt = Math.max(Date.now(), Math.ceil(modified(path.join(root, 'web'))) + 1)
  // Inside `dist`, so that it is on the same disk; names with a leading dot are not served.
  const folder = path.join(dist, '.building')
  rmSync(folder, { recursive: true, force: true })
  const args = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--outDir', folder, 'web']
  // Vite would build React for development if the caller's environment asked for it.
  run(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } })
  compress(path.join(folder, 'assets'))
  publishWeb(folder, dist, { startedAt })
}

/** The commit being built: from the environment (a container has no repository), from the release, or from git. */
export function readCommit() {
  const named = path.join(root, '.commit')
  if (process.env.DUBPLATE_COMMIT) return process.env.DUBPLATE_COMMIT
  if (existsSync(named)) return readFileSync(named, 'utf8').trim()
  if (!existsSync(path.join(root, '.git'))) return ''
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}

/** Writes a brotli and a gzip copy of each script and stylesheet, so that the server compresses nothing. */
function compress(folder) {
  for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))) {
    const file = path.join(folder, name)
    const bytes = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(bytes))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
