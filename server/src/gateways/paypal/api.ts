import * as z from 'zod/mini'
import { connectionError, ProviderUnavailableError } from '../gateway.ts'
import type { PaypalConfig } from '../gateway-config.ts'

/** PayPal understood a request and refused it; `issue` is its code for the reason. */
export class PaypalError extends Error {
  readonly status: number
  readonly issue: string

  constructor(status: number, issue: string, message: string) {
    super(message)
    this.status = status
    this.issue = issue
  }
}

/**
 * Sends one request to PayPal's REST API and returns its JSON. Requests with the same `key` are only processed once.
 */
export type PaypalCall = (
  method: 'GET' | 'POST',
  path: string,
  requestOptions?: { body?: object; key?: string },
) => Promise<unknown>

const TIMEOUT_MS = 10_000
/** A token is renewed a minute before it expires. */
const EXPIRY_MARGIN_MS = 60_000

const tokenReply = z.object({ access_token: z.string(), expires_in: z.number() })
const errorReplySchema = z.object({
  name: z.nullish(z.string()),
  message: z.nullish(z.string()),
  details: z.nullish(z.array(z.object({ issue: z.nullish(z.string()), description: z.nullish(z.string()) }))),
})

/** Calls developer.paypal.com/api/rest with a cached token. Throws ProviderUnavailableError, PaypalError. */
export function paypalApi(config: PaypalConfig, fetchFrom: typeof fetch): PaypalCall {
  let cachedToken: { token: string; until: number } | undefined

  async function send(path: string, options: RequestInit): Promise<{ response: Response; text: string }> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetchFrom(`${config.api}${path}`, { ...options, signal, redirect: 'error' })
      return { response, text: await response.text() }
    } catch (error) {
      throw connectionError('PayPal', error)
    }
  }

  async function getToken(): Promise<string> {
    if (cachedToken && Date.now() < cachedToken.until) return cachedToken.token
    const authorization = `Basic ${Buffer.from(`${config.clientId}:${config.secret}`).toString('base64')}`
    const { response, text } = await send('/v1/oauth2/token', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    if (!response.ok) throw statusError(response.status)
    const { access_token, expires_in } = tokenReply.parse(readJson(text))
    cachedToken = { token: access_token, until: Date.now() + expires_in * 1000 - EXPIRY_MARGIN_MS }
    return access_token
  }

  return async function call(method, path, { body, key } = {}) {
    const sendRequest = async () =>
      send(path, {
        method,
        headers: {
          authorization: `Bearer ${await getToken()}`,
          accept: 'application/json',
          'content-type': 'application/json',
          prefer: 'return=representation',
          ...(key ? { 'paypal-request-id': key } : {}),
        },
        ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
      })
    let answer = await sendRequest()
    if (answer.response.status === 401) {
      cachedToken = undefined
      answer = await sendRequest()
    }
    return read(answer.response.status, answer.text)
  }
}

function read(status: number, text: string): unknown {
  if (status >= 500 || status === 429 || status === 401 || status === 403) throw statusError(status)
  const reply = readJson(text)
  if (status < 400) return reply
  const problem = errorReplySchema.safeParse(reply).data
  const detail = problem?.details?.[0]
  const issue = detail?.issue ?? problem?.name ?? `${status}`
  throw new PaypalError(status, issue, detail?.description ?? problem?.message ?? `PayPal responded with ${status}`)
}

function statusError(status: number): ProviderUnavailableError {
  if (status >= 500) return new ProviderUnavailableError(`PayPal returned an error (${status}).`)
  if (status === 429)
    return new ProviderUnavailableError('PayPal rate limit exceeded', { reason: 'rate_limited', isCertain: true })
  const sentence = `PayPal rejected PAYPAL_CLIENT_ID or PAYPAL_SECRET (${status}).`
  return new ProviderUnavailableError(sentence, { reason: 'keys_rejected', isCertain: true })
}

function readJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ProviderUnavailableError('PayPal returned invalid JSON', { cause: error })
  }
}
