// Finds a Chromium for the browser tests: the one named by CHROMIUM, the headless shell, or another installed one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from './run.mjs'

/** Chromium without a user interface: the tests need a fifth less CPU with it. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

const KNOWN_PATHS = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Path of an installed browser; undefined when there is none. */
export const findInstalledBrowser = () =>
  [process.env.CHROMIUM, ...KNOWN_PATHS].find((file) => file && existsSync(file))

const run = (command, ...args) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    .status === 0

const mayInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function installPackage(name) {
  console.log(`Installing ${name} for the tests in a browser …`)
  return run('apt-get', 'update', '-qq') && run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', name)
}

/** Path of a browser, installed first when it is missing and installing is allowed; '' lets Playwright use its own. */
export function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  if (!existsSync(HEADLESS_SHELL) && mayInstall()) installPackage('chromium-headless-shell')
  const found = findInstalledBrowser()
  if (found) return found
  if (mayInstall() && installPackage('chromium')) return findInstalledBrowser() ?? ''
  run(process.execPath, path.join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium')
  return ''
}
