import type { ContentHash } from './content-hash.ts'

/** What the rest of this module needs of a provider of cloud storage, whichever it is. */
export type CloudProvider = {
  /** The page on which a member allows access (RFC 6749, with PKCE of RFC 7636). */
  authorizeUrl(request: { state: string; challenge: string; redirectUri: string }): string
  /** Exchanges the code of an authorisation. Throws CloudError `revoked` if the code is not accepted. */
  exchangeCode(exchange: { code: string; verifier: string; redirectUri: string }): Promise<CloudTokens>
  /** Returns a new access token. Throws CloudError `revoked` once access was revoked. */
  refresh(refreshToken: string): Promise<AccessToken>
  /** Ends the access. Access that has already ended is not an error. */
  revoke(tokens: CloudTokens): Promise<void>
  /** The email address of the account, or its name. */
  accountName(accessToken: string): Promise<string>
  /** The folder of this pool in the account. It is created with this name where the provider does not name it. `signal` ends requests. */
  openFolder(accessToken: string, folderName: string, signal?: AbortSignal): CloudFolder
  createHash(): ContentHash
}

export type AccessToken = { access_token: string; expires_at: number }
export type CloudTokens = AccessToken & { refresh_token: string }

export type CloudFolder = {
  /** The file with this id, wherever the member has moved it; undefined if it was deleted. */
  findById(id: string): Promise<RemoteFile | undefined>
  /** The files at a path such as `House/Artist - Title.mp3`. Some providers allow several with the same name. */
  findByPath(path: string): Promise<RemoteFile[]>
  /** Begins an upload; returns what identifies it in the calls below. It stays valid for days. */
  startUpload(target: UploadTarget): Promise<string>
  /**
   * Returns how much of the upload the provider has, or the file if it has everything. `offset` is what was sent last.
   * Throws CloudError `upload_expired`.
   */
  resumeUpload(upload: string, progress: { offset: number; target: UploadTarget }): Promise<UploadState>
  /**
   * Sends the bytes from `offset`; the last ones complete the file. A provider that has another number of bytes reports
   * it as the new offset. Throws CloudError `upload_expired`.
   */
  sendChunk(upload: string, chunk: { offset: number; bytes: Bytes; target: UploadTarget }): Promise<UploadState>
}

/** What `fetch` accepts as a body. */
export type Bytes = Uint8Array<ArrayBuffer>

export type UploadTarget = { path: string; bytes: number; type: string }
export type UploadState = { offset: number } | { file: RemoteFile }

export type RemoteFile = {
  id: string
  /** In the folder of the pool, for the member to find it. */
  path: string
  bytes: number
  /** Of its content, as computed by `createHash`; undefined if the provider does not report one. */
  hash: string | undefined
}

/**
 * `unavailable` and `rate_limited` are temporary · `unauthorized`: the access token has expired · `revoked`: the member
 * or the provider ended the access · `full`: no space in the account · `upload_expired`: the upload has to begin again ·
 * `rejected`: anything else that a retry does not change.
 */
export type CloudErrorKind =
  | 'unavailable'
  | 'rate_limited'
  | 'unauthorized'
  | 'revoked'
  | 'full'
  | 'upload_expired'
  | 'rejected'

/** A provider did not do what was requested. The message is for the log; it contains no tokens. */
export class CloudError extends Error {
  readonly kind: CloudErrorKind
  /** When to try again, if the provider says. */
  readonly retryAfter_ms: number | undefined

  constructor(kind: CloudErrorKind, message: string, options: { retryAfter_ms?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryAfter_ms = options.retryAfter_ms
  }
}
