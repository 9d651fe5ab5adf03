import { type catalogue, programming, type ReplyOf } from '@dubplate/contract'
import { useEffect, useState } from 'react'
import { useApiQuery } from '../../platform/queries.ts'

type Found = ReplyOf<typeof programming.getSongs>

/** What is known of a song of a list: all of it, or only its name where it is withdrawn. */
export type Known = { song: catalogue.Song } | { withdrawn: Found['withdrawn'][number] }

/**
 * The songs of a list by id, as far as they are known; those that are not are asked for. What a search has brought
 * along is taught by `learn`.
 */
export function useComposedSongs(ids: readonly number[]) {
  const [known, setKnown] = useState<ReadonlyMap<number, Known>>(new Map())
  const missing = ids.filter((id) => !known.has(id))
  const { data, error, refetch } = useApiQuery(
    programming.getSongs,
    { entity_ids: missing },
    { enabled: missing.length > 0 },
  )
  const learn = (found: Pick<Found, 'songs'> & Partial<Found>) =>
    setKnown((was) => {
      const songs = found.songs.map((song) => [song.entity_id, { song }] as const)
      const gone = (found.withdrawn ?? []).map((withdrawn) => [withdrawn.entity_id, { withdrawn }] as const)
      return new Map([...was, ...songs, ...gone])
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what has come is new
  useEffect(() => {
    if (data) learn(data)
  }, [data])
  return { known, learn, trouble: missing.length > 0 && !data ? error : null, retry: () => void refetch() }
}
