import { player } from '@dubplate/contract'
import { useApiQuery } from '../platform/queries.ts'
import { currentEntry, usePlayer } from './store.ts'

/** The beats of the current song, once its waveform has loaded; undefined while they are unknown. */
export const useCurrentBeatGrid = (hasWaveform: boolean): player.BeatGrid | undefined => {
  const versionId = usePlayer(currentEntry)?.version.song_version_id
  const { data } = useApiQuery(
    player.getBeatGrid,
    { song_version_id: versionId ?? 0 },
    { enabled: hasWaveform && versionId !== undefined },
  )
  return data?.grid ?? undefined
}
