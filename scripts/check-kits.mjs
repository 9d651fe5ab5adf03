// `npm run check:kits`: booth kits of 200 songs, read by programs of other projects and compared field by field. The last line
// is "N comparisons, N differences". Required programs are Debian packages. Sources named by these variables are optional:
//   PYREKORDBOX   a checkout of dylanljones/pyrekordbox
//   NML_SCHEMA    xml_to_xsd/collection.xsd of wolkenarchitekt/traktor-nml-utils
//   SERATO_TAGS   a checkout of Holzhaus/serato-tags
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { checkNode, installPackages, root } from './run.mjs'
import { removeAbandonedRuns } from './test-folder.mjs'
import { startRun } from './test-steps.mjs'

/** Program and Debian package. */
const PROGRAMS = {
  ffmpeg: 'ffmpeg',
  lame: 'lame',
  mixxx: 'mixxx',
  Xvfb: 'xvfb',
  xdotool: 'xdotool',
  sqlite3: 'sqlite3',
  xmllint: 'libxml2-utils',
}
const SOURCES = ['PYREKORDBOX', 'NML_SCHEMA', 'SERATO_TAGS']

const isInstalled = (program) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)))

const hasMutagen = () => spawnSync('/usr/bin/python3', ['-c', 'import mutagen'], { stdio: 'ignore' }).status === 0

function fail(message) {
  console.error(message)
  process.exit(1)
}

/** The variables of the optional sources, with absolute paths. */
function findSources() {
  const entries = SOURCES.filter((name) => process.env[name]).map((name) => [
    name,
    path.resolve(process.env.INIT_CWD ?? process.cwd(), process.env[name]),
  ])
  for (const [name, place] of entries) if (!existsSync(place)) fail(`${name} is ${place}, which does not exist.`)
  return Object.fromEntries(entries)
}

checkNode()
const missing = [
  ...Object.keys(PROGRAMS).flatMap((program) => (isInstalled(program) ? [] : [PROGRAMS[program]])),
  ...(hasMutagen() ? [] : ['python3-mutagen']),
]
if (missing.length > 0) fail(`Install the missing packages first: apt-get install ${missing.join(' ')}`)
const env = findSources()
installPackages()
const run = startRun()
await removeAbandonedRuns()
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
const { code } = await run.run({ command: [process.execPath, vitest, 'run', '--config', 'kits/vitest.config.ts'], env })
await run.finish()
process.exit(code === 0 ? 0 : 1)
