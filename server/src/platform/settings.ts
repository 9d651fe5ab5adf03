import { settings as contract, type downloads as contractDownloads } from '@dubplate/contract'
import type * as z from 'zod/mini'
import { ApiError } from './api-error.ts'
import type { Pool, Sql } from './db.ts'
import type { Sender } from './email-template.ts'
import type { Log } from './log.ts'
import { repeatEvery } from './repeat-every.ts'

/** What the environment sets for a pool without changed settings. */
export type DefaultSettings = {
  poolName: string
  /** URL of the store that sells the pool's merchandise; '' if there is none. */
  storeUrl: string
  /** The sender of emails; its name is '' if it is the pool's. */
  mailFrom: { name: string; address: string }
  /** Downloads per version. */
  downloadLimit: number
  /** How many days an uploaded song stays published, also after each renewal. */
  uploadDays: number
  /** How many days unpublished versions can still be downloaded by members who had downloaded them. */
  rescueDays: number
  publicBrowsing: boolean
  /** What lossless files can be converted to for downloads. */
  conversions: readonly contractDownloads.ConversionFormat[]
}

/** The current settings. */
export type Settings = Readonly<DefaultSettings> & {
  /** Null for the default colours. */
  readonly accent: contract.AccentColours | null
  /** SHA-256 of the pool's logo in storage, in hex; null for the default logo. */
  readonly logo: string | null
  /** Hidden parts of the site. */
  readonly hidden: ReadonlySet<contract.Section>
  /** The sender shown in emails. */
  readonly emailSender: Sender
  /** Increases with each change. */
  readonly edition: number
}

/**
 * The current settings at the moment they are read. A change is applied as a whole, between two turns of the event
 * loop; a value that must not change across an await is read once, before it.
 */
export type LiveSettings = Settings & {
  /** Reloads the settings, which other processes may have changed. */
  renew(): Promise<void>
}

const GROUP_SCHEMAS = {
  name: contract.name,
  accent: contract.accent,
  store: contract.store,
  sender: contract.sender,
  limits: contract.limits,
  conversions: contract.conversions,
  visitors: contract.visitors,
  sections: contract.sections,
}
type EditableGroup = keyof typeof GROUP_SCHEMAS
type SettingValues<G extends EditableGroup = EditableGroup> = z.output<(typeof GROUP_SCHEMAS)[G]>

type ChosenSettings = { [G in EditableGroup]?: SettingValues<G> } & { logo?: string }
type SettingRow = { name: string; chosen: unknown; picture: string | null; version: number }

/**
 * How long a change by one process may be unknown to another. Settings are polled because NOTIFY does not work through
 * a pooler.
 */
const REFRESH_INTERVAL_MS = 1500

type InitialSettings = { settings: DefaultSettings; publicUrl: string }

/** Reads the settings; returns an object whose fields always have the current values. */
export async function createLiveSettings(sql: Pool, first: InitialSettings, log: Log): Promise<LiveSettings> {
  let now = await readSettings(sql, first, log)
  let reading = Promise.resolve()
  let waiting: Promise<void> | undefined
  // Reads run one after the other, so that an older result never replaces a newer one; calls made during a read wait
  // for the next one.
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

/** Follows changes made by other processes, until stopped. */
export const followSettings = (settings: LiveSettings, log: Log): { stop(): Promise<void> } =>
  repeatEvery(REFRESH_INTERVAL_MS, log, () => settings.renew())

/** Reads all settings in one statement, so that they are consistent. */
async function readSettings(sql: Sql, first: InitialSettings, log: Log): Promise<Settings> {
  const rows = await sql<SettingRow[]>`
    select name, chosen, encode(picture_sha256, 'hex') as picture, version from setting`
  return buildSettings(first, parseChosen(rows, log), rows)
}

/** A group that cannot be parsed, because another release wrote it, falls back to the environment. */
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
    conversions: chosen.conversions?.conversions ?? first.conversions,
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

/** Returns the state of each group: its values, who changed it and when; version 0 if it was never changed. */
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
  /** The version the caller read; 0 for a group that was never changed. */
  version: number
  values: object
  /** SHA-256 of a picture, in hex. */
  picture?: string | null
  staff_id: number
}

/**
 * Writes the values of a group, in the caller's transaction: call `renew` afterwards. Throws `conflict` unless the
 * version is the current one.
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
