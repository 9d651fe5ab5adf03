/** The longest URL that becomes a link. */
const MAX_URL_LENGTH = 500

/**
 * Turns an applicant's social link into a URL: `instagram.com/kwame` becomes `https://instagram.com/kwame`. Null for
 * everything else; only http and https URLs become links.
 */
export function toSafeLink(rawLink: string): string | null {
  const text = rawLink.trim()
  if (text === '' || text.length > MAX_URL_LENGTH || /\s/.test(text)) return null
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d/.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return null
  const { protocol, hostname, username, href } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  // A handle or a word is not a host; a user name before an @ can disguise a host as another one.
  if (username !== '' || !/^[^.]+(\.[^.]+)+$/.test(hostname)) return null
  return href
}
