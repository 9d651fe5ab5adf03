import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const isRoot = (folder: string): boolean => {
  const manifest = path.join(folder, 'package.json')
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'dubplate'
}

/** The folder of the checkout: the same from the sources and from the bundle. */
export const projectRoot = (() => {
  let folder = import.meta.dirname
  while (!isRoot(folder)) {
    const parentFolder = path.dirname(folder)
    if (parentFolder === folder) throw new Error('Could not find the folder with Dubplate’s package.json')
    folder = parentFolder
  }
  return folder
})()

/**
 * The operator's clone, against which DATA_DIR is read. It is the checkout itself, or what holds it among the releases that
 * `npm run upgrade` installs (`.releases/COMMIT`).
 */
export const homeFolder =
  path.basename(path.dirname(projectRoot)) === '.releases' ? path.dirname(path.dirname(projectRoot)) : projectRoot

/** The folder of the build this code is part of; undefined when it runs from its sources. */
export const buildFolder = existsSync(path.join(import.meta.dirname, 'build.json')) ? import.meta.dirname : undefined

/** A built program, of the same build as this code: a build that is made while the pool runs does not mix with it. */
export const builtProgram = (name: string): string =>
  path.join(buildFolder ?? path.join(projectRoot, 'server', 'dist'), `${name}.js`)
