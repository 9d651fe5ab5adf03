import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dropboxHash, md5 } from '../../test/cloud-hashes.ts'
import { CLOUD_APP, type CloudAccount, type CloudServer, startCloudServer } from '../../test/cloud-server.ts'
import { dropboxContentHash, md5Hash } from './content-hash.ts'
import { dropbox } from './dropbox.ts'
import { googleDrive } from './google-drive.ts'
import { createPkce } from './pkce.ts'
import type { CloudFolder, CloudProvider, RemoteFile, UploadTarget } from './provider.ts'

const MIB = 1024 * 1024
const REDIRECT = 'http://localhost:3000/cloud/return'

let server: CloudServer
let provider: CloudProvider
let account: CloudAccount

beforeEach(async () => {
  server = await startCloudServer()
})
afterEach(() => server.close())

async function connect() {
  const { verifier, challenge } = createPkce()
  const address = provider.authorizeUrl({ state: 'a state', challenge, redirectUri: REDIRECT })
  const returned = await server.allow(address)
  expect(returned.searchParams.get('state')).toBe('a state')
  const code = returned.searchParams.get('code')!
  return provider.exchangeCode({ code, verifier, redirectUri: REDIRECT })
}

const target = (bytes: Buffer, path = 'House/Kwame - Night (Clean).mp3'): UploadTarget => ({
  path,
  bytes: bytes.length,
  type: 'audio/mpeg',
})

/** Sends a file in chunks of 1 MiB. */
async function upload(folder: CloudFolder, bytes: Buffer, path?: string): Promise<RemoteFile> {
  const file = target(bytes, path)
  const id = await folder.startUpload(file)
  let offset = 0
  for (;;) {
    const chunk = new Uint8Array(bytes.subarray(offset, offset + MIB))
    const state = await folder.sendChunk(id, { offset, bytes: chunk, target: file })
    if ('file' in state) return state.file
    offset = state.offset
  }
}

const openFolder = async () => provider.openFolder((await connect()).access_token, 'Night Shift')

