import { type catalogue, curation, type ReplyOf } from '@dubplate/contract'
import { useState } from 'react'
import { useApiQuery } from '../../platform/queries.ts'

type Songs = ReplyOf<typeof curation.getSongs>

/** A song of a list: the whole song, or only its name when it is unpublished. */
export type ListedSong = { song: catalogue.Song } | { unpublished: Songs['unpublished'][number] }

/** The songs of a list by id. Missing ones are loaded; `addLoaded` adds songs that a search has already loaded. */
export function useListedSongs(ids: readonly number[]) {
  const [listed, setListed] = useState<ReadonlyMap<number, ListedSong>>(new Map())
  const missing = ids.filter((id) => !listed.has(id))
  const { data, error, refetch } = useApiQuery(
    curation.getSongs,
    { entity_ids: missing },
    { enabled: missing.length > 0 },
  )
  const addLoaded = (loaded: Pick<Songs, 'songs'> & Partial<Songs>) =>
    setListed((was) => {
      const songs = loaded.songs.map((song) => [song.entity_id, { song }] as const)
      const unpublished = (loaded.unpublished ?? []).map((song) => [song.entity_id, { unpublished: song }] as const)
      return new Map([...was, ...songs, ...unpublished])
    })
  const [lastReply, setLastReply] = useState<Songs>()
  if (data && data !== lastReply) {
    setLastReply(data)
    addLoaded(data)
  }
  return { listed, addLoaded, error: missing.length > 0 && !data ? error : null, retry: () => void refetch() }
}
