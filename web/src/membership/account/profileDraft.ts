import type { account, InputOf, membership } from '@dubplate/contract'
import { getDraft, saveDraft } from '../../platform/drafts.ts'

/** What the form of the profile holds; every field is text. The password is asked for beside it, and never kept. */
export type ProfileForm = Required<Omit<InputOf<typeof account.updateProfile>, 'password'>>

/** The fields of a profile that its form shows, in the order of the form. */
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

/** What was typed and not saved, on top of the profile as it is: fields a draft does not name are the profile's. */
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

/** Keeps the fields that differ from the profile, also across a reload; with none of them nothing is kept. */
export function saveTyped(profile: membership.Profile, form: ProfileForm) {
  const saved = toFormValues(profile)
  const names = Object.keys(saved) as (keyof ProfileForm)[]
  const typed = names.filter((name) => form[name] !== saved[name]).map((name) => [name, form[name]])
  saveDraft(nameOf(profile), typed.length ? JSON.stringify(Object.fromEntries(typed)) : '')
}

export const clearProfileDraft = (profile: membership.Profile) => saveDraft(nameOf(profile), '')
