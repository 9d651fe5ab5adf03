import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { describeDistribution, findListErrors, findProblems, parseSchema } from '../../scripts/distribution.mjs'
import { projectRoot } from '../src/platform/project-root.ts'

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8')

const SCHEMA = `
create table customer (
  customer_id bigint not null generated always as identity,
  email text not null,
  constraint customer_pkey PRIMARY KEY (customer_id)
);
CREATE UNIQUE INDEX customer_email ON public.customer USING btree (lower(email)) WHERE (email <> ''::text);

create table song (
  entity_id bigint not null,
  customer_id bigint,
  constraint song_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE SET NULL,
  constraint song_pkey PRIMARY KEY (entity_id)
);

create table favourite (
  customer_id bigint not null,
  entity_id bigint not null,
  constraint favourite_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id) ON DELETE CASCADE,
  constraint favourite_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES song(entity_id),
  constraint favourite_pkey PRIMARY KEY (customer_id, entity_id)
);

create table note (
  note_id bigint not null,
  entity_id bigint not null,
  constraint note_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES favourite(entity_id),
  constraint note_pkey PRIMARY KEY (note_id)
);
`
const tables = parseSchema(SCHEMA)

test('reads columns, unique keys with their indexes, and foreign keys from the schema', () => {
  expect([...tables.keys()]).toEqual(['customer', 'song', 'favourite', 'note'])
  expect(tables.get('customer')).toEqual({
    columns: ['customer_id', 'email'],
    uniqueKeys: [
      { name: 'customer_pkey', columns: ['customer_id'] },
      { name: 'customer_email', columns: ['lower(email)'] },
    ],
    foreignKeys: [],
  })
  expect(tables.get('favourite')?.foreignKeys[0]).toEqual({
    name: 'favourite_customer_id_fkey',
    columns: ['customer_id'],
    table: 'customer',
    targetColumns: ['customer_id'],
  })
})

test('lists missing distribution columns, unique keys without it, and foreign keys that Citus does not allow', () => {
  const lists = { distributed: ['customer', 'favourite', 'note'], reference: ['song'], local: [] }
  expect(findProblems(tables, lists)).toEqual([
    { table: 'customer', problem: 'customer_email (lower(email)) is unique without customer_id' },
    { table: 'song', problem: 'song_customer_id_fkey (customer_id) refers to customer, which is distributed' },
    { table: 'note', problem: 'has no column customer_id' },
    { table: 'note', problem: 'note_pkey (note_id) is unique without customer_id' },
    { table: 'note', problem: 'note_entity_id_fkey (entity_id) refers to favourite, which is distributed' },
  ])
  expect(findProblems(tables, { distributed: ['favourite'], reference: ['customer', 'song'], local: [] })).toEqual([])
  const [problem] = findProblems(tables, { distributed: [], reference: ['song'], local: ['customer'] })
  expect(problem).toEqual({
    table: 'song',
    problem: 'song_customer_id_fkey (customer_id) refers to customer, which is local',
  })
})

test('names tables that are in no list or in two, and listed names without a table', () => {
  expect(
    findListErrors(tables, { distributed: ['customer', 'gone'], reference: ['song'], local: ['note', 'song'] }),
  ).toEqual([
    'The table favourite is in no list.',
    'gone is listed, but there is no such table.',
    'song is listed twice.',
  ])
})

test('every table of the schema is in one list, and docs/distribution.md is up to date', () => {
  const schema = parseSchema(read('server/schema.sql'))
  expect(schema.size).toBe(read('server/schema.sql').match(/^create table /gm)?.length)
  // Add new tables to scripts/distribution.mjs, then run: node scripts/check-distribution.mjs --write
  expect(findListErrors(schema)).toEqual([])
  expect(read('docs/distribution.md')).toContain(`\n${describeDistribution(schema)}\n`)
})
