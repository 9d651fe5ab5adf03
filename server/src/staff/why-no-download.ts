import type { members, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import { timeOf } from '../billing/clock.ts'
import { lastSubscription } from '../billing/subscriptions.ts'
import { readGrant } from '../downloads/grants.ts'
import { admitFile, findMaster, limitReached } from '../downloads/versions.ts'
import {
  type Asker,
  admitGroup,
  admitPayment,
  admitSession,
  downloadsAsStaff,
  findLastAsker,
} from '../membership/asker.ts'
import { admitAccount, admitApplication, readStanding } from '../membership/entry.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { paidWords, unpaidWords } from './payment-words.ts'

type Step = members.DownloadStep
type Version = NonNullable<ReplyOf<typeof members.whyNoDownload>['version']>
type Asked = ParsedInputOf<typeof members.whyNoDownload>

/**
 * What a download of a member finds, step by step, each answered by the function that decides it there. Without a version
 * it ends with what concerns the member. Refuses `unknown_member`.
 */
export async function whyNoDownload(
  world: World,
  { customer_id, song_version_id }: Asked,
): Promise<ReplyOf<typeof members.whyNoDownload>> {
  const steps = await stepsOfMember(world, customer_id)
  if (song_version_id === undefined) return { steps, version: null }
  const version = await nameVersion(world.sql, song_version_id)
  return {
    steps: [...steps, ...(await stepsOfVersion(world, { customer_id, song_version_id }, version))],
    version: version ?? null,
  }
}

type Question = {
  step: Step['step']
  /** As a download does: throws the refusal. */
  decide(): unknown
  /** Said of the member, in one sentence, where it did not; and where it did. */
  fine(): string
  refused(code: string): string
}

async function answer({ step, decide, fine, refused }: Question): Promise<Step> {
  try {
    await decide()
    return { step, ok: true, code: null, sentence: fine() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { step, ok: false, code: error.code, sentence: refused(error.code) }
  }
}

type Member = Pick<Asker, 'group_id' | 'payment_profile_status' | 'staff_role'> & { group_name: string }

async function stepsOfMember(world: World, customerId: number): Promise<Step[]> {
  const { sql } = world
  const standing = await readStanding(sql, customerId)
  const [member] = await sql<Member[]>`
    select c.group_id, g.name as group_name, c.payment_profile_status, c.staff_role
    from customer c join customer_group g using (group_id) where c.customer_id = ${customerId}`
  if (!standing || !member) throw new Refusal('unknown_member', 'Member not found.')
  const subscription = await lastSubscription(sql, customerId)
  const now = await timeOf(sql, world, customerId)
  const isStaff = downloadsAsStaff(member)
  const questions: Question[] = [
    {
      step: 'account',
      decide: () => admitAccount(standing),
      fine: () => 'The account is active.',
      refused: (code) =>
        code === 'account_suspended'
          ? 'The account is suspended. See the staff notes for the reason.'
          : 'The account was deleted.',
    },
    {
      step: 'application',
      decide: () => admitApplication(standing),
      fine: () => (standing.staff_role ? 'Staff don’t need a DJ application.' : 'The DJ application is approved.'),
      refused: (code) => APPLICATION_WORDS[code] ?? 'The DJ application is not approved.',
    },
    {
      step: 'session',
      decide: async () => admitSession(await findLastAsker(sql, customerId)),
      fine: () => 'Has an active session.',
      refused: (code) =>
        code === 'forbidden'
          ? 'The current session is limited to the application. They need to sign in again once approved.'
          : 'No active sessions. They need to sign in first.',
    },
    {
      step: 'group',
      decide: () => isStaff || admitGroup(member),
      fine: () => (isStaff ? 'Staff need no group that downloads.' : `Group: “${member.group_name}”.`),
      refused: () => `Group: “${member.group_name}”. This group can’t download.`,
    },
    {
      step: 'payment',
      decide: () => isStaff || admitPayment(member),
      fine: () => (isStaff ? 'Staff need no paid plan.' : paidWords(subscription, now)),
      refused: () => unpaidWords(subscription, now),
    },
  ]
  return Promise.all(questions.map(answer))
}

const APPLICATION_WORDS: Record<string, string> = {
  dj_application_missing: 'No DJ application submitted.',
  dj_application_pending: 'The DJ application is awaiting review.',
  dj_application_declined: 'The DJ application was declined.',
}

type Named = Version & { is_listed: boolean }

async function nameVersion(sql: Sql, versionId: number): Promise<Named | undefined> {
  const [version] = await sql<Named[]>`
    select v.song_version_id, s.title, s.artist, v.version_label,
      v.status = 'published' and s.status = 'published' as is_listed
    from song_version v join song s using (entity_id) where v.song_version_id = ${versionId}`
  return version
}

async function stepsOfVersion(world: World, wish: Required<Asked>, version: Named | undefined): Promise<Step[]> {
  const { customer_id, song_version_id } = wish
  const limit = world.settings.downloadLimit
  const grant = await readGrant(world.sql, { ...wish, limit })
  const [member] = await world.sql<Pick<Asker, 'staff_role'>[]>`
    select staff_role from customer where customer_id = ${customer_id}`
  const staff_role = member?.staff_role ?? null
  const isStaff = downloadsAsStaff({ staff_role })
  const find = () => findMaster(world, { customer_id, staff_role }, song_version_id)
  const song = await answer({
    step: 'song',
    decide: find,
    fine: () =>
      version?.is_listed
        ? 'The version is published.'
        : 'The version is unpublished but still available to this member.',
    refused: () =>
      version
        ? 'The version is unpublished and no longer available to this member.'
        : 'No version with this ID exists.',
  })
  if (!version) return [song]
  const file: Question = {
    step: 'file',
    decide: async () => admitFile(world, await find()),
    fine: () => 'The file is available.',
    refused: () => 'The file is missing from storage.',
  }
  const rest: Question = {
    step: 'limit',
    decide: () => {
      if (!isStaff && !grant.has_more) throw limitReached(version, limit)
    },
    fine: () =>
      isStaff
        ? 'Staff downloads are not counted.'
        : `${grant.used} of ${limit} downloads used${grant.is_free ? '; the next one is free' : ''}.`,
    refused: () => `${grant.used} of ${limit} downloads used.`,
  }
  return [song, ...(await Promise.all((song.ok ? [file, rest] : [rest]).map(answer)))]
}
