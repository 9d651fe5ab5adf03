import { type OwnData, type OwnRow, readBatches } from '../membership/own-data.ts'
import { deleteConnections } from './connections.ts'

/** What was sent to a member’s cloud storage. Access is revoked after the account was deleted. */
export const cloudDeliveryData: OwnData[] = [
  {
    name: 'cloud-connections',
    read: (sql, customerId) =>
      readBatches(
        () => sql<OwnRow[]>`
          select provider, account_name, state, connected_at, crate_since from cloud_connection
          where customer_id = ${customerId} order by connection_id`,
      ),
    deleteData: (sql, customerId) => deleteConnections(sql, sql`customer_id = ${customerId}`),
  },
  {
    name: 'cloud-deliveries',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select c.provider, d.delivery_id, d.title, d.is_automatic, d.created_at, f.song_version_id, f.state, f.reason, f.bytes,
            f.remote_path, f.queued_at, f.finished_at
          from cloud_delivery_file f join cloud_delivery d using (delivery_id)
          join cloud_connection c on c.connection_id = d.connection_id
          where c.customer_id = ${customerId} order by f.delivery_file_id limit ${limit} offset ${offset}`,
      ),
  },
]
