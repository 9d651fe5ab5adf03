import { merging, ownLibrary } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anEntry, importLibrary } from '../../test/library-makers.ts'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>
type Decision = Parameters<typeof decide>[1]

const decide = async (
  { token }: Member,
  ...decisions: {
    entry_id: number
    action: 'confirm' | 'reject' | 'undo'
    entity_id?: number
    song_version_id?: number
  }[]
) => pool.ask(ownLibrary.decideMatches, { decisions }, token)
const errorOfDecision = (member: Member, decision: Decision) => errorOf(decide(member, decision))
const listOf = async ({ token }: Member, state: ownLibrary.MatchState) =>
  (await pool.ask(ownLibrary.getMatches, { state }, token)).matches

/** No two are alike. */
const artists = [
  'Kwame Ofori',
  'Lena Park',
  'Dmitri Volkov',
  'Yuki Tanaka',
  'Paloma Reyes',
  'Otis Bloom',
  'Ingrid Falk',
]
/** Songs whose titles differ in all words, and a library with one entry that is certain, to be reviewed, and unknown. */
async function aReviewedLibrary() {
  const member = await aMember(pool.ctx)
  const artist = artists.pop()!
  const certain = await aSong(pool.ctx, { artist, title: 'Golden Harbour', versions: ['Clean', 'Dirty'] })
  const likely = await aSong(pool.ctx, { artist, title: 'Night Bus', versions: ['Clean', 'Dirty'] })
  const entries = [
    anEntry({ artist, title: 'Golden Harbour (Clean)' }),
    anEntry({ artist, title: 'Nigth Bsu (Dirty)' }),
    anEntry({ artist: 'Zorblax', title: 'Qwxyz' }),
  ]
  const library_id = await importLibrary(pool, member, entries)
  const [first] = await listOf(member, 'matched')
  const [second] = await listOf(member, 'review')
  const [third] = await listOf(member, 'not_found')
  return {
    member,
    certain,
    likely,
    entries,
    library_id,
    ids: [first!.entry_id, second!.entry_id, third!.entry_id] as const,
  }
}

test('confirms the most likely song, with its version, and undoes it', async () => {
  const { member, likely, ids } = await aReviewedLibrary()
  const confirmed = await decide(member, { entry_id: ids[1], action: 'confirm' })
  expect(confirmed).toMatchObject({
    matches: [
      { state: 'matched', decision: 'confirmed', entity_id: likely.entity_id, song_version_id: likely.versionIds[1] },
    ],
    overview: { libraries: [{ matched: 2, to_review: 0, not_found: 1 }], songs: { in_library: 2 } },
  })
  const undone = await decide(member, { entry_id: ids[1], action: 'undo' })
  expect(undone).toMatchObject({
    matches: [{ state: 'review', decision: null, entity_id: null, candidates: [{ entity_id: likely.entity_id }] }],
    overview: { libraries: [{ matched: 1, to_review: 1 }] },
  })
})

test('rejects a match and a review, and undo restores what was found', async () => {
  const { member, certain, ids } = await aReviewedLibrary()
  const rejected = await decide(member, { entry_id: ids[1], action: 'reject' }, { entry_id: ids[0], action: 'reject' })
  expect(rejected.matches.map(({ entry_id, state, decision }) => [entry_id, state, decision])).toEqual([
    [ids[1], 'not_found', 'rejected'],
    [ids[0], 'not_found', 'rejected'],
  ])
  expect(rejected.overview).toMatchObject({ libraries: [{ matched: 0, not_found: 3 }], songs: { in_library: 0 } })
  const undone = await decide(member, { entry_id: ids[0], action: 'undo' })
  expect(undone.matches).toMatchObject([
    { state: 'matched', decision: null, entity_id: certain.entity_id, song_version_id: certain.versionIds[0] },
  ])
})

