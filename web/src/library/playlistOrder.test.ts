import type { catalogue } from '@dubplate/contract'
import { describe, expect, test } from 'vitest'
import { contiguousRuns, hasAllSongs, moveItem, pageAfterMove, removeFromPage } from './playlistOrder.ts'
import type { PlaylistPage } from './playlists.ts'

const songs = (...ids: number[]) => ids.map((entity_id) => ({ entity_id }) as catalogue.Song)

/** A page of a playlist, reduced to its order: three songs per page. */
const pageOf = (song_ids: number[], page = 1): PlaylistPage => ({
  playlist: { title: 'Warm-up', song_count: song_ids.length } as PlaylistPage['playlist'],
  song_ids,
  songs: songs(...song_ids.slice((page - 1) * 3, page * 3)),
  pagination: { page, perPageLimit: 3, totalCount: song_ids.length },
})
const shown = ({ songs }: PlaylistPage) => songs.map(({ entity_id }) => entity_id)

describe('moving a song', () => {
  test('changes its place on the page and in the whole playlist', () => {
    const after = pageAfterMove(pageOf([1, 2, 3, 4]), 3, 0)
    expect(shown(after)).toEqual([3, 1, 2])
    expect(after.song_ids).toEqual([3, 1, 2, 4])
  })

  test('removes it from this page when it moves to another', () => {
    expect(shown(pageAfterMove(pageOf([1, 2, 3, 4, 5]), 1, 4))).toEqual([2, 3])
    const second = pageAfterMove(pageOf([1, 2, 3, 4, 5], 2), 5, 0)
    expect(second.song_ids).toEqual([5, 1, 2, 3, 4])
    expect(shown(second)).toEqual([4])
    expect(hasAllSongs(second, second.song_ids)).toBe(false)
    expect(hasAllSongs(pageOf([1, 2, 3, 4, 5], 2), [1, 2, 3, 4, 5])).toBe(true)
  })

  test('changes nothing when the song is not there', () => {
    expect(moveItem([1, 2, 3], -1, 0)).toEqual([1, 2, 3])
    expect(moveItem([1, 2, 3], 0, 2)).toEqual([2, 3, 1])
  })
})

describe('removing songs', () => {
  test('updates the song count', () => {
    const after = removeFromPage(pageOf([1, 2, 3, 4]), [2, 3])
    expect(shown(after)).toEqual([1])
    expect(after).toMatchObject({ song_ids: [1, 4], playlist: { song_count: 2 }, pagination: { totalCount: 2 } })
  })

  test('restores all songs to their positions when added back in runs from the front', () => {
    const before = [1, 2, 3, 4, 5, 6, 7]
    const sequences = contiguousRuns(before, [7, 2, 3, 5])
    expect(sequences).toEqual([
      { position: 2, song_ids: [2, 3] },
      { position: 5, song_ids: [5] },
      { position: 7, song_ids: [7] },
    ])
    const left = [1, 4, 6]
    for (const { position, song_ids } of sequences) left.splice(position - 1, 0, ...song_ids)
    expect(left).toEqual(before)
  })
})
