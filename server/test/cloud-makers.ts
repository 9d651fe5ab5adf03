import { cloud } from '@dubplate/contract'
import { deliverNext } from '../src/cloud-delivery/deliver-file.ts'
import { type CloudServer, startCloudServer } from './cloud-server.ts'
import type { aMember } from './makers.ts'
import { openTestPool, type TestPool } from './pool.ts'

/** A pool that sends to a stand-in for Dropbox and Google Drive. */
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
