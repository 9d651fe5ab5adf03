import { account } from '@dubplate/contract'
import { asking, queryClient } from '../../platform/queries.ts'

/** Sessions have been ended: the list of them is asked for anew. */
export const askSessionsAnew = () => queryClient.invalidateQueries(asking(account.getSessions, {}))
