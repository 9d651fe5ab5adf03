import { settings } from '@dubplate/contract'
import {
  type ColourMode,
  type ContrastUse,
  contrastPairs,
  isReadable,
  nearestReadable,
} from '@dubplate/contract/contrast'
import type { AppContext } from '../app-context.ts'
import { on, type Route } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { type GroupState, readGroups, writeGroup } from '../platform/settings.ts'
import { deleteLogoIfUnused, storeLogo } from '../site/logo.ts'
import { readLogoForm } from '../site/logo-form.ts'
import { getPageStates } from '../site/pages.ts'
import { staffRead, staffWrite, staffWriteInSteps } from './audit.ts'
import { describeEnvironment } from './environment.ts'
import { sendTestMail } from './test-mail.ts'

type SettingsPage = settings.Everything
type SettingsGroup = settings.Group

const UPDATED = { action: 'settings updated' } as const

/** Settings that admins change at run time; each change is recorded with the previous values. */
export const settingsRoutes: Route[] = [
  staffRead(settings.getSettings, async ({ ctx }) => getSettingsPage(ctx)),
  staffWrite(
    settings.saveSettings,
    UPDATED,
    async ({ input: { group, version, values }, staff_id, sql, ctx }) => {
      if (group === 'accent' && values.accent) rejectUnreadable(values.accent)
      const change = { group, version, values: setValues(values), staff_id }
      return { ...(await writeSettings(sql, change)), reply: () => applySettings(ctx) }
    },
    { alsoCheck: async (groupInput) => checkAccent(groupInput) },
  ),
  staffWriteInSteps(
    settings.uploadLogo,
    async ({ request, staff_id, sql: pool, record, ctx }) => {
      const { version, bytes } = await readLogoForm(request)
      const picture = await storeLogo(ctx, bytes)
      const before = ctx.settings.logo ?? undefined
      await pool
        .begin(async (sql) => record(sql, { ...UPDATED, ...(await writeLogo(sql, { version, picture, staff_id })) }))
        .catch(async (error) => {
          await deleteLogoIfUnused(ctx, picture)
          throw error
        })
      const reply = await applySettings(ctx)
      if (before !== picture) await deleteLogoIfUnused(ctx, before)
      return reply
    },
    { perMinute: 20 },
  ),
  staffWrite(settings.removeLogo, UPDATED, async ({ input: { version }, staff_id, sql, ctx }) => {
    const before = ctx.settings.logo ?? undefined
    return {
      ...(await writeLogo(sql, { version, picture: null, staff_id })),
      reply: async () => {
        const reply = await applySettings(ctx)
        await deleteLogoIfUnused(ctx, before)
        return reply
      },
    }
  }),
  on(settings.sendTestMail, async ({ input, member, ctx }) => sendTestMail(ctx, member.email, input.mail_from), {
    perMinute: 6,
    audit: { unrecorded: 'sends one email to the caller and stores nothing' },
  }),
]

