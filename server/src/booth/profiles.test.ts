import { downloadProfiles } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>

const laptop = {
  name: 'Club laptop',
  system: 'macos',
  software: 'rekordbox',
  music_folder: '/Users/dj/Music',
} as const

const save = async ({ token }: Member, changes: object = {}) =>
  (await pool.ask(downloadProfiles.saveProfile, { ...laptop, ...changes }, token)).profile
const profilesOf = async ({ token }: Member) =>
  (await pool.ask(downloadProfiles.getProfiles, {}, token)).profiles.map(({ name, is_default }) => [name, is_default])
const refused = (member: Member, changes: object) => errorOf(save(member, changes))

test('saves a profile with the defaults of what was left out, and lists it for its member only', async () => {
  const member = await aMember(pool.ctx)
  const saved = await save(member, { name: ' Club laptop ', music_folder: '/Users/dj/Music//' })
  expect(saved).toMatchObject({
    ...laptop,
    is_default: true,
    file_template: '{artist} - {title} ({version})',
    folder_template: '',
    unicode_form: 'nfc',
    key_notation: 'musical',
    tags: downloadProfiles.OPTIONAL_TAGS,
    format: 'original',
  })
  expect((await pool.ask(downloadProfiles.getProfiles, {}, member.token)).profiles).toEqual([saved])
  expect(await profilesOf(await aMember(pool.ctx))).toEqual([])
})

test('changes a profile, but not that of someone else', async () => {
  const member = await aMember(pool.ctx)
  const { profile_id } = await save(member)
  expect(await save(member, { profile_id, software: 'traktor' })).toMatchObject({ profile_id, software: 'traktor' })
  expect(await refused(await aMember(pool.ctx), { profile_id })).toMatchObject({ code: 'unknown_profile' })
})

test('one profile is the default: the first, the chosen one, and another one after its deletion', async () => {
  const member = await aMember(pool.ctx)
  const first = await save(member, { name: 'B' })
  await save(member, { name: 'C' })
  expect(await profilesOf(member)).toEqual([
    ['B', true],
    ['C', false],
  ])
  const usb = await save(member, { name: 'A', is_default: true })
  expect(await profilesOf(member)).toEqual([
    ['A', true],
    ['B', false],
    ['C', false],
  ])
  await pool.ask(downloadProfiles.removeProfile, { profile_id: usb.profile_id }, member.token)
  expect(await profilesOf(member)).toEqual([
    ['B', true],
    ['C', false],
  ])
  // The only default cannot be given up without another one.
  expect(await save(member, { profile_id: first.profile_id, name: 'B', is_default: false })).toMatchObject({
    is_default: true,
  })
})

test('names are unique, and a member has at most ten', async () => {
  const member = await aMember(pool.ctx)
  await save(member)
  await expect(save(member, { name: 'club LAPTOP' })).rejects.toMatchObject({
    reply: { code: 'name_taken', fields: { name: 'You already have a download profile named “club LAPTOP”.' } },
  })
  for (let n = 1; n < downloadProfiles.MAX_PROFILES; n++) await save(member, { name: `Stick ${n}` })
  expect(await refused(member, { name: 'One more' })).toMatchObject({ code: 'too_many_profiles' })
})

test.each([
  [{ music_folder: 'Music' }, 'begins with /'],
  [{ system: 'windows' }, 'begins with its drive'],
  [{ system: 'windows', music_folder: 'C:\\Mu?sic' }, 'begins with its drive'],
  [{ music_folder: '/Users/../root' }, 'without “.” and “..”'],
  [{ file_template: '{artist} - {titel}' }, '{titel} is not a field'],
  [{ folder_template: '{}' }, '{} is not a field'],
  [{ file_template: ' ' }, 'Enter a file name.'],
  [{ name: '' }, 'Enter a name.'],
])('refuses %j with a sentence', async (changes, message) => {
  const error = await refused(await aMember(pool.ctx), changes)
  expect(error.code).toBe('invalid_request')
  expect(error.message).toContain(message)
})
