import type { Endpoint } from '@dubplate/contract'
import type { AppContext } from './app-context.ts'
import type { Caller } from './membership/caller.ts'
import type { Replica } from './platform/replica.ts'
import type { Call, CallContext, CallHandlers } from './platform/serve.ts'
import { handleViewerCall } from './staff/view-as-member.ts'

type ApiCallInput = Omit<CallContext<Endpoint, Caller>, 'sql'>

/**
 * Chooses how an endpoint runs: normally directly. In a View as member session it runs in a read-only transaction; data
 * that is the same for everyone is read from the replica, if there is a healthy one.
 */
export function createDispatcher(
  ctx: AppContext,
  callsOf: (ctx: AppContext) => Call<Caller>[],
): CallHandlers<Caller>['handle'] {
  const { replica } = ctx
  const onReplica = replica && callsByEndpoint(callsOf({ ...ctx, sql: replica.sql }))
  return (call, question) => {
    if (question.caller?.purpose === 'viewer') return handleViewerCall(ctx, callsOf, call.endpoint, question)
    const replicaCall =
      call.endpoint.access === 'browse' && replica?.isUpToDate() ? onReplica?.get(call.endpoint) : undefined
    const onPrimary = () => call.handle({ ...question, sql: ctx.sql })
    return replicaCall && replica ? answerOnReplica(replica, replicaCall, question, onPrimary) : onPrimary()
  }
}

const callsByEndpoint = (calls: Call<Caller>[]) => new Map(calls.map((call) => [call.endpoint, call]))

/** Falls back to the primary if the replica fails. */
async function answerOnReplica(
  replica: Replica,
  replicaCall: Call<Caller>,
  question: ApiCallInput,
  onPrimary: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await replicaCall.handle({ ...question, sql: replica.sql })
  } catch (error) {
    if (!replica.isReplicaError(error)) throw error
    return onPrimary()
  }
}
