import { tabMemory } from '../platform/tabMemory.ts'

/** What somebody types into the dialogs of joining. A password is never part of it. */
export type Draft = {
  email: string
  dj_name: string
  how: '' | 'member' | 'link'
  referred_by: string
  dj_website: string
  comment: string
}

const NOTHING: Draft = { email: '', dj_name: '', how: '', referred_by: '', dj_website: '', comment: '' }

const memory = tabMemory<Partial<Draft>>('dubplate.joining')

/** What was typed before, here or in another of the dialogs, also before the page was loaded again. */
export const typed = (): Draft => ({ ...NOTHING, ...memory.get() })

/** Takes from what a form holds only what may be kept. */
export function keepTyped(values: Record<string, unknown>) {
  const kept: Record<string, unknown> = { ...memory.get() }
  for (const name of Object.keys(NOTHING)) if (name in values) kept[name] = values[name]
  memory.set(kept)
}

export const forgetTyped = () => memory.set(undefined)

/** Done with everything but the address, which the next dialog asks for as well. */
export const forgetAllButEmail = () => memory.set({ email: typed().email })
