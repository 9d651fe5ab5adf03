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
    const above = path.dirname(folder)
    if (above === folder) throw new Error('The folder with Dubplate’s package.json was not found above this program.')
    folder = above
  }
  return folder
})()
