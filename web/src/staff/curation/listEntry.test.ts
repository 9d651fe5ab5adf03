import type { curation } from '@dubplate/contract'
import { describe, expect, test } from 'vitest'
import { localOf } from '../moments.ts'
import { entryOf, newEntry, publicationsOf, wishOf, wrongEntry } from './listEntry.ts'

const LIST: curation.ListDetails = {
  ...{ kind: 'spotlight', list_id: 4, title: 'Warm-up', state: 'published', version: 3, was_published: true },
  ...{ published_at: '2026-11-01T09:00:30.000Z', ended_at: '2026-12-01T09:00:30.000Z', unpublished_at: null },
  ...{
    image: '/images/list-4-00000000/320.webp',
    cover_seed: 9,
    artwork_id: null,
    song_count: 2,
    unpublished_songs: 0,
  },
  ...{ changed_at: '2026-11-01T09:00:30.000Z', created_by: 'Ada', curated_genre_id: 2, suggested: false },
  ...{ suggested_from: null, entity_ids: [5, 6] },
}
const entry = (change: Partial<ReturnType<typeof newEntry>> = {}) => ({
  ...newEntry('Ada'),
  title: 'Warm-up',
  ...change,
})

describe('API input', () => {
  test('sends the version of an existing list, and leaves out an unchanged end', () => {
    const wish = wishOf('spotlight', entryOf(LIST), LIST)
    expect(wish).toMatchObject({
      list_id: 4,
      version: 3,
      entity_ids: [5, 6],
      publication: 'unchanged',
      artwork_id: null,
    })
    expect('ended_at' in wish || 'published_at' in wish).toBe(false)
  })

  test('sends a removed end as “no end”', () => {
    expect(wishOf('spotlight', { ...entryOf(LIST), until: '' }, LIST).ended_at).toBeNull()
  })

  test('sends no id for a new list, and its time when it is scheduled', () => {
    const from = localOf('2026-12-24T18:00:00Z')
    const wish = wishOf('top20', entry({ publication: 'at', from }), undefined)
    expect(wish).toMatchObject({ kind: 'top20', published_at: '2026-12-24T18:00:00.000Z' })
    expect('list_id' in wish).toBe(false)
  })
})

describe('errors', () => {
  const full = Array.from({ length: 20 }, (_, n) => n + 1)

  test('reports too few songs of a top 20 when it is to be published, but not of a draft', () => {
    const short = entry({ entity_ids: full.slice(0, 18) })
    expect(wrongEntry('top20', short, undefined)).toEqual({})
    expect(wrongEntry('top20', { ...short, publication: 'now' }, undefined).songs).toContain('Add 2 more songs')
    expect(wrongEntry('top20', entry({ publication: 'now', entity_ids: full }), undefined)).toEqual({})
    expect(wrongEntry('top20', short, { ...LIST, kind: 'top20' }).songs).toContain('Add 2 more songs')
  })

  test('reports a spotlight without a title, a time or songs', () => {
    const wrong = wrongEntry('spotlight', entry({ title: ' ', publication: 'at' }), undefined)
    expect(Object.keys(wrong).sort()).toEqual(['from', 'songs', 'title'])
  })

  test('reports an end before the start', () => {
    const lateEntry = entry({
      entity_ids: [1],
      publication: 'at',
      from: '2026-12-02T10:00',
      until: '2026-12-02T09:00',
    })
    expect(wrongEntry('spotlight', lateEntry, undefined)).toEqual({
      until: 'The end must be after the start.',
    })
    expect(wrongEntry('spotlight', { ...lateEntry, until: '2026-12-02T11:00' }, undefined)).toEqual({})
  })
})

test('offers the draft state only for lists that members have never seen', () => {
  const valuesOf = (change: Partial<typeof LIST>) => publicationsOf({ ...LIST, ...change }).map(([value]) => value)
  expect(valuesOf({ state: 'scheduled', was_published: false })).toEqual(['unchanged', 'now', 'at', 'draft'])
  expect(valuesOf({ state: 'scheduled' })).toEqual(['unchanged', 'now', 'at'])
  expect(valuesOf({})).toEqual(['unchanged', 'at'])
})
