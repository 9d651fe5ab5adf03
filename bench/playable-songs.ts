import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { OVERVIEW_POINTS } from '@dubplate/contract'
import { readPayload } from '../server/src/audio-files/payload.ts'
import { addVersion, countNewSong, findOrAddSong, listSong } from '../server/src/catalogue/additions.ts'
import { makeMp3 } from '../server/test/audio-files.ts'
import type { BenchPool } from './bench-pool.ts'

const DETAIL_POINTS_PER_SECOND = 50

/** An ID3v1 tag that no other file has. */
const uniqueTag = () => Buffer.concat([Buffer.from('TAG'), randomBytes(125)])

/** Adds songs with a preview of this length and a waveform: the newest of the pool. */
export async function addPlayableSongs(pool: BenchPool, count: number, seconds: number): Promise<void> {
  const mp3 = await makeMp3({ seconds })
  for (let n = 1; n <= count; n++) await addPlayableSong(pool, mp3, { title: `Tone ${seconds} s, ${n}`, seconds })
}

async function addPlayableSong(pool: BenchPool, mp3: Buffer, song: { title: string; seconds: number }): Promise<void> {
  const bytes = Buffer.concat([mp3, uniqueTag()])
  const scratch = path.join(pool.dataDir, 'tone.mp3')
  writeFileSync(scratch, bytes)
  const body = await readPayload(scratch, 'mp3')
  const { sha256 } = await pool.storage.putFile('audio', scratch)
  rmSync(scratch, { force: true })
  const preview = await pool.storage.putBytes('previews', bytes, '.mp3')
  await pool.sql.begin(async (sql) => {
    const [file] = await sql<{ file_id: number }[]>`
      insert into file (sha256, bytes, format, body)
      values (${Buffer.from(sha256, 'hex')}, ${bytes.length}, 'mp3', ${sql.json(body as never)}) returning file_id`
    const file_id = file?.file_id ?? 0
    await sql`
      insert into preview (file_id, sha256, bytes)
      values (${file_id}, ${Buffer.from(preview.sha256, 'hex')}, ${preview.bytes})`
    const overview = randomBytes(OVERVIEW_POINTS * 4)
    const detail = randomBytes(song.seconds * DETAIL_POINTS_PER_SECOND * 3)
    await sql`insert into peaks (file_id, overview, detail) values (${file_id}, ${overview}, ${detail})`
    const { entity_id } = await findOrAddSong(sql, { title: song.title, artist: 'Bench', min_bpm: 124, song_key: 'Am' })
    await addVersion(sql, entity_id, { label: 'Clean', file_id, duration_seconds: song.seconds })
    await countNewSong(sql, 1)
    await listSong(sql, entity_id, [31])
  })
}
