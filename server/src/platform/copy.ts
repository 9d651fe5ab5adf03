import { once } from 'node:events'
import { type Duplex, Readable } from 'node:stream'
import type pg from 'pg'

/**
 * COPY through node-postgres. postgres.js, which everything else speaks through, waits for ever where a copy into a table
 * fails at its end, and where one out of a table ends while its reader is behind.
 */

/** What the connection does for a COPY; its types leave it out (PostgreSQL's protocol, 54.2.6). */
type Connection = {
  stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(why: string): void
}

const submit = (client: pg.ClientBase, query: object): void => void client.query(query as unknown as pg.Submittable)

/**
 * Runs a `copy … from stdin` with these bytes and answers with the number of rows. Rejects with the database's error, also
 * one that only shows at the end (a reference to nothing), or with that of the source; the transaction is lost then.
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

/** Rows come one by one and are handed on in pieces of about this size. */
const CHUNK_BYTES = 64 * 1024

/**
 * The bytes of a `copy … to stdout`. When its reader stops early the rest is thrown away as it comes, so give the client up
 * then rather than wait.
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
      // The chunk lies in a buffer that is written over.
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
