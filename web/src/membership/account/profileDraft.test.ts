import type { membership } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { clearProfileDraft, saveTyped, toFormValues, withDraft } from './profileDraft.ts'

const storedDrafts = new Map<string, string>()
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (key: string) => storedDrafts.get(key) ?? null,
    setItem: (key: string, value: string) => void storedDrafts.set(key, value),
    removeItem: (key: string) => void storedDrafts.delete(key),
  },
})

const profile: membership.Profile = {
  customer_id: 7,
  email: 'mara@demo.test',
  pending_email: null,
  email_bounced: false,
  dj_name: 'Mara Voss',
  firstname: 'Mara',
  lastname: 'Voss',
  telephone: '',
  street: '',
  city: 'Berlin',
  postcode: '',
  country_id: 'DE',
  region_id: 'DE-BE',
  group_id: 2,
  payment_profile_status: 'paid',
  profile_picture: null,
  staff_role: null,
  display: null,
  preferred_versions: null,
  has_password: true,
  has_two_factor: false,
  two_factor_required: false,
  viewed_by: null,
  media_key: '',
}

beforeEach(() => storedDrafts.clear())

test('restores unsaved changes, with the current profile for all other fields', () => {
  saveTyped(profile, { ...toFormValues(profile), city: 'Leipzig' })
  expect(withDraft({ ...profile, firstname: 'Maria' })).toEqual({
    ...toFormValues(profile),
    city: 'Leipzig',
    firstname: 'Maria',
  })
})

test('keeps a cleared field empty', () => {
  saveTyped(profile, { ...toFormValues(profile), city: '' })
  expect(withDraft(profile).city).toBe('')
})

test('removes the draft when every change is undone or saved', () => {
  saveTyped(profile, { ...toFormValues(profile), city: 'Leipzig' })
  saveTyped(profile, toFormValues(profile))
  expect(storedDrafts.size).toBe(0)
  saveTyped(profile, { ...toFormValues(profile), city: 'Leipzig' })
  clearProfileDraft(profile)
  expect(withDraft(profile)).toEqual(toFormValues(profile))
})

test('does not show a draft to another member', () => {
  saveTyped(profile, { ...toFormValues(profile), city: 'Leipzig' })
  expect(withDraft({ ...profile, customer_id: 8 }).city).toBe('Berlin')
})

test('does not store the password', () => {
  saveTyped(profile, { ...toFormValues(profile), email: 'new@demo.test', password: 'not to be kept' } as never)
  expect([...storedDrafts.values()].join()).toContain('new@demo.test')
  expect([...storedDrafts.values()].join()).not.toContain('not to be kept')
})

test('ignores a damaged draft', () => {
  for (const text of ['{', 'null', '7', '{"city":3,"colour":"red"}']) {
    storedDrafts.set('dubplate.draft.profile.7', text)
    expect(withDraft(profile)).toEqual(toFormValues(profile))
  }
})

test('does not submit an unconfirmed email address again with the next save', () => {
  expect(toFormValues({ ...profile, pending_email: 'new@demo.test' }).email).toBe('mara@demo.test')
})
