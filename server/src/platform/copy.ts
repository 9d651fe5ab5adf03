import { once } from 'node:events'
import { type Duplex, Readable } from 'node:stream'
import type pg from 'pg'

/**
 * COPY through node-postgres. postgres.js, which the other code uses, never settles if a copy into a table fails at its
 * end, or if a copy out of a table ends before its reader has caught up.
 */

/** What the connection does for a COPY; not part of its types (PostgreSQL's protocol, 54.2.6). */
type Connection = {
  stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(why: string): void
}

const submit = (client: pg.ClientBase, query: object): void => void client.query(query as unknown as pg.Submittable)

/**
 * Runs a `copy … from stdin` with these bytes and returns the number of rows. Rejects with the database's error,
 * including one that only occurs at the end (such as a foreign key violation), or with the source's error; the
 * transaction is aborted then.
 */
export function copyIn(client: pg.ClientBase, statement: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => {
    const aborter = new AbortController()
    let rows = 0
    let failure: unknown
    submit(client, {
      submit: (connection: Connection) => connection.query(statement),
      handleCopyInResponse: (connection: Connection) => {
        send(connection, source, aborter.signal).catch((error) => {
          if (aborter.signal.aborted) return
          failure = error
          connection.sendCopyFail('The copy source ended unexpectedly')
        })
      },
      handleCommandComplete: ({ text }: { text: string }) => {
        rows = Number(/\d+$/.exec(text)?.[0] ?? 0)
      },
      handleError: (error: unknown) => {
        aborter.abort()
        reject(failure ?? error)
      },
      handleReadyForQuery: () => resolve(rows),
    })
  })
}

async function send(connection: Connection, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  for await (const chunk of source) {
    if (signal.aborted) return
    connection.sendCopyFromChunk(chunk)
    if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal })
  }
  connection.endCopyFrom()
}

/** Rows arrive one by one and are passed on in chunks of about this size. */
const CHUNK_BYTES = 64 * 1024

/**
 * Returns the bytes of a `copy … to stdout`. If the reader stops early, the rest is still received and discarded; close
 * the client instead of waiting for it.
 */
export function copyOut(client: pg.ClientBase, statement: string): Readable {
  let connection: Connection | undefined
  let rows: Buffer[] = []
  let bytes = 0
  const resume = () => void connection?.stream.resume()
  const out = new Readable({
    read: resume,
    destroy: (error, done) => {
      resume()
      done(error)
    },
  })
  const pushRows = () => {
    const canPush = out.destroyed || out.push(Buffer.concat(rows))
    rows = []
    bytes = 0
    if (!canPush) connection?.stream.pause()
  }
  submit(client, {
    submit: (opened: Connection) => {
      connection = opened
      opened.query(statement)
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      // The chunk is part of a buffer that is reused.
      rows.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes >= CHUNK_BYTES) pushRows()
    },
    handleCommandComplete: () => {},
    handleError: (error: Error) => out.destroy(error),
    handleReadyForQuery: () => {
      if (bytes > 0) pushRows()
      if (!out.destroyed) out.push(null)
      resume()
    },
  })
  return out
}
