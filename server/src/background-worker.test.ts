import { joining } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { findMailTo, openMailServer } from '../test/mail-server.ts'
import { aSong } from '../test/makers.ts'
import { openTestPool } from '../test/pool.ts'
import { openQueueFor } from '../test/queue-connections.ts'
import { startWorker } from './background-worker.ts'
import { rollUpDownloads } from './downloads/chart-outbox.ts'

test('a pool without charts gets them as soon as the worker starts', async () => {
  const pool = await openTestPool()
  const { sql } = pool.ctx
  const jobs = await openQueueFor(sql)
  try {
    const { entity_id } = await aSong(pool.ctx)
    await sql`insert into download_outbox (entity_id, at) values (${entity_id}, now())`
    await rollUpDownloads(sql)
    const work = await startWorker(pool.ctx, jobs)
    const workers = await sql<{ ids: string[] }[]>`select queue_worker_ids as ids from worker_heartbeat`
    await work.stop()
    // Other workers release the jobs of a worker whose ids have no heartbeat.
    expect(workers.map(({ ids }) => ids.length)).toEqual([3])
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

test('a worker renders and sends queued emails', async () => {
  const server = await openMailServer()
  const pool = await openTestPool({ config: { smtpUrl: server.url } })
  const jobs = await openQueueFor(pool.ctx.sql)
  const work = await startWorker(pool.ctx, jobs)
  try {
    const email = 'kwame@example.test'
    await pool.ask(joining.signUp, { dj_name: 'DJ Kwame', email, password_hash: 'a good long password' })
    await expect
      .poll(() => findMailTo(server, email).map(({ subject }) => subject), { timeout: 60_000 })
      .toHaveLength(1)
  } finally {
    await work.stop()
    await jobs.end()
    await Promise.all([pool.close(), server.close()])
  }
})
