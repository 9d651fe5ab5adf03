import { uploads } from '@dubplate/contract'
import { useEffect } from 'react'
import { create } from 'zustand'
import { queryClient, useApiQuery } from '../platform/queries.ts'

type Files = Record<number, uploads.ContainerFile>

/** The latest known state of the member's files, by upload_id. */
export const useFiles = create<{ files: Files }>(() => ({ files: {} }))

/** Signed URLs change while their content does not: the URL in use is kept, so that nothing is downloaded again. */
const hasSameAnalysis = (file: uploads.ContainerFile, before: uploads.ContainerFile | undefined) =>
  before?.mp3 ? { ...file, mp3: before.mp3, peaks: before.peaks } : file

export function cacheFiles(previewed: uploads.ContainerFile[]) {
  if (previewed.length === 0) return
  useFiles.setState(({ files }) => ({
    files: {
      ...files,
      ...Object.fromEntries(previewed.map((file) => [file.upload_id, hasSameAnalysis(file, files[file.upload_id])])),
    },
  }))
}

const CONTAINER = { queryKey: [uploads.getContainer.path] }

export const refetchContainer = () => queryClient.invalidateQueries(CONTAINER)

/** The files that do not belong to a song yet, newest first. */
export function useContainer() {
  const { data, error, refetch } = useApiQuery(uploads.getContainer, {})
  useEffect(() => cacheFiles(data?.files ?? []), [data])
  const known = useFiles(({ files }) => files)
  return { files: data?.files.map((file) => known[file.upload_id] ?? file), error, retry: () => void refetch() }
}

export const isBeingAnalysed = ({ analysis: { state } }: uploads.ContainerFile) =>
  state === 'queued' || state === 'running'
