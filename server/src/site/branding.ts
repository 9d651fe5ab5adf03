import { createHash } from 'node:crypto'
import type { cloud } from '@dubplate/contract'
import { accentTokens } from '@dubplate/contract/contrast'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { listProviders } from '../cloud-delivery/providers.ts'
import { escapeHtml } from '../platform/html.ts'
import type { Settings } from '../platform/settings.ts'

/** The settings that are visible on every page. */
type Branding = Pick<Settings, 'poolName' | 'logo' | 'accent' | 'hidden' | 'uploadDays'>

const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable'

const declarations = (tokens: Record<string, string>): string =>
  Object.entries(tokens)
    .map(([token, value]) => `${token}:${value}`)
    .join(';')

/** Returns CSS with the pool's colours, which override those of web/src/styles/tokens.css; '' if it has none. */
function renderThemeCss({ accent }: Pick<Branding, 'accent'>): string {
  if (!accent) return ''
  const { night, day } = accentTokens(accent)
  // Not on `:root`: that would override the light-mode tokens, which come before it.
  return `[data-mantine-color-scheme="dark"]{${declarations(night)}}\n[data-mantine-color-scheme="light"]{${declarations(day)}}\n`
}

const hashCss = (css: string): string => createHash('sha256').update(css).digest('base64url').slice(0, 12)

/** Returns the URLs of logo and colours, and the hidden sections, for the browser. */
export const toBranding = (branding: Pick<Branding, 'logo' | 'accent' | 'hidden'>) => {
  const css = renderThemeCss(branding)
  return {
    logo: branding.logo && `/logo/${branding.logo}`,
    theme: css === '' ? null : `/theme.css?v=${hashCss(css)}`,
    hidden: [...branding.hidden],
  }
}

/** GET /theme.css?v=…: cacheable without limit under the hash of its content, and only under that. */
export function serveTheme(app: FastifyInstance, { settings }: AppContext): void {
  app.get('/theme.css', async (request, reply) => {
    const { v } = request.query as { v?: string }
    // Another process may have received the change first.
    if (v !== hashCss(renderThemeCss(settings))) await settings.renew()
    const css = renderThemeCss(settings)
    const cacheControl = v === hashCss(css) ? IMMUTABLE_CACHE : 'no-cache'
    return reply.type('text/css; charset=utf-8').header('cache-control', cacheControl).send(css)
  })
}

/** A data block with JSON text. It is not a script, so the page's policy does not change. */
export const dataBlock = (id: string, json: string): string =>
  `<script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>`

/** After the product's own styles, so that it overrides them; both are loaded before the first paint. */
const STYLESHEET = /<link rel="stylesheet"[^>]*>/

/**
 * Inserts this pool's values into the built page: its name, icons and colours, and the values the code would otherwise
 * request for the first paint.
 */
export function applyBranding(
  page: string,
  settings: Branding,
  cloud_providers: readonly cloud.CloudProviderName[] = [],
): string {
  const { logo, theme, hidden } = toBranding(settings)
  const { poolName: name, uploadDays: upload_days } = settings
  const data = dataBlock('pool', JSON.stringify({ name, logo, hidden, upload_days, cloud_providers }))
  const rendered = page
    .replace('<title>Dubplate</title>', () => `<title>${escapeHtml(name)}</title>\n    ${data}`)
    .replace('<i>dubplate</i>', () => `<i>${escapeHtml(name)}</i>`)
    .replace('JavaScript to use Dubplate.', () => `JavaScript to use ${escapeHtml(name)}.`)
    .replace(STYLESHEET, (link) => (theme ? `${link}\n    <link rel="stylesheet" id="theme" href="${theme}">` : link))
  if (!logo) return rendered
  return rendered
    .replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${logo}/64.png" type="image/png" />`)
    .replace(/<link rel="apple-touch-icon"[^>]*>/, `<link rel="apple-touch-icon" href="${logo}/180.png" />`)
}

/** The same, rendered again only after a setting has changed. */
export function createPageRenderer(ctx: Pick<AppContext, 'settings' | 'config'>): (page: string) => string {
  const { settings } = ctx
  let cached = { edition: Number.NaN, page: '', rendered: '' }
  return (page) => {
    const { edition } = settings
    if (cached.edition !== edition || cached.page !== page)
      cached = { edition, page, rendered: applyBranding(page, settings, listProviders(ctx)) }
    return cached.rendered
  }
}
