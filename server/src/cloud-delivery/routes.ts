import { cloud } from '@dubplate/contract'
import { leaveOutOf } from '../downloads/left-out.ts'
import { on, type Route } from '../membership/caller.ts'
import type { ModuleHooks } from '../module.ts'
import { finishConnection, startConnection } from './authorisation.ts'
import { disconnect, listConnections, setAlwaysSendCrate } from './connections.ts'
import { cancelDelivery, listDeliveries, listFiles, retryDelivery } from './deliveries.ts'
import { markFailuresSeen } from './notifications.ts'
import { sendSongs, summariseSending } from './sending.ts'

/** Each may request something from a provider. */
const CONNECT_RATE_LIMIT = { perMinute: 10 }
/** The browser asks every two seconds while files are being sent. */
const POLL_RATE_LIMIT = { perMinute: 120 }

export const cloudDeliveryRoutes = ({ libraryVersions }: ModuleHooks): Route[] => [
  on(
    cloud.getConnections,
    async ({ member, ctx, sql }) => listConnections(ctx, sql, member.customer_id),
    POLL_RATE_LIMIT,
  ),
  on(
    cloud.connect,
    async ({ input, member, ctx }) => ({ url: startConnection(ctx, member, input.provider) }),
    CONNECT_RATE_LIMIT,
  ),
  on(
    cloud.finishConnection,
    async ({ input, member, ctx }) => ({ connection: await finishConnection(ctx, member, input) }),
    CONNECT_RATE_LIMIT,
  ),
  on(
    cloud.disconnect,
    async ({ input, member, ctx }) => {
      await disconnect(ctx, member.customer_id, input.provider)
      return listConnections(ctx, ctx.sql, member.customer_id)
    },
    CONNECT_RATE_LIMIT,
  ),
  on(cloud.alwaysSendCrate, async ({ input, member, ctx }) => ({
    connection: await setAlwaysSendCrate(ctx, member, input),
  })),
  on(cloud.getSendSummary, async ({ input, member, ctx }) =>
    summariseSending(ctx, member, input.source, libraryVersions),
  ),
  on(cloud.send, async ({ input, member, ctx, sql }) => {
    const leaveOut = leaveOutOf({ sql, customer_id: member.customer_id, libraryVersions }, input)
    return { delivery: await sendSongs(ctx, member, input, leaveOut) }
  }),
  on(
    cloud.getDeliveries,
    async ({ input, member, sql }) => {
      await markFailuresSeen(sql, member)
      return listDeliveries(sql, member.customer_id, input.page)
    },
    POLL_RATE_LIMIT,
  ),
  on(
    cloud.getDeliveryFiles,
    async ({ input: { page, ...input }, member, sql }) =>
      listFiles(sql, { customer_id: member.customer_id, ...input }, page),
    POLL_RATE_LIMIT,
  ),
  on(cloud.retryDelivery, async ({ input, member, ctx }) => ({
    delivery: await retryDelivery(ctx, { customer_id: member.customer_id, ...input }),
  })),
  on(cloud.cancelDelivery, async ({ input, member, ctx }) => ({
    delivery: await cancelDelivery(ctx.sql, { customer_id: member.customer_id, ...input }),
  })),
]
