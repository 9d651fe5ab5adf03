import * as z from 'zod/mini'
import { CHUNK_TIMEOUT_MS, type CloudResponse, parseJson, parseReply, rateLimitError, sendRequest } from './http.ts'
import {
  type Bytes,
  CloudError,
  type CloudFolder,
  type RemoteFile,
  type UploadState,
  type UploadTarget,
} from './provider.ts'

/**
 * The folder of the pool in a Google Drive: searches (https://developers.google.com/workspace/drive/api/guides/search-files)
 * and resumable uploads (https://developers.google.com/workspace/drive/api/guides/manage-uploads#resumable).
 */

type DriveAccess = { api: string; accessToken: string; signal: AbortSignal | undefined }

const NAME = 'Google Drive'
const FOLDER_TYPE = 'application/vnd.google-apps.folder'
/** Marks the folder of the pool, so that it is found after it was renamed or moved. */
const ROOT_MARK = { key: 'dubplate', value: 'folder' }
const FILE_FIELDS = 'id,name,size,md5Checksum,trashed'

const driveFile = z.object({
  id: z.string(),
  name: z.string(),
  /** Digits in text. */
  size: z.optional(z.string()),
  md5Checksum: z.optional(z.string()),
  trashed: z.optional(z.boolean()),
})
const fileList = z.object({ files: z.array(driveFile) })
const apiError = z.object({
  error: z.object({ errors: z.optional(z.array(z.object({ reason: z.optional(z.string()) }))) }),
})

/** A text in a search query. */
const quote = (text: string): string => `'${text.replace(/[\\']/g, (one) => `\\${one}`)}'`

export function openDriveFolder(access: DriveAccess, folderName: string): CloudFolder {
  const drive = driveCalls(access)
  let root: Promise<string> | undefined
  const findRoot = () => {
    root ??= drive.findOrCreateRoot(folderName)
    return root
  }
  /** The id of the folder of a path; undefined if it does not exist and is not to be created. */
  async function folderOf(folders: readonly string[], canCreate: boolean): Promise<string | undefined> {
    let parent: string | undefined = await findRoot()
    for (const name of folders) {
      const found: string | undefined = await drive.findChildFolder(parent, name)
      parent = found ?? (canCreate ? await drive.createFolder({ name, parents: [parent] }) : undefined)
      if (parent === undefined) return undefined
    }
    return parent
  }
  return {
    findById: async (id) => {
      const response = await drive.send('GET', `/drive/v3/files/${encodeURIComponent(id)}?fields=${FILE_FIELDS}`)
      if (response.status === 404) return undefined
      const file = parseReply(NAME, driveFile, requireOk(response))
      return file.trashed ? undefined : toRemoteFile(file, file.name)
    },
    findByPath: async (path) => {
      const { folders, name } = splitPath(path)
      const parent = await folderOf(folders, false)
      if (parent === undefined) return []
      const files = await drive.search(
        `name = ${quote(name)} and ${quote(parent)} in parents and mimeType != ${quote(FOLDER_TYPE)} and trashed = false`,
      )
      return files.map((file) => toRemoteFile(file, path))
    },
    startUpload: async (target) => {
      const { folders, name } = splitPath(target.path)
      return drive.startUpload(target, { name, parent: (await folderOf(folders, true))! })
    },
    resumeUpload: (upload, { target }) => drive.findOffset(upload, target),
    sendChunk: (upload, { offset, bytes, target }) =>
      bytes.length === 0 && target.bytes > 0
        ? drive.findOffset(upload, target)
        : drive.put(upload, target, { range: rangeOf(offset, bytes.length, target.bytes), bytes }),
  }
}

const rangeOf = (offset: number, length: number, total: number): string =>
  `bytes ${offset}-${offset + length - 1}/${total}`

function splitPath(path: string): { folders: string[]; name: string } {
  const parts = path.split('/')
  return { folders: parts.slice(0, -1), name: parts.at(-1) ?? path }
}

const toRemoteFile = ({ id, size, md5Checksum }: z.output<typeof driveFile>, path: string): RemoteFile => ({
  id,
  path,
  bytes: Number(size ?? 0),
  hash: md5Checksum,
})

