import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { escapeHtml } from '../platform/html.ts'
import { toBranding } from '../site/branding.ts'
import { findSharedItem, type SharedItem, type SharedSong } from './shared-item.ts'

/** Any site may frame these pages. They show nothing that a visitor could not see, and hold no session. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join('; ')

/**
 * GET /embed/…: a small player for other sites, with the 30-second clips of a song or list, or a link to the pool for
 * everything that cannot be embedded; dark, or light with `?theme=light`. Its script and styles are built from web/embed.
 */
export function serveEmbeds(app: FastifyInstance, ctx: AppContext): void {
  const options = { config: { rateLimit: { max: 240, timeWindow: '1 minute' } } }
  app.get('/embed/*', options, async (request, reply) => {
    const path = new URL(request.url, ctx.config.publicUrl).pathname.slice('/embed'.length)
    const item = await findSharedItem(ctx, path)
    const { theme } = request.query as { theme?: string }
    return reply
      .code(item ? 200 : 404)
      .removeHeader('x-frame-options')
      .header('content-security-policy', POLICY)
      .header('cache-control', 'public, max-age=300')
      .type('text/html; charset=utf-8')
      .send(renderEmbed(ctx, item, theme === 'light' ? 'light' : 'dark'))
  })
}

function renderEmbed({ settings, config }: AppContext, item: SharedItem | undefined, scheme: 'dark' | 'light'): string {
  const { logo, theme } = toBranding(settings)
  const name = escapeHtml(settings.poolName)
  const url = escapeHtml(`${config.publicUrl}${item?.path ?? '/'}`)
  const icon = logo ? `${logo}/64.png` : '/icon.svg'
  const stylesheets = ['/embed.css', ...(theme ? [theme] : [])]
  return `<!doctype html>
<html lang="en" data-mantine-color-scheme="${scheme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(item?.title ?? settings.poolName)}</title>
${stylesheets.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
</head>
<body>
${item ? renderPlayer(item, url) : `<main class="empty"><p>This music isn’t available here.</p></main>`}
<a class="pool" href="${url}" target="_blank" rel="noopener"><img src="${icon}" alt="" width="20" height="20">${
    item ? `Listen and download on ${name}` : `Open ${name}`
  }</a>
${item ? '<script src="/embed.js" defer></script>' : ''}
</body>
</html>
`
}

function renderPlayer(item: SharedItem, url: string): string {
  const [first] = item.songs
  const isSong = item.type === 'song'
  const playable = item.songs.some(({ clip }) => clip)
  const heading = isSong && first ? first.title : item.title
  const line = isSong && first ? first.artist : item.facts
  return `<main class="player" data-player>
<audio preload="none"></audio>
<img class="cover" src="${item.image}" alt="" width="72" height="72">
<div class="words">
<h1><a href="${url}" target="_blank" rel="noopener">${escapeHtml(heading)}</a></h1>
<p>${escapeHtml(line)}</p>
<p class="facts" data-now>${escapeHtml(isSong ? item.facts : '30-second previews')}</p>
</div>
${playable ? '<button type="button" class="play" data-play aria-label="Play"></button>' : ''}
<div class="progress" role="progressbar" aria-label="Position" aria-valuemin="0" aria-valuemax="100" aria-valuenow="0" data-progress><i></i></div>
</main>
<ol class="songs"${isSong ? ' hidden' : ''}>
${item.songs.map(renderSong).join('\n')}
</ol>`
}

const renderSong = (song: SharedSong): string => `<li>
<button type="button" data-clip="${escapeHtml(song.clip ?? '')}"${song.clip ? '' : ' disabled'} aria-label="${escapeHtml(`Play ${song.title} by ${song.artist}`)}">
<img src="${song.image.replace(/\/320\.webp$/, '/96.webp')}" alt="" width="32" height="32" loading="lazy">
<span><b>${escapeHtml(song.title)}</b><small>${escapeHtml(song.artist)}</small></span>
<em>${escapeHtml(song.facts)}</em>
</button>
</li>`
