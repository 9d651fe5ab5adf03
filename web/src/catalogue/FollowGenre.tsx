import { newsletter } from '@dubplate/contract'
import { IconBell, IconBellFilled } from '@tabler/icons-react'
import { rich } from '../format/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import css from './FollowGenre.module.css'
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
    <Button
      className={css.follow}
      data-active={isFollowed || undefined}
      // Still loading, or failed to load: the button keeps its space.
      disabled={!data || !genre}
      title={isFollowed ? texts.followedHint : texts.followHint}
      onClick={() => genre && void followGenre(genre, !isFollowed)}
    >
      {isFollowed ? <IconBellFilled size={16} aria-hidden /> : <IconBell size={16} aria-hidden />}
      {rich(isFollowed ? texts.following : texts.follow, {
        name: genre?.name ?? '',
        hidden: (inside) => <span className="sr">{inside}</span>,
      })}
    </Button>
  )
}
