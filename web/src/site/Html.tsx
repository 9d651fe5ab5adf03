import { type MouseEvent, useEffect, useState } from 'react'
import { goTo } from '../platform/address.ts'

const ALLOWED = { ALLOWED_TAGS: ['a', 'b', 'strong', 'i', 'em', 'br', 'span', 'p'], ALLOWED_ATTR: ['href'] }

const isPlain = (text: string) => !/[<&]/.test(text)

/** A link to a screen of ours changes the screen only: loading the whole page again would stop the music. */
function stayOnPage(event: MouseEvent) {
  const link = (event.target as Element).closest('a')
  const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || link.origin !== location.origin || !isPlainClick) return
  event.preventDefault()
  goTo(link.pathname + link.search + link.hash)
}

/** Words written by staff as HTML, cleaned again before they are shown; the cleaner is loaded only where there is a tag. */
export function Html({ html, className }: { html: string; className?: string | undefined }) {
  const [clean, setClean] = useState<string>()
  const [plain, setPlain] = useState<string>()
  useEffect(() => {
    if (isPlain(html)) return
    let isHere = true
    import('dompurify').then(
      ({ default: purify }) => isHere && setClean(purify.sanitize(html, ALLOWED)),
      // Without the cleaner (offline, an older page) the words stay, without their markup.
      () => isHere && setPlain(new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''),
    )
    return () => {
      isHere = false
    }
  }, [html])
  if (isPlain(html)) return <div className={className}>{html}</div>
  if (plain !== undefined && clean === undefined) return <div className={className}>{plain}</div>
  // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed
  // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click too
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned on the way in, on the way out and here
  return <div className={className} onClick={stayOnPage} dangerouslySetInnerHTML={{ __html: clean ?? '&nbsp;' }} />
}
