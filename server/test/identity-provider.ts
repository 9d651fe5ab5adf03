import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

type Account = { email?: string; email_verified?: boolean; name?: string; nickname?: string }

/** A real identity provider on this machine, and a browser for signing in. */
export type TestIdentityProvider = {
  issuer: string
  /** The claims of each user, by login name. */
  accounts: Record<string, Account>
  /** Signs in at the URL the pool redirected the browser to; returns where the browser is redirected then. */
  createSignInUrl(address: string, login: string): Promise<URL>
  close(): Promise<void>
}

export const CLIENT = { client_id: 'pool', client_secret: 'a secret between the two, long enough' }

export async function startIdentityProvider(
  redirectUri: string,
  { hasClaimsInToken = true, port = 0 }: { hasClaimsInToken?: boolean; port?: number } = {},
): Promise<TestIdentityProvider> {
  const accounts: Record<string, Account> = {}
  const server = createServer()
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      { ...CLIENT, redirect_uris: [redirectUri], grant_types: ['authorization_code'], response_types: ['code'] },
    ],
    cookies: { keys: ['a key for its cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'nickname'] },
    // Otherwise the claims are only at its userinfo endpoint.
    conformIdTokenClaims: !hasClaimsInToken,
    pkce: { required: () => true },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...accounts[id] }),
    }),
    loadExistingGrant: createGrant,
  })
  server.on('request', provider.callback())
  return {
    issuer,
    accounts,
    createSignInUrl: (address, login) => browse(issuer, address, login),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

type GrantContext = {
  oidc: {
    provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> } }
    client: { clientId: string }
    session: { accountId: string }
  }
}

/** Grants access to the email address without asking. */
async function createGrant({ oidc: { provider, client, session } }: GrantContext) {
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

/** Follows redirects with their cookies, fills in the form, and stops where another site begins. */
async function browse(issuer: string, start: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let address = new URL(start)
  let body: URLSearchParams | undefined
  for (let steps = 0; steps < 12; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(body ? { method: 'POST', body } : {}),
    })
    await response.text()
    for (const setCookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    body = location ? undefined : new URLSearchParams({ prompt: 'login', login, password: 'any' })
    if (location) address = new URL(location, address)
    if (address.origin !== new URL(issuer).origin) return address
  }
  throw new Error(`The provider did not send the browser back; it ended at ${address}.`)
}
