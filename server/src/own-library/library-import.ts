import { type InputOf, ownLibrary, type ParsedInputOf } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { type ImportRow, importColumns, toImport, unknownLibraryError } from './libraries.ts'

type ImportPart = ParsedInputOf<typeof ownLibrary.importCollection>

/**
 * Stores a part of a library; with the last one, matching begins. Parts are stored once, however often they are sent.
 * Throws `unknown_library`, `too_many_libraries`, `library_too_large` and `invalid_request`.
 */
export async function importPart(pool: Pool, customerId: number, part: ImportPart): Promise<ownLibrary.LibraryImport> {
  return pool.begin(async (sql) => {
    const library = part.library_id
      ? await lockImport(sql, customerId, part.library_id)
      : await startImport(sql, customerId, part)
    if (library.state !== 'receiving') return toImport(library)
    if (part.offset + part.entries.length > library.entries)
      throw new ApiError(
        'invalid_request',
        `This part is beyond the end of the library, which has ${library.entries} files. Import it again.`,
      )
    const added = await addEntries(sql, library.library_id, part)
    return toImport(await countReceived(sql, library.library_id, added))
  })
}

async function lockImport(sql: Sql, customerId: number, libraryId: number): Promise<ImportRow> {
  const [library] = await sql<ImportRow[]>`
    select ${importColumns(sql)} from own_library where library_id = ${libraryId} and customer_id = ${customerId}
    for no key update`
  if (!library) throw unknownLibraryError()
  return library
}

/** The lock on the member makes two imports at once keep the limits. */
async function startImport(sql: Sql, customerId: number, { name, format, total }: ImportPart): Promise<ImportRow> {
  await sql`select 1 from customer where customer_id = ${customerId} for no key update`
  await sql`
    delete from own_library where customer_id = ${customerId} and lower(name) = lower(${name}) and not is_listed`
  await checkLimits(sql, customerId, { name, total })
  const [library] = await sql<ImportRow[]>`
    insert into own_library (customer_id, name, format, entries)
    values (${customerId}, ${name}, ${format}, ${total}) returning ${importColumns(sql)}`
  return library!
}

/** A library that will be replaced does not count. */
async function checkLimits(sql: Sql, customerId: number, { name, total }: { name: string; total: number }) {
  const [others] = await sql<{ libraries: number; entries: number }[]>`
    select count(distinct lower(name))::int as libraries, coalesce(sum(entries), 0)::int as entries
    from own_library where customer_id = ${customerId} and lower(name) <> lower(${name})`
  const { MAX_LIBRARIES, MAX_LIBRARY_ENTRIES } = ownLibrary
  if (others!.libraries >= MAX_LIBRARIES)
    throw new ApiError(
      'too_many_libraries',
      `You’ve reached the limit of ${MAX_LIBRARIES} libraries. Delete one first, or use the name of one to replace it.`,
    )
  const left = MAX_LIBRARY_ENTRIES - others!.entries
  if (total > left)
    throw new ApiError(
      'library_too_large',
      `Your libraries can have ${MAX_LIBRARY_ENTRIES.toLocaleString('en')} files together, and ${Math.max(0, left).toLocaleString('en')} are left. Delete a library, or import a smaller one.`,
    )
}

type SentEntry = InputOf<typeof ownLibrary.importCollection>['entries'][number]

/** Returns how many of the entries were not stored before. */
async function addEntries(sql: Sql, libraryId: number, { offset, entries }: ImportPart): Promise<number> {
  const rows = entries.map((entry: SentEntry, n) => ({ ...entry, n: offset + n }))
  const added = await sql`
    insert into own_library_entry (library_id, n, artist, title, version, remixer, isrc, duration_seconds, bytes, path_parts)
    select ${libraryId}, n, artist, title, version, remixer, isrc, duration_seconds, bytes, path_parts
    from jsonb_to_recordset(${sql.json(rows as never)}) as sent (n int, artist text, title text, version text, remixer text,
      isrc text, duration_seconds real, bytes numeric, path_parts text[])
    on conflict (library_id, n) do nothing`
  return added.count
}

async function countReceived(sql: Sql, libraryId: number, added: number): Promise<ImportRow> {
  const [library] = await sql<ImportRow[]>`
    update own_library set
      state = case when done + ${added} = entries then 'matching' else state end,
      done = case when done + ${added} = entries then 0 else done + ${added} end
    where library_id = ${libraryId} returning ${importColumns(sql)}`
  return library!
}
