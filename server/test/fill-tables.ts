import type { Sql } from '../src/platform/db.ts'
import { type Column, columnValue, type EdgeCase, isAllowed, type Random, type Value } from './fill-values.ts'

type ForeignKey = { table: string; columns: string[]; target: string; targetColumns: string[] }
type FillOptions = { random: Random; topUp?: (table: string) => boolean }
type TableRow = Record<string, Value>

/** How many of the columns that may be NULL are, and which extreme values the others have. */
type RowKind = { nullShare: number; edgeCase?: EdgeCase }
const RANDOM_ROW: RowKind = { nullShare: 0.4 }
/** The rows of an empty table. */
const ROW_KINDS: RowKind[] = [
  { nullShare: 1 },
  { nullShare: 0, edgeCase: 'smallest' },
  { nullShare: 0, edgeCase: 'largest' },
  { nullShare: 0, edgeCase: 'unusual' },
  RANDOM_ROW,
  RANDOM_ROW,
]

/** Attempts per row: a random combination that a constraint rejects is replaced by another. */
const ATTEMPTS = 400
/** A table that has rows may be full, as one with a row per genre or per day of the week. */
const TOP_UP_ATTEMPTS = 30

/**
 * Fills every empty table of the database, and adds one row to those that `topUp` names. Rows are generated from the catalogue
 * and hold the extremes their constraints allow (ROW_KINDS). The same seed gives the same rows. Throws when a table stays empty.
 */
export async function fillEveryTable(sql: Sql, { random, topUp = () => false }: FillOptions): Promise<void> {
  const columns = await readColumns(sql)
  const foreignKeys = await readForeignKeys(sql)
  let unfilled = [...new Set(columns.map(({ table }) => table))].filter((table) => table !== 'migration')
  while (unfilled.length > 0) {
    const emptyTables: string[] = []
    for (const table of unfilled) {
      const tableColumns = columns.filter((column) => column.table === table)
      const references = foreignKeys.filter((key) => key.table === table)
      if (await hasRows(sql, table)) {
        if (topUp(table)) await addRow(sql, tableColumns, references, RANDOM_ROW, TOP_UP_ATTEMPTS, random)
        continue
      }
      for (const kind of ROW_KINDS) await addRow(sql, tableColumns, references, kind, ATTEMPTS, random)
      if (!(await hasRows(sql, table))) emptyTables.push(table)
    }
    if (emptyTables.length === unfilled.length) throw new Error(`No row could be generated for ${unfilled.join(', ')}.`)
    unfilled = emptyTables
  }
}

const hasRows = async (sql: Sql, table: string) => (await sql`select 1 from ${sql(table)} limit 1`).length > 0

async function addRow(
  sql: Sql,
  columns: Column[],
  keys: ForeignKey[],
  kind: RowKind,
  attempts: number,
  random: Random,
) {
  const table = columns[0]?.table as string
  const targets = await Promise.all(keys.map((key) => sql<TableRow[]>`select * from ${sql(key.target)} limit 50`))
  for (let attempt = 0; attempt < attempts; attempt++) {
    // What the constraints reject gives way to random values, in more columns with every attempt.
    const chooseRowKind = () => (random() < attempt / 50 ? RANDOM_ROW : kind)
    const row = generateRow(columns, keys, targets, chooseRowKind, random)
    if (row && isAllowed(table, row) && (await insertRow(sql, table, row))) return
  }
}

function generateRow(
  columns: Column[],
  keys: ForeignKey[],
  targets: TableRow[][],
  chooseRowKind: () => RowKind,
  random: Random,
) {
  const row: TableRow = {}
  for (const column of columns) {
    const { nullShare, edgeCase } = chooseRowKind()
    if (column.isGenerated || (!edgeCase && column.hasDefault && random() < 0.2)) continue
    row[column.name] = !column.isRequired && random() < nullShare ? null : columnValue(column, edgeCase, random)
  }
  for (const [index, key] of keys.entries()) {
    const tableColumns = columns.filter(({ name }) => key.columns.includes(name))
    const isOptional = tableColumns.some(({ isRequired }) => !isRequired)
    const target = targets[index]?.[Math.floor(random() * (targets[index]?.length ?? 0))]
    if (!target && !isOptional) return undefined
    if (!target || (isOptional && random() < chooseRowKind().nullShare)) {
      for (const { name, isRequired } of tableColumns) if (!isRequired) row[name] = null
    } else {
      for (const [position, name] of key.columns.entries()) row[name] = target[key.targetColumns[position] as string]
    }
  }
  return row
}

/** PostgreSQL, appendix A: data exception, integrity constraint violation, index row too large. */
const REJECTED = /^(22|23|54)/

async function insertRow(sql: Sql, table: string, row: TableRow): Promise<boolean> {
  const names = Object.keys(row)
  const quoted = names.map((name) => `"${name}"`).join(', ')
  // Values travel as JSON text and PostgreSQL converts them to the types of the columns.
  const text = `insert into "${table}" (${quoted}) select ${quoted} from jsonb_populate_record(null::"${table}", $1::text::jsonb)`
  try {
    await sql.unsafe(text, [JSON.stringify(row)])
    return true
  } catch (error) {
    if (REJECTED.test((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

async function readColumns(sql: Sql): Promise<Column[]> {
  const checks = await sql<{ table: string; names: string[]; definition: string }[]>`
    select k.conrelid::regclass::text as table, pg_get_constraintdef(k.oid) as definition,
      array(select a.attname::text from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey)) as names
    from pg_constraint k where k.contype = 'c' and k.connamespace = 'public'::regnamespace`
  const columns = await sql<Omit<Column, 'checks'>[]>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as "isRequired",
      a.attidentity <> '' or a.attgenerated <> '' as "isGenerated", d.adbin is not null as "hasDefault",
      coalesce(pg_get_expr(d.adbin, d.adrelid), '') as "defaultText"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname, a.attnum`
  return columns.map((column) => ({
    ...column,
    checks: checks
      .filter(({ table, names }) => table === column.table && names.includes(column.name))
      .map(({ definition }) => definition),
  }))
}

const readForeignKeys = (sql: Sql): Promise<ForeignKey[]> => sql<ForeignKey[]>`
  select k.conrelid::regclass::text as table, k.confrelid::regclass::text as target,
    array(select a.attname::text from unnest(k.conkey) with ordinality as o(n, i)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.n order by i) as columns,
    array(select a.attname::text from unnest(k.confkey) with ordinality as o(n, i)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = o.n order by i) as "targetColumns"
  from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace`
