import { joining } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { mailTo, openMailServer } from '../test/mail-server.ts'
import { aSong } from '../test/makers.ts'
import { openTestPool } from '../test/pool.ts'
import { queueBeside } from '../test/queue-connections.ts'
import { foldDownloads } from './catalogue/chart-rollups.ts'
import { startWork } from './work.ts'

test('a pool that was never counted has its charts as soon as the work starts', async () => {
  const pool = await openTestPool()
  const { sql } = pool.world
  const jobs = await queueBeside(sql)
  try {
    const { entity_id } = await aSong(pool.world)
    await sql`insert into download_outbox (entity_id, at) values (${entity_id}, now())`
    await foldDownloads(sql)
    const work = await startWork(pool.world, jobs)
    await work.stop()
    const charts =
      await sql`select chart, entity_id from chart_snapshot where genre_id = 0 and song_section_id = 0 order by chart`
    expect(charts.map((row) => [row.chart, row.entity_id])).toEqual([
      ['daily', entity_id],
      ['monthly', entity_id],
      ['trending', entity_id],
      ['weekly', entity_id],
    ])
  } finally {
    await jobs.end()
    await pool.close()
  }
})

test('a worker writes and sends the mail somebody asked for', async () => {
  const server = await openMailServer()
  const pool = await openTestPool({ config: { smtpUrl: server.url } })
  const jobs = await queueBeside(pool.world.sql)
  const work = await startWork(pool.world, jobs)
  try {
    const email = 'kwame@example.test'
    await pool.ask(joining.signUp, { dj_name: 'DJ Kwame', email, password_hash: 'a good long password' })
    await expect.poll(() => mailTo(server, email).map(({ subject }) => subject), { timeout: 60_000 }).toHaveLength(1)
  } finally {
    await work.stop()
    await jobs.end()
    await Promise.all([pool.close(), server.close()])
  }
})
