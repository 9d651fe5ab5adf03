import type { Endpoint } from '@dubplate/contract'
import type { Asker } from './membership/asker.ts'
import type { Replica } from './platform/replica.ts'
import type { Call, Doors, Question } from './platform/serve.ts'
import { answerViewer } from './staff/viewing.ts'
import type { World } from './world.ts'

type Asked = Question<Endpoint, Asker>

/**
 * Who answers a call: nearly always the call itself. What staff see as a member is read where nothing can be written; what
 * is the same for everybody comes from the replica, where there is one and it is well.
 */
export function answersOf(world: World, callsOf: (world: World) => Call<Asker>[]): Doors<Asker>['answer'] {
  const { replica } = world
  const onReplica = replica && callsByEndpoint(callsOf({ ...world, sql: replica.sql }))
  return (call, question) => {
    if (question.asker?.purpose === 'viewer') return answerViewer(world, callsOf, call.endpoint, question)
    const there = call.endpoint.access === 'browse' && replica?.isFresh() ? onReplica?.get(call.endpoint) : undefined
    return there && replica ? answerThere(replica, there, call, question) : call.answer(question)
  }
}

const callsByEndpoint = (calls: Call<Asker>[]) => new Map(calls.map((call) => [call.endpoint, call]))

/** The database itself answers what the replica could not. */
async function answerThere(replica: Replica, there: Call<Asker>, call: Call<Asker>, question: Asked): Promise<unknown> {
  try {
    return await there.answer(question)
  } catch (error) {
    if (!replica.isItsTrouble(error)) throw error
    return call.answer(question)
  }
}
