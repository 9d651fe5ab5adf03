import type { AppContext } from '../app-context.ts'
import { escapeHtml } from '../platform/html.ts'
import { toBranding } from '../site/branding.ts'
import { EMBED_WIDTH, embedHeight, embedPath } from './embed-address.ts'
import { findSharedItem, type SharedItem } from './shared-item.ts'

type SharingContext = Pick<AppContext, 'sql' | 'settings' | 'config' | 'log'>

/** The page of a cover in the size that apps show: 640 px. */
export const largeImage = (image: string): string => image.replace(/\/320\.webp$/, '/640.webp')

/** Names a page for apps that show a preview of its link: https://ogp.me and https://developer.x.com/en/docs/x-for-websites/cards. */
function tagsOf({ settings, config }: SharingContext, item: SharedItem | undefined): [name: string, content: string][] {
  const absolute = (path: string) => new URL(path, config.publicUrl).href
  const { logo } = toBranding(settings)
  const site: [string, string][] = [['og:site_name', settings.poolName]]
  if (!item) {
    const image = absolute(logo ? `${logo}/512.png` : '/icon-512.png')
    return [
      ...site,
      ['og:type', 'website'],
      ['og:title', settings.poolName],
      ['og:image', image],
      ['twitter:card', 'summary'],
    ]
  }
  const image = absolute(largeImage(item.image))
  const [song] = item.songs
  const clip = item.type === 'song' && song?.clip ? absolute(song.clip) : undefined
  // The player card needs TLS: https://developer.x.com/en/docs/x-for-websites/cards/overview/player-card.
  const hasPlayerCard = config.publicUrl.startsWith('https:') && item.songs.some(({ clip }) => clip)
  return [
    ...site,
    ['og:type', item.type === 'song' ? 'music.song' : 'music.playlist'],
    ['og:title', item.title],
    ['og:description', item.description],
    ['og:url', absolute(item.path)],
    ['og:image', image],
    ['og:image:width', '640'],
    ['og:image:height', '640'],
    ['og:image:alt', `Cover of ${item.title}`],
    ...(clip
      ? ([
          ['og:audio', clip],
          ['og:audio:type', 'audio/mpeg'],
          ['music:duration', String(Math.round(song?.duration_seconds ?? 0))],
        ] as [string, string][])
      : []),
    ['twitter:card', hasPlayerCard ? 'player' : 'summary'],
    ['twitter:title', item.title],
    ['twitter:description', item.description],
    ['twitter:image', image],
    ...(hasPlayerCard
      ? ([
          ['twitter:player', absolute(embedPath(item.path))],
          ['twitter:player:width', String(EMBED_WIDTH)],
          ['twitter:player:height', String(embedHeight(item))],
        ] as [string, string][])
      : []),
  ]
}

/** Open Graph names its tags by `property`, all others by `name`. */
const renderTag = ([name, content]: [string, string]): string =>
  `<meta ${/^(og|music):/.test(name) ? 'property' : 'name'}="${name}" content="${escapeHtml(content)}">`

/** Tells editors that the page can be embedded: https://oembed.com/#section4. */
const discoveryLink = (publicUrl: string, item: SharedItem): string => {
  const url = encodeURIComponent(`${publicUrl}${item.path}`)
  const title = escapeHtml(item.title)
  return `<link rel="alternate" type="application/json+oembed" href="${publicUrl}/oembed?url=${url}" title="${title}">`
}

/**
 * Adds the tags of a shared link to a page: title, cover, tempo, key and clip of the song or list at `path`, or only
 * the pool’s name and logo. A fault while reading them is logged and leaves the page as it is.
 */
export async function addShareTags(ctx: SharingContext, page: string, path: string): Promise<string> {
  const item = await findSharedItem(ctx, path).catch((error: unknown) => {
    ctx.log.warn({ err: error, path }, 'The tags of a shared link could not be read.')
    return undefined
  })
  const lines = tagsOf(ctx, item).map(renderTag)
  if (item) lines.push(discoveryLink(ctx.config.publicUrl, item))
  const described = item
    ? page
        .replace(
          /<title>[^<]*<\/title>/,
          () => `<title>${escapeHtml(`${item.title} · ${ctx.settings.poolName}`)}</title>`,
        )
        .replace(
          /(<meta\s+name="description"\s+content=")[^"]*"/,
          (_, start: string) => `${start}${escapeHtml(item.description)}"`,
        )
    : page
  return described.replace('</head>', () => `  ${lines.join('\n    ')}\n  </head>`)
}
