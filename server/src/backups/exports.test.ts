import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { downloads } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { aPlan, payByCard } from '../../test/payment-makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { EXPORTS, type ExportName, exportTable } from './exports.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-exports-'))
let pool: TestPool
let member: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool()
  member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  await pool.ctx.sql`
    update customer set dj_name = '=HYPERLINK("https://evil.example")', city = 'Köln, "Süd"' where customer_id = ${member.customer_id}`
})
afterAll(async () => {
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

let files = 0
async function write(name: ExportName): Promise<{ rows: number; lines: string[] }> {
  const to = path.join(folder, `${++files}.csv`)
  const rows = await exportTable(pool.ctx.sql, name, to)
  return { rows, lines: readFileSync(to, 'utf8').replace('\ufeff', '').trimEnd().split('\r\n') }
}

test('exports members with their data, without credentials and without formulas', async () => {
  const { rows, lines } = await write('members')
  expect(rows).toBe(lines.length - 1)
  expect(lines[0]).toMatch(/^customer_id,email,dj_name,/)
  expect(lines[0]).not.toMatch(/hash|secret|token/)
  expect(lines[1]).toContain(`${member.email},"'=HYPERLINK(""https://evil.example"")"`)
  expect(lines[1]).toContain('"Köln, ""Süd"""')
})

test('exports payments as in the ledger, in whole currency units', async () => {
  await payByCard(pool, member.token, { plan: await aPlan(pool.ctx, { price_minor: 1499, trial_price_minor: 0 }) })
  const { rows, lines } = await write('payments')
  expect(rows).toBe(1)
  expect(lines[1]).toMatch(/^1,[^,]+,payment,14\.99,USD,/)
  expect(lines[1]).toMatch(/,\d{4}-00001,/)
})

test('exports more downloads than one batch, in order', async () => {
  const song = await aSong(pool.ctx, { title: 'Afterglow' })
  await pool.ask(downloads.downloadVersion, { version: song.versionIds[0] ?? 0 }, member.token)
  await pool.ctx.sql`
    insert into download (download_id, customer_id, song_version_id, entity_id)
    select nextval('download_id'), ${member.customer_id}, ${song.versionIds[0] ?? 0}, ${song.entity_id} from generate_series(1, 2500)`
  const { rows, lines } = await write('downloads')
  expect(rows).toBe(2501)
  const ids = lines.slice(1).map((line) => Number(line.split(',')[0]))
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
  expect(lines[1]).toContain('Afterglow')
})

test('never overwrites a file, and leaves no partial file', async () => {
  const to = path.join(folder, 'once.csv')
  await exportTable(pool.ctx.sql, 'members', to)
  await expect(exportTable(pool.ctx.sql, 'members', to)).rejects.toThrow(`${to} already exists.`)
  const nowhere = path.join(folder, 'no', 'such.csv')
  await expect(exportTable(pool.ctx.sql, 'members', nowhere)).rejects.toThrow(
    `Could not write ${nowhere}: the folder doesn’t exist.`,
  )
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([])
  expect(EXPORTS).toEqual(['members', 'downloads', 'payments'])
})
