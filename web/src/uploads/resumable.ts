import { type ErrorReply, uploads } from '@dubplate/contract'
import type { DetailedError, Upload, UploadOptions } from 'tus-js-client'
import { useSession } from '../platform/session.ts'
import { chunkBytes, halveChunk, isTooLargeForProxy, PROXY_LIMIT_MESSAGE } from './chunks.ts'
import { parseErrorReply } from './fileRejection.ts'

const RETRY_DELAYS_MS = [500, 1_000, 3_000, 5_000, 10_000, 20_000]

export type UploadCallbacks = {
  onProgress: (sent: number) => void
  /** `uploadId` is the id of the file, if the server returned it. */
  onUploaded: (uploadId: number | undefined) => void
  /** `token` is the session token of the rejected request. */
  onRejected: (apiError: Partial<ErrorReply>, token: string) => void
  /** A chunk failed; it is sent again in a moment. */
  onRetry: () => void
  /** The connection, or the server, is unavailable. */
  onInterrupted: () => void
}

type UploadSource = {
  file: File
  sha256: string
  customerId: number
  /** For a folder import by staff: the import, and the index of the file. */
  of?: { import_run_id: number; import_file: number }
}

/** The same content of the same member is the same upload, whatever the name and location of the file. */
const fingerprintOf = ({ sha256, customerId, of }: Omit<UploadSource, 'file'>) =>
  of ? `dubplate-import-${of.import_run_id}-${sha256}` : `dubplate-${customerId}-${sha256}`

/** The protocol only supports text values. */
const toMetadata = (of: UploadSource['of']): Record<string, string> =>
  Object.fromEntries(Object.entries(of ?? {}).map(([name, value]) => [name, String(value)]))

const currentToken = (): string => useSession.getState().token ?? ''

const withToken: Pick<UploadOptions, 'onBeforeRequest'> = {
  onBeforeRequest: (request) => request.setHeader('Authorization', `Bearer ${currentToken()}`),
}

const answerTo = (error: Error): string => {
  const { originalResponse } = error as Partial<DetailedError>
  return originalResponse?.getBody() ?? ''
}

const isTooLarge = (error: Error): boolean => {
  const { originalResponse } = error as Partial<DetailedError>
  return isTooLargeForProxy(originalResponse?.getStatus(), parseErrorReply(answerTo(error)) !== undefined)
}

const isLocked = (error: DetailedError) => error.originalResponse?.getStatus() === 423

/**
 * An upload with the tus protocol 1.0.0 (https://tus.io), ready to start; it resumes an earlier upload of the same
 * content. `abort()` pauses it, `abort(true)` also deletes it on the server.
 */
export async function prepareUpload(source: UploadSource, callbacks: UploadCallbacks): Promise<Upload> {
  const { Upload } = await import('tus-js-client')
  let token = ''
  const upload = new Upload(source.file, {
    endpoint: uploads.RESUMABLE_PATH,
    chunkSize: chunkBytes(),
    retryDelays: RETRY_DELAYS_MS,
    metadata: {
      filename: source.file.name,
      filetype: source.file.type,
      sha256: source.sha256,
      ...toMetadata(source.of),
    },
    fingerprint: async () => fingerprintOf(source),
    removeFingerprintOnSuccess: true,
    onBeforeRequest: (request) => {
      // Read for each request: the session may be renewed while a large file is uploading.
      token = currentToken()
      request.setHeader('Authorization', `Bearer ${token}`)
    },
    onShouldRetry: (error) => {
      if (isTooLarge(error)) return retryWithSmallerChunk()
      const shouldRetry = navigator.onLine && (isLocked(error) || !parseErrorReply(answerTo(error)))
      if (shouldRetry) callbacks.onRetry()
      return shouldRetry
    },
    onProgress: callbacks.onProgress,
    onSuccess: ({ lastResponse }) =>
      callbacks.onUploaded(Number(lastResponse.getHeader('Upload-Id-Of-File')) || undefined),
    onError: (error) => {
      const apiError = parseErrorReply(answerTo(error))
      if (apiError) callbacks.onRejected(apiError, token)
      else if (isTooLarge(error) && !retryWithSmallerChunk())
        callbacks.onRejected({ code: 'too_large', message: PROXY_LIMIT_MESSAGE }, token)
      else callbacks.onInterrupted()
    },
  })
  /** The library reads the size at each request. A file smaller than the chunk was sent whole. */
  function retryWithSmallerChunk(): boolean {
    const smaller = halveChunk(Math.min(upload.options.chunkSize ?? chunkBytes(), source.file.size))
    if (smaller) upload.options.chunkSize = smaller
    return smaller !== undefined
  }
  const [before] = await upload.findPreviousUploads()
  if (before) upload.resumeFromPreviousUpload(before)
  return upload
}

/** Deletes the upload of an earlier visit, here and on the server. */
export async function deleteStoredUpload(source: Omit<UploadSource, 'file'>): Promise<void> {
  const { Upload, defaultOptions } = await import('tus-js-client')
  const earlierUploads = await defaultOptions.urlStorage.findUploadsByFingerprint(fingerprintOf(source))
  for (const { uploadUrl, urlStorageKey } of earlierUploads) {
    await defaultOptions.urlStorage.removeUpload(urlStorageKey)
    // The server deletes its part after some days anyway.
    if (uploadUrl) await Upload.terminate(uploadUrl, withToken).catch(() => undefined)
  }
}
