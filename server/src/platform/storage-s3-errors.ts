import { StorageUnavailableError } from './storage.ts'

type SdkError = Error & { code?: string; $metadata?: { httpStatusCode?: number } }

const statusOf = (error: unknown): number | undefined => (error as SdkError).$metadata?.httpStatusCode

/** The server says there is no such key, or perhaps no such bucket: a HEAD response has no body that tells which. */
export const isNotFound = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as SdkError).name !== 'NoSuchBucket'

export const isRangeNotSatisfiable = (error: unknown): boolean => statusOf(error) === 416

/** Statuses that a retry does not change: the operator has to fix something. */
const PERMANENT_STATUSES = new Set([301, 400, 401, 403, 404, 405])

/** Returns an error that describes what failed in storage, with the server's own error code. */
export function storeUnavailable(bucket: string, error: unknown): StorageUnavailableError {
  if (error instanceof StorageUnavailableError) return error
  const { name, code, message } = error as SdkError
  // The SDK's error contains the whole request, including signatures, which must not be logged.
  const cause = Object.assign(new Error(message), { name, ...(code ? { code } : {}) })
  const isRejected = PERMANENT_STATUSES.has(statusOf(error) ?? 0) || name === 'CredentialsProviderError'
  return new StorageUnavailableError(sentence(bucket, { name, code, message }, statusOf(error)), { cause, isRejected })
}

function sentence(
  bucket: string,
  { name, code, message }: Pick<SdkError, 'name' | 'code' | 'message'>,
  status?: number,
) {
  if (name === 'CredentialsProviderError') {
    return `no credentials for the bucket "${bucket}": set STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY`
  }
  if (status === 404) return `bucket "${bucket}" doesn’t exist`
  if (status === 401 || status === 403) return `access to bucket "${bucket}" denied (${name})`
  if (status !== undefined) return `bucket "${bucket}" responded with ${status} (${name})`
  return `bucket "${bucket}" is not responding (${code ?? name}: ${message})`
}
