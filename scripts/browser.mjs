// Finds a Chromium for the browser tests: the one CHROMIUM names, one that is installed, else it installs one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from './run.mjs'

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The address of an installed browser; undefined where there is none. */
export const installedBrowser = () => [process.env.CHROMIUM, ...USUAL].find((file) => file && existsSync(file))

const run = (command, ...args) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    .status === 0

/** The address of a browser; '' lets Playwright use its own. */
export function findBrowser() {
  const found = installedBrowser()
  if (found) return found
  console.log('No Chromium is installed; installing one for the browser tests …')
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get', 'update', '-qq')
    if (run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium')) return installedBrowser() ?? ''
  }
  run(process.execPath, path.join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium')
  return ''
}
