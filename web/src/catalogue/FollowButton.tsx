import { newsletter } from '@dubplate/contract'
import { IconBell, IconBellFilled } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import { askToSignIn } from '../membership/pendingAction.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { type FollowTarget, isFollowing } from './followedAfter.ts'
import { follow } from './following.ts'
import * as texts from './texts.ts'

type Props = { /** Undefined while it is loading. */ target: FollowTarget | undefined }

/** Follows a genre, artist or label: the weekly digest then lists its new songs. Asks visitors to sign in first. */
export function FollowButton({ target }: Props) {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <MemberButton target={target} />
  return (
    <IconButton
      label={format(texts.follow, { name: target?.name ?? '' })}
      disabled={!target}
      onClick={() => target && askToSignIn('follow', [target], target.name)}
    >
      <IconBell size={18} stroke={1.8} />
    </IconButton>
  )
}

function MemberButton({ target }: Props) {
  const { data } = useApiQuery(newsletter.getMailing, {})
  const isFollowed = !!data && !!target && isFollowing(data, target)
  return (
    <IconButton
      label={format(isFollowed ? texts.following : texts.follow, { name: target?.name ?? '' })}
      data-active={isFollowed || undefined}
      // Still loading, or failed to load: the button keeps its space.
      disabled={!data || !target}
      onClick={() => target && void follow(target, !isFollowed)}
    >
      {isFollowed ? <IconBellFilled size={18} /> : <IconBell size={18} stroke={1.8} />}
    </IconButton>
  )
}
