import type { AppContext } from './app-context.ts'
import type { Caller } from './membership/caller.ts'
import type { CallHandlers } from './platform/serve.ts'
import { handleViewerCall } from './staff/view-as-member.ts'

/**
 * Chooses the database of a request: normally the primary. In a View as member session it is a read-only transaction;
 * data that is the same for everyone is read from the replica, if there is a healthy one.
 */
export function createDispatcher(ctx: AppContext): CallHandlers<Caller, AppContext>['handle'] {
  const { replica } = ctx
  return async (call, request) => {
    if (request.caller?.purpose === 'viewer') return handleViewerCall(ctx, call, request)
    if (call.endpoint.access !== 'browse' || !replica?.isUpToDate()) return call.handle(ctx, request)
    try {
      return await call.handle({ ...ctx, sql: replica.sql }, request)
    } catch (error) {
      if (!replica.isReplicaError(error)) throw error
      return call.handle(ctx, request)
    }
  }
}
