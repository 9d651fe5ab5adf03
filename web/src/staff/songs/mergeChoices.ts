import type { InputOf, merging, ReplyOf } from '@dubplate/contract'
import { format } from '../../platform/message.ts'
import * as texts from './texts.ts'

export type Look = ReplyOf<typeof merging.getMerge>
export type MergeVersion = Look['versions'][number]
type Places = NonNullable<InputOf<typeof merging.mergeSongs>['versions']>

/** What happens to a version that conflicts with another one of the same name. */
export const WAYS = {
  both: texts.keepBothRenameThisOne,
  this: texts.unpublishThisOne,
  other: texts.unpublishTheOtherOne,
} as const
export type Way = keyof typeof WAYS

/** The choices, by song_version_id; the default is `both`, with the suggested name. */
export type Choices = Readonly<Record<number, { way: Way; label: string }>>

export const choiceOf = (choices: Choices, version: MergeVersion) =>
  choices[version.song_version_id] ?? {
    way: version.is_same_audio ? ('this' as const) : ('both' as const),
    label: version.proposed_label,
  }

/** Input of the call: versions that get another name, and those that are removed. Each is listed once. */
export function placesOf(versions: readonly MergeVersion[], choices: Choices): Places {
  const places = new Map<number, Places[number]>()
  for (const version of versions) {
    if (version.conflicts_with === null) continue
    const { way, label } = choiceOf(choices, version)
    const { song_version_id, version_label } = version
    if (way === 'both') places.set(song_version_id, { song_version_id, version_label: label.trim() })
    if (way === 'this') places.set(song_version_id, { song_version_id, version_label, unpublish: true })
    if (way === 'other')
      places.set(version.conflicts_with, { song_version_id: version.conflicts_with, version_label, unpublish: true })
  }
  return [...places.values()]
}

/** Why the versions cannot be merged yet; '' when they can. */
export function collisionIn(versions: readonly MergeVersion[], choices: Choices): string {
  const places = placesOf(versions, choices)
  const placeOf = (id: number) => places.find(({ song_version_id }) => song_version_id === id)
  const listed = versions.filter(({ is_listed, song_version_id }) => is_listed && !placeOf(song_version_id)?.unpublish)
  if (listed.length === 0) return versions.some(({ is_listed }) => is_listed) ? texts.keepAtLeastOneVersion : ''
  const names = listed.map(
    ({ song_version_id, version_label }) => placeOf(song_version_id)?.version_label ?? version_label,
  )
  if (names.some((name) => name === '')) return texts.enterANameForEach
  const folded = names.map((name) => name.toLowerCase())
  const twice = names.find((_, n) => folded.indexOf(folded[n] ?? '') !== n)
  return twice === undefined ? '' : format(texts.twoVersionsCantHaveThe, { twice })
}
