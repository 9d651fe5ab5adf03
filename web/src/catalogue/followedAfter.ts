import type { newsletter } from '@dubplate/contract'

type Genre = { genre_id: number; name: string }
export type FollowTarget = Genre | newsletter.FollowedName
type Followed = { followed: Genre[]; followed_names: newsletter.FollowedName[] }

export const isGenre = (target: FollowTarget): target is Genre => 'genre_id' in target

/** Names are the same however they are written: the server compares them without case and accents, too. */
const isSameText = (a: string, b: string) => a.localeCompare(b, 'en', { sensitivity: 'base' }) === 0

const isSame = (a: FollowTarget, b: FollowTarget) =>
  isGenre(a) ? isGenre(b) && a.genre_id === b.genre_id : !isGenre(b) && a.kind === b.kind && isSameText(a.name, b.name)

export const isFollowing = ({ followed, followed_names }: Followed, target: FollowTarget) =>
  [...followed, ...followed_names].some((each) => isSame(each, target))

/** What is followed after following or unfollowing one more genre, artist or label, sorted by name. */
export function followedAfter({ followed, followed_names }: Followed, target: FollowTarget, follow: boolean): Followed {
  const change = <T extends FollowTarget>(targets: T[], changed: T | undefined) => {
    const others = targets.filter((each) => !isSame(each, target))
    return changed && follow ? [...others, changed].toSorted((a, b) => a.name.localeCompare(b.name, 'en')) : others
  }
  return {
    followed: change(followed, isGenre(target) ? target : undefined),
    followed_names: change(followed_names, isGenre(target) ? undefined : target),
  }
}
