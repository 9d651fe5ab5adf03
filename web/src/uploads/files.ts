import { uploads } from '@dubplate/contract'
import { useEffect } from 'react'
import { create } from 'zustand'
import { queryClient, useApiQuery } from '../platform/queries.ts'

type Files = Record<number, uploads.ContainerFile>

/** What is known of the member's files, the latest that was heard of each, by upload_id. */
export const useFiles = create<{ files: Files }>(() => ({ files: {} }))

/** Signed addresses change, what they lead to does not: the one in use is kept, so that nothing is fetched again. */
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

/** The files that are in no song yet, newest first. */
export function useContainer() {
  const { data, error, refetch } = useApiQuery(uploads.getContainer, {})
  useEffect(() => cacheFiles(data?.files ?? []), [data])
  const known = useFiles(({ files }) => files)
  return { files: data?.files.map((file) => known[file.upload_id] ?? file), error, retry: () => void refetch() }
}

export const isBeingAnalysed = ({ analysis: { state } }: uploads.ContainerFile) =>
  state === 'queued' || state === 'running'
