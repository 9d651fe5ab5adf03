import { format } from '../format/message.ts'
import * as texts from './texts.ts'

type ApplicationLink = { by: 'mail' | 'web'; href: string; label: string; tooltip: string } | { by: 'contact' }

/** The link to apply for an opening, with its accessible name and its tooltip. An email gets the opening as its subject (RFC 6068). */
export function applicationLink(applyAt: string, title: string): ApplicationLink {
  if (!applyAt) return { by: 'contact' }
  if (/^https?:\/\//i.test(applyAt)) return { by: 'web', href: applyAt, ...webTexts(applyAt, title) }
  return {
    by: 'mail',
    href: `mailto:${encodeURIComponent(applyAt).replace('%40', '@')}?subject=${encodeURIComponent(title)}`,
    label: format(texts.applyByEmail, { title, address: applyAt }),
    tooltip: format(texts.byEmail, { address: applyAt }),
  }
}

function webTexts(address: string, title: string) {
  if (!URL.canParse(address))
    return { label: format(texts.applyOnAnotherSite, { title }), tooltip: texts.onAnotherSite }
  const { host } = new URL(address)
  return { label: format(texts.applyAt, { title, host }), tooltip: format(texts.atHost, { host }) }
}
