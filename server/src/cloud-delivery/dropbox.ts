import * as z from 'zod/mini'
import type { CloudApp } from '../platform/cloud-config.ts'
import { dropboxContentHash } from './content-hash.ts'
import { CHUNK_TIMEOUT_MS, parseJson, parseReply, sendRequest } from './http.ts'
import { authorizeUrl, exchangeCode, refreshAccess } from './oauth.ts'
import {
  type Bytes,
  CloudError,
  type CloudFolder,
  type CloudProvider,
  type RemoteFile,
  type UploadState,
  type UploadTarget,
} from './provider.ts'

/**
 * Dropbox by its HTTP API (https://www.dropbox.com/developers/documentation/http/documentation) and OAuth guide
 * (https://developers.dropbox.com/oauth-guide). The app has the access type “App folder”: paths are relative to
 * `Apps/NAME OF THE APP`, and the rest of the account cannot be seen.
 */

const NAME = 'Dropbox'
/** The name of the account, and writing and finding files in the app folder. */
const SCOPES = 'account_info.read files.metadata.read files.content.write'

const remoteFile = z.object({
  '.tag': z.optional(z.string()),
  id: z.string(),
  path_display: z.optional(z.string()),
  name: z.string(),
  size: z.number(),
  content_hash: z.optional(z.string()),
})
const session = z.object({ session_id: z.string() })
const account = z.object({ email: z.string() })
const apiError = z.object({ error_summary: z.optional(z.string()), error: z.looseObject({ '.tag': z.string() }) })
const offsetError = z.object({ '.tag': z.literal('incorrect_offset'), correct_offset: z.number() })

type Hosts = { site: string; api: string; content: string }

const hostsOf = (testUrl: string | undefined): Hosts =>
  testUrl === undefined
    ? {
        site: 'https://www.dropbox.com',
        api: 'https://api.dropboxapi.com',
        content: 'https://content.dropboxapi.com',
      }
    : { site: `${testUrl}/dropbox`, api: `${testUrl}/dropbox`, content: `${testUrl}/dropbox` }

/** Arguments are sent in a header, which cannot contain other characters than ASCII. */
const toHeaderJson = (value: object): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

export function dropbox({ clientId, clientSecret }: CloudApp, testUrl: string | undefined): CloudProvider {
  const hosts = hostsOf(testUrl)
  const app = {
    ...{ provider: NAME, clientId, clientSecret },
    authorizeUrl: `${hosts.site}/oauth2/authorize`,
    tokenUrl: `${hosts.api}/oauth2/token`,
  }
  return {
    // Without `token_access_type`, access ends after four hours.
    authorizeUrl: (request) => authorizeUrl(app, request, { token_access_type: 'offline', scope: SCOPES }),
    exchangeCode: async (exchange) => {
      const granted = await exchangeCode(app, exchange)
      const { access_token, expires_at, refresh_token, scope } = granted
      const missing = SCOPES.split(' ').filter((name) => scope !== undefined && !scope.split(' ').includes(name))
      if (missing.length > 0)
        throw new CloudError('rejected', `The Dropbox app lacks permissions: ${missing.join(', ')}.`)
      if (refresh_token === undefined) throw new CloudError('rejected', 'Dropbox sent no refresh token.')
      return { access_token, expires_at, refresh_token }
    },
    refresh: (refreshToken) => refreshAccess(app, refreshToken),
    // Revoking an access token also ends its refresh token, and expired ones cannot be revoked.
    revoke: async ({ refresh_token }) => {
      try {
        const { access_token } = await refreshAccess(app, refresh_token)
        await callApi(hosts, access_token, { path: '/2/auth/token/revoke' })
      } catch (error) {
        if (!(error instanceof CloudError) || error.kind !== 'revoked') throw error
      }
    },
    accountName: async (accessToken) => {
      const text = await callApi(hosts, accessToken, { path: '/2/users/get_current_account' })
      return parseReply(NAME, account, text).email
    },
    openFolder: (accessToken, _folderName, signal) => openFolder(hosts, accessToken, signal),
    createHash: dropboxContentHash,
  }
}

type ApiCall = { path: string; input?: object; signal?: AbortSignal | undefined }

/** Throws DropboxError for an error of the endpoint itself. */
async function callApi(hosts: Hosts, accessToken: string, { path, input, signal }: ApiCall): Promise<string> {
  const { status, text } = await sendRequest(NAME, {
    method: 'POST',
    signal,
    url: `${hosts.api}${path}`,
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(input ?? null),
  })
  if (status !== 200) throw errorOf(status, text)
  return text
}

