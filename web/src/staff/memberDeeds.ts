import { members } from '@dubplate/contract'
import { queryClient } from '../platform/queries.ts'

/** Everything that shows members is asked for anew. */
export const askMembersAnew = () =>
  Promise.all(
    [members.getMember, members.getMembers, members.whyNoDownload].map(({ path }) =>
      queryClient.invalidateQueries({ queryKey: [path] }),
    ),
  )
