import type { members } from '@dubplate/contract'
import type { Caller } from '../membership/caller.ts'
import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

type NoteRow = Omit<members.StaffNote, 'by' | 'at'> & { by_id: number | null; by_name: string | null; at: Date }

const MAX_SHOWN = 100

/** Returns the notes about a member, newest first. */
export async function listNotes(sql: Sql, customerId: number): Promise<members.StaffNote[]> {
  const rows = await sql<NoteRow[]>`
    select n.staff_note_id, n.kind, n.text, n.at, c.customer_id as by_id, c.dj_name as by_name
    from staff_note n left join customer c on c.customer_id = n.written_by
    where n.customer_id = ${customerId} order by n.staff_note_id desc limit ${MAX_SHOWN}`
  return rows.map(({ by_id, by_name, at, ...row }) => ({
    ...row,
    by: by_id === null ? null : { customer_id: by_id, dj_name: by_name ?? '' },
    at: at.toISOString(),
  }))
}

type NewNote = { customer_id: number; staff_id: number; kind: members.StaffNote['kind']; text: string }

export async function insertNote(sql: Sql, { customer_id, staff_id, kind, text }: NewNote): Promise<void> {
  await sql`
    insert into staff_note (customer_id, kind, text, written_by) values (${customer_id}, ${kind}, ${text}, ${staff_id})`
}

/**
 * Deletes a note of one's own, or as an admin any note; returns the id of the member it was about. Throws
 * `unknown_note`, also for notes that belong to an action, and `admin_required`.
 */
export async function removeNote(sql: Sql, staff: Caller, noteId: number): Promise<number> {
  const [note] = await sql<{ customer_id: number; written_by: number | null }[]>`
    select customer_id, written_by from staff_note where staff_note_id = ${noteId} and kind = 'note' for update`
  if (!note) throw new ApiError('unknown_note', 'This note no longer exists.')
  if (staff.staff_role !== 'admin' && note.written_by !== staff.customer_id) {
    throw new ApiError('admin_required', 'You can only delete your own notes. Ask an admin to delete this one.')
  }
  await sql`delete from staff_note where staff_note_id = ${noteId}`
  return note.customer_id
}

/** The personal data this module stores. */
export const staffData: OwnData[] = [
  {
    name: 'staff-notes',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select kind, text, at from staff_note
          where customer_id = ${customerId} order by staff_note_id limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => void (await sql`delete from staff_note where customer_id = ${customerId}`),
  },
]
