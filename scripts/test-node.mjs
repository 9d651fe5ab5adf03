// `npm run test:node -- 24 [unit|browser]`: runs `npm test`, or a part of it, on another version of Node. The version
// is installed from the packages that npm's package "node" consists of, and is kept in `.node-versions/`.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { root } from './releases.mjs'

const CACHE = path.join(root, '.node-versions')
const isWindows = process.platform === 'win32'
const PACKAGE = `node-${isWindows ? 'win' : process.platform}-${process.arch}`

function fail(message) {
  console.error(message)
  process.exit(1)
}

/** The newest release of a version ("24", "24.8", "24.8.0"). */
function findRelease(version) {
  const { status, stdout } = spawnSync('npm', ['view', `${PACKAGE}@${version}`, 'version', '--json'], {
    encoding: 'utf8',
    shell: isWindows,
  })
  const found = status === 0 && stdout.trim() ? [JSON.parse(stdout)].flat() : []
  const newest = found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  if (newest) return newest
  const kept = existsSync(CACHE) ? readdirSync(CACHE).filter((name) => `${name}.`.startsWith(`${version}.`)) : []
  return kept.at(-1) ?? fail(`The npm registry has no Node ${version} for this system (${PACKAGE}).`)
}

/** The folder with the program `node`, downloaded unless it is in the cache. */
function download(release) {
  const folder = path.join(CACHE, release)
  const bin = path.join(folder, isWindows ? 'package' : 'package/bin')
  if (existsSync(bin)) return bin
  console.log(`Downloading Node ${release} …`)
  const fresh = `${folder}.new-${process.pid}`
  mkdirSync(fresh, { recursive: true })
  const pack = ['pack', `${PACKAGE}@${release}`, '--pack-destination', fresh, '--loglevel=error']
  if (spawnSync('npm', pack, { stdio: ['ignore', 'ignore', 'inherit'], shell: isWindows }).status !== 0)
    fail(`Node ${release} could not be downloaded.`)
  const [archive] = readdirSync(fresh)
  if (spawnSync('tar', ['-xzf', archive], { cwd: fresh, stdio: 'inherit' }).status !== 0)
    fail(`${archive} could not be unpacked.`)
  rmSync(path.join(fresh, archive))
  renameSync(fresh, folder)
  return bin
}

const [version = '', ...args] = process.argv.slice(2)
if (!/^\d+(\.\d+){0,2}$/.test(version)) fail('Usage: npm run test:node -- VERSION [unit|browser], for example 24')
const bin = download(findRelease(version))
const program = path.join(bin, isWindows ? 'node.exe' : 'node')
const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
console.log(`Running the tests on Node ${stdout.trim()}`)
const tests = spawn(program, [path.join(root, 'scripts/test.mjs'), ...args], {
  cwd: root,
  stdio: 'inherit',
  // Scripts and packages that start "node" find this version.
  env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => tests.kill(signal))
tests.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
