import createPurify from 'dompurify'

/** What the server lets through (`platform/rich-text.ts`), and nothing that runs, loads or hides anything. */
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
  // The web, mail, and what has no scheme: a screen of ours.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|(?![/\\]{2})[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

/** A site elsewhere opens beside this one, learns nothing of it and cannot reach back; the music goes on. */
function openInNewTab(element: Element) {
  if (!(element instanceof HTMLAnchorElement) || !/^https?:$/.test(element.protocol)) return
  if (element.origin === location.origin) return
  element.target = '_blank'
  element.rel = 'noopener noreferrer'
}

// An instance of its own: the editor cleans by other rules.
const purify = createPurify(window)
purify.addHook('afterSanitizeAttributes', openInNewTab)

export const cleanHtml = (html: string): string => purify.sanitize(html, SANITIZE_OPTIONS)
