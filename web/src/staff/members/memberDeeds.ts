import { members } from '@dubplate/contract'
import { queryClient } from '../../platform/queries.ts'

/** Reloads everything that shows members. */
export const askMembersAnew = () =>
  Promise.all(
    [members.getMember, members.getMembers, members.whyNoDownload].map(({ path }) =>
      queryClient.invalidateQueries({ queryKey: [path] }),
    ),
  )
