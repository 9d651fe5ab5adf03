import type { newsletter } from '@dubplate/contract'

type Genre = { genre_id: number; name: string }
export type FollowTarget = Genre | newsletter.FollowedName | newsletter.FollowedList
type Followed = {
  followed: Genre[]
  followed_names: newsletter.FollowedName[]
  followed_lists: newsletter.FollowedList[]
}

export const isGenre = (target: FollowTarget): target is Genre => 'genre_id' in target
export const isList = (target: FollowTarget): target is newsletter.FollowedList => 'new_count' in target

type ChartReference = Partial<Pick<newsletter.FollowedList, 'chart_type' | 'song_section_id'>>

/** A list as it can be followed; the reference only of a chart. */
export const listTarget = (
  kind: newsletter.FollowedList['kind'],
  {
    id = 0,
    name,
    chart_type = 'daily',
    song_section_id = 1,
  }: { id?: number | undefined; name: string } & ChartReference,
): newsletter.FollowedList => ({ kind, id, name, chart_type, song_section_id, new_count: 0 })

/** Names are the same however they are written: the server compares them without case and accents, too. */
const isSameText = (a: string, b: string) => a.localeCompare(b, 'en', { sensitivity: 'base' }) === 0

/** The top 20 is followed as a series, whichever of them is on screen. */
const isSameList = (a: newsletter.FollowedList, b: newsletter.FollowedList) =>
  a.kind === b.kind &&
  (a.kind === 'top20' || (a.id === b.id && a.chart_type === b.chart_type && a.song_section_id === b.song_section_id))

function isSame(a: FollowTarget, b: FollowTarget): boolean {
  if (isGenre(a) || isGenre(b)) return isGenre(a) && isGenre(b) && a.genre_id === b.genre_id
  if (isList(a) || isList(b)) return isList(a) && isList(b) && isSameList(a, b)
  return a.kind === b.kind && isSameText(a.name, b.name)
}

/** The followed one that this is, as the server returned it. */
export const findFollowed = ({ followed, followed_names, followed_lists }: Followed, target: FollowTarget) =>
  [...followed, ...followed_names, ...followed_lists].find((each) => isSame(each, target))

/** What is followed after following or unfollowing one more, sorted by name. */
export function followedAfter(
  { followed, followed_names, followed_lists }: Followed,
  target: FollowTarget,
  follow: boolean,
): Followed {
  const change = <T extends FollowTarget>(targets: T[], changed: T | false) => {
    const others = targets.filter((each) => !isSame(each, target))
    return changed && follow ? [...others, changed].toSorted((a, b) => a.name.localeCompare(b.name, 'en')) : others
  }
  return {
    followed: change(followed, isGenre(target) && target),
    followed_names: change(followed_names, !isGenre(target) && !isList(target) && target),
    followed_lists: change(followed_lists, isList(target) && target),
  }
}