/** The single requests. */
function driveCalls({ api, accessToken, signal }: DriveAccess) {
  const authorization = { authorization: `Bearer ${accessToken}` }
  const send = (method: 'GET' | 'POST', path: string, body?: object, headers: Record<string, string> = {}) =>
    sendRequest(NAME, {
      ...{ method, url: `${api}${path}`, signal },
      headers: { ...authorization, ...(body ? { 'content-type': 'application/json; charset=UTF-8' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  async function search(query: string) {
    const params = new URLSearchParams({
      q: query,
      fields: `files(${FILE_FIELDS})`,
      orderBy: 'createdTime',
      pageSize: '20',
    })
    return parseReply(NAME, fileList, requireOk(await send('GET', `/drive/v3/files?${params}`))).files
  }
  const createFolder = async (folder: { name: string; parents?: string[]; appProperties?: Record<string, string> }) => {
    const body = { ...folder, mimeType: FOLDER_TYPE }
    return parseReply(NAME, driveFile, requireOk(await send('POST', '/drive/v3/files?fields=id,name', body))).id
  }
  async function put(upload: string, target: UploadTarget, chunk: { range: string; bytes?: Bytes }) {
    const response = await sendRequest(NAME, {
      ...{ method: 'PUT', url: upload, timeout_ms: CHUNK_TIMEOUT_MS, signal },
      headers: { ...authorization, 'content-range': chunk.range },
      body: chunk.bytes ?? new Uint8Array(),
    })
    return readUploadState(response, target)
  }
  return {
    send,
    search,
    createFolder,
    put,
    findOffset: (upload: string, target: UploadTarget) => put(upload, target, { range: `bytes */${target.bytes}` }),
    findChildFolder: async (parent: string, name: string) => {
      const [found] = await search(
        `name = ${quote(name)} and ${quote(parent)} in parents and mimeType = ${quote(FOLDER_TYPE)} and trashed = false`,
      )
      return found?.id
    },
    findOrCreateRoot: async (name: string) => {
      const { key, value } = ROOT_MARK
      const [found] = await search(
        `appProperties has { key=${quote(key)} and value=${quote(value)} } and mimeType = ${quote(FOLDER_TYPE)} and trashed = false`,
      )
      return found?.id ?? createFolder({ name, appProperties: { [key]: value } })
    },
    startUpload: async ({ bytes, type }: UploadTarget, { name, parent }: { name: string; parent: string }) => {
      const response = await send(
        'POST',
        `/upload/drive/v3/files?uploadType=resumable&fields=${FILE_FIELDS}`,
        { name, parents: [parent] },
        { 'x-upload-content-type': type, 'x-upload-content-length': `${bytes}` },
      )
      requireOk(response)
      const location = response.headers.get('location')
      // Bytes and token are only sent to the provider itself.
      if (!location || new URL(location).origin !== new URL(api).origin)
        throw new CloudError('unavailable', 'Google Drive did not say where to upload to.')
      return location
    },
  }
}

/** 308 has the bytes received, as `Range: bytes=0-N`; without that header there are none. */
function readUploadState(response: CloudResponse, { path }: UploadTarget): UploadState {
  const { status, headers } = response
  if (status === 308) {
    const last = /^bytes=0-(\d+)$/.exec(headers.get('range') ?? '')?.[1]
    return { offset: last === undefined ? 0 : Number(last) + 1 }
  }
  if (status === 404 || status === 410)
    throw new CloudError('upload_expired', 'Google Drive no longer has the begun upload.')
  return { file: toRemoteFile(parseReply(NAME, driveFile, requireOk(response)), path) }
}

const RATE_REASONS = ['rateLimitExceeded', 'userRateLimitExceeded']
const FULL_REASONS = ['storageQuotaExceeded', 'teamDriveFileLimitExceeded', 'numChildrenInNonRootLimitExceeded']

/** Returns the body of a successful response (https://developers.google.com/workspace/drive/api/guides/handle-errors). */
function requireOk({ status, headers, text }: CloudResponse): string {
  if (status === 200 || status === 201) return text
  const reason = apiError.safeParse(parseJson(text)).data?.error.errors?.[0]?.reason ?? ''
  if (RATE_REASONS.includes(reason)) throw rateLimitError(NAME, headers)
  if (FULL_REASONS.includes(reason)) throw new CloudError('full', `Google Drive has no space left (${reason}).`)
  throw new CloudError('rejected', `Google Drive rejected a request (${status} ${reason.slice(0, 60)}).`)
}
