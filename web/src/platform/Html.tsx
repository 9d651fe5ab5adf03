import { type MouseEvent, useEffect, useState } from 'react'
import { goTo } from './address.ts'

type Cleaner = (html: string) => string

/** Loaded with the first text that contains a tag. */
let cleaner: Cleaner | undefined

/** Without the sanitiser (offline, an older page), shows the text without its markup. */
const plainTextOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''

const loadCleaner = async () => {
  cleaner = (await import('./cleanHtml.ts')).cleanHtml
}

/** Whether HTML can be rendered at once, at its real height. */
export function useCleaner(): boolean {
  const [isSettled, setSettled] = useState(cleaner !== undefined)
  useEffect(() => {
    const markSettled = () => setSettled(true)
    if (!cleaner) void loadCleaner().then(markSettled, markSettled)
  }, [])
  return isSettled
}

const isPlain = (text: string) => !/[<&]/.test(text)

/** A link to a screen of the app navigates within it: reloading the page would stop the music. */
function openInApp(event: MouseEvent) {
  const link = (event.target as Element).closest('a')
  const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || link.origin !== location.origin || !isPlainClick) return
  event.preventDefault()
  goTo(link.pathname + link.search + link.hash)
}

type Props = { html: string; className?: string | undefined }

/** HTML written by a user, sanitised again before it is rendered; the sanitiser is loaded only if there is a tag. */
export function Html(props: Props) {
  return isPlain(props.html) ? <div className={props.className}>{props.html}</div> : <CleanedHtml {...props} />
}

function CleanedHtml({ html, className }: Props) {
  const isSettled = useCleaner()
  if (isSettled && !cleaner) return <div className={className}>{plainTextOf(html)}</div>
  const clean = cleaner?.(html) ?? '&nbsp;'
  // biome-ignore lint/a11y/noStaticElementInteractions: only the links inside can be clicked
  // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click too
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised when saved, when sent and here
  return <div data-written className={className} onClick={openInApp} dangerouslySetInnerHTML={{ __html: clean }} />
}
