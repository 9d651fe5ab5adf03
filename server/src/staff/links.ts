/** The longest address that is made a link of. */
const MAX_URL_LENGTH = 500

/**
 * What an applicant wrote as an address that can be opened: `instagram.com/kwame` becomes `https://instagram.com/kwame`.
 * Null for everything else; nothing but http and https ever becomes a link.
 */
export function toSafeLink(rawLink: string): string | null {
  const text = rawLink.trim()
  if (text === '' || text.length > MAX_URL_LENGTH || /\s/.test(text)) return null
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d/.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return null
  const { protocol, hostname, username, href } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  // A handle or a word is no host; a name before an @ would dress one host up as another.
  if (username !== '' || !/^[^.]+(\.[^.]+)+$/.test(hostname)) return null
  return href
}
