import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeWav } from '../../test/audio-files.ts'
import { aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

test('music that has to be generated is not generated at once for a request that only prefetches it', async () => {
  const song = await aSong(pool.ctx, { versions: ['Clean'], wavs: [makeWav({ seconds: 1, tone: 300 })] })
  const [versionId = 0] = song.versionIds
  const [version] = await pool.ctx.sql<{ content: string }[]>`
    update song_version set file_id = null, recipe = '{"n": 1}', recipe_bytes = 1000 where song_version_id = ${versionId}
    returning left(md5(recipe::text), 12) as content`
  const sound = async function* () {
    yield Buffer.alloc(10)
  }
  const music = { read: vi.fn(sound), finish: async () => {}, prepare: vi.fn() }
  pool.ctx.music = music
  const url = `/previews/${versionId}-${version?.content}.mp3`
  const reply = await pool.app.inject({ url, headers: { purpose: 'prefetch', range: 'bytes=0-9' } })
  expect([reply.statusCode, reply.headers['cache-control']]).toEqual([202, 'no-store'])
  expect(music.prepare).toHaveBeenCalledExactlyOnceWith(versionId, { n: 1 })
  expect(music.read).not.toHaveBeenCalled()
  expect((await pool.app.inject({ url, headers: { range: 'bytes=0-9' } })).statusCode).toBe(206)
})
