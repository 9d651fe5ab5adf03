import createPurify from 'dompurify'

/** What the server allows (`platform/rich-text.ts`): nothing that runs, loads or hides anything. */
const TEXT_TAGS = [
  'a',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'br',
  'span',
  'p',
  'ul',
  'ol',
  'li',
  'blockquote',
  'code',
  'pre',
]
const PAGE_TAGS = ['h2', 'h3', 'h4', 'hr', 'table', 'thead', 'tbody', 'tr', 'th', 'td']

const SANITIZE_OPTIONS = {
  ALLOWED_TAGS: [...TEXT_TAGS, ...PAGE_TAGS],
  ALLOWED_ATTR: ['href', 'start', 'align'],
  // Web and email links, and links without a scheme, which lead to a screen of the app.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|(?![/\\]{2})[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

/** Links to other sites open in a new tab without a referrer or opener; the music continues. */
function openInNewTab(element: Element) {
  if (!(element instanceof HTMLAnchorElement) || !/^https?:$/.test(element.protocol)) return
  if (element.origin === location.origin) return
  element.target = '_blank'
  element.rel = 'noopener noreferrer'
}

// A separate instance: the editor sanitises by other rules.
const purify = createPurify(window)
purify.addHook('afterSanitizeAttributes', openInNewTab)

export const cleanHtml = (html: string): string => purify.sanitize(html, SANITIZE_OPTIONS)
