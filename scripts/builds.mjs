// Publishes finished builds next to files that running processes still use, so that nothing they serve or load
// disappears.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

/** How long the files of a build are kept after the next build replaced it. */
const RETENTION_MS = 24 * 3_600_000
const LIST = '.builds.json'

/** @typedef {{ id: string, supersededAt: number | null, files: string[] }} Build */

/** Written under a temporary name and renamed, so that no reader sees a partial file. */
export function replaceFile(file, text) {
  const temporaryFile = `${file}.new-${process.pid}`
  writeFileSync(temporaryFile, text)
  renameSync(temporaryFile, file)
}

/** The builds in a folder, newest first. */
export function readBuilds(dist) {
  try {
    return JSON.parse(readFileSync(path.join(dist, LIST), 'utf8'))
  } catch {
    return []
  }
}

/** Adds a build and drops expired ones. The build before the newest is always kept. */
function recordBuild(dist, id, files, now) {
  const before = readBuilds(dist).map((build) => ({ ...build, supersededAt: build.supersededAt ?? now }))
  const kept = before.filter(({ supersededAt }, n) => n === 0 || now - supersededAt < RETENTION_MS)
  const builds = [{ id, supersededAt: null, files }, ...kept]
  replaceFile(path.join(dist, LIST), JSON.stringify(builds))
  return builds
}

const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))

/**
 * Removes files that no kept build lists, unless they are so new that an unlisted build of an older version may use
 * them.
 */
function removeOld(dist, builds, now) {
  const kept = new Set(builds.flatMap(({ files }) => files))
  for (const file of listFiles(dist)) {
    const full = path.join(dist, file)
    if (kept.has(file) || path.basename(file) === LIST || now - statSync(full).mtimeMs < RETENTION_MS) continue
    rmSync(full, { force: true })
  }
}

/**
 * Moves the built front end into `dist`. New files are moved first and the page that names them last, so that every
 * page ever served finds its scripts. `startedAt` becomes the page's modification time: a source that was saved during
 * the build is newer.
 */
export function publishWeb(built, dist, { startedAt, now = Date.now() }) {
  mkdirSync(dist, { recursive: true })
  const files = listFiles(built).sort((a, b) => Number(a === 'index.html') - Number(b === 'index.html'))
  utimesSync(path.join(built, 'index.html'), startedAt / 1000, startedAt / 1000)
  const builds = recordBuild(dist, startedAt.toString(36), files, now)
  for (const file of files) {
    mkdirSync(path.dirname(path.join(dist, file)), { recursive: true })
    renameSync(path.join(built, file), path.join(dist, file))
  }
  rmSync(built, { recursive: true, force: true })
  removeOld(dist, builds, now)
}

/**
 * Code that starts the program of a build. When `npm run upgrade` points `.releases/current` at another folder, that
 * one takes precedence.
 */
const launcherOf = (
  id,
  name,
) => `// Written by the build: runs the release that "npm run upgrade" installed, or else the newest build of this folder.
import { existsSync } from 'node:fs'

const release = new URL('../../.releases/current/server/dist/${name}', import.meta.url)
await import(existsSync(release) ? release.href : './builds/${id}/${name}')
`

const isProgram = (name) => name.endsWith('.js') && !name.startsWith('chunk-')

/** Makes `dist/start.js` and the other launchers run the build in `dist/builds/ID`. */
export function publishServer(id, dist, { startedAt, now = Date.now() }) {
  const built = path.join(dist, 'builds', id)
  const builds = recordBuild(dist, id, [path.join('builds', id)], now)
  for (const name of readdirSync(built).filter(isProgram)) {
    const launcher = path.join(dist, name)
    replaceFile(launcher, launcherOf(id, name))
    utimesSync(launcher, startedAt / 1000, startedAt / 1000)
  }
  const kept = new Set(builds.map((build) => build.id))
  for (const name of readdirSync(path.join(dist, 'builds')))
    if (!kept.has(name)) rmSync(path.join(dist, 'builds', name), { recursive: true, force: true })
  // Files that versions before this layout left next to the launchers.
  for (const entry of readdirSync(dist, { withFileTypes: true })) {
    const full = path.join(dist, entry.name)
    const isLauncher = existsSync(path.join(built, entry.name))
    if (!entry.isFile() || entry.name === LIST || isLauncher || now - statSync(full).mtimeMs < RETENTION_MS) continue
    rmSync(full)
  }
}

/** Copies the front end's files of an older folder to a newer one, where they are kept for a day. */
export function carryOver(from, to, now = Date.now()) {
  if (!existsSync(path.join(from, 'index.html')) || !existsSync(path.join(to, 'index.html'))) return
  const own = readBuilds(to)
  const known = new Set(own.map(({ id }) => id))
  const older = readBuilds(from)
    .filter(({ id }) => !known.has(id))
    .map((build) => ({ ...build, supersededAt: build.supersededAt ?? now }))
    .filter(({ supersededAt }, n) => n === 0 || now - supersededAt < RETENTION_MS)
  for (const file of new Set(older.flatMap(({ files }) => files))) {
    const target = path.join(to, file)
    if (!file.startsWith('assets') || existsSync(target) || !existsSync(path.join(from, file))) continue
    const temporaryFile = `${target}.new-${process.pid}`
    writeFileSync(temporaryFile, readFileSync(path.join(from, file)))
    renameSync(temporaryFile, target)
  }
  replaceFile(path.join(to, LIST), JSON.stringify([...own, ...older]))
}
