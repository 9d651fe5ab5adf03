import { isIPv4 } from 'node:net'

/**
 * `local`: the accounts have passwords everybody knows, so only this computer may reach the pool.
 * `public`: staff accounts of the demo have random passwords, and the demo may be shown to others.
 */
export type DemoMode = 'off' | 'local' | 'public'

type DemoSettings = {
  demo: 'auto' | 'on' | 'off'
  host: string
  publicUrl: string
  databaseUrl: string | undefined
}

/** The demo needs the embedded database, and a pool that others can reach shows it only when DEMO=on says so. */
export function resolveDemoMode({ demo, host, publicUrl, databaseUrl }: DemoSettings): DemoMode {
  if (demo === 'off' || databaseUrl !== undefined) return 'off'
  const hostname = parseHostname(publicUrl)
  if (isLocalName(host) && isLocalName(hostname)) return 'local'
  return demo === 'on' && !UNSPECIFIED.has(hostname) ? 'public' : 'off'
}

/** What HOST=0.0.0.0 makes of PUBLIC_URL when that is not set: an address that no browser can open. */
const UNSPECIFIED = new Set(['0.0.0.0', '::', ''])

const parseHostname = (url: string): string => (URL.canParse(url) ? withoutBrackets(new URL(url).hostname) : '')

/** IPv6 addresses are written in brackets in URLs and Host headers. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** Whether a host name or an address always means this computer: localhost, 127.0.0.0/8, ::1. */
export const isLocalName = (name: string): boolean =>
  name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
