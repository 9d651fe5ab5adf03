import { cloud, downloads } from '@dubplate/contract'
import { deliverNext } from '../src/cloud-delivery/deliver-file.ts'
import { makeWav } from './audio-files.ts'
import { type CloudAccount, type CloudServer, startCloudServer } from './cloud-server.ts'
import { aMember, aSong } from './makers.ts'
import { openTestPool, type TestPool } from './pool.ts'

/** A pool that sends to a fake server for Dropbox and Google Drive. */
export async function openCloudPool(): Promise<{ pool: TestPool; server: CloudServer }> {
  const server = await startCloudServer()
  const config = { cloud: { dropbox: server.app, google_drive: server.app, testUrl: server.url } }
  return { pool: await openTestPool({ config, usesUniqueAddresses: true }), server }
}

type Member = Awaited<ReturnType<typeof aMember>>

/** Connects a provider as a member does: with the page of the provider, and back. */
export async function connectCloud(
  { pool, server }: { pool: TestPool; server: CloudServer },
  { token }: Pick<Member, 'token'>,
  provider: cloud.CloudProviderName,
) {
  const { url } = await pool.ask(cloud.connect, { provider }, token)
  const { searchParams } = await server.allow(url)
  const [code, state] = [searchParams.get('code')!, searchParams.get('state')!]
  return (await pool.ask(cloud.finishConnection, { provider, code, state }, token)).connection
}

/** Sends everything that can be sent now, as a worker does. */
export async function deliverAll({ ctx }: TestPool): Promise<void> {
  const { signal } = new AbortController()
  while (await deliverNext(ctx, signal));
}

/** Ends a pause after an error of the provider. */
export const endPauses = ({ ctx }: TestPool) =>
  ctx.sql`update cloud_connection set next_attempt_at = '-infinity', leased_until = '-infinity'`

type CloudPool = { pool: TestPool; server: CloudServer }

/** What a member does with cloud storage; the pool is opened before the first test. */
export const cloudHelpers = (current: () => CloudPool) => ({
  aConnectedMember: async (provider: cloud.CloudProviderName = 'dropbox') => {
    const member = await aMember(current().pool.ctx)
    await connectCloud(current(), member, provider)
    return member
  },
  send: async ({ token }: Member, versionIds: number[], provider: cloud.CloudProviderName = 'dropbox') => {
    const source = { song_version_ids: versionIds, title: 'Test' }
    return (await current().pool.ask(cloud.send, { provider, source }, token)).delivery
  },
  filesOf: async ({ token }: Member, { delivery_id }: { delivery_id: number }) =>
    (await current().pool.ask(cloud.getDeliveryFiles, { delivery_id }, token)).results,
  /** How many downloads of a version are counted. */
  used: async ({ token }: Member, versionId: number) =>
    (await current().pool.ask(downloads.customerDownloads, {}, token)).downloads[versionId] ?? 0,
})

/** Before each test: no connection, and empty accounts. */
export async function resetCloud({ pool, server }: CloudPool): Promise<void> {
  await pool.ctx.sql`delete from cloud_connection`
  server.overrides.length = 0
  for (const account of [server.dropbox, server.google]) {
    account.files.length = 0
    account.uploads.clear()
    account.space = Number.POSITIVE_INFINITY
  }
}

/** The files without folders, which only Google Drive stores. */
export const musicOf = ({ files }: CloudAccount) => files.filter(({ isFolder }) => !isFolder)

let tones = 0

/** A song whose file has more than two chunks. */
export const aLongSong = ({ ctx }: TestPool) =>
  aSong(ctx, { seconds: 1, wavs: [makeWav({ seconds: 110, tone: 200 + ++tones })] })
