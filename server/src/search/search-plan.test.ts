import { expect, test } from 'vitest'
import { anyOf, planSearch, type TermGroup } from './search-plan.ts'

const catalogue = { songs: 1_000_000, newest: 1_000_000 }
const word = (name: string, expected: number): TermGroup => ({ match: anyOf([name]), expected })
const section = word('#s1', 930_000)

/** The branches of a statement with their values filled in: the scan, if there is one, and the index. */
function arms(groups: TermGroup[], params: Partial<Parameters<typeof planSearch>[2]> = {}) {
  const { text, values } = planSearch(groups, catalogue, { limit: 24, offset: 0, ...params })
  const filled = text.replace(/\$(\d+)/g, (_, n) => String(values[Number(n) - 1]))
  const [walk, index] = filled.includes('union all') ? filled.split('union all') : [undefined, filled]
  return { walk, indexed: /where (.*) and entity_id <=/.exec(index ?? '')?.[1] }
}

test('scans first for a common word, and only uses the index for a rare one', () => {
  expect(arms([word('love', 70_000), section]).walk).toContain("tsv @@ 'love'::tsquery")
  expect(arms([word('zorblax', 3), section])).toEqual({ walk: undefined, indexed: "r.tsv @@ 'zorblax'::tsquery" })
})

test('queries the index for the rarest groups that pay off, not for what nearly every song has', () => {
  expect(arms([word('the', 120_000), word('runner', 9000), section]).indexed).toBe(
    "r.tsv @@ 'runner'::tsquery and r.tsv @@ 'the'::tsquery",
  )
  expect(arms([word('runner', 20), word('the', 120_000), section]).indexed).toBe("r.tsv @@ 'runner'::tsquery")
})

test('leaves a group to filtering that nearly all songs of the others match, however few it has itself', () => {
  const [pair, tempo] = [word('#G1B15', 5000), word('#b124', 60_000)]
  expect(arms([pair, tempo]).indexed).toBe("r.tsv @@ '#G1B15'::tsquery and r.tsv @@ '#b124'::tsquery")
  expect(arms([pair, { ...tempo, share: 0.95 }]).indexed).toBe("r.tsv @@ '#G1B15'::tsquery")
})

test('filters exclusions in both branches and never queries the index for them', () => {
  const { walk, indexed } = arms([section], { checks: { without: [anyOf(['remix'])] } })
  expect(walk).toContain("r.tsv @@ !('remix')::tsquery")
  expect(indexed).toBe("r.tsv @@ '#s1'::tsquery")
})

test('scans somewhat beyond where enough results are likely, and no further than the index would cost', () => {
  const lengthOf = (walk: string | undefined) => 1_000_000 - Number(/entity_id > (\d+)/.exec(walk ?? '')?.[1])
  const likely = (24 / 10_000) * 1_000_000
  const short = lengthOf(arms([word('usual', 10_000), section]).walk)
  expect(short).toBeGreaterThan(5 * likely)
  expect(short).toBeLessThan(20 * likely)
  const long = arms([word('common', 100_000), section], { limit: 1001, count: true })
  expect(lengthOf(long.walk)).toBeLessThan(100_000)
  expect(arms([word('usual', 10_000), section], { limit: 1001, count: true }).walk).toBeUndefined()
})

test('scans only recently added songs; a long time range is a condition in both branches', () => {
  const since = (above: number, groups: TermGroup[]) => {
    const added = { after: '2026-07-01 10:00:00+00', above }
    const { text, values } = planSearch(groups, catalogue, { limit: 100, offset: 0, checks: { added } })
    return text.replace(/\$(\d+)/g, (_, n) => String(values[Number(n) - 1]))
  }
  const lately = since(999_500, [word('zorblax', 3), section])
  expect(lately).not.toContain('union all')
  expect(lately).toContain('entity_id > 999500::bigint and entity_id <= 1000000::bigint')
  expect(lately).toContain('s.created_at > 2026-07-01 10:00:00+00::text::timestamptz')
  const rare = since(500_000, [word('zorblax', 3), section])
  expect(rare).toContain("r.tsv @@ 'zorblax'::tsquery and entity_id <= 1000000::bigint")
  const [walk, index] = since(500_000, [word('love', 70_000), section]).split('union all')
  expect(walk).toContain("tsv @@ 'love'::tsquery")
  for (const arm of [rare, index]) expect(arm).toContain('and entity_id > 500000::bigint')
})
