import * as oidc from 'openid-client'
import type { OidcConfig } from '../platform/config.ts'
import { TroubleElsewhere } from './trouble-elsewhere.ts'

/** Who somebody is at the operator's identity provider. */
export type Identity = {
  issuer: string
  subject: string
  /** Undefined unless the provider says that it belongs to them. */
  email: string | undefined
  name: string
}

/** What a sign-in that has begun is checked against when it comes back. */
export type Begun = { state: string; nonce: string; verifier: string }

export type IdentityProvider = {
  /** Where to send the browser, and what to keep until it returns. */
  begin(): Promise<{ url: URL; begun: Begun }>
  /** Who came back. Throws TroubleElsewhere. */
  finish(returned: URL, begun: Begun): Promise<Identity>
}

/**
 * The authorization code flow of OpenID Connect Core 1.0 with PKCE (RFC 7636), state and nonce. The provider's addresses
 * are asked for when first needed and again until they were told: one that is away keeps nobody from starting the pool.
 */
export function makeIdentityProvider(settings: OidcConfig, returnsTo: string): IdentityProvider {
  let known: Promise<oidc.Configuration> | undefined
  const configuration = () => {
    known ??= discover(settings).catch((error) => {
      known = undefined
      throw new TroubleElsewhere('provider_unavailable', error)
    })
    return known
  }
  return {
    begin: async () => {
      const configured = await configuration()
      const begun = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
      const url = oidc.buildAuthorizationUrl(configured, {
        redirect_uri: returnsTo,
        scope: 'openid email profile',
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      })
      return { url, begun }
    },
    finish: async (returned, begun) => {
      const configured = await configuration()
      return asIdentity(await redeem(configured, returned, begun))
    },
  }
}

/** The signature of what the provider says is checked, beside the channel it comes through. */
function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<oidc.Configuration> {
  const isPlain = new URL(issuer).protocol === 'http:'
  const execute = [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])]
  return oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretBasic(clientSecret), { execute })
}

type Claims = { iss: string; sub: string } & Record<string, unknown>

async function redeem(configured: oidc.Configuration, returned: URL, begun: Begun): Promise<Claims> {
  try {
    const tokens = await oidc.authorizationCodeGrant(configured, returned, {
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      pkceCodeVerifier: begun.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new TroubleElsewhere('not_finished')
    const tellsMore = claims.email === undefined && configured.serverMetadata().userinfo_endpoint !== undefined
    return tellsMore
      ? { ...(await oidc.fetchUserInfo(configured, tokens.access_token, claims.sub)), ...claims }
      : claims
  } catch (error) {
    throw asTrouble(error)
  }
}

function asTrouble(error: unknown): TroubleElsewhere {
  if (error instanceof TroubleElsewhere) return error
  if (error instanceof oidc.AuthorizationResponseError) return new TroubleElsewhere('refused', error)
  // What fetch throws when nobody answers; everything that was answered wrongly has a class of its own.
  if (error instanceof TypeError && error.cause !== undefined)
    return new TroubleElsewhere('provider_unavailable', error)
  return new TroubleElsewhere('not_finished', error)
}

function asIdentity(claims: Claims): Identity {
  const email = typeof claims.email === 'string' && claims.email_verified === true ? claims.email.trim() : undefined
  const names = [claims.nickname, claims.preferred_username, claims.name, email?.split('@')[0]]
  const name = names.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? ''
  return { issuer: claims.iss, subject: claims.sub, email, name: name.trim().slice(0, 80) }
}
