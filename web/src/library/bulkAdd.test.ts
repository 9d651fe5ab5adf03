import type { catalogue } from '@dubplate/contract'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import '../player/fake-browser.ts'

/** The ids stored by the fake server. */
let savedIds = new Set<number>()
let sentRequests: { song_ids?: number[]; version_ids?: number[]; below?: number }[] = []
let isFull = false

const songs = (...ids: number[]) => ids.map((entity_id) => ({ entity_id, version: [] }) as unknown as catalogue.Song)

vi.stubGlobal('fetch', async (address: string, { body }: { body?: string } = {}) => {
  if (address.includes('get-crates')) {
    return Response.json({ data: { crates: [...savedIds], version: [], count: savedIds.size } })
  }
  if (!address.includes('crate/change')) return Response.json({ data: {} })
  const change = JSON.parse(body ?? '{}') as (typeof sentRequests)[number]
  sentRequests.push(change)
  if (isFull) return Response.json({ code: 'crate_full', message: 'The crate is full.' }, { status: 422 })
  for (const id of change.song_ids ?? []) savedIds.add(id)
  return Response.json({ data: { changed: 1, count: savedIds.size } })
})
const { addToCrate } = await import('./bulkAdd.ts')
const { restoreSong } = await import('./crateChanges.ts')
const { useLibrary } = await import('./library.ts')
const { useSession } = await import('../platform/session.ts')

beforeEach(() => {
  savedIds = new Set()
  sentRequests = []
  isFull = false
  useSession.setState({ token: 'a-token' })
  useLibrary.setState({ crateSongs: new Set(), crateCount: 0 })
})

describe('adding songs to the crate', () => {
  test('leaves songs unchanged that are already in it', async () => {
    savedIds = new Set([2])
    useLibrary.setState({ crateSongs: new Set([2]) })
    await addToCrate(songs(1, 2, 3))
    expect([...savedIds].sort()).toEqual([1, 2, 3])
    expect(sentRequests).toEqual([{ song_ids: [1, 3], action: 'add' }])
  })

  test('shows the songs at once, and the server’s state after an error', async () => {
    isFull = true
    const done = addToCrate(songs(1))
    expect([...useLibrary.getState().crateSongs]).toEqual([1])
    await done
    expect([...useLibrary.getState().crateSongs]).toEqual([])
  })
})

describe('restoring a song to the crate', () => {
  const song = { entity_id: 7, version: [{ song_version_id: 71 }, { song_version_id: 72 }] } as catalogue.Song

  test('uses the versions it had, below the song that was above it', async () => {
    await restoreSong(song, [72], 6)
    expect(sentRequests).toEqual([{ version_ids: [72], below: 6 }])
  })

  test('adds the preferred versions at the top if its versions are not known', async () => {
    await restoreSong(song, [], undefined)
    expect(sentRequests).toEqual([{ song_ids: [7] }])
  })
})
