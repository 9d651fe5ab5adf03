import { newsletter } from '@dubplate/contract'
import { IconBell, IconBellFilled } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { format } from '../format/message.ts'
import { askToSignIn } from '../membership/pendingAction.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { type FollowTarget, findFollowed, isList } from './followedAfter.ts'
import { follow, markListOpened } from './following.ts'
import * as texts from './texts.ts'

type Props = { /** Undefined while it is loading. */ target: FollowTarget | undefined }

/**
 * Follows a genre, artist, label or list: the weekly digest then lists its new songs, and the library those of lists. Asks
 * visitors to sign in first.
 */
export function FollowButton({ target }: Props) {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <MemberButton target={target} />
  return (
    <IconButton
      label={format(texts.follow, { name: target?.name ?? '' })}
      tooltip={tooltipOf(target)}
      disabled={!target}
      onClick={() => target && askToSignIn('follow', [target], target.name)}
    >
      <IconBell size={18} stroke={1.8} />
    </IconButton>
  )
}

function MemberButton({ target }: Props) {
  const { data } = useApiQuery(newsletter.getMailing, {})
  const isFollowed = !!data && !!target && !!findFollowed(data, target)
  const list = target && isList(target) ? target : undefined
  const recordOpened = useEffectEvent(() => {
    if (list && isFollowed) void markListOpened(list)
  })
  // Once for each list on screen, not again when it is followed there.
  const openedList = data && list && JSON.stringify([list.kind, list.id, list.chart_type, list.song_section_id])
  useEffect(() => {
    if (openedList) recordOpened()
  }, [openedList])
  return (
    <IconButton
      label={format(isFollowed ? texts.following : texts.follow, { name: target?.name ?? '' })}
      tooltip={isFollowed ? format(texts.followingUnfollow, { name: target.name }) : tooltipOf(target)}
      data-active={isFollowed || undefined}
      // Still loading, or failed to load: the button keeps its space.
      disabled={!data || !target}
      onClick={() => target && void follow(target, !isFollowed)}
    >
      {isFollowed ? <IconBellFilled size={18} /> : <IconBell size={18} stroke={1.8} />}
    </IconButton>
  )
}

/** Says what following does. */
function tooltipOf(target: FollowTarget | undefined): string | undefined {
  if (!target) return undefined
  const { name } = target
  if (!isList(target)) return format(texts.followForDigest, { name })
  if (target.kind === 'top20') return format(texts.followForNewTop20s, { name })
  return format(target.kind === 'chart' ? texts.followForNewEntries : texts.followForNewSongs, { name })
}
