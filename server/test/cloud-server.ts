import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { answerDropbox } from './cloud-server-dropbox.ts'
import { answerGoogle } from './cloud-server-google.ts'

/** A fake server for Dropbox and Google Drive, which behaves as their documentation says. */

export type ProviderName = 'dropbox' | 'google'

export type StoredFile = {
  id: string
  name: string
  /** Of the folder in Google Drive; the path without the name in Dropbox. */
  parent: string
  bytes: Buffer
  trashed: boolean
  /** Set for folders of Google Drive. */
  isFolder?: boolean
  appProperties?: Record<string, string>
}

export type UploadSession = { received: Buffer; file?: StoredFile; name?: string; parent?: string; total?: number }

/** The account that members connect. */
export type CloudAccount = {
  email: string
  files: StoredFile[]
  uploads: Map<string, UploadSession>
  /** Bytes that still fit. */
  space: number
  /** Scopes that the next authorisation grants; all that were requested if undefined. */
  grantedScope: string | undefined
  accessTokens: Map<string, { isExpired: boolean; refreshToken: string }>
  refreshTokens: Set<string>
  codes: Map<string, { challenge: string; redirectUri: string; scope: string }>
}

/** A response instead of that of the provider, for the next requests whose path matches. */
export type Override = {
  path: RegExp
  times?: number
  status?: number
  headers?: Record<string, string>
  body?: object
  /** Handles the request, but closes the connection instead of responding. */
  isLost?: boolean
  /** Called before the response. */
  before?: () => unknown
}

export type CloudServer = {
  url: string
  app: { clientId: string; clientSecret: string }
  dropbox: CloudAccount
  google: CloudAccount
  overrides: Override[]
  /** The method and path of each request, in order. */
  requests: string[]
  /** Bytes received in uploads. */
  receivedBytes: number
  /** Follows the authorisation page as a member who allows access; returns the return URL of the pool. */
  allow(authorizeUrl: string): Promise<URL>
  expireAccessTokens(): void
  revokeAccess(): void
  close(): Promise<void>
}

export const CLOUD_APP = { clientId: 'cloud-test-app', clientSecret: 'cloud-test-secret' }

const createAccount = (email: string): CloudAccount => ({
  email,
  files: [],
  uploads: new Map(),
  space: Number.POSITIVE_INFINITY,
  grantedScope: undefined,
  accessTokens: new Map(),
  refreshTokens: new Set(),
  codes: new Map(),
})

export type CloudRequest = {
  server: CloudServer
  account: CloudAccount
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: Buffer
}
export type CloudReply = { status: number; headers?: Record<string, string>; body?: object | string }

export async function startCloudServer(port = 0): Promise<CloudServer> {
  const http = createServer((request, response) => {
    handle(server, request, response).catch((error) => {
      response.writeHead(599).end(String(error))
    })
  })
  await new Promise<void>((listening) => http.listen(port, '127.0.0.1', listening))
  const server: CloudServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    app: CLOUD_APP,
    dropbox: createAccount('dj@dropbox.test'),
    google: createAccount('dj@google.test'),
    overrides: [],
    requests: [],
    receivedBytes: 0,
    allow: async (authorizeUrl) => {
      const page = await fetch(authorizeUrl)
      const [, link] = /href="([^"]*)">Allow/.exec(await page.text()) ?? []
      if (!link) throw new Error(`The authorisation page was not shown (${page.status}).`)
      return new URL(link.replaceAll('&amp;', '&'))
    },
    expireAccessTokens: () => {
      for (const { accessTokens } of [server.dropbox, server.google])
        for (const token of accessTokens.values()) token.isExpired = true
    },
    revokeAccess: () => {
      for (const account of [server.dropbox, server.google]) {
        account.accessTokens.clear()
        account.refreshTokens.clear()
      }
    },
    close: async () => {
      http.closeAllConnections()
      await new Promise((closed) => http.close(closed))
    },
  }
  return server
}

async function handle(server: CloudServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', headers } = request
  const url = new URL(request.url ?? '/', server.url)
  const body = await buffer(request)
  server.requests.push(`${method} ${url.pathname}`)
  if (url.pathname === '/files.json') {
    response.end(JSON.stringify({ dropbox: listFiles(server.dropbox), google: listFiles(server.google) }))
    return
  }
  const name: ProviderName = url.pathname.startsWith('/google/') ? 'google' : 'dropbox'
  const override = takeOverride(server, url.pathname)
  await override?.before?.()
  const provider = { server, account: server[name], method, url, headers, body }
  const reply =
    override?.status === undefined
      ? answer(name, provider)
      : { status: override.status, headers: override.headers ?? {}, body: override.body ?? {} }
  if (override?.isLost) {
    request.socket.destroy()
    return
  }
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {})
  const type = typeof reply.body === 'string' ? 'text/html' : 'application/json'
  response.writeHead(reply.status, { 'content-type': type, ...reply.headers }).end(text)
}

