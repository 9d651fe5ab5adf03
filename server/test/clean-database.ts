import type { Pool } from '../src/platform/db.ts'

/** What a new test database looks like, and how to bring a used one back to that state. */
export type Snapshot = {
  /** Changes when a table, column, constraint, trigger, function or setting of the database changes. */
  schema: string
  /** A query for the names of the tables and sequences that differ. */
  findChanges: string
  /** The statement that restores a table or sequence, by its name. */
  restore: Record<string, string>
}

/** Describes a database that holds only what the migrations inserted. */
export async function takeSnapshot(sql: Pool): Promise<Snapshot> {
  const checks: string[] = []
  const restore: Snapshot['restore'] = {}
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`
  for (const { name } of tables) {
    const [content] = await sql.unsafe<{ json: string | null; hash: string | null }[]>(
      `select json_agg(t)::text as json, ${HASH_SQL} as hash from ${name} t`,
    )
    const fillStatement = content?.json == null ? '' : await fillTable(sql, name, content.json)
    restore[name] = `delete from ${name}; ${fillStatement}`
    const hasRows = `exists (select from ${name})`
    const isDifferent = `(select ${HASH_SQL} from ${name} t) is distinct from '${content?.hash}'`
    checks.push(`('${name}', ${fillStatement === '' ? hasRows : isDifferent})`)
  }
  const sequences = await sql<{ name: string; last: string; restore: string }[]>`
    select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value::text, 'null') as last,
      format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
        coalesce(last_value, start_value), last_value is not null) as restore
    from pg_sequences`
  for (const sequence of sequences) {
    restore[sequence.name] = sequence.restore
    checks.push(`('${sequence.name}', pg_sequence_last_value('${sequence.name}') is distinct from ${sequence.last})`)
  }
  const list = checks.join(', ')
  return {
    schema: await readSchema(sql),
    findChanges: `select array(select name from (values ${list}) as checked (name, differs) where differs) as names`,
    restore,
  }
}

/** The tables and sequences that differ from a new database. */
export async function findChanges(sql: Pool, snapshot: Snapshot): Promise<string[]> {
  const [found] = await sql.unsafe<{ names: string[] }[]>(snapshot.findChanges, [], { prepare: true })
  return found?.names ?? []
}

/** Removes everything that tests wrote. Returns false if that is not possible, so that the database has to be dropped. */
export async function resetDatabase(sql: Pool, snapshot: Snapshot): Promise<boolean> {
  if ((await readSchema(sql)) !== snapshot.schema || !(await isReusable(sql))) return false
  const changes = await findChanges(sql, snapshot)
  if (changes.length === 0) return true
  // Deleting the few rows of a test takes a tenth of the time of TRUNCATE, which makes new files for every table that
  // refers to one of these. Without triggers and foreign keys the order does not matter.
  const statements = [
    "set local session_replication_role = 'replica'",
    ...changes.map((name) => snapshot.restore[name]),
  ]
  await sql.begin((transaction) => transaction.unsafe(statements.join(';\n')))
  return (await findChanges(sql, snapshot)).length === 0
}

const HASH_SQL = "md5(string_agg(t::text, E'\\n' order by t::text))"

async function fillTable(sql: Pool, table: string, json: string): Promise<string> {
  const [found] = await sql<{ columns: string }[]>`
    select string_agg(format('%I', attname), ', ' order by attnum) as columns from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
  return `insert into ${table} (${found?.columns}) overriding system value
    select ${found?.columns} from json_populate_recordset(null::${table}, $rows$${json}$rows$)`
}

async function readSchema(sql: Pool): Promise<string> {
  const [found] = await sql<{ text: string }[]>`
    select concat_ws(' ',
      (select sum(hashtext(concat(oid, relname))) from pg_class where relpersistence = 'p' and oid >= 16384),
      (select sum(hashtext(concat(attrelid, attname, atttypid, attnotnull))) from pg_attribute where attrelid >= 16384 and attnum > 0),
      (select sum(hashtext(concat(oid, tgenabled))) from pg_trigger),
      (select sum(hashtext(concat(oid, conname))) from pg_constraint),
      (select sum(hashtext(concat(oid, xmin))) from pg_proc where oid >= 16384),
      (select count(*) from pg_namespace where nspname !~ '^pg_(toast_)?temp_'),
      (select count(*) from pg_db_role_setting)) as text`
  return found?.text ?? ''
}

/** A table that was larger once is read more slowly, and the planner expects it to be large again. */
const MAX_SNAPSHOT_BYTES = 1024 * 1024

/** False for a database with statistics or a large table, or with work that a test left behind: a transaction or a lock. */
async function isReusable(sql: Pool): Promise<boolean> {
  const [found] = await sql<{ isReusable: boolean }[]>`
    select not exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' and state <> 'idle')
      and not exists (select from pg_locks join pg_database d on d.oid = database
        where datname = current_database() and locktype = 'advisory')
      and not exists (select from pg_statistic where starelid >= 16384)
      and not exists (select from pg_class where relkind = 'r' and oid >= 16384
        and pg_relation_size(oid) > ${MAX_SNAPSHOT_BYTES}) as "isReusable"`
  return found?.isReusable ?? false
}
