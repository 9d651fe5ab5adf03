import { expect, test } from 'vitest'
import { makeDownloadProfile } from '../../test/memberSamples.ts'
import { changeSystem, copyOf, needsUserName, newProfile } from './newProfile.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15'

test('suggests the system of the browser with a folder of it, and rekordbox', () => {
  const profile = newProfile(MAC)
  expect(profile).toMatchObject({ name: '', system: 'macos', music_folder: '/Users/you/Music', software: 'rekordbox' })
  expect(profile).toMatchObject({ file_template: '{artist} - {title} ({version})', unicode_form: 'nfc' })
})

test('suggests another folder with another system, unless the folder was edited', () => {
  const profile = newProfile(MAC)
  expect(changeSystem(profile, 'windows')).toEqual({ system: 'windows', music_folder: 'C:\\Users\\you\\Music' })
  expect(changeSystem({ ...profile, music_folder: '/Users/ama/Music' }, 'windows')).toEqual({ system: 'windows' })
})

test('notices that the user name is missing', () => {
  expect(['/home/you/Music', 'C:\\Users\\you\\Music\\Pool', '/Users/youri/Music'].map(needsUserName)).toEqual([
    true,
    true,
    false,
  ])
})

test('a copy has a name that fits, and is not the default', () => {
  const name = 'n'.repeat(60)
  const copy = copyOf(makeDownloadProfile({ name, music_folder: '/Volumes/USB' }))
  expect(copy).toMatchObject({ name: `Copy of ${name}`.slice(0, 60), music_folder: '/Volumes/USB', is_default: false })
  expect(copy).not.toHaveProperty('profile_id')
})
