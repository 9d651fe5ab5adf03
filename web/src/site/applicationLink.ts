import { format } from '../platform/message.ts'
import * as texts from './texts.ts'

type ApplicationLink = { by: 'mail' | 'web'; href: string; where: string } | { by: 'contact' }

/** The link to apply for an opening; `where` is its text. An email gets the opening as its subject (RFC 6068). */
export function applicationLink(applyAt: string, title: string): ApplicationLink {
  if (!applyAt) return { by: 'contact' }
  if (/^https?:\/\//i.test(applyAt))
    return { by: 'web', href: applyAt, where: format(texts.atOpensInANew, { hostOf: hostOf(applyAt) }) }
  return {
    by: 'mail',
    href: `mailto:${encodeURIComponent(applyAt).replace('%40', '@')}?subject=${encodeURIComponent(title)}`,
    where: format(texts.byEmailTo, { applyAt }),
  }
}

function hostOf(address: string): string {
  try {
    return new URL(address).host
  } catch {
    return 'another site'
  }
}
