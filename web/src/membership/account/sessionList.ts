import { account } from '@dubplate/contract'
import { apiQuery, queryClient } from '../../platform/queries.ts'

/** Sessions have been ended: the list of them is asked for anew. */
export const refetchSessions = () => queryClient.invalidateQueries(apiQuery(account.getSessions, {}))
