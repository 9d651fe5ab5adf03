import type { account, InputOf, membership } from '@dubplate/contract'
import { getDraft, saveDraft } from '../../platform/drafts.ts'

/** The values of the profile form; every field is text. The password is requested separately, and never stored. */
export type ProfileForm = Required<Omit<InputOf<typeof account.updateProfile>, 'password'>>

/** The fields of a profile in its form, in the order of the form. */
export const toFormValues = (profile: membership.Profile): ProfileForm => ({
  firstname: profile.firstname,
  lastname: profile.lastname,
  dj_name: profile.dj_name,
  telephone: profile.telephone,
  email: profile.email,
  street: profile.street,
  postcode: profile.postcode,
  city: profile.city,
  country_id: profile.country_id,
  region_id: profile.region_id,
})

const nameOf = ({ customer_id }: membership.Profile) => `profile.${customer_id}`

/** The profile with its unsaved changes; fields that the draft does not contain come from the profile. */
export function withDraft(profile: membership.Profile): ProfileForm {
  const form = toFormValues(profile)
  const draft = parse(getDraft(nameOf(profile)))
  const typed = Object.entries(draft).filter(([name, text]) => name in form && typeof text === 'string')
  return { ...form, ...Object.fromEntries(typed) }
}

function parse(text: string): object {
  try {
    return (JSON.parse(text || '{}') as object | null) ?? {}
  } catch {
    return {}
  }
}

/** Stores the fields that differ from the profile, also across a reload; removes the draft if there are none. */
export function saveTyped(profile: membership.Profile, form: ProfileForm) {
  const saved = toFormValues(profile)
  const names = Object.keys(saved) as (keyof ProfileForm)[]
  const typed = names.filter((name) => form[name] !== saved[name]).map((name) => [name, form[name]])
  saveDraft(nameOf(profile), typed.length ? JSON.stringify(Object.fromEntries(typed)) : '')
}

export const clearProfileDraft = (profile: membership.Profile) => saveDraft(nameOf(profile), '')
