import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { jobs, modules } from '../src/modules.ts'
import { connect } from '../src/platform/db.ts'
import { describeSchema, schemaFile } from '../src/platform/migrate.ts'
import { projectRoot } from '../src/platform/project-root.ts'

/** In the order of their imports: each may use those before it. */
const MODULES = modules.map(({ name }) => name)

/** The module of each table. docs/architecture.md shows the same and is checked against it. */
const OWNERS = new Map(modules.flatMap(({ name, tables = [] }) => tables.map((table) => [table, name] as const)))

/** Files that read a table of a module after their own. Shorten this list; never add to it. */
const ALLOWED_READS: Record<string, string[]> = {
  // A file's bytes are shared by everything that has its checksum.
  'imports/uploaded-files.ts': ['upload'],
}

const source = path.join(projectRoot, 'server', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
)
const moduleOf = (file: string) => (file.includes(path.sep) ? file.split(path.sep)[0] : undefined)
const readSource = (file: string) => readFileSync(path.join(source, file), 'utf8')

test('modules only import modules before them', () => {
  const mismatches: string[] = []
  for (const file of files) {
    const moduleName = moduleOf(file)
    if (!moduleName) continue
    expect(MODULES, `${file} belongs to a module that is not in modules.ts`).toContain(moduleName)
    for (const [, target] of readSource(file).matchAll(/from '(?:\.\.\/)+([a-z0-9-]+)\//g)) {
      if (MODULES.indexOf(target ?? '') > MODULES.indexOf(moduleName)) mismatches.push(`${file} imports ${target}`)
    }
  }
  expect(mismatches).toEqual([])
})

test('the platform uses no domain terms', () => {
  const domainTables = /\b(songs?|genres?|crates?|playlists?|download_grant|customer)\b/i
  const mismatches = files.filter(
    (file) =>
      moduleOf(file) === 'platform' && domainTables.test(readSource(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  )
  expect(mismatches).toEqual([])
})

/** Returns the accesses of a kind in all modules that the lists above do not allow. */
function findAccesses(
  tablesIn: (text: string) => Iterable<string>,
  isForbidden: (moduleName: string, owner: string) => boolean,
  allowed: Record<string, string[]> = {},
): string[] {
  return files.flatMap((file) => {
    const moduleName = moduleOf(file)
    if (!moduleName || moduleName === 'demo-pool') return []
    const forbidden = [...new Set(tablesIn(readSource(file)))].filter((table) => {
      const owner = OWNERS.get(table)
      return owner !== undefined && isForbidden(moduleName, owner)
    })
    const expected = allowed[file.split(path.sep).join('/')] ?? []
    return [
      ...forbidden.filter((table) => !expected.includes(table)).map((table) => `${file}: ${table}`),
      ...expected.filter((table) => !forbidden.includes(table)).map((table) => `${file}: ${table} is no longer used`),
    ]
  })
}

function* writtenTables(text: string): Iterable<string> {
  for (const [, table = ''] of text.matchAll(/\b(?:insert into|delete from|update)\s+([a-z][a-z0-9_]+)/g)) yield table
}

/** Also the tables after a comma, as in `from song s, genre g`; not the names of `with`. */
function* readTables(text: string): Iterable<string> {
  const sql = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const names = new Set(
    [...sql.matchAll(/\b([a-z_]+)\s*(?:\([a-z_, ]*\)\s*)?as\s+(?:(?:not )?materialized\s+)?\(/g)].map(
      ([, name]) => name,
    ),
  )
  for (const [, from = ''] of sql.matchAll(
    /\b(?:from|join|using|lock table)\s+((?:lateral\s+)?[a-z_0-9]+(?:\s+(?:as\s+)?[a-z_0-9]+)?(?:\s*,\s*[a-z_0-9]+(?:\s+[a-z_0-9]+)?)*)/g,
  )) {
    for (const part of from.split(',')) {
      const [table = ''] = part.trim().split(/\s/)
      if (!names.has(table)) yield table
    }
  }
}

test('each table is only written by its own module', () => {
  expect(findAccesses(writtenTables, (moduleName, owner) => owner !== moduleName)).toEqual([])
})

test('modules only read tables of modules before them', () => {
  const isAfter = (moduleName: string, owner: string) => MODULES.indexOf(owner) > MODULES.indexOf(moduleName)
  expect(findAccesses(readTables, isAfter, ALLOWED_READS)).toEqual([])
})

test('finds every table that a statement reads', () => {
  const statement = `
    with newest as (select 1 from song s, genre g join song_genre using (genre_id)), page (n) as materialized (select 1)
    delete from crate_item c using favourite f where exists (select 1 from newest, page)`
  expect([...readTables(statement)]).toEqual(['song', 'genre', 'song_genre', 'crate_item', 'favourite'])
})

test('every table has an owner, and docs/architecture.md lists it', async () => {
  const sql = connect({ socketDir: inject('socketDir'), database: 'template_pool' }, { max: 1 })
  const tables = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public' order by 1`
  await sql.end()
  expect(tables.map((table) => table.name)).toEqual([...OWNERS.keys()].sort())
  const documented = readFileSync(path.join(projectRoot, 'docs', 'architecture.md'), 'utf8')
  for (const { name, tables = [] } of modules) {
    const line = documented.split('\n').find((row) => row.startsWith(`| ${name} |`))
    expect(line, `docs/architecture.md has no row of ${name}`).toBeDefined()
    for (const table of tables) expect(line).toContain(`\`${table}\``)
  }
})

test('the names of jobs are unique', () => {
  const tasks = jobs.map(({ task }) => task)
  expect(tasks).toEqual([...new Set(tasks)])
})

test('schema.sql is the schema after the last migration', async () => {
  const sql = connect({ socketDir: inject('socketDir'), database: 'template_pool' }, { max: 1 })
  const described = await describeSchema(sql)
  await sql.end()
  expect(readFileSync(schemaFile, 'utf8')).toBe(described)
})
