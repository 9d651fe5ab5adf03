import * as oidc from 'openid-client'
import type { OidcConfig } from '../platform/sign-in-config.ts'
import { ExternalSignInError } from './external-sign-in-error.ts'

/** A person's identity at the operator's identity provider. */
export type Identity = {
  issuer: string
  subject: string
  /** Undefined unless the provider has verified it. */
  email: string | undefined
  name: string
}

/** What the response of the provider is checked against. */
export type PendingSignIn = { state: string; nonce: string; verifier: string }

export type IdentityProvider = {
  /** Returns where to send the browser, and what to store until it returns. */
  start(): Promise<{ url: URL; pending: PendingSignIn }>
  /** Returns the identity of the person who returned. Throws ExternalSignInError. */
  finish(returnUrl: URL, pending: PendingSignIn): Promise<Identity>
}

/**
 * The authorization code flow of OpenID Connect Core 1.0 with PKCE (RFC 7636), state and nonce. The provider's
 * configuration is loaded when first needed, and again until that succeeds, so that the pool can start while the
 * provider is unavailable.
 */
export function makeIdentityProvider(settings: OidcConfig, redirectUri: string): IdentityProvider {
  let cachedConfiguration: Promise<oidc.Configuration> | undefined
  const configuration = () => {
    cachedConfiguration ??= discover(settings).catch((error) => {
      cachedConfiguration = undefined
      throw new ExternalSignInError('provider_unavailable', error)
    })
    return cachedConfiguration
  }
  return {
    start: async () => {
      const configured = await configuration()
      const pending = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
      const url = oidc.buildAuthorizationUrl(configured, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      })
      return { url, pending }
    },
    finish: async (returnUrl, pending) => {
      const configured = await configuration()
      return toIdentity(await exchangeCode(configured, returnUrl, pending))
    },
  }
}

/** Also verifies the provider's signature, in addition to the TLS connection. */
function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<oidc.Configuration> {
  const isPlain = new URL(issuer).protocol === 'http:'
  const execute = [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])]
  return oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretBasic(clientSecret), { execute })
}

type Claims = { iss: string; sub: string } & Record<string, unknown>

async function exchangeCode(configured: oidc.Configuration, returnUrl: URL, pending: PendingSignIn): Promise<Claims> {
  try {
    const tokens = await oidc.authorizationCodeGrant(configured, returnUrl, {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new ExternalSignInError('not_finished')
    const needsUserInfo = claims.email === undefined && configured.serverMetadata().userinfo_endpoint !== undefined
    return needsUserInfo
      ? { ...(await oidc.fetchUserInfo(configured, tokens.access_token, claims.sub)), ...claims }
      : claims
  } catch (error) {
    throw toSignInError(error)
  }
}

function toSignInError(error: unknown): ExternalSignInError {
  if (error instanceof ExternalSignInError) return error
  if (error instanceof oidc.AuthorizationResponseError) return new ExternalSignInError('refused', error)
  // fetch throws this when there is no response; invalid responses have their own error classes.
  if (error instanceof TypeError && error.cause !== undefined)
    return new ExternalSignInError('provider_unavailable', error)
  return new ExternalSignInError('not_finished', error)
}

function toIdentity(claims: Claims): Identity {
  const email = typeof claims.email === 'string' && claims.email_verified === true ? claims.email.trim() : undefined
  const names = [claims.nickname, claims.preferred_username, claims.name, email?.split('@')[0]]
  const name = names.find((isText): isText is string => typeof isText === 'string' && isText.trim() !== '') ?? ''
  return { issuer: claims.iss, subject: claims.sub, email, name: name.trim().slice(0, 80) }
}
