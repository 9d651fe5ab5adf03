import { settings as contract } from '@dubplate/contract'
import type * as z from 'zod/mini'
import { ApiError } from './api-error.ts'
import type { Pool, Sql } from './db.ts'
import type { Sender } from './email-template.ts'
import type { Log } from './log.ts'
import { repeatEvery } from './repeat-every.ts'

/** What the environment gives a pool that has set nothing. */
export type DefaultSettings = {
  poolName: string
  /** Address of the store that sells the pool's merchandise; '' where it has none. */
  storeUrl: string
  /** Whom mail is from; its name is '' where it is the pool's. */
  mailFrom: { name: string; address: string }
  /** Downloads of each version. */
  downloadLimit: number
  /** An uploaded song stays so many days, and after each renewal as many again. */
  uploadDays: number
  /** What leaves the pool can be fetched so many days longer by whoever downloaded it before. */
  rescueDays: number
  publicBrowsing: boolean
}

/** What holds now. */
export type Settings = Readonly<DefaultSettings> & {
  /** Null for the colours the product comes with. */
  readonly accent: contract.AccentColours | null
  /** SHA-256 of the pool's own picture in the store, in hex; null for the one the product comes with. */
  readonly logo: string | null
  /** Parts of the site that are left out. */
  readonly hidden: ReadonlySet<contract.Section>
  /** Who signs letters. */
  readonly emailSender: Sender
  /** Another one after each change. */
  readonly edition: number
}

/**
 * What holds at the moment it is read. A change comes whole, between two turns of the process; what must stay the same
 * over a wait is read once, before it.
 */
export type LiveSettings = Settings & {
  /** Reads what was set, also by other processes. */
  renew(): Promise<void>
}

const GROUP_SCHEMAS = {
  name: contract.name,
  accent: contract.accent,
  store: contract.store,
  sender: contract.sender,
  limits: contract.limits,
  visitors: contract.visitors,
  sections: contract.sections,
}
type EditableGroup = keyof typeof GROUP_SCHEMAS
export type SettingValues<G extends EditableGroup = EditableGroup> = z.output<(typeof GROUP_SCHEMAS)[G]>

type ChosenSettings = { [G in EditableGroup]?: SettingValues<G> } & { logo?: string }
type SettingRow = { name: string; chosen: unknown; picture: string | null; version: number }

/** How long a change in one process is unknown in another. Asked for by a statement: a pooler in between lets no NOTIFY through. */
const REFRESH_INTERVAL_MS = 1500

type InitialSettings = { settings: DefaultSettings; publicUrl: string }

/** Reads the settings, and answers with an object whose fields are what holds now. */
export async function createLiveSettings(sql: Pool, first: InitialSettings, log: Log): Promise<LiveSettings> {
  let now = await readSettings(sql, first, log)
  let reading = Promise.resolve()
  let waiting: Promise<void> | undefined
  // One after the other, so that what was read first never replaces what was read later; those who come meanwhile wait for the next one.
  const renew = () => {
    waiting ??= reading
      .catch(() => {})
      .then(() => {
        waiting = undefined
        return readSettings(sql, first, log)
      })
      .then((read) => {
        now = read
      })
    reading = waiting
    return waiting
  }
  const liveSettings = Object.defineProperty({}, 'renew', { value: renew })
  for (const name of Object.keys(now)) {
    Object.defineProperty(liveSettings, name, { enumerable: true, get: () => now[name as keyof Settings] })
  }
  return liveSettings as LiveSettings
}

/** Follows what other processes set, until stopped. */
export const followSettings = (settings: LiveSettings, log: Log): { stop(): Promise<void> } =>
  repeatEvery(REFRESH_INTERVAL_MS, log, () => settings.renew())

/** Everything that was set, in one statement, so that it is of one moment. */
async function readSettings(sql: Sql, first: InitialSettings, log: Log): Promise<Settings> {
  const rows = await sql<SettingRow[]>`
    select name, chosen, encode(picture_sha256, 'hex') as picture, version from setting`
  return buildSettings(first, parseChosen(rows, log), rows)
}

