import { account, membership } from '@dubplate/contract'
import { create } from 'zustand'
import { toastTrouble } from '../ui/toast.ts'
import { ask, OfflineError } from './api.ts'
import { changeProfile, isView, useSession } from './session.ts'
import * as texts from './texts.ts'

/** How musical keys are written for this person. */
export const NOTATIONS = membership.NOTATIONS
export type Notation = (typeof NOTATIONS)[number]

/** Night and day, as the styles call them. */
export type Scheme = (typeof membership.SCHEMES)[number]

/** How loud previews are: all alike, or as they were mastered. */
export const LOUDNESS = membership.PREVIEW_LOUDNESS
export type Loudness = (typeof LOUDNESS)[number]

type Preferences = { notation: Notation; scheme: Scheme; loudness: Loudness }

/** The scheme's is read by the inline script of index.html too, before the first paint. */
const KEYS: Record<keyof Preferences, string> = {
  notation: 'dubplate.key-notation',
  scheme: 'dubplate.scheme',
  loudness: 'dubplate.preview-loudness',
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Without storage (some private windows) a choice lasts as long as the page. */
function keep(key: string, value: string) {
  if (isView()) return
  try {
    localStorage.setItem(key, value)
  } catch {}
}

const readAll = (): Preferences => ({
  notation: NOTATIONS.find((notation) => notation === read(KEYS.notation)) ?? 'camelot',
  scheme: read(KEYS.scheme) === 'light' ? 'light' : 'dark',
  loudness: read(KEYS.loudness) === 'original' ? 'original' : 'even',
})

export const usePreferences = create<Preferences>(readAll)

/** Makes a choice hold in this browser. */
function hold(change: Partial<Preferences>) {
  usePreferences.setState(change)
  for (const [name, value] of Object.entries(change)) keep(KEYS[name as keyof Preferences], value)
}

/** A person's choice: it holds in this browser and, for a member, in every other. */
function choose(change: Partial<Preferences>) {
  hold(change)
  if (!useSession.getState().token) return
  isOwed = true
  void tellServer()
}

export const chooseNotation = (notation: Notation) => choose({ notation })
export const chooseScheme = (scheme: Scheme) => choose({ scheme })
export const chooseLoudness = (loudness: Loudness) => choose({ loudness })

/** A choice has been made that the server has not been told of. */
let isOwed = false
let isTelling = false

const asDisplay = ({ notation, scheme, loudness }: Preferences): membership.Display => ({
  notation,
  scheme,
  preview_loudness: loudness,
})

/** Tells the server of the choices as they are now, one call after the other, so that the last one is what stays. */
async function tellServer() {
  if (isTelling) return
  isTelling = true
  try {
    while (isOwed && useSession.getState().token) {
      isOwed = false
      const { display } = await ask(account.saveDisplay, asDisplay(usePreferences.getState()))
      if (!isOwed) changeProfile({ display })
    }
  } catch (error) {
    // Without a network it is told once there is one again.
    if (error instanceof OfflineError) isOwed = true
    else void toastTrouble(texts.savedInThisBrowserOnly, error)
  } finally {
    isTelling = false
  }
}

addEventListener('online', () => void tellServer())

const isAlike = (one: membership.Display | null | undefined, other: membership.Display | null | undefined) =>
  one?.notation === other?.notation &&
  one?.scheme === other?.scheme &&
  one?.preview_loudness === other?.preview_loudness

// What a member chose elsewhere wins over what this browser had; what is being chosen here wins over both.
useSession.subscribe((now, before) => {
  if (now.token !== before.token && !now.token) isOwed = false
  const chosen = now.profile?.display
  if (!chosen || isOwed || isTelling || isAlike(chosen, before.profile?.display)) return
  hold({ notation: chosen.notation, scheme: chosen.scheme, loudness: chosen.preview_loudness })
})

const BROWSER_BAR: Record<Scheme, string> = { dark: '#0c0d10', light: '#ffffff' }

/** The attribute is the one Mantine's parts read as well. */
function paint({ scheme }: Preferences) {
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', BROWSER_BAR[scheme])
}

usePreferences.subscribe((now, before) => {
  if (now.scheme !== before.scheme) paint(now)
})

// A choice made in one tab holds in the others.
addEventListener('storage', ({ key }) => {
  if (Object.values(KEYS).some((own) => own === key)) usePreferences.setState(readAll())
})
