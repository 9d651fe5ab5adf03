import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { findRequestedFile, findSourceFiles } from './source-files.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

/** PostgreSQL compares the stored plan with new ones for the first five runs of a statement on a connection. */
const RUNS = 8

test('the statement of a download is not planned again at each download', async () => {
  const { customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx, { versions: ['Original', 'Clean'] })
  const [versionId = 0] = versionIds
  const connection = await pool.ctx.sql.reserve()
  try {
    for (let n = 0; n < RUNS; n++) {
      await findSourceFiles(connection, [versionId])
      await findSourceFiles(connection, versionIds)
      await findRequestedFile(connection, versionId, { customer_id, accessScope: { customer_id, days: 30 } })
    }
    const plans = await connection<{ generic_plans: number; custom_plans: number }[]>`
      select generic_plans, custom_plans from pg_prepared_statements where statement like ${'%has_mp3_upload%'}`
    expect(plans).toHaveLength(3)
    for (const statement of plans) expect(statement).toMatchObject({ generic_plans: RUNS - 5, custom_plans: 5 })
  } finally {
    connection.release()
  }
})

test('reads what the plan and the default download profile of the member say', async () => {
  const { customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const find = () => findRequestedFile(pool.ctx.sql, versionIds[0]!, { customer_id, accessScope: 'published' })
  expect(await find()).toMatchObject({
    sourceFile: { song_version_id: versionIds[0] },
    features: { monthly_downloads: null, delay_hours: 0, has_crate_bundles: true },
    profile: null,
  })
  expect(await find()).not.toHaveProperty('sourceFile.features')
})
