import { createTabStorage } from '../platform/tabStorage.ts'

/** What somebody types into the dialogs of joining. A password is never part of it. */
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

/** What was typed before, here or in another of the dialogs, also before the page was loaded again. */
export const typed = (): Draft => ({ ...EMPTY_DRAFT, ...memory.get() })

/** Takes from what a form holds only what may be kept. */
export function saveTyped(values: Record<string, unknown>) {
  const savedDraft: Record<string, unknown> = { ...memory.get() }
  for (const name of Object.keys(EMPTY_DRAFT)) if (name in values) savedDraft[name] = values[name]
  memory.set(savedDraft)
}

export const clearTyped = () => memory.set(undefined)

/** Done with everything but the address, which the next dialog asks for as well. */
export const clearTypedExceptEmail = () => memory.set({ email: typed().email })
