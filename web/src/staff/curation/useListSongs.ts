import { type catalogue, curation, type ReplyOf } from '@dubplate/contract'
import { useEffect, useState } from 'react'
import { useApiQuery } from '../../platform/queries.ts'

type Found = ReplyOf<typeof curation.getSongs>

/** A song of a list: the whole song, or only its name when it is unpublished. */
export type Known = { song: catalogue.Song } | { unpublished: Found['unpublished'][number] }

/** The songs of a list by id. Missing ones are loaded; `learn` adds songs that a search has already loaded. */
export function useListSongs(ids: readonly number[]) {
  const [known, setKnown] = useState<ReadonlyMap<number, Known>>(new Map())
  const missing = ids.filter((id) => !known.has(id))
  const { data, error, refetch } = useApiQuery(
    curation.getSongs,
    { entity_ids: missing },
    { enabled: missing.length > 0 },
  )
  const learn = (found: Pick<Found, 'songs'> & Partial<Found>) =>
    setKnown((was) => {
      const songs = found.songs.map((song) => [song.entity_id, { song }] as const)
      const gone = (found.unpublished ?? []).map((unpublished) => [unpublished.entity_id, { unpublished }] as const)
      return new Map([...was, ...songs, ...gone])
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only for new responses
  useEffect(() => {
    if (data) learn(data)
  }, [data])
  return { known, learn, trouble: missing.length > 0 && !data ? error : null, retry: () => void refetch() }
}
