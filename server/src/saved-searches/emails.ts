import type { catalogue } from '@dubplate/contract'
import { type EmailContent, renderEmail, type Sender } from '../platform/email-template.ts'

export type SearchFinds = {
  name: string
  /** URL of the search page. */
  address: string
  /** The number of new songs, up to 100. */
  count: number
  /** The newest of them. */
  songs: readonly Pick<catalogue.Song, 'entity_id' | 'artist' | 'title'>[]
}

/** "100 or more new songs", "1 new song". */
export const newSongsText = (count: number, max: number): string =>
  `${count >= max ? `${max} or more` : count} new ${count === 1 ? 'song' : 'songs'}`

/** One email for all of a member's searches with new songs. */
export function newMusicEmail(
  sender: Sender,
  { email: to, dj_name }: { email: string; dj_name: string },
  finds: readonly SearchFinds[],
  max: number,
): EmailContent {
  const [first] = finds
  const one = finds.length === 1 && first ? first : undefined
  return renderEmail(sender, {
    to,
    subject: one ? `${newSongsText(one.count, max)} for “${one.name}”` : `New music for ${finds.length} saved searches`,
    lines: [
      `Hi ${dj_name},`,
      one ? 'There’s new music for one of your saved searches.' : 'There’s new music for your saved searches.',
    ],
    lists: finds.map(({ name, address, count, songs }) => ({
      title: `${name}: ${newSongsText(count, max)}`,
      links: songs.map((song) => ({
        label: `${song.artist} – ${song.title}`,
        url: `${sender.publicUrl}/song/${song.entity_id}`,
      })),
      more: {
        label: count > songs.length ? 'See all' : 'See results',
        url: `${sender.publicUrl}${address}`,
      },
    })),
    note: `You’re receiving this email because notifications are on for this saved search. We send at most one a day. Turn them off for a saved search (${sender.publicUrl}/searches) or for all of them (${sender.publicUrl}/account/notices).`,
  })
}
