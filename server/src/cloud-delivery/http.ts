import type * as z from 'zod/mini'
import { CloudError } from './provider.ts'

/** Requests to the providers: time limits, and the errors that all of them have in common. */

export type CloudRequest = {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBuffer> | string | URLSearchParams
  timeout_ms?: number
  signal?: AbortSignal | undefined
}

export type CloudResponse = { status: number; headers: Headers; text: string }

const REQUEST_TIMEOUT_MS = 30_000
/** For 8 MiB at about 0.5 Mbit/s. */
export const CHUNK_TIMEOUT_MS = 150_000

/**
 * Sends a request and returns the response, whatever its status below 500 is except 401 and 429. Redirects are not followed: 308
 * has a meaning of its own in resumable uploads. Throws CloudError `unavailable`, `unauthorized` and `rate_limited`.
 */
export async function sendRequest(
  provider: string,
  { timeout_ms = REQUEST_TIMEOUT_MS, url, method, headers = {}, body, signal }: CloudRequest,
): Promise<CloudResponse> {
  const timeout = AbortSignal.timeout(timeout_ms)
  const response = await fetch(url, {
    ...{ method, headers, redirect: 'manual', signal: signal ? AbortSignal.any([signal, timeout]) : timeout },
    ...(body === undefined ? {} : { body }),
  }).catch((error: unknown) => {
    throw connectionError(provider, error)
  })
  const text = await response.text().catch((error: unknown) => {
    throw connectionError(provider, error)
  })
  const { status } = response
  if (status === 429) throw rateLimitError(provider, response.headers)
  if (status === 401) throw new CloudError('unauthorized', `${provider} no longer accepts the access token.`)
  if (status >= 500)
    throw new CloudError('unavailable', `${provider} returned an error (${status}).`, retryAfter(response.headers))
  return { status, headers: response.headers, text }
}

/** Names only the code of the error: messages of fetch can contain the URL. */
function connectionError(provider: string, error: unknown): CloudError {
  const { name, cause } = error as Error & { cause?: { code?: string } }
  return new CloudError('unavailable', `${provider} did not respond (${cause?.code ?? name}).`)
}

export const rateLimitError = (provider: string, headers: Headers): CloudError =>
  new CloudError('rate_limited', `${provider} asks to send fewer requests.`, retryAfter(headers))

/** `Retry-After` in seconds, or as a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): { retryAfter_ms?: number } {
  const text = headers.get('retry-after')
  if (text === null) return {}
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? { retryAfter_ms: Math.max(0, ms) } : {}
}

/** Parses a response. Throws CloudError `unavailable` if it is not what the documentation says. */
export function parseReply<T extends z.ZodMiniType>(provider: string, schema: T, text: string): z.output<T> {
  const read = schema.safeParse(parseJson(text))
  if (read.success) return read.data
  const places = read.error.issues.map(({ path }) => path.join('.')).join(', ')
  throw new CloudError('unavailable', `${provider} sent an unexpected response (${places}).`)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
