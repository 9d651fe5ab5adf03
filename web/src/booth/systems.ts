import type { System } from '@dubplate/contract'
import * as texts from './texts.ts'

export const SYSTEM_NAMES: Record<System, string> = {
  windows: texts.windows,
  macos: texts.macos,
  linux: texts.linux,
}

/** The system that a browser runs on, by its user agent. Phones have none of them: Windows is the most common. */
export function systemOf(userAgent: string): System {
  if (/Macintosh|iPhone|iPad/.test(userAgent)) return 'macos'
  if (/Linux|X11/.test(userAgent) && !/Android/.test(userAgent)) return 'linux'
  return 'windows'
}
