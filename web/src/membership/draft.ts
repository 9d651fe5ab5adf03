import { createTabStorage } from '../platform/tabStorage.ts'

/** What a visitor types into the sign-up dialogs. Passwords are never stored. */
export type Draft = {
  email: string
  dj_name: string
  how: '' | 'member' | 'link'
  referred_by: string
  dj_website: string
  comment: string
}

const EMPTY_DRAFT: Draft = { email: '', dj_name: '', how: '', referred_by: '', dj_website: '', comment: '' }

const memory = createTabStorage<Partial<Draft>>('dubplate.joining')

/** What was typed before, in this or another dialog, also before a reload. */
export const typed = (): Draft => ({ ...EMPTY_DRAFT, ...memory.get() })

/** Stores only the form values that are part of the draft. */
export function saveTyped(values: Record<string, unknown>) {
  const savedDraft: Record<string, unknown> = { ...memory.get() }
  for (const name of Object.keys(EMPTY_DRAFT)) if (name in values) savedDraft[name] = values[name]
  memory.set(savedDraft)
}

export const clearTyped = () => memory.set(undefined)

/** Clears everything but the email address, which the next dialog needs too. */
export const clearTypedExceptEmail = () => memory.set({ email: typed().email })
