import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

type Account = { email?: string; email_verified?: boolean; name?: string; nickname?: string }

/** A real identity provider on this machine, and a browser to sign in there with. */
export type TestIdentityProvider = {
  issuer: string
  /** What it knows of each person, by the name they sign in with. */
  accounts: Record<string, Account>
  /** Signs in at the address the pool sent the browser to; answers where the browser is sent then. */
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
    // Otherwise what is told of a person is at its userinfo address alone.
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

/** Nobody is asked whether the pool may know their address. */
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
