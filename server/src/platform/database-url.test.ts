import { afterAll, expect, inject, test } from 'vitest'
import { checkEncoding, describeConnectionError } from './database-url.ts'
import { connect } from './db.ts'

const url = 'postgres://pool:secret@db.example:5433/records'
const database = `ascii_${process.pid}`
const where = { socketDir: inject('socketDir'), database: 'postgres' }

const withRoot = async (statement: string) => {
  const root = connect(where, { max: 1 })
  await root.unsafe(statement)
  await root.end()
}

afterAll(() => withRoot(`drop database if exists ${database}`))

test.each([
  [
    '3D000',
    /^DATABASE_URL: the server at db\.example:5433 has no database "records"\. Create it.*create role "pool".*create database "records" owner "pool"/s,
  ],
  ['28P01', /did not accept the password of the role "pool"\.$/],
  ['28000', /denied access to the role "pool"/],
  ['42501', /cannot access the database "records".*alter database "records" owner to "pool";$/s],
  ['ECONNREFUSED', /could not connect to db\.example:5433\./],
  ['ENOTFOUND', /the host name db\.example:5433 could not be found\./],
  ['CONNECT_TIMEOUT', /did not respond in time\./],
  ['53300', /has no free connections\./],
])('explains %s without the password', (code, sentence) => {
  const message = describeConnectionError(url, Object.assign(new Error('no'), { code }))?.message
  expect(message).toMatch(sentence)
  expect(message).not.toContain('secret')
})

test('explains that PgBouncer has no server', () => {
  const error = Object.assign(new Error('no such database: records'), { code: '08P01', severity_local: 'FATAL' })
  expect(describeConnectionError(url, error)?.message).toMatch(
    /^DATABASE_URL: PgBouncer at db\.example:5433 could not connect to PostgreSQL \(no such database: records\)\. Check /,
  )
})

test('does not change an error that is not about DATABASE_URL', () => {
  expect(describeConnectionError(url, new Error('A migration was changed.'))).toBeUndefined()
})

test('rejects a database that does not store UTF-8, with the statement that creates one that does', async () => {
  await withRoot(`create database ${database} encoding 'SQL_ASCII' locale 'C' template template0`)
  await expect(checkEncoding({ ...where, database }, url)).rejects.toThrow(
    /uses the encoding SQL_ASCII; Dubplate requires UTF8\..*create database "records_utf8".*encoding 'UTF8'/s,
  )
  await expect(checkEncoding(where, url)).resolves.toBeUndefined()
})
