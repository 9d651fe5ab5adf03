import * as z from 'zod/mini'
import { type AccessToken, CloudError } from './provider.ts'

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

const tokenReply = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  refresh_token: z.optional(z.string()),
  scope: z.optional(z.string()),
})
const tokenError = z.object({ error: z.string() })

type TokenRequest = { url: string; clientId: string; clientSecret: string; fields: Record<string, string> }

/** A token is renewed this long before it expires. */
const EXPIRY_MARGIN_MS = 120_000

/**
 * Requests tokens from an OAuth token endpoint (RFC 6749, 4.1.3 and 6). Throws CloudError `revoked` for `invalid_grant`,
 * and `rejected` if the operator's keys are wrong.
 */
export async function requestTokens(
  provider: string,
  { url, clientId, clientSecret, fields }: TokenRequest,
): Promise<AccessToken & { refresh_token: string | undefined; scope: string | undefined }> {
  const body = new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret })
  const response = await sendRequest(provider, { method: 'POST', url, body }).catch((error: unknown) => {
    const isWrongKey = error instanceof CloudError && error.kind === 'unauthorized'
    throw isWrongKey ? wrongKeysError(provider) : error
  })
  if (response.status !== 200) {
    const { error } = tokenError.safeParse(parseJson(response.text)).data ?? { error: `status ${response.status}` }
    if (error === 'invalid_grant') throw new CloudError('revoked', `${provider} does not accept the grant.`)
    if (error === 'invalid_client' || error === 'unauthorized_client') throw wrongKeysError(provider)
    throw new CloudError('rejected', `${provider} refused to issue a token (${error.slice(0, 60)}).`)
  }
  const { access_token, expires_in, refresh_token, scope } = parseReply(provider, tokenReply, response.text)
  const expires_at = Date.now() + Math.max(0, expires_in * 1000 - EXPIRY_MARGIN_MS)
  return { access_token, expires_at, refresh_token, scope }
}

const wrongKeysError = (provider: string) =>
  new CloudError('rejected', `${provider} does not accept the app keys of this pool. Check them in the environment.`)
