import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeWav } from '../test/audio-files.ts'
import { aSong } from '../test/makers.ts'
import { openTestPool, type TestPool } from '../test/pool.ts'
import { startWeb } from './listen.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

async function aFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

test('a transfer that is not read does not delay a stop forever', async () => {
  const port = await aFreePort()
  // A response larger than all buffers between the two ends.
  const large = async function* () {
    for (;;) yield Buffer.alloc(1 << 20)
  }
  const song = await aSong(pool.ctx, { versions: ['Clean'], wavs: [makeWav({ seconds: 1, tone: 300 })] })
  const [versionId = 0] = song.versionIds
  const [sound] = await pool.ctx.sql<{ content: string }[]>`
    update song_version set file_id = null, recipe = '{"n": 1}', recipe_bytes = 1000000000 where song_version_id = ${versionId}
    returning left(md5(recipe::text), 12) as content`
  pool.ctx.music = { read: large, finish: async () => {}, prepare: () => {} }
  const web = await startWeb(pool.ctx, { host: '127.0.0.1', port }, 300)
  const reader = connect(port, '127.0.0.1').on('error', () => {})
  await once(reader, 'connect')
  reader.write(`GET /previews/${versionId}-${sound?.content}.mp3 HTTP/1.1\r\nhost: x\r\n\r\n`)
  const [head] = await once(reader, 'data')
  expect(String(head)).toContain('200 OK')
  reader.pause()
  const from = performance.now()
  await web.stop()
  expect(performance.now() - from).toBeGreaterThan(250)
  reader.destroy()
})
