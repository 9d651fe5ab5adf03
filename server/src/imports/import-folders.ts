import { type Dirent, existsSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { imports, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { isWithin, SUPPORTED_EXTENSIONS } from './folder-walk.ts'

/** Folders of this machine that the operator lets staff import from. */

type ConfigContext = Pick<AppContext, 'config'>

/** A folder without links, and the allowed one it is in. */
export type ImportFolder = { folder: string; within: string }

/**
 * The folder somebody names, as it really is. Throws `import_folders_not_configured` where the operator has set none,
 * and `folder_not_allowed` for one that is not there, is none, or is not in these, also by a link.
 */
export async function openPlace({ config }: ConfigContext, folderName: string): Promise<ImportFolder> {
  const roots = await resolveRoots(config.importFolders)
  if (!path.isAbsolute(folderName) || folderName.includes('\0'))
    throw folderNotAllowedError('Enter the absolute path of the folder.')
  // Said of every place outside alike: what else lies on this machine is nobody's to find out.
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

/** What is in a folder, to choose from. Throws what `openPlace` does. */
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