class DropboxError extends CloudError {
  readonly error: { '.tag': string; [name: string]: unknown } | undefined

  constructor(status: number, text: string) {
    const read = apiError.safeParse(parseJson(text)).data
    super(
      kindOf(read?.error, status),
      `Dropbox rejected a request (${status} ${read?.error_summary?.slice(0, 100) ?? ''}).`,
    )
    this.error = read?.error
  }
}

const errorOf = (status: number, text: string): DropboxError => new DropboxError(status, text)

type ErrorUnion = { '.tag': string; [name: string]: unknown }

/** The reason inside of an error such as `{ '.tag': 'path', path: { '.tag': 'insufficient_space' } }`. */
function reasonOf(error: ErrorUnion): ErrorUnion {
  const inner = error[error['.tag']] as ErrorUnion | undefined
  return inner && typeof inner['.tag'] === 'string' ? reasonOf(inner) : error
}

function kindOf(error: ErrorUnion | undefined, status: number): CloudError['kind'] {
  const reason = error ? reasonOf(error)['.tag'] : ''
  if (reason === 'insufficient_space') return 'full'
  if (reason === 'too_many_write_operations') return 'rate_limited'
  if (status === 409 && error?.['.tag'] !== 'path' && (reason === 'not_found' || reason === 'closed'))
    return 'upload_expired'
  return 'rejected'
}

const toRemoteFile = (file: z.output<typeof remoteFile>): RemoteFile => ({
  id: file.id,
  path: (file.path_display ?? `/${file.name}`).slice(1),
  bytes: file.size,
  hash: file.content_hash,
})

function openFolder(hosts: Hosts, accessToken: string, signal: AbortSignal | undefined): CloudFolder {
  const find = async (pathOrId: string): Promise<RemoteFile | undefined> => {
    try {
      const text = await callApi(hosts, accessToken, {
        path: '/2/files/get_metadata',
        input: { path: pathOrId },
        signal,
      })
      const { '.tag': tag } = parseReply(NAME, z.object({ '.tag': z.string() }), text)
      return tag === 'file' ? toRemoteFile(parseReply(NAME, remoteFile, text)) : undefined
    } catch (error) {
      if (error instanceof DropboxError && error.error && reasonOf(error.error)['.tag'] === 'not_found')
        return undefined
      throw error
    }
  }
  const sendContent = async (path: string, input: object, body: Bytes): Promise<string> => {
    const { status, text } = await sendRequest(NAME, {
      method: 'POST',
      url: `${hosts.content}${path}`,
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/octet-stream',
        'dropbox-api-arg': toHeaderJson(input),
      },
      body,
      timeout_ms: CHUNK_TIMEOUT_MS,
      signal,
    })
    if (status !== 200) throw errorOf(status, text)
    return text
  }
  return {
    findById: find,
    findByPath: async (path) => {
      const found = await find(`/${path}`)
      return found ? [found] : []
    },
    startUpload: async () =>
      parseReply(NAME, session, await sendContent('/2/files/upload_session/start', { close: false }, new Uint8Array()))
        .session_id,
    // Dropbox has no call for it: it reports the right offset when the next bytes begin elsewhere.
    resumeUpload: async (_upload, { offset }) => ({ offset }),
    sendChunk: async (upload, { offset, bytes, target }) => {
      const cursor = { session_id: upload, offset }
      try {
        if (offset + bytes.length < target.bytes) {
          await sendContent('/2/files/upload_session/append_v2', { cursor, close: false }, bytes)
          return { offset: offset + bytes.length }
        }
        const text = await sendContent('/2/files/upload_session/finish', { cursor, commit: commitOf(target) }, bytes)
        return { file: toRemoteFile(parseReply(NAME, remoteFile, text)) }
      } catch (error) {
        return correctOffset(error)
      }
    },
  }
}

/** Never replaces a file: DJ software may have added cue points to it. */
const commitOf = ({ path }: UploadTarget) => ({ path: `/${path}`, mode: 'add', autorename: true, mute: true })

function correctOffset(error: unknown): UploadState {
  const reason = error instanceof DropboxError && error.error ? reasonOf(error.error) : undefined
  const read = offsetError.safeParse(reason)
  if (!read.success) throw error
  return { offset: read.data.correct_offset }
}
