import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { allRoutes } from '../server/src/app.ts'
import { connect, type Pool } from '../server/src/platform/db.ts'
import { VIEWER_CALLS } from '../server/src/staff/view-as-member.ts'
import { createQueue } from '../server/test/queue-connections.ts'
import { listMeasuredCalls, type MeasuredCall, NOT_MEASURED, readSampleRows } from './call-inputs.ts'
import { explainCalls, type PlanNode } from './call-plans.ts'
import { type Callers, openCallers } from './callers.ts'
import { fillHistory } from './fill-history.ts'
import { fillCatalogue } from './generator.ts'

const SONGS = 300
/** Tables with millions of rows in a large pool. */
const GROWING = ['song', 'download', 'listen', 'audit', 'customer', 'playlist', 'playlist_song']

const database = `plans_${process.pid}_${Date.now()}`
const location = { socketDir: inject('socketDir'), database }
const adminConnection = connect({ ...location, database: 'postgres' }, { max: 1 })
let dataDir: string
let sql: Pool
let callers: Callers
let calls: MeasuredCall[]

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-plans-'))
  await adminConnection.unsafe(`create database ${database} template template_pool`)
  sql = connect(location, { max: 2 })
  await createQueue(database)
  await fillCatalogue(sql, SONGS)
  await fillHistory(sql, SONGS)
  callers = await openCallers(sql)
  calls = listMeasuredCalls(await readSampleRows(sql, callers.memberId))
})
afterAll(async () => {
  await sql?.end()
  await adminConnection.unsafe(`drop database if exists ${database} with (force)`)
  await adminConnection.end()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Calls that only read: of members as of visitors, and of staff. */
const readingCalls = [
  ...[...VIEWER_CALLS].map(({ path: name }) => name),
  ...allRoutes.filter(({ audit }) => audit === 'reads').map(({ endpoint }) => endpoint.path),
]

test('every call that reads is measured, or it is said why not', () => {
  const measured = new Set(calls.map(({ path: name }) => name))
  expect(readingCalls.filter((name) => !measured.has(name) && !(name in NOT_MEASURED))).toEqual([])
  expect(Object.keys(NOT_MEASURED).filter((name) => measured.has(name) || !readingCalls.includes(name))).toEqual([])
})

const findSequentialScans = (node: PlanNode): string[] => [
  ...(node['Node Type'] === 'Seq Scan' && GROWING.includes(node['Relation Name'] ?? '')
    ? [`scans ${node['Relation Name']}`]
    : []),
  ...(node.Plans ?? []).flatMap(findSequentialScans),
]

test('no call scans a table that grows: an index serves each of its statements', async () => {
  // Small tables are scanned whatever their indexes are: here only if there is no other way.
  const options = { findWarnings: findSequentialScans, parameters: { enable_seqscan: 'off' } }
  const warnings = await explainCalls({ location, dataDir }, calls, callers.tokens, options)
  expect(Object.fromEntries([...warnings].filter(([, found]) => found.length > 0))).toEqual({})
})
