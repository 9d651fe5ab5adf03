import { account, cloud } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectCloud, openCloudPool } from '../../test/cloud-makers.ts'
import type { CloudServer } from '../../test/cloud-server.ts'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { revokeDue } from './revocations.ts'

let pool: TestPool
let server: CloudServer
beforeAll(async () => {
  ;({ pool, server } = await openCloudPool())
})
afterAll(async () => {
  await pool.close()
  await server.close()
})
beforeEach(() => {
  server.overrides.length = 0
  server.revokeAccess()
})

const PROVIDERS = ['dropbox', 'google_drive'] as const
const accountOf = (provider: cloud.CloudProviderName) => (provider === 'dropbox' ? server.dropbox : server.google)
const connect = (member: { token: string }, provider: cloud.CloudProviderName = 'dropbox') =>
  connectCloud({ pool, server }, member, provider)

/** Allows access at the provider; returns what is added to the return URL. */
async function authorise({ token }: { token: string }, provider: cloud.CloudProviderName = 'dropbox') {
  const { url } = await pool.ask(cloud.connect, { provider }, token)
  const { searchParams } = await server.allow(url)
  return { provider, code: searchParams.get('code')!, state: searchParams.get('state')! }
}

test.each(PROVIDERS)('a member connects %s and sees the account', async (provider) => {
  const member = await aMember(pool.ctx)
  const { url } = await pool.ask(cloud.connect, { provider }, member.token)
  const path = provider === 'dropbox' ? '/cloud/dropbox' : '/cloud/google-drive'
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${pool.ctx.config.publicUrl}${path}`)
  const connection = await connect(member, provider)
  expect(connection).toMatchObject({
    ...{ provider, account_name: accountOf(provider).email, state: 'connected' },
    ...{ always_send_crate: false, open_files: 0 },
  })
  expect(await pool.ask(cloud.getConnections, {}, member.token)).toEqual({
    providers: ['dropbox', 'google_drive'],
    connections: [connection],
  })
})

test('tokens are encrypted in the database, and bound to their row', async () => {
  const [one, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  await connect(one)
  await connect(other)
  const [row] = await pool.ctx.sql<{ text: string }[]>`
    select string_agg(encode(tokens, 'escape'), ' ') as text from cloud_connection`
  for (const token of [...server.dropbox.refreshTokens, ...server.dropbox.accessTokens.keys()])
    expect(row?.text).not.toContain(token)
  const { findAccessToken } = await import('./tokens.ts')
  const [first, second] = await pool.ctx.sql<{ connection_id: number; tokens: Buffer; token_owner: string }[]>`
    select connection_id, tokens, token_owner from cloud_connection
    where customer_id in (${one.customer_id}, ${other.customer_id}) order by 1`
  await expect(findAccessToken(pool.ctx, {} as never, first!)).resolves.toMatch(/^access-/)
  await expect(findAccessToken(pool.ctx, {} as never, { ...first!, tokens: second!.tokens })).rejects.toMatchObject({
    kind: 'revoked',
  })
})

test('an authorisation is only accepted in the session that began it, for its provider, once', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const returned = await authorise(member)
  const expired = { status: 410, code: 'cloud_connection_expired' }
  expect(await errorOf(pool.ask(cloud.finishConnection, returned, other.token))).toMatchObject(expired)
  const swapped = { ...returned, provider: 'google_drive' as const }
  expect(await errorOf(pool.ask(cloud.finishConnection, swapped, member.token))).toMatchObject(expired)
  const forged = { ...returned, state: 'AAAA' }
  expect(await errorOf(pool.ask(cloud.finishConnection, forged, member.token))).toMatchObject({
    ...expired,
    message: 'This attempt to connect Dropbox has expired. Start again from your account.',
  })
  await pool.ask(cloud.finishConnection, returned, member.token)
  expect(await errorOf(pool.ask(cloud.finishConnection, returned, member.token))).toMatchObject({
    code: 'cloud_access_refused',
  })
})

test('a member who does not allow files on Google’s page is told to', async () => {
  const member = await aMember(pool.ctx)
  server.google.grantedScope = 'openid'
  const returned = await authorise(member, 'google_drive')
  server.google.grantedScope = undefined
  expect(await errorOf(pool.ask(cloud.finishConnection, returned, member.token))).toMatchObject({
    ...{ status: 422, code: 'cloud_access_refused' },
    message: 'Google Drive didn’t allow this pool to store files. Connect again and allow access.',
  })
})

test('an outage of the provider is reported while connecting', async () => {
  const member = await aMember(pool.ctx)
  const returned = await authorise(member)
  server.overrides.push({ path: /token/, status: 503 })
  expect(await errorOf(pool.ask(cloud.finishConnection, returned, member.token))).toMatchObject({
    ...{ status: 503, code: 'provider_unavailable' },
    message: 'Dropbox isn’t responding. Try again in a few minutes.',
  })
})

test.each(PROVIDERS)('disconnecting %s deletes the tokens here and revokes them there', async (provider) => {
  const member = await aMember(pool.ctx)
  await connect(member, provider)
  expect(await pool.ask(cloud.disconnect, { provider }, member.token)).toMatchObject({ connections: [] })
  expect(accountOf(provider).refreshTokens.size).toBe(0)
  expect(await pool.ctx.sql`select 1 from cloud_revocation`).toHaveLength(0)
  expect(await errorOf(pool.ask(cloud.disconnect, { provider }, member.token))).toMatchObject({
    ...{ status: 404, code: 'unknown_connection' },
  })
})

test('access that could not be revoked because of an outage is revoked later', async () => {
  const member = await aMember(pool.ctx)
  await connect(member)
  server.overrides.push({ path: /token/, status: 500 })
  await pool.ask(cloud.disconnect, { provider: 'dropbox' }, member.token)
  expect(server.dropbox.refreshTokens.size).toBe(1)
  await revokeDue(pool.ctx)
  expect(server.dropbox.refreshTokens.size).toBe(1)
  await pool.ctx.sql`update cloud_revocation set next_attempt_at = now()`
  await revokeDue(pool.ctx)
  expect(server.dropbox.refreshTokens.size).toBe(0)
  expect(await pool.ctx.sql`select 1 from cloud_revocation`).toHaveLength(0)
})

test('deleting an account revokes its access', async () => {
  const member = await aMember(pool.ctx, { password: 'correct horse battery' })
  await connect(member)
  await pool.ask(account.deleteAccount, { password: 'correct horse battery' }, member.token)
  expect(await pool.ctx.sql`select 1 from cloud_connection where customer_id = ${member.customer_id}`).toHaveLength(0)
  await revokeDue(pool.ctx)
  expect(server.dropbox.refreshTokens.size).toBe(0)
})

test('a pool without keys says so and offers nothing', async () => {
  const plain = await openTestPool()
  try {
    const { token } = await aMember(plain.ctx)
    expect(await plain.ask(cloud.getConnections, {}, token)).toEqual({ providers: [], connections: [] })
    expect(await errorOf(plain.ask(cloud.connect, { provider: 'dropbox' }, token))).toMatchObject({
      ...{ status: 422, code: 'cloud_not_configured' },
      message: 'This pool doesn’t send to Dropbox.',
    })
  } finally {
    await plain.close()
  }
})