/** A group that cannot be read, because another release wrote it, is as the environment has it. */
function parseChosen(rows: readonly SettingRow[], log: Log): ChosenSettings {
  const chosen: Record<string, unknown> = {}
  for (const { name, chosen: chosenValue, picture } of rows) {
    if (name === 'logo') {
      if (picture) chosen.logo = picture
      continue
    }
    const read = Object.hasOwn(GROUP_SCHEMAS, name)
      ? GROUP_SCHEMAS[name as EditableGroup].safeParse(chosenValue)
      : undefined
    if (read?.success) chosen[name] = read.data
    else log.warn({ setting: name }, 'Invalid stored setting; using the environment or default value')
  }
  return chosen as ChosenSettings
}

function buildSettings(
  { settings: first, publicUrl }: InitialSettings,
  chosen: ChosenSettings,
  rows: readonly SettingRow[],
): Settings {
  const poolName = chosen.name?.pool_name ?? first.poolName
  const mailFrom = chosen.sender?.mail_from ?? first.mailFrom
  const logo = chosen.logo ?? null
  return {
    poolName,
    storeUrl: chosen.store?.store_url ?? first.storeUrl,
    mailFrom: { ...mailFrom, name: mailFrom.name || poolName },
    downloadLimit: chosen.limits?.download_limit ?? first.downloadLimit,
    uploadDays: chosen.limits?.upload_days ?? first.uploadDays,
    rescueDays: chosen.limits?.rescue_days ?? first.rescueDays,
    publicBrowsing: chosen.visitors?.public_browsing ?? first.publicBrowsing,
    accent: chosen.accent?.accent ?? null,
    logo,
    hidden: new Set(chosen.sections?.hidden ?? []),
    emailSender: { poolName, publicUrl, logo },
    edition: rows.reduce((sum, { version }) => sum + version, 0),
  }
}

export type GroupState = { version: number; changed_at: Date | null; changed_by: number | null; chosen: object }

const NEVER_CHANGED: GroupState = { version: 0, changed_at: null, changed_by: null, chosen: {} }

/** How each group stands: what was set in it, by whom and when; version 0 for one that nobody has changed. */
export async function readGroups(sql: Sql): Promise<Record<contract.Group, GroupState>> {
  const rows = await sql<(GroupState & { name: contract.Group; picture: string | null })[]>`
    select name, chosen, encode(picture_sha256, 'hex') as picture, version, changed_at, changed_by from setting`
  const of = (group: contract.Group): GroupState => {
    const row = rows.find(({ name }) => name === group)
    if (!row) return NEVER_CHANGED
    return group === 'logo' ? { ...row, chosen: row.picture ? { logo: row.picture } : {} } : row
  }
  return Object.fromEntries(contract.GROUPS.map((group) => [group, of(group)])) as Record<contract.Group, GroupState>
}

type SettingsChange = {
  group: contract.Group
  /** As it was read; 0 for one that nobody had changed. */
  version: number
  values: object
  /** SHA-256 of a picture, in hex. */
  picture?: string | null
  staff_id: number
}

/**
 * Writes what is set in a group, in the caller's transaction: the settings of this process are to be renewed behind it.
 * Refuses `conflict` unless the version is the one that is there.
 */
export async function writeGroup(
  sql: Sql,
  { group, version, values, picture, staff_id }: SettingsChange,
): Promise<void> {
  const bytes = picture ? Buffer.from(picture, 'hex') : null
  const written = await sql`
    insert into setting as s (name, chosen, picture_sha256, changed_by)
    select ${group}, ${sql.json(values as never)}, ${bytes}, ${staff_id}
    where ${version} = 0 or exists (select 1 from setting where name = ${group})
    on conflict (name) do update set chosen = excluded.chosen, picture_sha256 = excluded.picture_sha256,
      changed_by = excluded.changed_by, changed_at = now(), version = s.version + 1
      where s.version = ${version}
    returning 1`
  if (written.length === 0) {
    throw new ApiError(
      'conflict',
      'Someone else saved changes first. Their version is shown below; your changes are still in the form.',
    )
  }
}
