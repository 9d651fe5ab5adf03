import type { membership } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { clearProfileDraft, saveTyped, toFormValues, withDraft } from './profileDraft.ts'

const kept = new Map<string, string>()
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
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
  has_password: true,
  two_step: false,
  two_step_needed: false,
  viewed_by: null,
  media_key: '',
}

beforeEach(() => kept.clear())

test('what was typed and not saved is there again, and the rest is the profile as it is now', () => {
  saveTyped(profile, { ...toFormValues(profile), city: 'Leipzig' })
  expect(withDraft({ ...profile, firstname: 'Maria' })).toEqual({
    ...toFormValues(profile),
    city: 'Leipzig',
    firstname: 'Maria',
  })
})

test('a field that was emptied stays empty', () => {
  saveTyped(profile, { ...toFormValues(profile), city: '' })
  expect(withDraft(profile).city).toBe('')
})

test('whoever types everything back, or saves, leaves no draft', () => {
  saveTyped(profile, { ...toFormValues(profile), city: 'Leipzig' })
  saveTyped(profile, toFormValues(profile))
  expect(kept.size).toBe(0)
  saveTyped(profile, { ...toFormValues(profile), city: 'Leipzig' })
  clearProfileDraft(profile)
  expect(withDraft(profile)).toEqual(toFormValues(profile))
})

test('another member sees nothing of it', () => {
  saveTyped(profile, { ...toFormValues(profile), city: 'Leipzig' })
  expect(withDraft({ ...profile, customer_id: 8 }).city).toBe('Berlin')
})

test('a password that was typed beside it is not kept', () => {
  saveTyped(profile, { ...toFormValues(profile), email: 'new@demo.test', password: 'not to be kept' } as never)
  expect([...kept.values()].join()).toContain('new@demo.test')
  expect([...kept.values()].join()).not.toContain('not to be kept')
})

test('a draft that is not whole is passed over', () => {
  for (const text of ['{', 'null', '7', '{"city":3,"colour":"red"}']) {
    kept.set('dubplate.draft.profile.7', text)
    expect(withDraft(profile)).toEqual(toFormValues(profile))
  }
})

test('an address that waits for its link is not asked for again by the next save', () => {
  expect(toFormValues({ ...profile, pending_email: 'new@demo.test' }).email).toBe('mara@demo.test')
})
