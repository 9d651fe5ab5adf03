import type { InputOf, joining } from '@dubplate/contract'
import type { Draft } from './draft.ts'
import * as texts from './texts.ts'

export type ApplicationForm = Pick<Draft, 'how' | 'referred_by' | 'dj_website' | 'comment'>

/** The missing values of an application, by field. The texts are those of the specification. */
export function missingFieldErrors({ how, referred_by, dj_website }: ApplicationForm): Record<string, string> {
  if (how === '') return { how: texts.referenceOrSocialLinkRequired }
  if (how === 'member' && !referred_by.trim()) return { referred_by: texts.memberReferenceRequired }
  if (how === 'link' && !dj_website.trim()) return { dj_website: texts.referenceDetailCannotBeBlank }
  return {}
}

/** The input for the chosen way; what was typed for the other one is left out. */
export const toApplicationInput = ({
  how,
  referred_by,
  dj_website,
  comment,
}: ApplicationForm): InputOf<typeof joining.submitApplication> => ({
  referred_by: how === 'member' ? referred_by : '',
  dj_website: how === 'link' ? dj_website : '',
  comment,
})
