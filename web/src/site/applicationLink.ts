import { format } from '../platform/message.ts'
import * as texts from './texts.ts'

type ApplicationLink = { by: 'mail' | 'web'; href: string; where: string } | { by: 'contact' }

/** How one applies for an opening: `where` is for people. A mail says in its subject what it is about (RFC 6068). */
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
