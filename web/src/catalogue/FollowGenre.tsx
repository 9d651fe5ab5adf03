import { newsletter } from '@dubplate/contract'
import { IconBell, IconBellFilled } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { followGenre } from './following.ts'
import * as texts from './texts.ts'

type Props = { /** Undefined while it is loading. */ genre: { genre_id: number; name: string } | undefined }

/** Follows a genre: the weekly digest then lists its new songs. For signed-in members. */
export function FollowGenre(props: Props) {
  const signedIn = useSession((session) => session.token !== null)
  return signedIn ? <MemberContent {...props} /> : null
}

function MemberContent({ genre }: Props) {
  const { data } = useApiQuery(newsletter.getMailing, {})
  const isFollowed = data?.followed.some(({ genre_id }) => genre_id === genre?.genre_id) ?? false
  return (
    <IconButton
      label={format(isFollowed ? texts.following : texts.follow, { name: genre?.name ?? '' })}
      data-active={isFollowed || undefined}
      // Still loading, or failed to load: the button keeps its space.
      disabled={!data || !genre}
      onClick={() => genre && void followGenre(genre, !isFollowed)}
    >
      {isFollowed ? <IconBellFilled size={18} /> : <IconBell size={18} stroke={1.8} />}
    </IconButton>
  )
}
