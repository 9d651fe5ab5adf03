import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { toBranding } from './branding.ts'

const ICON = { type: 'image/png', purpose: 'any' }
const ICON_BACKGROUND = '#0c0d10'

function buildIcons(logo: string | null) {
  const [small, large, maskable] = logo
    ? [`${logo}/192.png`, `${logo}/512.png`, `${logo}/maskable.png`]
    : ['/icon-192.png', '/icon-512.png', '/icon-maskable-512.png']
  return [
    { src: small, sizes: '192x192', ...ICON },
    { src: large, sizes: '512x512', ...ICON },
    { src: maskable, sizes: '512x512', ...ICON, purpose: 'maskable' },
  ]
}

/** The web app manifest, with which the pool can be installed as an app (https://www.w3.org/TR/appmanifest/). */
export function serveManifest(app: FastifyInstance, { settings }: AppContext): void {
  const manifest = () => ({
    name: settings.poolName,
    short_name: settings.poolName,
    description: 'A record pool for working DJs.',
    id: '/',
    start_url: '/',
    display: 'standalone',
    background_color: ICON_BACKGROUND,
    // Only while the app starts; then the page sets it, for dark or light mode.
    theme_color: settings.accent?.night ?? ICON_BACKGROUND,
    icons: buildIcons(toBranding(settings).logo),
  })
  app.get('/manifest.webmanifest', async (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', 'no-cache').send(JSON.stringify(manifest())),
  )
}
