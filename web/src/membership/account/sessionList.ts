import { account } from '@dubplate/contract'
import { apiQuery, queryClient } from '../../platform/queries.ts'

/** Refetches the list after sessions have been ended. */
export const refetchSessions = () => queryClient.invalidateQueries(apiQuery(account.getSessions, {}))
