import { randomUUID } from 'node:crypto'
import { md5 } from './cloud-hashes.ts'
import type { CloudReply, CloudRequest, StoredFile } from './cloud-server.ts'

const FOLDER_TYPE = 'application/vnd.google-apps.folder'
/** Chunks are multiples of it, except the last one. */
const CHUNK_UNIT = 256 * 1024

/** https://developers.google.com/workspace/drive/api/reference/rest/v3: the calls that the pool uses. */
export function answerGoogle(path: string, request: CloudRequest): CloudReply {
  const { account, method, url, body } = request
  if (path === '/drive/v3/about') return { status: 200, body: { user: { emailAddress: account.email } } }
  if (path === '/drive/v3/files' && method === 'GET') return search(request, url.searchParams.get('q') ?? '')
  if (path === '/drive/v3/files' && method === 'POST') {
    const { name, parents = ['root'], appProperties, mimeType } = JSON.parse(body.toString())
    if (mimeType !== FOLDER_TYPE) return { status: 400, body: {} }
    return {
      status: 200,
      body: metadataOf(addFile(request, { name, parent: parents[0], appProperties, isFolder: true })),
    }
  }
  if (path.startsWith('/drive/v3/files/')) {
    const id = decodeURIComponent(path.slice('/drive/v3/files/'.length))
    const found = account.files.find((file) => file.id === id)
    return found ? { status: 200, body: metadataOf(found) } : { status: 404, body: errorBody('notFound') }
  }
  if (path === '/upload/drive/v3/files') return method === 'POST' ? startUpload(request) : receive(request)
  return { status: 404, body: {} }
}

const errorBody = (reason: string) => ({ error: { errors: [{ reason }] } })

const metadataOf = (file: StoredFile) => ({
  id: file.id,
  name: file.name,
  trashed: file.trashed,
  ...(file.isFolder ? {} : { size: `${file.bytes.length}`, md5Checksum: md5(file.bytes) }),
})

function addFile(
  { account }: CloudRequest,
  file: Partial<StoredFile> & Pick<StoredFile, 'name' | 'parent'>,
): StoredFile {
  const added = { id: randomUUID(), bytes: Buffer.alloc(0), trashed: false, ...file }
  account.files.push(added)
  return added
}

/** The conditions that the pool uses, all joined by `and`. */
function search({ account }: CloudRequest, query: string): CloudReply {
  const text = (pattern: RegExp) => pattern.exec(query)?.[1]?.replace(/\\(.)/g, '$1')
  const quoted = "'((?:[^'\\\\]|\\\\.)*)'"
  const name = text(new RegExp(`name = ${quoted}`))
  const parent = text(new RegExp(`${quoted} in parents`))
  const mark = text(new RegExp(`appProperties has { key=${quoted} and`))
  const isFolder = query.includes(`mimeType = '${FOLDER_TYPE}'`)
  if (!query.includes('trashed = false')) return { status: 400, body: errorBody('invalid') }
  const files = account.files.filter(
    (file) =>
      !file.trashed &&
      (file.isFolder ?? false) === isFolder &&
      (name === undefined || file.name === name) &&
      (parent === undefined || file.parent === parent) &&
      (mark === undefined || file.appProperties?.[mark] !== undefined),
  )
  return { status: 200, body: { files: files.map(metadataOf) } }
}

function startUpload(request: CloudRequest): CloudReply {
  const { account, url, headers, body } = request
  if (url.searchParams.get('uploadType') !== 'resumable') return { status: 400, body: {} }
  const total = Number(headers['x-upload-content-length'])
  if (total > account.space) return { status: 403, body: errorBody('storageQuotaExceeded') }
  const { name, parents } = JSON.parse(body.toString())
  const id = randomUUID()
  account.uploads.set(id, { received: Buffer.alloc(0), name, parent: parents[0], total })
  const location = `${request.server.url}/google/upload/drive/v3/files?uploadType=resumable&upload_id=${id}`
  return { status: 200, headers: { location } }
}

/** A chunk, or with `bytes *` a question how much was received. */
function receive(request: CloudRequest): CloudReply {
  const { account, url, headers, body, server } = request
  const session = account.uploads.get(url.searchParams.get('upload_id') ?? '')
  if (!session) return { status: 404, body: {} }
  const [, from, to, total] = /^bytes (?:\*|(\d+)-(\d+))\/(\d+)$/.exec(String(headers['content-range'])) ?? []
  if (Number(total) !== session.total) return { status: 400, body: errorBody('invalidContentRange') }
  if (session.file) return { status: 200, body: metadataOf(session.file) }
  if (from !== undefined && Number(from) === session.received.length) {
    const isLast = Number(to) + 1 === session.total
    if (body.length !== Number(to) - Number(from) + 1 || (!isLast && body.length % CHUNK_UNIT !== 0))
      return { status: 400, body: errorBody('invalidChunk') }
    session.received = Buffer.concat([session.received, body])
    server.receivedBytes += body.length
  }
  if (session.received.length < Number(total)) {
    const last = session.received.length - 1
    return { status: 308, headers: last < 0 ? {} : { range: `bytes=0-${last}` } }
  }
  account.space -= session.received.length
  session.file = addFile(request, { name: session.name!, parent: session.parent!, bytes: session.received })
  return { status: 200, body: metadataOf(session.file) }
}
