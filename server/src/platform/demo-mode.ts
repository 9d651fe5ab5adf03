import { isIPv4 } from 'node:net'

/**
 * `local`: the accounts have publicly known passwords, so only this computer may use the pool. `public`: staff accounts
 * of the demo have random passwords, and others may use the demo.
 */
export type DemoMode = 'off' | 'local' | 'public'

type DemoSettings = {
  demo: 'auto' | 'on' | 'off'
  host: string
  publicUrl: string
  databaseUrl: string | undefined
}

/** The demo needs the embedded database; a pool that others can reach only has it with DEMO=on. */
export function resolveDemoMode({ demo, host, publicUrl, databaseUrl }: DemoSettings): DemoMode {
  if (demo === 'off' || databaseUrl !== undefined) return 'off'
  const hostname = parseHostname(publicUrl)
  if (isLocalName(host) && isLocalName(hostname)) return 'local'
  return demo === 'on' && !UNSPECIFIED.has(hostname) ? 'public' : 'off'
}

/** Hosts that PUBLIC_URL contains if it is derived from HOST=0.0.0.0 or similar: no browser can open them. */
const UNSPECIFIED = new Set(['0.0.0.0', '::', ''])

const parseHostname = (url: string): string => (URL.canParse(url) ? withoutBrackets(new URL(url).hostname) : '')

/** IPv6 addresses are written in brackets in URLs and Host headers. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** Returns whether a host name or address always means this computer: localhost, 127.0.0.0/8, ::1. */
export const isLocalName = (name: string): boolean =>
  name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
