import { account, membership } from '@dubplate/contract'
import { create } from 'zustand'
import { useScheme } from '../ui/scheme.ts'
import { toastError } from '../ui/toast.ts'
import { callApi, OfflineError } from './api.ts'
import { changeProfile, isMemberView, useSession } from './session.ts'
import * as texts from './texts.ts'

/** The notations for musical keys. */
export const NOTATIONS = membership.NOTATIONS
export type Notation = (typeof NOTATIONS)[number]

/** The colour schemes, as the styles name them. */
export type Scheme = (typeof membership.SCHEMES)[number]

/** The loudness of previews: levelled, or as mastered. */
export const LOUDNESS = membership.PREVIEW_LOUDNESS
export type Loudness = (typeof LOUDNESS)[number]

/** The format of files in zips. */
type ZipFormat = (typeof membership.ZIP_FORMATS)[number]

type Preferences = { notation: Notation; scheme: Scheme; loudness: Loudness; zipFormat: ZipFormat }

/** The scheme is also read by the inline script of index.html, before the first paint. */
const KEYS: Record<keyof Preferences, string> = {
  notation: 'dubplate.key-notation',
  scheme: 'dubplate.scheme',
  loudness: 'dubplate.preview-loudness',
  zipFormat: 'dubplate.zip-format',
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Without storage (some private windows) a choice lasts until the page is reloaded. */
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
  zipFormat: membership.ZIP_FORMATS.find((zipFormat) => zipFormat === readStored(KEYS.zipFormat)) ?? 'original',
})

export const usePreferences = create<Preferences>(readPreferences)

/** Applies a choice in this browser. */
function applyPreferences(change: Partial<Preferences>) {
  usePreferences.setState(change)
  for (const [name, value] of Object.entries(change)) storeValue(KEYS[name as keyof Preferences], value)
}

/** Applies a user's choice in this browser and, for a member, in every other. */
function updatePreferences(change: Partial<Preferences>) {
  applyPreferences(change)
  if (!useSession.getState().token) return
  hasUnsavedChanges = true
  void saveToServer()
}

export const chooseNotation = (notation: Notation) => updatePreferences({ notation })
export const chooseScheme = (scheme: Scheme) => updatePreferences({ scheme })
export const chooseZipFormat = (zipFormat: ZipFormat) => updatePreferences({ zipFormat })
export const chooseLoudness = (loudness: Loudness) => updatePreferences({ loudness })

/** True if a choice has not been saved on the server yet. */
let hasUnsavedChanges = false
let isSaving = false

const toDisplay = ({ notation, scheme, loudness, zipFormat }: Preferences): membership.Display => ({
  notation,
  scheme,
  preview_loudness: loudness,
  ...(zipFormat === 'original' ? {} : { zip_format: zipFormat }),
})

/** Saves the current choices on the server, one request after the other, so that the last choice wins. */
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
    // Without a connection, saves once there is one again.
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
  first?.preview_loudness === second?.preview_loudness &&
  first?.zip_format === second?.zip_format

// A member's choices from elsewhere override this browser's; choices being made here override both.
useSession.subscribe((now, before) => {
  if (now.token !== before.token && !now.token) hasUnsavedChanges = false
  const chosen = now.profile?.display
  if (!chosen || hasUnsavedChanges || isSaving || isSameDisplay(chosen, before.profile?.display)) return
  const { notation, scheme, preview_loudness: loudness, zip_format: zipFormat = 'original' } = chosen
  applyPreferences({ notation, scheme, loudness, zipFormat })
})

const BROWSER_BAR_COLOURS: Record<Scheme, string> = { dark: '#0c0d10', light: '#ffffff' }

/** Mantine's styles read the same attribute. */
function applyScheme({ scheme }: Preferences) {
  useScheme.setState({ scheme })
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', BROWSER_BAR_COLOURS[scheme])
}

useScheme.setState({ scheme: usePreferences.getState().scheme })
usePreferences.subscribe((now, before) => {
  if (now.scheme !== before.scheme) applyScheme(now)
})

// A choice made in one tab applies in the others.
addEventListener('storage', ({ key }) => {
  if (Object.values(KEYS).some((storedKey) => storedKey === key)) usePreferences.setState(readPreferences())
})
