import { randomUUID } from 'node:crypto'
import { dropboxHash } from './cloud-hashes.ts'
import type { CloudReply, CloudRequest, StoredFile } from './cloud-server.ts'

/** https://www.dropbox.com/developers/documentation/http/documentation: the calls that the pool uses. */
export function answerDropbox(path: string, request: CloudRequest, refreshToken: string): CloudReply {
  const { account, body } = request
  switch (path) {
    case '/2/users/get_current_account':
      return { status: 200, body: { email: account.email, name: { display_name: 'DJ' } } }
    case '/2/auth/token/revoke':
      account.refreshTokens.delete(refreshToken)
      for (const [token, known] of account.accessTokens)
        if (known.refreshToken === refreshToken) account.accessTokens.delete(token)
      return { status: 200 }
    case '/2/files/get_metadata':
      return getMetadata(request, JSON.parse(body.toString()).path)
    case '/2/files/upload_session/start':
      return startSession(request)
    case '/2/files/upload_session/append_v2':
      return append(request)
    case '/2/files/upload_session/finish':
      return finish(request)
    default:
      return { status: 404, body: 'Unknown call' }
  }
}

type ErrorUnion = { '.tag': string; [name: string]: unknown }
const conflict = (error: ErrorUnion): CloudReply => ({
  status: 409,
  body: { error_summary: `${error['.tag']}/...`, error },
})

const pathOf = ({ parent, name }: StoredFile) => `${parent}/${name}`

const metadataOf = (file: StoredFile) => ({
  '.tag': 'file',
  id: file.id,
  name: file.name,
  path_display: pathOf(file),
  size: file.bytes.length,
  content_hash: dropboxHash(file.bytes),
})

const isSamePath = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function getMetadata({ account }: CloudRequest, path: string): CloudReply {
  const found = account.files.find(
    (file) => !file.trashed && (path.startsWith('id:') ? file.id === path : isSamePath(pathOf(file), path)),
  )
  return found ? { status: 200, body: metadataOf(found) } : conflict({ '.tag': 'path', path: { '.tag': 'not_found' } })
}

/** The argument of content calls is in a header, as JSON in ASCII. */
function argument({ headers }: CloudRequest) {
  const text = String(headers['dropbox-api-arg'])
  if (!/^[\x20-\x7e]+$/.test(text)) throw new Error('Dropbox-API-Arg must be ASCII.')
  return JSON.parse(text)
}

function startSession({ account, server, body }: CloudRequest): CloudReply {
  const session_id = randomUUID()
  account.uploads.set(session_id, { received: Buffer.from(body) })
  server.receivedBytes += body.length
  return { status: 200, body: { session_id } }
}

type Cursor = { session_id: string; offset: number }

/** Returns the session, or the error of its cursor. */
function sessionAt({ account }: CloudRequest, { session_id, offset }: Cursor) {
  const session = account.uploads.get(session_id)
  if (!session) return { error: { '.tag': 'not_found' } }
  if (session.file) return { error: { '.tag': 'closed' } }
  if (session.received.length !== offset)
    return { error: { '.tag': 'incorrect_offset', correct_offset: session.received.length } }
  return { session }
}

function append(request: CloudRequest): CloudReply {
  const { session, error } = sessionAt(request, argument(request).cursor)
  if (!session) return conflict(error)
  session.received = Buffer.concat([session.received, request.body])
  request.server.receivedBytes += request.body.length
  return { status: 200, body: null as never }
}

function finish(request: CloudRequest): CloudReply {
  const { account, body } = request
  const { cursor, commit } = argument(request) as {
    cursor: Cursor
    commit: { path: string; mode: string; autorename: boolean }
  }
  const { session, error } = sessionAt(request, cursor)
  if (!session) return conflict({ '.tag': 'lookup_failed', lookup_failed: error })
  session.received = Buffer.concat([session.received, body])
  request.server.receivedBytes += body.length
  if (session.received.length > account.space)
    return conflict({ '.tag': 'path', path: { '.tag': 'insufficient_space' } })
  const cut = commit.path.lastIndexOf('/')
  const file: StoredFile = {
    id: `id:${randomUUID()}`,
    parent: commit.path.slice(0, cut),
    name: freeName(request, commit.path),
    bytes: session.received,
    trashed: false,
  }
  account.space -= file.bytes.length
  account.files.push(file)
  session.file = file
  const { '.tag': _, ...metadata } = metadataOf(file)
  return { status: 200, body: metadata }
}

/** `autorename`: “name (1).mp3” if the path is taken. */
function freeName({ account }: CloudRequest, path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const isTaken = account.files.some((file) => !file.trashed && isSamePath(pathOf(file), path))
  return isTaken ? name.replace(/(\.[^.]*)?$/, ' (1)$1') : name
}
