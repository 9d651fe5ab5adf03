import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { tempoOfLabel } from './label-tempos.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

test('the tempos of a label are those of its newest songs, without uncertain ones', async () => {
  const { ctx } = pool
  const tempos = [174, 172, 87, 176]
  for (const bpm of tempos) {
    const { versionIds } = await aSong(ctx, { label: 'Ice Cold Records', versions: ['Clean', 'Dirty'] })
    const isCertain = bpm !== 87
    await ctx.sql`
      update song_version set bpm = ${bpm}, bpm_source = 'analysis', bpm_confidence = ${isCertain ? 0.9 : 0.3}
      where song_version_id = any(${versionIds}::bigint[])`
  }
  await aSong(ctx, { label: 'Another Label' })
  expect(await tempoOfLabel(ctx.sql, ' ice cold records')).toEqual([176, 172, 174])
  expect(await tempoOfLabel(ctx.sql, '')).toEqual([])
})
