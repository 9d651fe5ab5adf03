import type { Plugin, ViteDevServer } from 'vite'

const RATE_HZ = 8_000
const SECONDS = 10
/** The length of previews whose name starts with `long`: enough for a listen to count. */
const LONG_SECONDS = 40
const TONE_HZ = 440

/** A tone as WAV, 8 bits, mono (http://soundfile.sapp.org/doc/WaveFormat/). */
function makeTone(seconds: number): Buffer {
  const samples = RATE_HZ * seconds
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(RATE_HZ, 24)
  header.writeUInt32LE(RATE_HZ, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples, 40)
  const tone = Buffer.from(
    Uint8Array.from({ length: samples }, (_, n) => 128 + 60 * Math.sin((2 * Math.PI * TONE_HZ * n) / RATE_HZ)),
  )
  return Buffer.concat([header, tone])
}

/** One grey pixel as PNG. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

/** Loaded when a test needs it: it contains the encoder of the server. */
const loadBeatMedia = (server: ViteDevServer) =>
  server.ssrLoadModule(`${import.meta.dirname}/beatMedia.ts`) as Promise<typeof import('./beatMedia.ts')>

/** Replies to requests for media: every preview is a tone, every picture a pixel. */
export const testMedia = (): Plugin => ({
  name: 'test-media',
  configureServer: (server) => {
    const { middlewares } = server
    const [short, long] = [makeTone(SECONDS), makeTone(LONG_SECONDS)]
    middlewares.use('/previews', async ({ url = '' }, reply, next) => {
      if (!url.startsWith('/beats_')) return next()
      const preview = await loadBeatMedia(server).then((media) => media.readBeatPreview(url))
      if (!preview) return reply.writeHead(400).end()
      const { etag, bytes } = preview
      reply.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': bytes.length, etag }).end(bytes)
    })
    middlewares.use('/previews', ({ url = '', headers: { range } }, reply) => {
      const tone = url.startsWith('/long') ? long : short
      const rangeStart = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
      const end = tone.length - 1
      reply.writeHead(range ? 206 : 200, {
        'content-type': 'audio/wav',
        'accept-ranges': 'bytes',
        'content-length': tone.length - rangeStart,
        ...(range ? { 'content-range': `bytes ${rangeStart}-${end}/${tone.length}` } : {}),
      })
      reply.end(tone.subarray(rangeStart))
    })
    middlewares.use('/peaks', (_, reply) => reply.end(Buffer.alloc(2_400, 90)))
    middlewares.use('/images', (_, reply) => reply.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL))
  },
})
