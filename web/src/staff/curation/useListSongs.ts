import { type catalogue, curation, type ReplyOf } from '@dubplate/contract'
import { useState } from 'react'
import { useApiQuery } from '../../platform/queries.ts'

type SongsReply = ReplyOf<typeof curation.getSongs>

/** A song of a list: the whole song, or only its name when it is unpublished. */
export type LoadedSong = { song: catalogue.Song } | { unpublished: SongsReply['unpublished'][number] }

/** The songs of a list by id. Missing ones are loaded; `addLoaded` adds songs that a search has already loaded. */
export function useListSongs(ids: readonly number[]) {
  const [loaded, setLoaded] = useState<ReadonlyMap<number, LoadedSong>>(new Map())
  const missing = ids.filter((id) => !loaded.has(id))
  const {
    data,
    error: loadError,
    refetch,
  } = useApiQuery(curation.getSongs, { entity_ids: missing }, { enabled: missing.length > 0 })
  const addLoaded = (reply: Pick<SongsReply, 'songs'> & Partial<SongsReply>) =>
    setLoaded((was) => {
      const songs = reply.songs.map((song) => [song.entity_id, { song }] as const)
      const gone = (reply.unpublished ?? []).map((unpublished) => [unpublished.entity_id, { unpublished }] as const)
      return new Map([...was, ...songs, ...gone])
    })
  const [lastReply, setLastReply] = useState<SongsReply>()
  if (data && data !== lastReply) {
    setLastReply(data)
    addLoaded(data)
  }
  return { loaded, addLoaded, error: missing.length > 0 && !data ? loadError : null, retry: () => void refetch() }
}
