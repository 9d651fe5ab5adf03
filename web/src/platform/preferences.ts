import { create } from 'zustand'

/** How musical keys are written for this person. */
export const NOTATIONS = ['camelot', 'musical', 'open'] as const
export type Notation = (typeof NOTATIONS)[number]

const NOTATION_KEY = 'dubplate.key-notation'

/** Read by the inline script of index.html too, before the first paint. */
const SCHEME_KEY = 'dubplate.scheme'

/** Night and day, as the styles call them. */
export type Scheme = 'dark' | 'light'

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Without storage (some private windows) a choice lasts as long as the page. */
function keep(key: string, value: string) {
  try {
    localStorage.setItem(key, value)
  } catch {}
}

const readNotation = () => NOTATIONS.find((notation) => notation === read(NOTATION_KEY)) ?? 'camelot'
const readScheme = (): Scheme => (read(SCHEME_KEY) === 'light' ? 'light' : 'dark')

type Preferences = { notation: Notation; scheme: Scheme }

export const usePreferences = create<Preferences>(() => ({ notation: readNotation(), scheme: readScheme() }))

export function chooseNotation(notation: Notation) {
  usePreferences.setState({ notation })
  keep(NOTATION_KEY, notation)
}

export function chooseScheme(scheme: Scheme) {
  usePreferences.setState({ scheme })
  keep(SCHEME_KEY, scheme)
}

const BROWSER_BAR: Record<Scheme, string> = { dark: '#0c0d10', light: '#ffffff' }

/** The attribute is the one Mantine's parts read as well. */
function paint({ scheme }: Preferences) {
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', BROWSER_BAR[scheme])
}

usePreferences.subscribe(paint)

// A choice made in one tab holds in the others.
addEventListener('storage', ({ key }) => {
  if (key === SCHEME_KEY) usePreferences.setState({ scheme: readScheme() })
  if (key === NOTATION_KEY) usePreferences.setState({ notation: readNotation() })
})
