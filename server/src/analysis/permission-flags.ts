import fs from 'node:fs'
import path from 'node:path'
import { projectRoot } from '../platform/project-root.ts'

/** A path as given and with its links resolved, because the permission model compares path names. */
function namesOf(name: string): string[] {
  const resolvedPath = path.resolve(name)
  return fs.existsSync(resolvedPath) ? [...new Set([resolvedPath, fs.realpathSync(resolvedPath)])] : [resolvedPath]
}

/** The content of a folder, as a pattern, because Node treats the path of a missing folder as that of a file. */
const contentOf = (folder: string): string[] => namesOf(folder).map((name) => path.join(name, '*'))

/** All folders from this one up to the checkout. */
function foldersUpFrom(folder: string): string[] {
  const above = path.dirname(folder)
  return folder === projectRoot || above === folder ? [folder] : [folder, ...foldersUpFrom(above)]
}

/**
 * What a child process reads of the program: its build, the places where Node looks for packages and their types, and
 * the release that a program of `server/dist` runs instead once `npm run upgrade` has installed one.
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

/** Removes paths that are listed twice or covered by a pattern, because Node 20 fails an assertion on those. */
function withoutNested(paths: string[]): string[] {
  const folders = paths.filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1))
  return [...new Set(paths)].filter(
    (each) => !folders.some((folder) => each.startsWith(folder) && each !== `${folder}*`),
  )
}

/**
 * Options for a Node process that reads untrusted files: Node's permission model, in which only the program can be
 * read, nothing can be written, and there are no child processes, threads, native addons, WASI or inspector. Files that
 * the process works on are passed as open file descriptors, which the model does not check. Empty when Node has no
 * permission model.
 */
export function confinedFlags(childPath: string): string[] {
  const known = process.allowedNodeEnvironmentFlags
  const flag = ['--permission', '--experimental-permission'].find((each) => known.has(each))
  if (!flag) return []
  // node:sqlite opens, creates and changes databases anywhere, bypassing the permission model (seen in Node 22 to 25).
  const withoutSqlite = ['--no-experimental-sqlite'].filter((each) => known.has(each))
  return [flag, '--no-warnings', ...withoutSqlite, ...programOf(childPath).map((name) => `--allow-fs-read=${name}`)]
}
