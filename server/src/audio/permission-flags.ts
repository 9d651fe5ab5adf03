import fs from 'node:fs'
import path from 'node:path'
import { projectRoot } from '../platform/project-root.ts'

/** A path as it is given and with its links resolved: the permission model compares the names of paths. */
function namesOf(name: string): string[] {
  const resolvedPath = path.resolve(name)
  return fs.existsSync(resolvedPath) ? [...new Set([resolvedPath, fs.realpathSync(resolvedPath)])] : [resolvedPath]
}

/** A folder's content. As a pattern, because Node takes the name of a folder that does not exist for that of a file. */
const contentOf = (folder: string): string[] => namesOf(folder).map((name) => path.join(name, '*'))

/** The folders from this one up to the checkout. */
function foldersUpFrom(folder: string): string[] {
  const above = path.dirname(folder)
  return folder === projectRoot || above === folder ? [folder] : [folder, ...foldersUpFrom(above)]
}

/**
 * What a child process reads of the program: its build, where Node looks for packages and their types, and the release that a
 * program of `server/dist` runs instead once `npm run upgrade` installed one.
 */
function programOf(childPath: string): string[] {
  const build = path.dirname(path.resolve(childPath))
  return withoutNested([
    ...contentOf(build),
    ...contentOf(path.join(projectRoot, '.releases', 'current')),
    ...foldersUpFrom(build).flatMap((folder) => [
      ...contentOf(path.join(folder, 'node_modules')),
      ...namesOf(path.join(folder, 'package.json')),
    ]),
  ])
}

/** Without paths that are named twice or covered by a pattern: Node 20 ends with a failed assertion over those. */
function withoutNested(paths: string[]): string[] {
  const folders = paths.filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1))
  return [...new Set(paths)].filter(
    (each) => !folders.some((folder) => each.startsWith(folder) && each !== `${folder}*`),
  )
}

/**
 * Options for a Node process that reads hostile files: Node's permission model, in which only the program can be read, nothing can
 * be written, and there are no child processes, threads, native addons, WASI or inspector. Files that the process works on are
 * passed as open file descriptors, which the model does not check. Empty where Node has no such model.
 */
export function confinedFlags(childPath: string): string[] {
  const known = process.allowedNodeEnvironmentFlags
  const flag = ['--permission', '--experimental-permission'].find((each) => known.has(each))
  if (!flag) return []
  // node:sqlite opens, creates and changes databases anywhere, past the permission model (seen in Node 22 to 25).
  const withoutSqlite = ['--no-experimental-sqlite'].filter((each) => known.has(each))
  return [flag, '--no-warnings', ...withoutSqlite, ...programOf(childPath).map((name) => `--allow-fs-read=${name}`)]
}
