import { songsOf } from '../server/src/catalogue/songs.ts'
import type { Pool } from '../server/src/platform/db.ts'
import { cpuSecondsOf, timed } from './measure.ts'

/** Milliseconds for each page: until the rows are there, and CPU of the database. */
export type SongReads = { wall: number[]; cpu: number[] }

/**
 * Reads pages of songs by their ids, with the statement that every list ends with: the least that a list can cost.
 * @param pages the ids of the songs of each page
 */
export async function readSongPages(sql: Pool, pages: readonly number[][]): Promise<SongReads> {
  const connection = await sql.reserve()
  try {
    const [self] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`
    const reads: SongReads = { wall: [], cpu: [] }
    for (const ids of pages) {
      const before = cpuSecondsOf([self?.pid ?? 0])
      reads.wall.push((await timed(() => songsOf(connection, ids, 2))).ms)
      reads.cpu.push((cpuSecondsOf([self?.pid ?? 0]) - before) * 1000)
    }
    return reads
  } finally {
    connection.release()
  }
}
