// Finds programs that only tests use (other PDF readers, a connection pooler, web servers as proxies), and installs
// missing ones when installing is allowed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Program and Debian package. */
const TOOLS = {
  pdftotext: 'poppler-utils',
  qpdf: 'qpdf',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx-light',
  openssl: 'openssl',
  caddy: 'caddy',
}

const isInstalled = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined

/** Without them, the tests that need them report that they were skipped. */
export function findTools() {
  const missing = Object.keys(TOOLS).filter((program) => !isInstalled(program))
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const packages = missing.map((program) => TOOLS[program])
  console.log(`Installing test tools: ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { stdio: 'inherit', env })
}
