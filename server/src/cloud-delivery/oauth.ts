import * as z from 'zod/mini'
import { parseJson, parseReply, sendRequest } from './http.ts'
import { type AccessToken, CloudError, type CloudProvider } from './provider.ts'

/** What all providers have in common of OAuth 2 (RFC 6749) with PKCE (RFC 7636). */

type OAuthApp = {
  /** Its name, for messages. */
  provider: string
  authorizeUrl: string
  tokenUrl: string
  clientId: string
  clientSecret: string
}

/** A provider may leave out the refresh token, and the scope if it is the one that was requested. */
type GrantedTokens = AccessToken & { refresh_token: string | undefined; scope: string | undefined }

/** `fields` are the parameters that differ between providers. */
export const authorizeUrl = (
  { authorizeUrl, clientId }: OAuthApp,
  { state, challenge, redirectUri }: Parameters<CloudProvider['authorizeUrl']>[0],
  fields: Record<string, string>,
): string =>
  `${authorizeUrl}?${new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...fields,
  })}`

/** Throws the errors of `requestTokens`. */
export const exchangeCode = (
  app: OAuthApp,
  { code, verifier, redirectUri }: Parameters<CloudProvider['exchangeCode']>[0],
): Promise<GrantedTokens> =>
  requestTokens(app, { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri })

/** Throws the errors of `requestTokens`. */
export async function refreshAccess(app: OAuthApp, refreshToken: string): Promise<AccessToken> {
  const { access_token, expires_at } = await requestTokens(app, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  })
  return { access_token, expires_at }
}

const tokenReply = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  refresh_token: z.optional(z.string()),
  scope: z.optional(z.string()),
})
const tokenError = z.object({ error: z.string() })

/** A token is renewed this long before it expires. */
const EXPIRY_MARGIN_MS = 120_000

/**
 * Requests tokens from an OAuth token endpoint (RFC 6749, 4.1.3 and 6). Throws CloudError `revoked` for `invalid_grant`,
 * and `rejected` if the operator's keys are wrong.
 */
async function requestTokens(
  { provider, tokenUrl: url, clientId, clientSecret }: OAuthApp,
  fields: Record<string, string>,
): Promise<GrantedTokens> {
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
