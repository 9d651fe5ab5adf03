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

/** Modules that write another module's table, each with the reason. */
const ALLOWED_IMPORTS: Record<string, string[]> = {
  // The aggregation job reads what downloads and the player queue for the charts.
  catalogue: ['download_outbox', 'listen_outbox'],
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

test('each table is only written by its own module', () => {
  const mismatches: string[] = []
  for (const file of files) {
    const moduleName = moduleOf(file)
    if (!moduleName || moduleName === 'demo-pool') continue
    for (const [, table] of readSource(file).matchAll(/\b(?:insert into|delete from|update)\s+([a-z][a-z0-9_]+)/g)) {
      const owner = OWNERS.get(table ?? '')
      if (owner && owner !== moduleName && !ALLOWED_IMPORTS[moduleName]?.includes(table ?? ''))
        mismatches.push(`${file} writes ${table}, which is ${owner}'s`)
    }
  }
  expect(mismatches).toEqual([])
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
