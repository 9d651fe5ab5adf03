/** A file with its path in the folder that was chosen. */
export type FolderFile = { file: File; path: string }

/** A dropped file, or all files below a dropped folder. A file that the browser can't open is left out. */
export async function listEntry(entry: FileSystemEntry, path: string): Promise<FolderFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File | undefined>((resolve) =>
      (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined)),
    )
    return file ? [{ file, path: path || file.name }] : []
  }
  const files: FolderFile[] = []
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // The reader returns up to a hundred entries at a time, and none at the end.
  for (;;) {
    const children = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
    if (children.length === 0) return files
    for (const child of children) files.push(...(await listEntry(child, path ? `${path}/${child.name}` : child.name)))
  }
}
