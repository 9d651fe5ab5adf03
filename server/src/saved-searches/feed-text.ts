import { camelot, type catalogue, parseKey } from '@dubplate/contract'

type FeedText = {
  name: string
  /** Why the search no longer works; '' while it does. */
  problem: string
  songs: readonly catalogue.Song[]
  changedAt: Date
  /** URL of the search page. */
  address: string
  /** URL of the feed itself. */
  selfUrl: string
}

/** RSS 2.0 (https://www.rssboard.org/rss-specification) with the visible details of each song; no music. */
export async function renderFeed(
  { poolName, publicUrl }: { poolName: string; publicUrl: string },
  { name, problem, songs, changedAt, address, selfUrl }: FeedText,
): Promise<string> {
  const { Feed } = await import('feed')
  const feed = new Feed({
    title: escapeXml(`${name} · ${poolName}`),
    description: escapeXml(problem || `New music on ${poolName} for the saved search “${name}”`),
    link: address,
    feedLinks: { rss: selfUrl },
    updated: changedAt,
    generator: 'Dubplate',
    ttl: 60,
  })
  for (const song of songs) {
    const link = `${publicUrl}/song/${song.entity_id}`
    feed.addItem({
      title: escapeXml(`${song.artist} – ${song.title}`),
      link,
      // The permanent id of a song for feed readers, even if the pool moves to another URL.
      guid: `song ${song.entity_id}`,
      date: new Date(song.created_at),
      description: toHtml(escapeXml(describeSong(song))),
    })
  }
  return feed.rss2()
}

/** `124 BPM · 8A (Am) · Afro House, Dance · Clean, Intro Dirty` */
function describeSong({ min_bpm, max_bpm, song_key, genres, version }: catalogue.Song): string {
  const key = parseKey(song_key ?? '')
  const bpm = min_bpm === max_bpm || max_bpm === null ? [min_bpm] : [min_bpm, max_bpm]
  const tempo = min_bpm === null ? '' : `${bpm.map((each) => Math.round(each ?? 0)).join('–')} BPM`
  const names = genres.map((genre) => genre.name).join(', ')
  const versions = version.map(({ version_label }) => version_label).join(', ')
  return [tempo, key ? `${camelot(key)} (${key})` : '', names, versions].filter(Boolean).join(' · ')
}

/** Most readers treat a description as HTML. */
const toHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** Removes characters that are not allowed in XML (XML 1.0, 2.2): one of them makes a feed unreadable. */
const escapeXml = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
