import { downloadProfiles, type ParsedInputOf } from '@dubplate/contract'
import * as z from 'zod/mini'
import { ApiError, fieldError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'

export type DownloadProfile = downloadProfiles.DownloadProfile

const { MAX_PROFILES, trimFolder } = downloadProfiles

type StoredSettings = Omit<DownloadProfile, 'profile_id' | 'name' | 'is_default'>
export type ProfileRow = Pick<DownloadProfile, 'profile_id' | 'name' | 'is_default'> & { settings: StoredSettings }

const COLUMNS = ['profile_id', 'name', 'is_default', 'settings'] as const

/** Adds the defaults of settings that an earlier release did not have. */
const settingsSchema = z.object(downloadProfiles.settings)

export const toProfile = ({ settings, ...profile }: ProfileRow): DownloadProfile => ({
  ...profile,
  ...settingsSchema.parse(settings),
})

const unknownProfileError = () => new ApiError('unknown_profile', 'Download profile not found. Reload the page.')

/** A member's profiles by name. */
export async function listProfiles(sql: Sql, customerId: number): Promise<DownloadProfile[]> {
  const rows = await sql<ProfileRow[]>`
    select ${sql(COLUMNS)} from download_profile where customer_id = ${customerId} order by lower(name), profile_id`
  return rows.map(toProfile)
}

/** One profile, or the default one. Throws `unknown_profile`, also if a member without any asks for the default. */
export async function findProfile(sql: Sql, customerId: number, profileId?: number): Promise<DownloadProfile> {
  const isChosen = profileId === undefined ? sql`is_default` : sql`profile_id = ${profileId}`
  const [row] = await sql<ProfileRow[]>`
    select ${sql(COLUMNS)} from download_profile where customer_id = ${customerId} and ${isChosen}`
  if (!row && profileId === undefined) throw new ApiError('unknown_profile', 'Add a download profile first.')
  if (!row) throw unknownProfileError()
  return toProfile(row)
}

/** The member's default profile, a copy of which is stored with each download; null without one. */
export async function findDefaultProfile(sql: Sql, customerId: number): Promise<DownloadProfile | null> {
  const [row] = await sql<ProfileRow[]>`${defaultProfile(sql, customerId)}`
  return row ? toProfile(row) : null
}

/** The query of this profile, for statements that read more; `toProfile` completes its row. */
export const defaultProfile = (sql: Sql, customerId: number) => sql`
    select profile_id, name, is_default, settings from download_profile
    where customer_id = ${customerId} and is_default`

type ProfileInput = ParsedInputOf<typeof downloadProfiles.saveProfile>

/** Adds or replaces a profile. Throws `unknown_profile`, `name_taken` and `too_many_profiles`. */
export async function saveProfile(pool: Pool, customerId: number, input: ProfileInput): Promise<DownloadProfile> {
  const { profile_id, name, is_default, ...settings } = input
  const stored = {
    ...settings,
    music_folder: trimFolder(settings.music_folder),
    serato_root: trimFolder(settings.serato_root),
    tags: downloadProfiles.OPTIONAL_TAGS.filter((tag) => settings.tags.includes(tag)),
  }
  return pool.begin(async (sql) => {
    const others = await lockProfiles(sql, customerId, profile_id)
    if (profile_id === undefined && others.length >= MAX_PROFILES)
      throw new ApiError(
        'too_many_profiles',
        `You’ve reached the limit of ${MAX_PROFILES} download profiles. Delete one first.`,
      )
    if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
      throw fieldError('name_taken', 'name', `You already have a download profile named “${name}”.`)
    const isDefault = is_default || !others.some((other) => other.is_default)
    if (isDefault)
      await sql`update download_profile set is_default = false where customer_id = ${customerId} and is_default`
    const values = { name, settings: sql.json(stored), is_default: isDefault }
    const [saved] =
      profile_id === undefined
        ? await sql<ProfileRow[]>`
            insert into download_profile ${sql({ customer_id: customerId, ...values })} returning ${sql(COLUMNS)}`
        : await sql<ProfileRow[]>`
            update download_profile set ${sql(values)}, changed_at = now()
            where profile_id = ${profile_id} and customer_id = ${customerId} returning ${sql(COLUMNS)}`
    if (!saved) throw unknownProfileError()
    return toProfile(saved)
  })
}

/** Serialises a member's changes, so that limit and default hold. Returns the profiles except the one to be saved. */
async function lockProfiles(sql: Sql, customerId: number, profileId: number | undefined) {
  await sql`select 1 from customer where customer_id = ${customerId} for no key update`
  const rows = await sql<Pick<ProfileRow, 'profile_id' | 'name' | 'is_default'>[]>`
    select profile_id, name, is_default from download_profile where customer_id = ${customerId}`
  return rows.filter((row) => row.profile_id !== profileId)
}

/** Deletes a profile; the first of the others becomes the default if it was. Throws `unknown_profile`. */
export async function removeProfile(pool: Pool, customerId: number, profileId: number): Promise<DownloadProfile[]> {
  return pool.begin(async (sql) => {
    const others = await lockProfiles(sql, customerId, profileId)
    const [removed] = await sql<{ is_default: boolean }[]>`
      delete from download_profile where profile_id = ${profileId} and customer_id = ${customerId} returning is_default`
    if (!removed) throw unknownProfileError()
    if (removed.is_default && others.length > 0)
      await sql`
        update download_profile set is_default = true where profile_id = (
          select profile_id from download_profile where customer_id = ${customerId} order by lower(name), profile_id limit 1)`
    return listProfiles(sql, customerId)
  })
}
