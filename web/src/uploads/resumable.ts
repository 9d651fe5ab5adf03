import { type RefusalReply, uploads } from '@dubplate/contract'
import type { DetailedError, Upload, UploadOptions } from 'tus-js-client'
import { useSession } from '../platform/session.ts'
import { chunkBytes, halveChunk, isTooLargeForProxy, PROXY_REFUSES } from './chunks.ts'
import { refusalIn } from './fileRefusal.ts'

const RETRY_DELAYS_MS = [500, 1_000, 3_000, 5_000, 10_000, 20_000]

export type Outcome = {
  onProgress: (sent: number) => void
  /** `uploadId` is the file's, where the server said it. */
  onArrived: (uploadId: number | undefined) => void
  /** `token` is the one it was asked with. */
  onRefused: (refusal: Partial<RefusalReply>, token: string) => void
  /** A chunk was lost; it is sent again in a moment. */
  onStumbled: () => void
  /** The connection, or the server, is gone for now. */
  onBroken: () => void
}

type What = {
  file: File
  sha256: string
  customerId: number
  /** Of a folder that staff import: which import, and which of its files. */
  of?: { import_run_id: number; import_file: number }
}

/** The same content of the same member is the same upload, whatever the file is called and wherever it lies. */
const fingerprintOf = ({ sha256, customerId, of }: Omit<What, 'file'>) =>
  of ? `dubplate-import-${of.import_run_id}-${sha256}` : `dubplate-${customerId}-${sha256}`

/** The protocol carries texts alone. */
const inText = (of: What['of']): Record<string, string> =>
  Object.fromEntries(Object.entries(of ?? {}).map(([name, value]) => [name, String(value)]))

const tokenNow = (): string => useSession.getState().token ?? ''

const withToken: Pick<UploadOptions, 'onBeforeRequest'> = {
  onBeforeRequest: (request) => request.setHeader('Authorization', `Bearer ${tokenNow()}`),
}

const answerTo = (error: Error): string => {
  const { originalResponse } = error as Partial<DetailedError>
  return originalResponse?.getBody() ?? ''
}

const isTooLarge = (error: Error): boolean => {
  const { originalResponse } = error as Partial<DetailedError>
  return isTooLargeForProxy(originalResponse?.getStatus(), refusalIn(answerTo(error)) !== undefined)
}

const isLocked = (error: DetailedError) => error.originalResponse?.getStatus() === 423

/**
 * An upload by the tus protocol 1.0.0 (https://tus.io), ready to be started; it goes on where an earlier one of the same
 * content was broken off. `abort()` pauses it, `abort(true)` also throws away what the server has of it.
 */
export async function prepareUpload(what: What, outcome: Outcome): Promise<Upload> {
  const { Upload } = await import('tus-js-client')
  let token = ''
  const upload = new Upload(what.file, {
    endpoint: uploads.RESUMABLE_PATH,
    chunkSize: chunkBytes(),
    retryDelays: RETRY_DELAYS_MS,
    metadata: { filename: what.file.name, filetype: what.file.type, sha256: what.sha256, ...inText(what.of) },
    fingerprint: async () => fingerprintOf(what),
    removeFingerprintOnSuccess: true,
    onBeforeRequest: (request) => {
      // Asked for at each request: the session may be renewed while a large file is on its way.
      token = tokenNow()
      request.setHeader('Authorization', `Bearer ${token}`)
    },
    onShouldRetry: (error) => {
      if (isTooLarge(error)) return sendLess()
      const isWorthwhile = navigator.onLine && (isLocked(error) || !refusalIn(answerTo(error)))
      if (isWorthwhile) outcome.onStumbled()
      return isWorthwhile
    },
    onProgress: outcome.onProgress,
    onSuccess: ({ lastResponse }) =>
      outcome.onArrived(Number(lastResponse.getHeader('Upload-Id-Of-File')) || undefined),
    onError: (error) => {
      const refusal = refusalIn(answerTo(error))
      if (refusal) outcome.onRefused(refusal, token)
      else if (isTooLarge(error) && !sendLess()) outcome.onRefused({ code: 'too_large', message: PROXY_REFUSES }, token)
      else outcome.onBroken()
    },
  })
  /** The library reads the size at each request. A file that is smaller than the chunk went out whole. */
  function sendLess(): boolean {
    const smaller = halveChunk(Math.min(upload.options.chunkSize ?? chunkBytes(), what.file.size))
    if (smaller) upload.options.chunkSize = smaller
    return smaller !== undefined
  }
  const [before] = await upload.findPreviousUploads()
  if (before) upload.resumeFromPreviousUpload(before)
  return upload
}

/** Throws away what an earlier visit had begun, here and on the server. */
export async function forgetUpload(what: Omit<What, 'file'>): Promise<void> {
  const { Upload, defaultOptions } = await import('tus-js-client')
  const begun = await defaultOptions.urlStorage.findUploadsByFingerprint(fingerprintOf(what))
  for (const { uploadUrl, urlStorageKey } of begun) {
    await defaultOptions.urlStorage.removeUpload(urlStorageKey)
    // What the server keeps of it goes by itself after some days.
    if (uploadUrl) await Upload.terminate(uploadUrl, withToken).catch(() => undefined)
  }
}
