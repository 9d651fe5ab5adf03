import { getDraft, saveDraft } from './drafts.ts'

/** What someone typed into a form and has not saved yet. */
export type FormDraft = {
  values: object
  /** When it was last changed, as an ISO time. */
  at: string
}

const nameOf = (form: string) => `form.${form}`

/** The draft of a form; undefined if there is none, or if it cannot be read. */
export function getFormDraft(form: string): FormDraft | undefined {
  try {
    const draft = JSON.parse(getDraft(nameOf(form)) || 'null') as FormDraft | null
    return draft ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps what was typed for this tab, also over a reload. */
export function saveFormDraft(form: string, values: object) {
  const draft: FormDraft = { values, at: new Date().toISOString() }
  saveDraft(nameOf(form), JSON.stringify(draft))
}

export const discardFormDraft = (form: string) => saveDraft(nameOf(form), '')
