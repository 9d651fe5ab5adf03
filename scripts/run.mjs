// What the scripts share: the root, running a program, and the two steps a fresh clone needs before anything else.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export const root = path.dirname(import.meta.dirname)

/** Runs a program in the root with its output shown; ends this process when it fails. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (done.error) throw done.error
  if (done.status !== 0) process.exit(done.status ?? 1)
}

export const bin = (name) => path.join(root, 'node_modules', '.bin', name)

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Dubplate needs Node 20.19 or later; this is ${process.versions.node}.`)
  process.exit(1)
}

const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0)

/** Installs the packages of the lock file, unless they are there. */
export function install() {
  const installed = path.join(root, 'node_modules', '.package-lock.json')
  if (modified(installed) >= modified(path.join(root, 'package-lock.json'))) return
  console.log('Installing packages …')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { shell: process.platform === 'win32' })
}

const newest = (place) => {
  const full = path.join(root, place)
  if (!existsSync(full)) return 0
  if (statSync(full).isFile()) return modified(full)
  const inside = readdirSync(full, { withFileTypes: true }).filter(
    (entry) => !['dist', 'node_modules'].includes(entry.name),
  )
  return Math.max(modified(full), ...inside.map((entry) => newest(path.join(place, entry.name))))
}

const isBuilt = (built, sources) => modified(path.join(root, built)) > Math.max(...sources.map(newest))

/** Builds the server and the screens where their sources are newer than what was built. */
export function build() {
  const shared = ['contract/src', 'package-lock.json']
  if (!isBuilt('server/dist/start.js', [...shared, 'server/src', 'demo/src', 'rolldown.config.ts'])) {
    console.log('Building the server …')
    run(process.execPath, ['node_modules/rolldown/bin/cli.mjs', '-c', 'rolldown.config.ts', '--log-level', 'warn'])
  }
  if (!isBuilt('web/dist/index.html', [...shared, 'web'])) {
    console.log('Building the screens …')
    run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', 'web'])
    compress(path.join(root, 'web/dist/assets'))
  }
}

/** Puts a brotli and a gzip form beside each script and stylesheet, so that the server compresses nothing. */
function compress(folder) {
  for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))) {
    const file = path.join(folder, name)
    const bytes = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(bytes))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
