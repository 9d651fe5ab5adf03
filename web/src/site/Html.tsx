import { type MouseEvent, useEffect, useState } from 'react'
import { goTo } from '../platform/address.ts'

/** What the server lets through (`platform/rich-text.ts`), and nothing that runs, loads or hides anything. */
const OF_WORDS = [
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
const OF_PAGES = ['h2', 'h3', 'h4', 'hr', 'table', 'thead', 'tbody', 'tr', 'th', 'td']

const ALLOWED = {
  ALLOWED_TAGS: [...OF_WORDS, ...OF_PAGES],
  ALLOWED_ATTR: ['href', 'start', 'align'],
  // The web, mail, and what has no scheme: a screen of ours.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|(?![/\\]{2})[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

type Cleaner = (html: string) => string

/** Loaded with the first tag that is to be shown. */
let cleaner: Cleaner | undefined

/** Without the cleaner (offline, an older page) the words stay, without their markup. */
const wordsOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''

/** A site elsewhere opens beside this one, learns nothing of it and cannot reach back; the music goes on. */
function openBeside(element: Element) {
  if (!(element instanceof HTMLAnchorElement) || !/^https?:$/.test(element.protocol)) return
  if (element.origin === location.origin) return
  element.target = '_blank'
  element.rel = 'noopener noreferrer'
}

const loadCleaner = async () => {
  const { default: createPurify } = await import('dompurify')
  // One of its own: the editor cleans by other rules.
  const purify = createPurify(window)
  purify.addHook('afterSanitizeAttributes', openBeside)
  cleaner = (html) => purify.sanitize(html, ALLOWED)
}

/** Whether what was written can be shown at once, at its true height. */
export function useCleaner(): boolean {
  const [isSettled, setSettled] = useState(cleaner !== undefined)
  useEffect(() => {
    const settle = () => setSettled(true)
    if (!cleaner) void loadCleaner().then(settle, settle)
  }, [])
  return isSettled
}

const isPlain = (text: string) => !/[<&]/.test(text)

/** A link to a screen of ours changes the screen only: loading the whole page again would stop the music. */
function stayOnPage(event: MouseEvent) {
  const link = (event.target as Element).closest('a')
  const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || link.origin !== location.origin || !isPlainClick) return
  event.preventDefault()
  goTo(link.pathname + link.search + link.hash)
}

type Props = { html: string; className?: string | undefined }

/** Words somebody wrote as HTML, cleaned again before they are shown; the cleaner is loaded only where there is a tag. */
export function Html(props: Props) {
  return isPlain(props.html) ? <div className={props.className}>{props.html}</div> : <Marked {...props} />
}

function Marked({ html, className }: Props) {
  const isSettled = useCleaner()
  if (isSettled && !cleaner) return <div className={className}>{wordsOf(html)}</div>
  const clean = cleaner?.(html) ?? '&nbsp;'
  // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed
  // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click too
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned on the way in, on the way out and here
  return <div data-written className={className} onClick={stayOnPage} dangerouslySetInnerHTML={{ __html: clean }} />
}
