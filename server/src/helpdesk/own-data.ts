import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'

/** A member's messages to the help desk, and the replies. */
export const helpdeskData: OwnData[] = [
  {
    name: 'tickets',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select ticket_number, subject, details, status, d.name as department, p.name as priority, created_at, closed_at
          from ticket join department d using (department_id) join priority p using (priority_id)
          where customer_id = ${customerId} order by ticket_number limit ${limit} offset ${offset}`,
      ),
    deleteData: async (sql, customerId) => {
      // The sweep deletes these with their bytes: all files that anyone sent with one of the tickets.
      await sql`
        update ticket_file f set ticket_number = null, reply_id = null, name = 'removed', created_at = '-infinity'
        where f.customer_id = ${customerId} and f.ticket_number is null
          or f.ticket_number in (select ticket_number from ticket where customer_id = ${customerId})`
      await sql`
        delete from inbound_mail
        where ticket_number in (select ticket_number from ticket where customer_id = ${customerId})
          or lower(from_address) = (select lower(email) from customer where customer_id = ${customerId})`
      await sql`delete from ticket where customer_id = ${customerId}`
    },
  },
  {
    name: 'ticket-replies',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select ticket_number, case when by_staff then 'staff' else 'you' end as written_by, r.details, quoted, via, r.created_at
          from reply r join ticket t using (ticket_number)
          where t.customer_id = ${customerId} order by reply_id limit ${limit} offset ${offset}`,
      ),
  },
  {
    name: 'ticket-files',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select f.ticket_number, f.name, f.type, f.bytes, encode(f.sha256, 'hex') as sha256, f.created_at
          from ticket_file f left join ticket t using (ticket_number)
          where f.customer_id = ${customerId} or t.customer_id = ${customerId}
          order by ticket_file_id limit ${limit} offset ${offset}`,
      ),
  },
]
