import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const isRoot = (folder: string): boolean => {
  const manifest = path.join(folder, 'package.json')
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'dubplate'
}

/** The folder of the checkout, whether the code runs from the sources or from the bundle. */
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
 * The operator's clone, which DATA_DIR is relative to: the checkout itself, or the clone that contains it among the
 * releases installed by `npm run upgrade` (`.releases/COMMIT`).
 */
export const homeFolder =
  path.basename(path.dirname(projectRoot)) === '.releases' ? path.dirname(path.dirname(projectRoot)) : projectRoot

/** The folder of the build this code is part of; undefined if it runs from its sources. */
export const buildFolder = existsSync(path.join(import.meta.dirname, 'build.json')) ? import.meta.dirname : undefined

/**
 * Returns a built program of the same build as this code, so that a build made while the pool runs is not mixed with
 * it.
 */
export const builtProgram = (name: string): string =>
  path.join(buildFolder ?? path.join(projectRoot, 'server', 'dist'), `${name}.js`)
