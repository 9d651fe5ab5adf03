import type { InputOf, merging, ReplyOf } from '@dubplate/contract'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

export type MergePreview = ReplyOf<typeof merging.getMerge>
export type MergeVersion = MergePreview['versions'][number]
type VersionChange = NonNullable<InputOf<typeof merging.mergeSongs>['versions']>[number]

/** What happens to a version that has the name of another one. */
export const RESOLUTIONS = {
  both: texts.keepBothRenameThisOne,
  this: texts.unpublishThisOne,
  other: texts.unpublishTheOtherOne,
} as const

export type Choice = { resolution: keyof typeof RESOLUTIONS; label: string }
/** By song_version_id. */
export type Choices = Readonly<Record<number, Choice>>

/** By default both are kept, the later one with the suggested name; a copy of the same audio is unpublished. */
export const choiceOf = (choices: Choices, version: MergeVersion): Choice =>
  choices[version.song_version_id] ?? {
    resolution: version.is_same_audio ? 'this' : 'both',
    label: version.proposed_label,
  }

/** The versions to rename or unpublish, each once. */
export function versionChanges(versions: readonly MergeVersion[], choices: Choices): VersionChange[] {
  const changes = new Map<number, VersionChange>()
  for (const version of versions) {
    const { song_version_id, version_label, conflicts_with } = version
    if (conflicts_with === null) continue
    const { resolution, label } = choiceOf(choices, version)
    if (resolution === 'both') changes.set(song_version_id, { song_version_id, version_label: label.trim() })
    else {
      const id = resolution === 'this' ? song_version_id : conflicts_with
      changes.set(id, { song_version_id: id, version_label, unpublish: true })
    }
  }
  return [...changes.values()]
}

/** Why the versions cannot be merged like this; '' if they can. */
export function findCollision(versions: readonly MergeVersion[], choices: Choices): string {
  const changes = new Map(versionChanges(versions, choices).map((change) => [change.song_version_id, change]))
  const before = versions.filter(({ is_listed }) => is_listed)
  const after = before.filter(({ song_version_id }) => !changes.get(song_version_id)?.unpublish)
  if (after.length === 0) return before.length > 0 ? texts.keepAtLeastOneVersion : ''
  const names = after.map((version) => (changes.get(version.song_version_id) ?? version).version_label)
  if (names.includes('')) return texts.enterANameForEach
  const lowerCase = names.map((name) => name.toLowerCase())
  const twice = names.find((_, n) => lowerCase.indexOf(lowerCase[n] ?? '') !== n)
  return twice === undefined ? '' : format(texts.twoVersionsCantHaveThe, { version_label: twice })
}
