import { type FolderFile, listEntry } from '../platform/folderEntries.ts'

/** The paths of files in a folder start with its name. */
export const filesOfInput = (files: FileList | null): FolderFile[] =>
  [...(files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }))

/** Dropped files, also those in dropped folders. The browser only provides them during the drop event: call it there. */
export async function filesOfDrop({ items }: DataTransfer): Promise<FolderFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const files: FolderFile[] = []
  for (const entry of entries) files.push(...(await listEntry(entry, entry.name)))
  return files
}