/** What browser tests read: the names and sizes of the files, without folders. */
const listFiles = ({ files }: CloudAccount) =>
  files.filter(({ isFolder }) => !isFolder).map(({ name, bytes }) => ({ name, bytes: bytes.length }))

function takeOverride({ overrides }: CloudServer, path: string): Override | undefined {
  const found = overrides.find((one) => one.path.test(path))
  if (!found) return undefined
  found.times = (found.times ?? 1) - 1
  if (found.times <= 0) overrides.splice(overrides.indexOf(found), 1)
  return found
}

function answer(name: ProviderName, request: CloudRequest): CloudReply {
  const path = request.url.pathname.slice(name.length + 1)
  if (path === '/oauth2/authorize' || path === '/auth') return authorizePage(request)
  if (path === '/oauth2/token' || path === '/token') return issueTokens(request)
  if (path === '/revoke') {
    const token = new URLSearchParams(request.body.toString()).get('token') ?? ''
    return request.account.refreshTokens.delete(token)
      ? { status: 200 }
      : { status: 400, body: { error: 'invalid_token' } }
  }
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const known = request.account.accessTokens.get(token)
  if (!known || known.isExpired) return unauthorized(name)
  return name === 'dropbox' ? answerDropbox(path, request, known.refreshToken) : answerGoogle(path, request)
}

const unauthorized = (name: ProviderName): CloudReply => ({
  status: 401,
  body:
    name === 'dropbox'
      ? { error_summary: 'expired_access_token/', error: { '.tag': 'expired_access_token' } }
      : { error: { code: 401, errors: [{ reason: 'authError' }] } },
})

/** The page that asks the member; it has links instead of forms. */
function authorizePage({ account, url }: CloudRequest): CloudReply {
  const value = (name: string) => url.searchParams.get(name) ?? ''
  const isOffline = value('token_access_type') === 'offline' || value('access_type') === 'offline'
  const isValid =
    value('client_id') === CLOUD_APP.clientId &&
    value('response_type') === 'code' &&
    value('code_challenge_method') === 'S256' &&
    value('code_challenge').length === 43 &&
    value('state').length <= 500 &&
    isOffline
  if (!isValid) return { status: 400, body: 'Invalid authorisation request' }
  const code = randomBytes(12).toString('hex')
  account.codes.set(code, {
    challenge: value('code_challenge'),
    redirectUri: value('redirect_uri'),
    scope: account.grantedScope ?? value('scope'),
  })
  const returnTo = (result: Record<string, string>) => {
    const target = new URL(value('redirect_uri'))
    for (const [name, text] of Object.entries({ ...result, state: value('state') })) target.searchParams.set(name, text)
    return target.href.replaceAll('&', '&amp;')
  }
  const links = `<a href="${returnTo({ code })}">Allow</a> <a href="${returnTo({ error: 'access_denied' })}">Cancel</a>`
  return { status: 200, body: `<!doctype html><title>Allow access?</title><h1>Allow access?</h1>${links}` }
}

function issueTokens({ account, body }: CloudRequest): CloudReply {
  const fields = new URLSearchParams(body.toString())
  const value = (name: string) => fields.get(name) ?? ''
  if (value('client_id') !== CLOUD_APP.clientId || value('client_secret') !== CLOUD_APP.clientSecret)
    return { status: 401, body: { error: 'invalid_client' } }
  const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
  const newToken = (refreshToken: string) => {
    const access_token = `access-${randomBytes(12).toString('hex')}`
    account.accessTokens.set(access_token, { isExpired: false, refreshToken })
    return { access_token, expires_in: 14_400, token_type: 'bearer' }
  }
  if (value('grant_type') === 'refresh_token') {
    const refreshToken = value('refresh_token')
    return account.refreshTokens.has(refreshToken) ? { status: 200, body: newToken(refreshToken) } : invalidGrant
  }
  const code = account.codes.get(value('code'))
  account.codes.delete(value('code'))
  const challenge = createHash('sha256').update(value('code_verifier')).digest('base64url')
  if (!code || code.challenge !== challenge || code.redirectUri !== value('redirect_uri')) return invalidGrant
  const refresh_token = `refresh-${randomBytes(12).toString('hex')}`
  account.refreshTokens.add(refresh_token)
  return { status: 200, body: { ...newToken(refresh_token), refresh_token, scope: code.scope } }
}
