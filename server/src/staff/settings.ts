import { settings } from '@dubplate/contract'
import {
  type ColourMode,
  type ContrastUse,
  contrastPairs,
  isReadable,
  nearestReadable,
} from '@dubplate/contract/contrast'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import { parsed } from '../platform/parse-input.ts'
import type { Call, CallContext } from '../platform/serve.ts'
import { type GroupState, readGroups, writeGroup } from '../platform/settings.ts'
import { deleteLogoIfUnused, storeLogo } from '../site/logo.ts'
import { readLogoForm } from '../site/logo-form.ts'
import { getPageStates } from '../site/pages.ts'
import { recordAudit } from './audit.ts'
import { describeEnvironment } from './environment.ts'
import { sendTestMail } from './test-mail.ts'

type SettingsPage = settings.Everything
type SettingsGroup = settings.Group

/** Settings that admins change at run time; each change is recorded with the previous values. */
export const settingsRoutes = (ctx: AppContext): Call<Caller>[] => [
  on(settings.getSettings, async () => getSettingsPage(ctx)),
  on(
    settings.saveSettings,
    async ({ input, ...call }) => {
      if (input.group === 'accent' && input.values.accent) rejectUnreadable(input.values.accent)
      await change(ctx, call, { group: input.group, version: input.version, values: setValues(input.values) })
      return getSettingsPage(ctx)
    },
    { alsoCheck: async (groupInput) => checkAccent(groupInput) },
  ),
  on(
    settings.uploadLogo,
    async (call) => {
      const { version, bytes } = await readLogoForm(call.request)
      const picture = await storeLogo(ctx, bytes)
      const before = ctx.settings.logo ?? undefined
      await change(ctx, call, { group: 'logo', version, values: {}, picture }).catch(async (error) => {
        await deleteLogoIfUnused(ctx, picture)
        throw error
      })
      if (before !== picture) await deleteLogoIfUnused(ctx, before)
      return getSettingsPage(ctx)
    },
    { perMinute: 20 },
  ),
  on(settings.removeLogo, async ({ input, ...call }) => {
    const before = ctx.settings.logo ?? undefined
    await change(ctx, call, { group: 'logo', version: input.version, values: {}, picture: null })
    await deleteLogoIfUnused(ctx, before)
    return getSettingsPage(ctx)
  }),
  on(settings.sendTestMail, async ({ input, member }) => sendTestMail(ctx, member.email, input.mail_from), {
    perMinute: 6,
  }),
]

/** Removes null values, which come from the environment. */
const setValues = (values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

type StaffCall = Pick<CallContext<typeof settings.getSettings, Caller>, 'member' | 'request'>
type Change = { group: SettingsGroup; version: number; values: Record<string, unknown>; picture?: string | null }

/**
 * Saves one group and records who changed it, with old and new values; it applies in this process before the reply is
 * sent.
 */
async function change(ctx: AppContext, { member, request }: StaffCall, { group, ...made }: Change): Promise<void> {
  await ctx.sql.begin(async (sql) => {
    const before = (await readGroups(sql))[group]
    await writeGroup(sql, { group, ...made, staff_id: member.customer_id })
    await recordAudit(sql, {
      staff_id: member.customer_id,
      action: 'settings updated',
      subject: `settings ${group}`,
      before: before.chosen,
      after: group === 'logo' ? setValues({ logo: made.picture }) : made.values,
      ip: request.ip,
    })
  })
  await ctx.settings.renew()
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
    public_browsing: { value: now.publicBrowsing, first: first.publicBrowsing, ...is('visitors', 'public_browsing') },
    hidden: { value: [...now.hidden], first: [], ...is('sections', 'hidden') },
  }
}
