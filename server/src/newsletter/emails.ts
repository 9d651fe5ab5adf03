import { catalogue } from '@dubplate/contract'
import { type EmailContent, renderEmail, type Sender } from '../platform/email-template.ts'
import type { ListKey } from './followed-lists.ts'

const { ALL_SECTIONS, SECTIONS } = catalogue

/** The owner of these emails, as stored in the outbox. */
export const subscriberReference = (subscriberId: number): string => `newsletter ${subscriberId}`

/** The same email for every address, whether it is already subscribed or not. */
export const confirmSubscriptionEmail = (sender: Sender, to: string, token: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Confirm your ${sender.poolName} newsletter subscription`,
    lines: [
      `Someone subscribed this email address to the ${sender.poolName} newsletter, a weekly email with new music. If that was you, confirm your subscription.`,
    ],
    button: { label: 'Confirm subscription', url: `${sender.publicUrl}/newsletter/confirm/${token}` },
    note: 'This link expires in seven days. If you didn’t subscribe, you can ignore this email.',
  })

/** Describes the newsletter and how to unsubscribe. */
export const welcomeEmail = (sender: Sender, to: string, token: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `You’re subscribed to the ${sender.poolName} newsletter`,
    lines: ['Every Thursday, we’ll send you the week’s new music. If there’s nothing new, you won’t get an email.'],
    button: { label: 'See new releases', url: `${sender.publicUrl}/newRelease` },
    lists: [unsubscribeFooter(sender, token)],
  })

const unsubscribeFooter = (sender: Sender, token: string) => ({
  title: 'Newsletter',
  links: [{ label: 'Unsubscribe', url: unsubscribeUrl(sender, token) }],
})

export type DigestSong = {
  entity_id: number
  title: string
  artist: string
  min_bpm: number | null
  max_bpm: number | null
  song_key: string | null
  genre: string | null
}

/** A followed list with songs added in the week; of the top 20, with new ones. */
export type DigestList = Omit<ListKey, 'list_id'> & { id: number; name: string; title: string; newCount: number }

export type Digest = {
  songs: readonly DigestSong[]
  /** The number of all songs, including those that are not listed. */
  total: number
  /** Whether there are more songs than were counted. */
  hasMore: boolean
  /** Only songs of the genres this member follows, and of the artists and labels. */
  isFollowed: boolean
  followsNames: boolean
  lists: readonly DigestList[]
}

/** Returns the email with the week's new songs. */
export function weeklyDigest(
  sender: Sender,
  to: string,
  { token, digest }: { token: string; digest: Digest },
): EmailContent {
  const { songs, total, hasMore, isFollowed, followsNames, lists } = digest
  const count = `${hasMore ? 'More than ' : ''}${total.toLocaleString('en-US')}`
  const remaining = total - songs.length
  return renderEmail(sender, {
    to,
    subject:
      total > 0
        ? `${count} new ${total === 1 ? 'song' : 'songs'} on ${sender.poolName}`
        : `New in the lists you follow on ${sender.poolName}`,
    lines: [
      total === 0
        ? 'Lists you follow have changed in the last seven days.'
        : isFollowed
          ? `New music from the last seven days in the genres you follow${followsNames ? ', and from the artists and labels you follow' : ''}.`
          : 'New music from the last seven days.',
    ],
    lists: [
      ...(lists.length > 0 ? [{ title: 'Lists you follow', links: lists.map((list) => listLink(sender, list)) }] : []),
      ...(total > 0
        ? [
            {
              title: 'New songs',
              links: songs.map((song) => ({
                label: formatSong(song),
                url: `${sender.publicUrl}/song/${song.entity_id}`,
              })),
              more:
                remaining > 0
                  ? {
                      label: `and ${hasMore ? 'more than ' : ''}${remaining.toLocaleString('en-US')} more`,
                      url: `${sender.publicUrl}/newRelease`,
                    }
                  : undefined,
            },
          ]
        : []),
      unsubscribeFooter(sender, token),
    ],
    note: `You’re receiving this email because you subscribed to the ${sender.poolName} newsletter.`,
  })
}

const unsubscribeUrl = ({ publicUrl }: Sender, token: string): string => `${publicUrl}/newsletter/leave/${token}`

/** With these headers, mail programs offer to unsubscribe with one click (RFC 2369, RFC 8058). */
export const unsubscribeHeaders = (sender: Sender, token: string): Record<string, string> => ({
  'List-Unsubscribe': `<${unsubscribeUrl(sender, token)}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** `Friday finds: 3 new songs`, `Weekly chart, House: 1 new entry`, `New top 20: November`. */
function listLink({ publicUrl }: Sender, list: DigestList) {
  const count = list.newCount.toLocaleString('en-US')
  const [one, several] = list.kind === 'chart' ? ['entry', 'entries'] : ['song', 'songs']
  const label =
    list.kind === 'top20'
      ? `New top 20: ${list.title}${list.newCount > 1 ? ` and ${list.newCount - 1} more` : ''}`
      : `${list.name}: ${count} new ${list.newCount === 1 ? one : several}`
  return { label, url: publicUrl + listPath(list) }
}

function listPath({ kind, id, chart, song_section_id }: DigestList): string {
  if (kind === 'playlist') return `/playlist/${id}`
  if (kind === 'spotlight') return `/spotlight/view/${id}`
  if (kind === 'top20') return `/top20/songs/${id}`
  const section = { [SECTIONS.kuts]: 'kuts', [ALL_SECTIONS]: 'all' }[song_section_id]
  const params = new URLSearchParams({
    ...(chart && { chart }),
    ...(id && { genre: String(id) }),
    ...(section && { section }),
  })
  return `/charts?${params}`
}

/** `Kwame – Night Bus (124 BPM, Am, House)`. */
function formatSong({ artist, title, min_bpm, max_bpm, song_key, genre }: DigestSong): string {
  const more = [formatTempo(min_bpm, max_bpm), song_key, genre].filter(Boolean)
  return `${artist} – ${title}${more.length > 0 ? ` (${more.join(', ')})` : ''}`
}

function formatTempo(min: number | null, max: number | null): string {
  if (min === null) return ''
  const [from, to] = [Math.round(min), Math.round(max ?? min)]
  return `${from === to ? from : `${from}–${to}`} BPM`
}
