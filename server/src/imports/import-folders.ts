import { type Dirent, existsSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { imports, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { isWithin, SUPPORTED_EXTENSIONS } from './folder-walk.ts'

/** Folders on the server that staff may import from, as configured by the operator. */

type ConfigContext = Pick<AppContext, 'config'>

/** A folder as a real path, and the allowed folder that contains it. */
export type ImportFolder = { folder: string; within: string }

/**
 * Returns the real path of a folder. Throws `import_folders_not_configured` when the operator has configured none, and
 * `folder_not_allowed` for one that does not exist, is not a folder or is outside the allowed ones, also through a
 * link.
 */
export async function openPlace({ config }: ConfigContext, folderName: string): Promise<ImportFolder> {
  const roots = await resolveRoots(config.importFolders)
  if (!path.isAbsolute(folderName) || folderName.includes('\0'))
    throw folderNotAllowedError('Enter the absolute path of the folder.')
  // The same message for every path outside, so that nobody can find out what exists on this server.
  const isInside = config.importFolders.some((root) => isWithin(path.resolve(folderName), root))
  const real = await realpath(folderName).catch(() => undefined)
  const within = real === undefined ? undefined : roots.find((root) => isWithin(real, root))
  if (real !== undefined && within === undefined && isInside)
    throw folderNotAllowedError(`“${folderName}” points outside the import folders.`)
  if (!isInside && within === undefined)
    throw folderNotAllowedError(`“${folderName}” isn’t inside an import folder: ${config.importFolders.join(', ')}.`)
  if (real === undefined || within === undefined) throw folderNotAllowedError(`Folder “${folderName}” doesn’t exist.`)
  const stats = await stat(real).catch(() => undefined)
  if (!stats?.isDirectory()) throw folderNotAllowedError(`“${folderName}” is not a folder.`)
  return { folder: real, within }
}

const folderNotAllowedError = (sentence: string) => new ApiError('folder_not_allowed', sentence)

async function resolveRoots(folders: readonly string[]): Promise<string[]> {
  if (folders.length === 0)
    throw new ApiError(
      'import_folders_not_configured',
      'No import folders are configured. Set IMPORT_FOLDERS and restart.',
    )
  const existing = folders.filter((folder) => existsSync(folder))
  return Promise.all(existing.map((folder) => realpath(folder)))
}

const naturalCompare = new Intl.Collator('en', { numeric: true }).compare

/** Lists the content of a folder to choose from. Throws the errors of `openPlace`. */
export async function countAudioIn(
  ctx: ConfigContext,
  folderName: string,
): Promise<ReplyOf<typeof imports.getFolders>> {
  const { folder, within } = await openPlace(ctx, folderName)
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw folderNotAllowedError(`Permission denied for “${folderName}”.`)
  })
  const visible = entries.filter(({ name }) => !name.startsWith('.'))
  return {
    folder,
    above: folder === within ? null : path.dirname(folder),
    folders: visible
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ name, folder: path.join(folder, name) }))
      .sort((a, b) => naturalCompare(a.name, b.name)),
    files: visible.filter((entry) => entry.isFile() && SUPPORTED_EXTENSIONS.test(entry.name)).length,
  }
}
