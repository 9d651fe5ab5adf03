import type { curation } from '@dubplate/contract'
import { describe, expect, test } from 'vitest'
import { localOf } from '../../format/moments.ts'
import { inputOf, newList, publicationsOf, validateList, valuesOf } from './listValues.ts'

const LIST: curation.ListDetails = {
  ...{
    kind: 'spotlight',
    list_id: 4,
    title: 'Warm-up',
    description: '',
    state: 'published',
    version: 3,
    was_published: true,
  },
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
const makeValues = (change: Partial<ReturnType<typeof newList>> = {}) => ({
  ...newList('Ada'),
  title: 'Warm-up',
  ...change,
})

describe('API input', () => {
  test('sends the version of an existing list, and leaves out an unchanged end', () => {
    const input = inputOf('spotlight', valuesOf(LIST), LIST)
    expect(input).toMatchObject({
      list_id: 4,
      version: 3,
      entity_ids: [5, 6],
      publication: 'unchanged',
      artwork_id: null,
    })
    expect('ended_at' in input || 'published_at' in input).toBe(false)
  })

  test('sends a removed end as “no end”', () => {
    expect(inputOf('spotlight', { ...valuesOf(LIST), until: '' }, LIST).ended_at).toBeNull()
  })

  test('sends no id for a new list, and its time when it is scheduled', () => {
    const from = localOf('2026-12-24T18:00:00Z')
    const input = inputOf('top20', makeValues({ publication: 'at', from }), undefined)
    expect(input).toMatchObject({ kind: 'top20', published_at: '2026-12-24T18:00:00.000Z' })
    expect('list_id' in input).toBe(false)
  })
})

describe('errors', () => {
  const full = Array.from({ length: 20 }, (_, n) => n + 1)

  test('reports too few songs of a top 20 when it is to be published, but not of a draft', () => {
    const short = makeValues({ entity_ids: full.slice(0, 18) })
    expect(validateList('top20', short, undefined)).toEqual({})
    expect(validateList('top20', { ...short, publication: 'now' }, undefined).entity_ids).toContain('Add 2 more songs')
    expect(validateList('top20', makeValues({ publication: 'now', entity_ids: full }), undefined)).toEqual({})
    expect(validateList('top20', short, { ...LIST, kind: 'top20' }).entity_ids).toContain('Add 2 more songs')
  })

  test('reports a spotlight without a time or songs', () => {
    const wrong = validateList('spotlight', makeValues({ title: ' ', publication: 'at' }), undefined)
    expect(Object.keys(wrong).sort()).toEqual(['entity_ids', 'from'])
  })

  test('reports an end before the start', () => {
    const lateEntry = makeValues({
      entity_ids: [1],
      publication: 'at',
      from: '2026-12-02T10:00',
      until: '2026-12-02T09:00',
    })
    expect(validateList('spotlight', lateEntry, undefined)).toEqual({
      until: 'The end must be after the start.',
    })
    expect(validateList('spotlight', { ...lateEntry, until: '2026-12-02T11:00' }, undefined)).toEqual({})
  })
})

test('offers the draft state only for lists that members have never seen', () => {
  const valuesOf = (change: Partial<typeof LIST>) => publicationsOf({ ...LIST, ...change }).map(([value]) => value)
  expect(valuesOf({ state: 'scheduled', was_published: false })).toEqual(['unchanged', 'now', 'at', 'draft'])
  expect(valuesOf({ state: 'scheduled' })).toEqual(['unchanged', 'now', 'at'])
  expect(valuesOf({})).toEqual(['unchanged', 'at'])
})
