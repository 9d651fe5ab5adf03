import type { FastifyInstance } from 'fastify'
import type { World } from '../world.ts'

const ICON = { type: 'image/png', purpose: 'any' }

/** What a phone or a desktop needs to install the pool as an app (https://www.w3.org/TR/appmanifest/). */
export function serveManifest(app: FastifyInstance, { config }: World): void {
  const manifest = {
    name: config.poolName,
    short_name: config.poolName,
    description: 'A record pool for working DJs.',
    id: '/',
    start_url: '/',
    display: 'standalone',
    background_color: '#0c0d10',
    theme_color: '#0c0d10',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', ...ICON },
      { src: '/icon-512.png', sizes: '512x512', ...ICON },
      { src: '/icon-maskable-512.png', sizes: '512x512', ...ICON, purpose: 'maskable' },
    ],
  }
  app.get('/manifest.webmanifest', async (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', 'no-cache').send(JSON.stringify(manifest)),
  )
}
