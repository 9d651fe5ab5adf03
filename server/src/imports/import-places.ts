import { type Dirent, existsSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { imports, ReplyOf } from '@dubplate/contract'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { isWithin, OUR_KINDS } from './folder-walk.ts'

/** Folders of this machine that the operator lets staff import from. */

type Tools = Pick<World, 'config'>

/** A folder without links, and the allowed one it is in. */
export type Place = { folder: string; within: string }

/**
 * The folder somebody names, as it really is. Refuses `import_folders_not_configured` where the operator has set none, and
 * `folder_not_allowed` for one that is not there, is none, or is not in these, also by a link.
 */
export async function openPlace({ config }: Tools, named: string): Promise<Place> {
  const roots = await realRoots(config.importFolders)
  if (!path.isAbsolute(named) || named.includes('\0')) throw refused('Enter the absolute path of the folder.')
  // Said of every place outside alike: what else lies on this machine is nobody's to find out.
  const isInside = config.importFolders.some((root) => isWithin(path.resolve(named), root))
  const real = await realpath(named).catch(() => undefined)
  const within = real === undefined ? undefined : roots.find((root) => isWithin(real, root))
  if (real !== undefined && within === undefined && isInside)
    throw refused(`“${named}” points outside the import folders.`)
  if (!isInside && within === undefined)
    throw refused(`“${named}” isn’t inside an import folder: ${config.importFolders.join(', ')}.`)
  if (real === undefined || within === undefined) throw refused(`Folder “${named}” doesn’t exist.`)
  const found = await stat(real).catch(() => undefined)
  if (!found?.isDirectory()) throw refused(`“${named}” is not a folder.`)
  return { folder: real, within }
}

const refused = (sentence: string) => new Refusal('folder_not_allowed', sentence)

async function realRoots(folders: readonly string[]): Promise<string[]> {
  if (folders.length === 0)
    throw new Refusal(
      'import_folders_not_configured',
      'No import folders are configured. Set IMPORT_FOLDERS and restart.',
    )
  const there = folders.filter((folder) => existsSync(folder))
  return Promise.all(there.map((folder) => realpath(folder)))
}

const natural = new Intl.Collator('en', { numeric: true }).compare

/** What is in a folder, to choose from. Refuses what `openPlace` does. */
export async function lookInto(tools: Tools, named: string): Promise<ReplyOf<typeof imports.getFolders>> {
  const { folder, within } = await openPlace(tools, named)
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw refused(`Permission denied for “${named}”.`)
  })
  const visible = entries.filter(({ name }) => !name.startsWith('.'))
  return {
    folder,
    above: folder === within ? null : path.dirname(folder),
    folders: visible
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ name, folder: path.join(folder, name) }))
      .sort((a, b) => natural(a.name, b.name)),
    files: visible.filter((entry) => entry.isFile() && OUR_KINDS.test(entry.name)).length,
  }
}
