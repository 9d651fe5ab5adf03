import { account, membership } from '@dubplate/contract'
import { create } from 'zustand'
import { toastError } from '../ui/toast.ts'
import { callApi, OfflineError } from './api.ts'
import { changeProfile, isMemberView, useSession } from './session.ts'
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

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Without storage (some private windows) a choice lasts as long as the page. */
function storeValue(key: string, value: string) {
  if (isMemberView()) return
  try {
    localStorage.setItem(key, value)
  } catch {}
}

const readPreferences = (): Preferences => ({
  notation: NOTATIONS.find((notation) => notation === readStored(KEYS.notation)) ?? 'camelot',
  scheme: readStored(KEYS.scheme) === 'light' ? 'light' : 'dark',
  loudness: readStored(KEYS.loudness) === 'original' ? 'original' : 'even',
})

export const usePreferences = create<Preferences>(readPreferences)

/** Makes a choice hold in this browser. */
function applyPreferences(change: Partial<Preferences>) {
  usePreferences.setState(change)
  for (const [name, value] of Object.entries(change)) storeValue(KEYS[name as keyof Preferences], value)
}

/** A person's choice: it holds in this browser and, for a member, in every other. */
function updatePreferences(change: Partial<Preferences>) {
  applyPreferences(change)
  if (!useSession.getState().token) return
  hasUnsavedChanges = true
  void saveToServer()
}

export const chooseNotation = (notation: Notation) => updatePreferences({ notation })
export const chooseScheme = (scheme: Scheme) => updatePreferences({ scheme })
export const chooseLoudness = (loudness: Loudness) => updatePreferences({ loudness })

/** A choice has been made that the server has not been told of. */
let hasUnsavedChanges = false
let isSaving = false

const toDisplay = ({ notation, scheme, loudness }: Preferences): membership.Display => ({
  notation,
  scheme,
  preview_loudness: loudness,
})

/** Tells the server of the choices as they are now, one call after the other, so that the last one is what stays. */
async function saveToServer() {
  if (isSaving) return
  isSaving = true
  try {
    while (hasUnsavedChanges && useSession.getState().token) {
      hasUnsavedChanges = false
      const { display } = await callApi(account.saveDisplay, toDisplay(usePreferences.getState()))
      if (!hasUnsavedChanges) changeProfile({ display })
    }
  } catch (error) {
    // Without a network it is told once there is one again.
    if (error instanceof OfflineError) hasUnsavedChanges = true
    else void toastError(texts.savedInThisBrowserOnly, error)
  } finally {
    isSaving = false
  }
}

addEventListener('online', () => void saveToServer())

const isSameDisplay = (first: membership.Display | null | undefined, second: membership.Display | null | undefined) =>
  first?.notation === second?.notation &&
  first?.scheme === second?.scheme &&
  first?.preview_loudness === second?.preview_loudness

// What a member chose elsewhere wins over what this browser had; what is being chosen here wins over both.
useSession.subscribe((now, before) => {
  if (now.token !== before.token && !now.token) hasUnsavedChanges = false
  const chosen = now.profile?.display
  if (!chosen || hasUnsavedChanges || isSaving || isSameDisplay(chosen, before.profile?.display)) return
  applyPreferences({ notation: chosen.notation, scheme: chosen.scheme, loudness: chosen.preview_loudness })
})

const BROWSER_BAR_COLOURS: Record<Scheme, string> = { dark: '#0c0d10', light: '#ffffff' }

/** The attribute is the one Mantine's parts read as well. */
function applyScheme({ scheme }: Preferences) {
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', BROWSER_BAR_COLOURS[scheme])
}

usePreferences.subscribe((now, before) => {
  if (now.scheme !== before.scheme) applyScheme(now)
})

// A choice made in one tab holds in the others.
addEventListener('storage', ({ key }) => {
  if (Object.values(KEYS).some((storedKey) => storedKey === key)) usePreferences.setState(readPreferences())
})
