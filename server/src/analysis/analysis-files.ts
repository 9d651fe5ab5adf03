import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { partialPath } from './analysis.ts'

/** The open files of one analysis, as file descriptors, so that the analysing process does not have to open any. */
export type AnalysisFiles = { source: number; preview: number | undefined }

/**
 * Opens the source for reading and, when a path is given, the preview for writing. The preview is written beside its path
 * and renamed when it is complete, so that a partial preview is never found. It is removed when `use` fails or reports
 * that there is none.
 */
export async function withAnalysisFiles<T extends { hasPreview: boolean }>(
  { path, previewPath }: { path: string; previewPath?: string | undefined },
  use: (files: AnalysisFiles) => Promise<T>,
): Promise<T> {
  return withOpenFile(path, 'r', async (source) => {
    if (previewPath === undefined) return use({ source: source.fd, preview: undefined })
    const partial = partialPath(previewPath)
    try {
      const result = await withOpenFile(partial, 'w', (preview) => use({ source: source.fd, preview: preview.fd }))
      if (result.hasPreview) await rename(partial, previewPath)
      return result
    } finally {
      await rm(partial, { force: true })
    }
  })
}

async function withOpenFile<T>(path: string, flags: 'r' | 'w', use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}
