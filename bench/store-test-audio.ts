import { randomFillSync } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readPayload } from '../server/src/audio-files/payload.ts'
import { addVersion, countNewSong, findOrAddSong, listSong } from '../server/src/catalogue/additions.ts'
import type { BenchPool } from './bench-pool.ts'

export type StoredAudio = { song_version_id: number; bytes: number; path: string }

/** Stores versions with files of about this many bytes: WAV with noise, so that they cannot be compressed. */
export async function storeTestAudio(pool: BenchPool, count: number, bytes: number): Promise<StoredAudio[]> {
  const storedAudio: StoredAudio[] = []
  for (let n = 0; n < count; n++) storedAudio.push(await storeOneFile(pool, bytes))
  return storedAudio
}

async function storeOneFile(pool: BenchPool, bytes: number): Promise<StoredAudio> {
  const scratch = path.join(pool.dataDir, 'noise.wav')
  writeFileSync(scratch, randomBytes(bytes))
  const { sha256 } = await pool.storage.putFile('audio', scratch)
  const body = await readPayload(scratch, 'wav')
  rmSync(scratch)
  const song_version_id = await pool.sql.begin(async (sql) => {
    const [file] = await sql<{ file_id: number }[]>`
      insert into file (sha256, bytes, format, body)
      values (${Buffer.from(sha256, 'hex')}, ${bytes}, 'wav', ${sql.json(body as never)}) returning file_id`
    const title = `Noise ${sha256.slice(0, 12)}`
    const { entity_id } = await findOrAddSong(sql, { title, artist: 'Bench', min_bpm: 124, song_key: 'Am' })
    const id = await addVersion(sql, entity_id, { label: 'Clean', file_id: file?.file_id ?? 0, duration_seconds: 60 })
    await countNewSong(sql, 1)
    await listSong(sql, entity_id, [31])
    return id
  })
  const { path: stored } = await pool.storage.onDisk('audio', sha256)
  return { song_version_id, bytes, path: stored }
}

/** 16-bit stereo at 44.1 kHz, with a `fmt ` and a `data` chunk. */
function randomBytes(bytes: number): Buffer {
  const wav = randomFillSync(Buffer.allocUnsafe(bytes - (bytes % 4)))
  wav.write('RIFF', 0)
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  for (const [offset, value] of [
    [20, 1],
    [22, 2],
    [32, 4],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, offset)
  wav.writeUInt32LE(44_100, 24)
  wav.writeUInt32LE(176_400, 28)
  wav.write('data', 36)
  wav.writeUInt32LE(wav.length - 44, 40)
  return wav
}