describe.each(['dropbox', 'google'] as const)('%s', (name) => {
  beforeEach(() => {
    provider = (name === 'dropbox' ? dropbox : googleDrive)(CLOUD_APP, server.url)
    account = server[name]
  })

  test('connects with PKCE, names the account and refreshes its access', async () => {
    const tokens = await connect()
    expect(await provider.accountName(tokens.access_token)).toBe(account.email)
    expect(tokens.expires_at).toBeGreaterThan(Date.now() + 3_600_000)
    server.expireAccessTokens()
    await expect(provider.accountName(tokens.access_token)).rejects.toMatchObject({ kind: 'unauthorized' })
    const renewed = await provider.refresh(tokens.refresh_token)
    expect(await provider.accountName(renewed.access_token)).toBe(account.email)
  })

  test('does not accept a code with the verifier of another authorisation', async () => {
    const returned = await server.allow(
      provider.authorizeUrl({ state: 's', challenge: createPkce().challenge, redirectUri: REDIRECT }),
    )
    const code = returned.searchParams.get('code')!
    const exchange = { code, verifier: createPkce().verifier, redirectUri: REDIRECT }
    await expect(provider.exchangeCode(exchange)).rejects.toMatchObject({ kind: 'revoked' })
  })

  test('requires the permission to write files', async () => {
    account.grantedScope = 'account_info.read email'
    await expect(connect()).rejects.toMatchObject({ kind: name === 'google' ? 'revoked' : 'rejected' })
  })

  test('uploads in chunks and finds the file by its id and path, with its hash', async () => {
    const folder = await openFolder()
    const bytes = randomBytes(2.5 * MIB)
    const path = "Hip Hop/D’Angelo & Söhne/It's \\ 100% “Night” (Clean) 日本.mp3"
    expect(await folder.findByPath(path)).toEqual([])
    const sent = await upload(folder, bytes, path)
    expect(sent).toMatchObject({
      path,
      bytes: bytes.length,
      hash: name === 'dropbox' ? dropboxHash(bytes) : md5(bytes),
    })
    expect(await folder.findByPath(path)).toEqual([sent])
    expect(await folder.findById(sent.id)).toMatchObject({ id: sent.id, hash: sent.hash })
    expect(account.files.at(-1)?.bytes.equals(bytes)).toBe(true)
  })

  test('does not find a file that the member deleted', async () => {
    const folder = await openFolder()
    const sent = await upload(folder, randomBytes(1000))
    account.files.at(-1)!.trashed = true
    expect(await folder.findById(sent.id)).toBeUndefined()
    expect(await folder.findByPath(target(randomBytes(1)).path)).toEqual([])
  })

  test('continues at the offset of the provider when a response was lost', async () => {
    const folder = await openFolder()
    const bytes = randomBytes(2.5 * MIB)
    const file = target(bytes)
    const id = await folder.startUpload(file)
    const chunk = new Uint8Array(bytes.subarray(0, MIB))
    server.overrides.push({ path: /append_v2|upload\/drive/, isLost: true })
    await expect(folder.sendChunk(id, { offset: 0, bytes: chunk, target: file })).rejects.toMatchObject({
      kind: 'unavailable',
    })
    const { offset } = (await folder.resumeUpload(id, { offset: 0, target: file })) as { offset: number }
    const next = new Uint8Array(bytes.subarray(offset, offset + MIB))
    const state = await folder.sendChunk(id, { offset, bytes: next, target: file })
    expect(state).toEqual({ offset: name === 'dropbox' ? MIB : 2 * MIB })
  })

  test('reports an upload that has expired', async () => {
    const folder = await openFolder()
    const bytes = randomBytes(1000)
    const id = await folder.startUpload(target(bytes))
    account.uploads.clear()
    const chunk = { offset: 0, bytes: new Uint8Array(bytes), target: target(bytes) }
    await expect(folder.sendChunk(id, chunk)).rejects.toMatchObject({ kind: 'upload_expired' })
  })

  test('reports a full account', async () => {
    const folder = await openFolder()
    account.space = 10
    await expect(upload(folder, randomBytes(1000))).rejects.toMatchObject({ kind: 'full' })
  })

  test('passes on how long to wait when there were too many requests', async () => {
    const folder = await openFolder()
    server.overrides.push({ path: /./, status: 429, headers: { 'retry-after': '7' } })
    const found = folder.findByPath('a.mp3')
    await expect(found).rejects.toMatchObject({ kind: 'rate_limited', retryAfter_ms: 7000 })
  })

  test.each([500, 503])('treats status %i as temporary', async (status) => {
    const folder = await openFolder()
    server.overrides.push({ path: /./, status })
    await expect(folder.findByPath('a.mp3')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('revokes access, also when it has already ended', async () => {
    const tokens = await connect()
    await provider.revoke(tokens)
    expect(account.refreshTokens.size).toBe(0)
    await expect(provider.refresh(tokens.refresh_token)).rejects.toMatchObject({ kind: 'revoked' })
    await provider.revoke(tokens)
  })

  test('has no token in its errors', async () => {
    const tokens = await connect()
    server.overrides.push({ path: /./, isLost: true })
    const error = (await provider.refresh(tokens.refresh_token).catch((error: unknown) => error)) as Error
    expect(JSON.stringify([error.message, error.cause])).not.toContain(tokens.refresh_token)
  })
})

test('tells wrong keys of the operator from an access that was revoked', async () => {
  provider = dropbox({ ...CLOUD_APP, clientSecret: 'a wrong one' }, server.url)
  await expect(provider.refresh('any')).rejects.toMatchObject({ kind: 'rejected' })
})

test('keeps the folder of the pool after the member renamed it, and creates one after its deletion', async () => {
  provider = googleDrive(CLOUD_APP, server.url)
  await upload(await openFolder(), randomBytes(10))
  const [root] = server.google.files
  root!.name = 'My music'
  await upload(await openFolder(), randomBytes(10), 'Other.mp3')
  expect(server.google.files.filter(({ parent }) => parent === 'root')).toHaveLength(1)
  root!.trashed = true
  await upload(await openFolder(), randomBytes(10), 'Third.mp3')
  expect(server.google.files.filter(({ parent }) => parent === 'root').map(({ name }) => name)).toEqual([
    'My music',
    'Night Shift',
  ])
})

test.each([0, 1, 4 * MIB - 1, 4 * MIB, 4 * MIB + 1, 9 * MIB])('hashes %i bytes as Dropbox does', (length) => {
  const bytes = randomBytes(length)
  const hash = dropboxContentHash()
  for (let from = 0; from < length; from += 3_000_001) hash.update(bytes.subarray(from, from + 3_000_001))
  expect(hash.digest()).toBe(dropboxHash(bytes))
})

test('hashes the example of Dropbox’s documentation of empty content, and MD5', () => {
  expect(dropboxContentHash().digest()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  const hash = md5Hash()
  hash.update(Buffer.from('abc'))
  expect(hash.digest()).toBe('900150983cd24fb0d6963f7d28e17f72')
})