test('assigns any published song to a file, with a version of that song', async () => {
  const { member, certain, likely, ids } = await aReviewedLibrary()
  const entry_id = ids[2]
  const [version] = certain.versionIds
  expect(await errorOfDecision(member, { entry_id, action: 'confirm' })).toMatchObject({ code: 'unknown_song' })
  expect(
    await errorOfDecision(member, {
      entry_id,
      action: 'confirm',
      entity_id: likely.entity_id,
      song_version_id: version!,
    }),
  ).toMatchObject({ code: 'unknown_version' })
  const hidden = await aSong(pool.ctx)
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${hidden.entity_id}`
  expect(await errorOfDecision(member, { entry_id, action: 'confirm', entity_id: hidden.entity_id })).toMatchObject({
    code: 'unknown_song',
  })
  const { matches, songs } = await decide(member, { entry_id, action: 'confirm', entity_id: certain.entity_id })
  expect(matches).toMatchObject([
    { state: 'matched', entity_id: certain.entity_id, song_version_id: null, confidence: null },
  ])
  expect(songs).toMatchObject([{ entity_id: certain.entity_id }])
})

test('stores all decisions of a request or none, and only about the member’s own files', async () => {
  const { member, ids } = await aReviewedLibrary()
  const other = await aMember(pool.ctx)
  expect(await errorOfDecision(other, { entry_id: ids[0], action: 'reject' })).toMatchObject({ code: 'unknown_match' })
  const both = decide(member, { entry_id: ids[0], action: 'reject' }, { entry_id: ids[2], action: 'confirm' })
  expect(await errorOf(both)).toMatchObject({ code: 'unknown_song' })
  expect((await listOf(member, 'matched')).map(({ entry_id }) => entry_id)).toEqual([ids[0]])
})

test('keeps decisions when the library is imported or compared again', async () => {
  const { member, likely, entries, ids, library_id } = await aReviewedLibrary()
  await decide(member, { entry_id: ids[0], action: 'reject' }, { entry_id: ids[1], action: 'confirm' })
  await pool.ask(ownLibrary.matchAgain, { library_id }, member.token)
  const next = await importLibrary(pool, member, [anEntry({ artist: 'First', title: 'Xyzzy' }), ...entries])
  expect(next).not.toBe(library_id)
  expect(await listOf(member, 'matched')).toMatchObject([
    { decision: 'confirmed', entity_id: likely.entity_id, song_version_id: likely.versionIds[1] },
  ])
  expect(await listOf(member, 'review')).toEqual([])
  expect(await listOf(member, 'not_found')).toMatchObject([
    { title: 'Xyzzy' },
    { title: 'Golden Harbour (Clean)', decision: 'rejected', entity_id: null },
    { title: 'Qwxyz', decision: null },
  ])
})

test('a song that was unpublished is not among the songs of its match', async () => {
  const { member, certain } = await aReviewedLibrary()
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${certain.entity_id}`
  const { matches, songs } = await pool.ask(ownLibrary.getMatches, { state: 'matched' }, member.token)
  expect(matches).toMatchObject([{ entity_id: certain.entity_id }])
  expect(songs).toEqual([])
})

test('matches follow a merge of songs and its undoing', async () => {
  const { member, certain, likely, ids } = await aReviewedLibrary()
  await decide(member, { entry_id: ids[2], action: 'confirm', entity_id: certain.entity_id })
  const curator = await aMember(pool.ctx, { group_id: 4, staff_role: 'curator' })
  const entity_ids = [likely.entity_id, certain.entity_id]
  const { state } = await pool.ask(merging.getMerge, { entity_ids, keep_entity_id: likely.entity_id }, curator.token)
  const versions = certain.versionIds.map((song_version_id, n) => ({ song_version_id, version_label: `Other ${n}` }))
  await pool.ask(merging.mergeSongs, { entity_ids, keep_entity_id: likely.entity_id, state, versions }, curator.token)
  expect(await listOf(member, 'matched')).toMatchObject([
    {
      entity_id: likely.entity_id,
      song_version_id: certain.versionIds[0],
      candidates: [{ entity_id: likely.entity_id }],
    },
    { entity_id: likely.entity_id, song_version_id: null },
  ])
  await pool.ask(merging.undoMerge, { entity_id: certain.entity_id }, curator.token)
  expect(await listOf(member, 'matched')).toMatchObject([
    {
      entity_id: certain.entity_id,
      song_version_id: certain.versionIds[0],
      candidates: [{ entity_id: certain.entity_id }],
    },
    { entity_id: likely.entity_id, song_version_id: null },
  ])
})

test('a version that another one replaces in a merge is owned as that one', async () => {
  const member = await aMember(pool.ctx)
  const artist = 'Replaced Artist'
  const [stays, gone] = [
    await aSong(pool.ctx, { artist: 'Replacing Artist', title: 'Kept' }),
    await aSong(pool.ctx, { artist, title: 'Removed Title' }),
  ]
  await importLibrary(pool, member, [anEntry({ artist, title: 'Removed Title (Clean)' })])
  const curator = await aMember(pool.ctx, { group_id: 4, staff_role: 'curator' })
  const entity_ids = [stays.entity_id, gone.entity_id]
  const keep = { entity_ids, keep_entity_id: stays.entity_id }
  const { state } = await pool.ask(merging.getMerge, keep, curator.token)
  const versions = [{ song_version_id: gone.versionIds[0]!, version_label: 'Clean', unpublish: true }]
  await pool.ask(merging.mergeSongs, { ...keep, state, versions }, curator.token)
  expect(await listOf(member, 'matched')).toMatchObject([
    {
      ...{ entity_id: stays.entity_id, song_version_id: stays.versionIds[0] },
      candidates: [{ entity_id: stays.entity_id, song_version_id: stays.versionIds[0] }],
    },
  ])
})
