import { settings } from '@dubplate/contract'
import { isReadable, nearestReadable, pairsOf, type Time } from '@dubplate/contract/contrast'
import { type Asker, on } from '../membership/asker.ts'
import { parsed } from '../platform/parsed.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Call, Question } from '../platform/serve.ts'
import { readGroups, type Standing, writeGroup } from '../platform/settings.ts'
import { dropLogo, keepLogo } from '../site/logo.ts'
import { readLogoForm } from '../site/logo-form.ts'
import { pageStates } from '../site/pages.ts'
import type { World } from '../world.ts'
import { recordDeed } from './audit.ts'
import { environmentOf } from './environment.ts'
import { sendTestMail } from './test-mail.ts'

type Everything = settings.Everything
type Group = settings.Group

/** What admins set while the pool runs, each change written down with what was there before. */
export const settingsRoutes = (world: World): Call<Asker>[] => [
  on(settings.getSettings, async () => readEverything(world)),
  on(
    settings.saveSettings,
    async ({ input, ...asked }) => {
      if (input.group === 'accent' && input.values.accent) refuseUnreadable(input.values.accent)
      await change(world, asked, { group: input.group, version: input.version, values: setIn(input.values) })
      return readEverything(world)
    },
    { alsoCheck: async (given) => checkAccent(given) },
  ),
  on(
    settings.uploadLogo,
    async (asked) => {
      const { version, bytes } = await readLogoForm(asked.request)
      const picture = await keepLogo(world, bytes)
      const before = world.settings.logo ?? undefined
      await change(world, asked, { group: 'logo', version, values: {}, picture }).catch(async (error) => {
        await dropLogo(world, picture)
        throw error
      })
      if (before !== picture) await dropLogo(world, before)
      return readEverything(world)
    },
    { perMinute: 20 },
  ),
  on(settings.removeLogo, async ({ input, ...asked }) => {
    const before = world.settings.logo ?? undefined
    await change(world, asked, { group: 'logo', version: input.version, values: {}, picture: null })
    await dropLogo(world, before)
    return readEverything(world)
  }),
  on(settings.sendTestMail, async ({ input, member }) => sendTestMail(world, member.email, input.mail_from), {
    perMinute: 6,
  }),
]

/** What is null is left out: the environment has it. */
const setIn = (values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

type Asked = Pick<Question<typeof settings.getSettings, Asker>, 'member' | 'request'>
type Change = { group: Group; version: number; values: Record<string, unknown>; picture?: string | null }

/** One group, and who changed it from what to what; it holds here before the reply is on its way. */
async function change(world: World, { member, request }: Asked, { group, ...made }: Change): Promise<void> {
  await world.sql.begin(async (sql) => {
    const before = (await readGroups(sql))[group]
    await writeGroup(sql, { group, ...made, staff_id: member.customer_id })
    await recordDeed(sql, {
      staff_id: member.customer_id,
      action: 'settings updated',
      subject: `settings ${group}`,
      before: before.chosen,
      after: group === 'logo' ? setIn({ logo: made.picture }) : made.values,
      ip: request.ip,
    })
  })
  await world.settings.renew()
}

/** Refuses `insufficient_contrast`, with the nearest colours that can be read. A colour that is missing was refused already. */
function refuseUnreadable(accent: Partial<settings.AccentColours>): void {
  const fields: Record<string, string> = {}
  const data: Partial<settings.AccentColours> = {}
  for (const time of ['night', 'day'] as const) {
    const colour = accent[time]
    if (colour === undefined) continue
    if (!isReadable(time, colour)) fields[`values.accent.${time}`] = complaintOf(time, colour)
    data[time] = nearestReadable(time, colour)
  }
  const [sentence] = Object.values(fields)
  if (sentence) throw new Refusal('insufficient_contrast', sentence, { fields, data })
}

/** What can be told of one colour while the other one, or another field, is wrong. */
function checkAccent(given: { group?: unknown; values?: unknown }): void {
  if (given.group !== 'accent') return
  const { accent } = (given.values ?? {}) as Record<string, unknown>
  const { night, day } = (accent ?? {}) as Record<string, unknown>
  const colours = { night: parsed(settings.colour, night), day: parsed(settings.colour, day) }
  refuseUnreadable(Object.fromEntries(Object.entries(colours).filter(([, colour]) => colour !== undefined)))
}

function complaintOf(time: Time, colour: string): string {
  const [worst] = pairsOf(time, colour).sort((a, b) => a.ratio / a.least - b.ratio / b.least)
  return `${colour} isn’t readable in the ${time} theme: the contrast for “${worst?.what.toLowerCase()}” is ${worst?.ratio.toFixed(1)}:1 and must be at least ${worst?.least}:1. Try ${nearestReadable(time, colour)}.`
}

async function readEverything(world: World): Promise<Everything> {
  const { sql, config } = world
  const [groups, names, pages] = await Promise.all([readGroups(sql), namesOfStaff(world), pageStates(sql)])
  const standings = settings.GROUPS.map((group) => [group, standingOf(groups[group], names)] as const)
  return {
    settings: valuesOf(world, groups),
    groups: Object.fromEntries(standings) as Everything['groups'],
    sends_mail: config.smtpUrl !== undefined,
    pages,
    environment: environmentOf(config),
  }
}

/** Who has changed something, by their numbers. */
async function namesOfStaff({ sql }: World): Promise<Map<number, string>> {
  const rows = await sql<{ customer_id: number; dj_name: string }[]>`
    select customer_id, dj_name from customer
    where customer_id in (select changed_by from setting) and status <> 'deleted'`
  return new Map(rows.map(({ customer_id, dj_name }) => [customer_id, dj_name]))
}

const standingOf = ({ version, changed_at, changed_by }: Standing, names: Map<number, string>) => ({
  version,
  changed_at: changed_at?.toISOString() ?? null,
  changed_by: (changed_by !== null && names.get(changed_by)) || '',
})

/** What holds, what the environment has, and which of the two it is. */
function valuesOf({ settings: now, config }: World, groups: Record<Group, Standing>): Everything['settings'] {
  const { settings: first } = config
  const is = (group: Group, name: string) => ({
    is_set_here: (groups[group].chosen as Record<string, unknown>)[name] != null,
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