/** Removes null values, which come from the environment. */
const setValues = (values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

type GroupChange = Parameters<typeof writeGroup>[1]

/** Saves one group; returns its part of the audit log entry. */
async function writeSettings(sql: Sql, change: GroupChange) {
  const before = (await readGroups(sql))[change.group].chosen
  await writeGroup(sql, change)
  return { subject: `settings ${change.group}`, before, after: change.values }
}

async function writeLogo(sql: Sql, logo: Pick<GroupChange, 'version' | 'staff_id'> & { picture: string | null }) {
  const entry = await writeSettings(sql, { ...logo, group: 'logo', values: {} })
  return { ...entry, after: setValues({ logo: logo.picture }) }
}

/** Applies saved settings in this process, before the reply is sent. */
async function applySettings(ctx: AppContext): Promise<SettingsPage> {
  await ctx.settings.renew()
  return getSettingsPage(ctx)
}

/**
 * Throws `insufficient_contrast`, with the nearest readable colours. A missing colour was already rejected by the
 * contract.
 */
function rejectUnreadable(accent: Partial<settings.AccentColours>): void {
  const fields: Record<string, string> = {}
  const data: Partial<settings.AccentColours> = {}
  for (const time of ['night', 'day'] as const) {
    const colour = accent[time]
    if (colour === undefined) continue
    if (!isReadable(time, colour)) fields[`values.accent.${time}`] = contrastMessage(time, colour)
    data[time] = nearestReadable(time, colour)
  }
  const [sentence] = Object.values(fields)
  if (sentence) throw new ApiError('insufficient_contrast', sentence, { fields, data })
}

/** Checks one colour while the other one, or another field, is invalid. */
function checkAccent(groupInput: { group?: unknown; values?: unknown }): void {
  if (groupInput.group !== 'accent') return
  const { accent } = (groupInput.values ?? {}) as Record<string, unknown>
  const { night, day } = (accent ?? {}) as Record<string, unknown>
  const colours = { night: parsed(settings.colour, night), day: parsed(settings.colour, day) }
  rejectUnreadable(Object.fromEntries(Object.entries(colours).filter(([, colour]) => colour !== undefined)))
}

const CONTRAST_USES: Record<ContrastUse, string> = {
  button_text: 'the text of buttons',
  button: 'buttons on the page background',
  body_text: 'body text',
  text_on_pressed: 'text on pressed elements',
  current_song: 'the current song',
  light_mode_button_text: 'the text of buttons in light mode',
  focus_outline: 'the focus outline',
}

function contrastMessage(time: ColourMode, colour: string): string {
  const [worstPair] = contrastPairs(time, colour).sort((a, b) => a.ratio / a.minRatio - b.ratio / b.minRatio)
  if (!worstPair) throw new Error(`No contrast requirements for ${time}`)
  const { use, ratio, minRatio } = worstPair
  return `${colour} isn’t readable in ${time === 'night' ? 'dark' : 'light'} mode: the contrast of ${CONTRAST_USES[use]} is ${ratio.toFixed(1)}:1 and must be at least ${minRatio}:1. Try ${nearestReadable(time, colour)}.`
}

async function getSettingsPage(ctx: AppContext): Promise<SettingsPage> {
  const { sql, config } = ctx
  const [groups, names, pages] = await Promise.all([readGroups(sql), listStaffNames(ctx), getPageStates(sql)])
  const groupStates = settings.GROUPS.map((group) => [group, toGroupState(groups[group], names)] as const)
  return {
    settings: effectiveValues(ctx, groups),
    groups: Object.fromEntries(groupStates) as SettingsPage['groups'],
    can_send_email: config.smtpUrl !== undefined,
    pages,
    environment: describeEnvironment(config),
  }
}

/** Returns the names of staff who changed settings, by id. */
async function listStaffNames({ sql }: AppContext): Promise<Map<number, string>> {
  const rows = await sql<{ customer_id: number; dj_name: string }[]>`
    select customer_id, dj_name from customer
    where customer_id in (select changed_by from setting) and status <> 'deleted'`
  return new Map(rows.map(({ customer_id, dj_name }) => [customer_id, dj_name]))
}

const toGroupState = ({ version, changed_at, changed_by }: GroupState, names: Map<number, string>) => ({
  version,
  changed_at: changed_at?.toISOString() ?? null,
  changed_by: (changed_by !== null && names.get(changed_by)) || '',
})

/** Returns the effective values, those of the environment, and which of the two applies. */
function effectiveValues(
  { settings: now, config }: AppContext,
  groups: Record<SettingsGroup, GroupState>,
): SettingsPage['settings'] {
  const { settings: first } = config
  const is = (group: SettingsGroup, name: string) => ({
    is_overridden: (groups[group].chosen as Record<string, unknown>)[name] != null,
  })
  const firstSender = { ...first.mailFrom, name: first.mailFrom.name || now.poolName }
  return {
    pool_name: { value: now.poolName, first: first.poolName, ...is('name', 'pool_name') },
    logo: { value: now.logo && `/logo/${now.logo}`, first: null, ...is('logo', 'logo') },
    accent: { value: now.accent, first: null, ...is('accent', 'accent') },
    store_url: { value: now.storeUrl, first: first.storeUrl, ...is('store', 'store_url') },
    mail_from: { value: now.mailFrom, first: firstSender, ...is('sender', 'mail_from') },
    download_limit: { value: now.downloadLimit, first: first.downloadLimit, ...is('limits', 'download_limit') },
    upload_days: { value: now.uploadDays, first: first.uploadDays, ...is('limits', 'upload_days') },
    rescue_days: { value: now.rescueDays, first: first.rescueDays, ...is('limits', 'rescue_days') },
    conversions: {
      value: [...now.conversions],
      first: [...first.conversions],
      ...is('conversions', 'conversions'),
    },
    public_browsing: { value: now.publicBrowsing, first: first.publicBrowsing, ...is('visitors', 'public_browsing') },
    hidden: { value: [...now.hidden], first: [], ...is('sections', 'hidden') },
  }
}
