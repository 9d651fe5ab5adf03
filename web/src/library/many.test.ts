import type { catalogue } from '@dubplate/contract'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { storage } from '../player/fake-browser.ts'

/** What the pool keeps; a toggle turns it round, as the calls do. */
let kept = new Set<number>()
let asked: number[] = []
let refused = new Set<number>()

const songs = (...ids: number[]) => ids.map((entity_id) => ({ entity_id, version: [] }) as unknown as catalogue.Song)

storage.setItem('dubplate.token', 'a-token')
vi.stubGlobal('fetch', async (address: string, { body }: { body?: string } = {}) => {
  if (address.includes('get-crates')) {
    return Response.json({ data: { crates: [...kept], version: [], count: kept.size } })
  }
  if (!address.includes('crate/add-remove')) return Response.json({ data: {} })
  const { songId } = JSON.parse(body ?? '{}') as { songId: number }
  asked.push(songId)
  if (refused.has(songId)) return Response.json({ code: 'crate_full', message: 'The crate is full.' }, { status: 409 })
  if (!kept.delete(songId)) kept.add(songId)
  return Response.json({ data: { in_crate: kept.has(songId), count: kept.size } })
})
const { eachOf, putInCrate } = await import('./many.ts')
const { callsFor } = await import('./clearCrate.ts')
const { useLibrary } = await import('./library.ts')

beforeEach(() => {
  kept = new Set()
  asked = []
  refused = new Set()
  useLibrary.setState({ crateSongs: new Set(), crateCount: 0 })
})

describe('several at once', () => {
  test('are worked on a few at a time, and all of them', async () => {
    let now = 0
    let most = 0
    const done: number[] = []
    await eachOf([...Array(20).keys()], async (item) => {
      now += 1
      most = Math.max(most, now)
      await Promise.resolve()
      now -= 1
      done.push(item)
    })
    expect(done).toHaveLength(20)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(6)
  })

  test('end with the first trouble: what has not begun is left', async () => {
    const begun: number[] = []
    const work = async (item: number) => {
      begun.push(item)
      throw new Error(`refused ${item}`)
    }
    await expect(eachOf([...Array(50).keys()], work)).rejects.toThrow('refused 0')
    expect(begun.length).toBeLessThanOrEqual(6)
  })
})

describe('putting songs into the crate', () => {
  test('leaves alone what is in it', async () => {
    kept = new Set([2])
    useLibrary.setState({ crateSongs: new Set([2]) })
    await putInCrate(songs(1, 2, 3))
    expect([...kept].sort()).toEqual([1, 2, 3])
    expect(asked.sort()).toEqual([1, 3])
  })

  test('shows at once, and after a refusal what the pool says', async () => {
    refused = new Set([1])
    const done = putInCrate(songs(1))
    expect([...useLibrary.getState().crateSongs]).toEqual([1])
    await done
    expect([...useLibrary.getState().crateSongs]).toEqual([])
  })
})

describe('a song that was in the crate is put back', () => {
  const song = { entity_id: 7, version: [{ song_version_id: 71 }, { song_version_id: 72 }] } as catalogue.Song

  test('whole, with one call, where all of it was in', () => {
    expect(callsFor(song, new Set([71, 72, 99]))).toEqual([{ songId: 7 }])
  })

  test('by its versions where only some were', () => {
    expect(callsFor(song, new Set([72]))).toEqual([{ songId: 7, versionId: 72 }])
  })

  test('whole where it was put in too recently to know its versions', () => {
    expect(callsFor(song, new Set())).toEqual([{ songId: 7 }])
  })
})
