import { catalogue } from '@dubplate/contract'
import { format } from '../../format/message.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { playerActions } from '../../player/store.ts'
import { toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

type Version = { song_version_id: number; version_label: string }

/** Plays a published version in the preview player, as members hear it, from a second of the song if one is given. */
export async function playVersion(entity_id: number, { song_version_id, version_label }: Version, at?: number) {
  try {
    const { song } = await queryClient.fetchQuery({ ...apiQuery(catalogue.getSong, { entity_id }), staleTime: 0 })
    const version = song.version.find((each) => each.song_version_id === song_version_id)
    if (!version?.available) throw new Error(texts.noPlayableFileYet)
    playerActions.play({ song, version }, { at })
  } catch (error) {
    void toastError(format(texts.couldntPlayVersion, { version_label }), error)
  }
}
