import {
  account,
  announcements,
  beatGrids,
  billing,
  checkout,
  corrections,
  coupons,
  curatedGenres,
  curation,
  type Endpoint,
  genreTree,
  helpdesk,
  imports,
  joining,
  openings,
  payments,
  plans,
  review,
  settings,
  sitePages,
  subscriptions,
  support,
  trending,
  uploadedSongs,
} from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes } from '../src/app.ts'
import { allEndpoints } from './all-endpoints.ts'
import { aCharge } from './billing-makers.ts'
import { aGenre, aMember, aSong } from './makers.ts'
import { aCoupon, aPlan, CARDS, cardForm, payByCard } from './payment-makers.ts'
import { openTestPool, type TestPool } from './pool.ts'
import { aTicket } from './ticket-makers.ts'
import { anUpload, songData } from './upload-makers.ts'

/** All errors of a request are in one reply, as sentences for users. */

const calls = allEndpoints.filter(({ body }) => body !== 'multipart')

type Schema = {
  _zod: { def: { type: string; shape?: Record<string, Schema>; options?: Schema[]; values?: unknown[] } }
  safeParse(value: unknown): { success: boolean }
}

const isRequired = (field: Schema) => !field.safeParse(undefined).success

type Incomplete = { given: Record<string, unknown>; missing: string[] }

/**
 * Inputs with missing required fields: without any; with empty objects where objects are required; for a union, with
 * only the field that selects its option.
 */
function* generateIncompleteInputs({ _zod: { def } }: Schema): Generator<Incomplete> {
  for (const option of def.options ?? []) yield* generateIncompleteInputs(option)
  if (!def.shape) return
  const fields = Object.entries(def.shape)
  const fixed = Object.fromEntries(
    fields.flatMap(([name, { _zod }]) => (_zod.def.type === 'literal' ? [[name, _zod.def.values?.[0]]] : [])),
  )
  const required = fields.filter(([name, field]) => !(name in fixed) && isRequired(field))
  yield { given: fixed, missing: required.map(([name]) => name) }
  const objects = required.filter(([, field]) => field._zod.def.shape)
  if (objects.length === 0) return
  yield {
    given: { ...fixed, ...Object.fromEntries(objects.map(([name]) => [name, {}])) },
    missing: required.flatMap(([name, field]) =>
      Object.entries(field._zod.def.shape ?? { '': field }).flatMap(([inner, schema]) =>
        isRequired(schema) ? [inner ? `${name}.${inner}` : name] : [],
      ),
    ),
  }
}

/** Wording of the parser that is not meant for users. “Invalid Email” is the specification’s. */
const RAW_WORDING =
  /^(Invalid (?!Email$)|Too (small|big)|Unrecognized|Expected)|\bexpected (string|number|int|array|object|boolean|record|one of)|received (undefined|null|string|number)|discriminator/i

type ErrorBody = { code: string; message: string; errors: string[]; fields?: Record<string, string> }
const errorTexts = ({ message, errors, fields }: ErrorBody) => [message, ...errors, ...Object.values(fields ?? {})]

let pool: TestPool
let admin: Awaited<ReturnType<typeof aMember>>
const password = 'a good long password'

beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  admin = await aMember(pool.ctx, { staff_role: 'admin', password })
  await pool.ctx.sql`update session set confirmed_at = now() + interval '1 hour'`
})
afterAll(() => pool.close())

const multiFieldCalls = calls.filter(({ input }) =>
  [...generateIncompleteInputs(input as unknown as Schema)].some(({ missing }) => missing.length > 1),
)

test('there are endpoints with several required fields to test', () => {
  expect(multiFieldCalls.length).toBeGreaterThan(40)
})

test.each(multiFieldCalls.map((call) => [call.path, call] as const))(
  '%s names every missing field in one reply',
  async (_path, call) => {
    for (const { given: options, missing } of generateIncompleteInputs(call.input as unknown as Schema)) {
      if (missing.length === 0) continue
      const response = await pool.request(call, options, admin.token)
      const reply = response.json() as ErrorBody
      expect([response.statusCode, reply.code]).toEqual([400, 'invalid_request'])
      expect(Object.keys(reply.fields ?? {})).toEqual(expect.arrayContaining(missing))
      expect(reply.errors).toEqual(expect.arrayContaining(Object.values(reply.fields ?? {})))
      for (const text of errorTexts(reply)) {
        expect(text).toMatch(/\S/)
        expect(text).not.toMatch(RAW_WORDING)
      }
    }
  },
)

const ODD_VALUES = [null, {}, [], '', 'x', 'x'.repeat(20_000), -1, 1.5, 1e300, true, [null], [{}], { '': 1 }]

test('the server’s own checks accept any input without crashing, and reply with sentences', async () => {
  const checked = allRoutes.filter(({ alsoCheck }) => alsoCheck)
  expect(checked.length).toBeGreaterThan(25)
  for (const { endpoint } of checked) {
    const shape = (endpoint.input as unknown as Schema)._zod.def.shape ?? { group: true, values: true, version: true }
    for (const oddValue of ODD_VALUES) {
      const options = Object.fromEntries(Object.keys(shape).map((name) => [name, oddValue]))
      const response = await pool.request(endpoint, options, admin.token)
      const { statusCode } = response
      if (statusCode < 400 || statusCode >= 500)
        throw new Error(`${endpoint.path} answered ${statusCode} to ${oddValue}.`)
      for (const text of errorTexts(response.json())) expect(text).not.toMatch(RAW_WORDING)
    }
  }
})

const DAY_MS = 24 * 3_600_000
const YESTERDAY = new Date(Date.now() - DAY_MS).toISOString()
const PAST_DAY = { day: 1, month: 1, year: 2001 }
const TERMS = {
  ...{ percent: 10, amount: null, currency: null, payments: null, max_uses: null },
  ...{ starts_at: null, ends_at: null, plan_ids: null },
}
const PLAN = { price: '15.00', currency: 'USD', interval: 'month', is_premium: false, is_published: true }
const NESTED = `${'> '.repeat(12)}deep`

type InvalidRequestCase = {
  call: Endpoint
  /** A request with errors found by the contract and others found only by the server. */
  given: () => Promise<Record<string, unknown>>
  /** The same fields without the errors found by the contract. */
  validInput: Record<string, unknown> | (() => Promise<Record<string, unknown>>)
  contract: string[]
  server: string[]
}

const aSlotSong = async () => {
  const song = await anUpload(pool.ctx, admin)
  const { entity_id } = await pool.ask(
    uploadedSongs.createSong,
    {
      songData: songData({ title: `Rounds ${song}`, genres: [await aGenre(pool.ctx, `Genre ${song}`)] }),
      versions: [{ new_label: 'Clean', song }],
    },
    admin.token,
  )
  return { entity_id, song }
}

/** Two slots: the first begins after its end, the second has no type and a missing file. */
const wrongSlotCases = (song: number) => [
  { new_label: 'Clean', song, start_min: 9 },
  { version_id: 999_999, song: 999_999 },
]
const SLOTS = ['versions.0.start_min', 'versions.1.version_id', 'versions.1.song']
const SONG = ['songData.genres', 'songData.expire_date']
const wrongSongData = { genres: [999_999], expire_date: PAST_DAY }

const ROWS: InvalidRequestCase[] = [
  {
    call: uploadedSongs.createSong,
    given: async () => ({
      songData: songData({ ...wrongSongData, title: '' }),
      versions: wrongSlotCases(await anUpload(pool.ctx, admin)),
    }),
    validInput: { songData: songData(wrongSongData) },
    contract: ['songData.title'],
    server: [...SONG, ...SLOTS],
  },
  {
    call: uploadedSongs.updateSong,
    given: async () => {
      const { entity_id, song } = await aSlotSong()
      return { entity_id, songData: songData({ ...wrongSongData, title: '' }), versions: wrongSlotCases(song) }
    },
    validInput: { songData: songData(wrongSongData) },
    contract: ['songData.title'],
    server: [...SONG, ...SLOTS],
  },
  {
    call: review.editUpload,
    given: async () => {
      const { entity_id } = await aSlotSong()
      const { versions, song } = await pool.ask(review.getUpload, { entity_id }, admin.token)
      return {
        ...{
          entity_id,
          version: song.version,
          song_section_id: 1,
          songData: songData({ ...wrongSongData, title: '' }),
        },
        versions: versions.map(({ song_version_id }) => ({ song_version_id, version_id: 999_999, start_min: 9 })),
      }
    },
    validInput: { songData: songData(wrongSongData) },
    contract: ['songData.title'],
    server: [...SONG, 'versions.0.version_id', 'versions.0.start_min'],
  },
  {
    call: corrections.editSong,
    given: async () => {
      const { entity_id, versionIds } = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
      const [song_version_id, other] = versionIds
      const genres = { how: 'set', genre_ids: [999_999] }
      return {
        ...{ entity_id, revision: 'x', change: { genres } },
        versions: [
          { song_version_id, version_kind_id: 999_999, start_seconds: 999 },
          { song_version_id: other, version_label: 'Clean' },
        ],
      }
    },
    validInput: { revision: 1 },
    contract: ['revision'],
    server: ['change.genres', 'versions.0.version_kind_id', 'versions.0.start_seconds', 'versions.1.version_label'],
  },
  {
    call: beatGrids.correctGrid,
    given: async () => ({
      song_version_id: (await aSong(pool.ctx)).versionIds[0],
      ...{ bpm: 12, first_downbeat_seconds: 900, cues: [{ kind: 'drop', at_seconds: 900 }] },
    }),
    validInput: { bpm: 124 },
    contract: ['bpm'],
    server: ['first_downbeat_seconds', 'cues'],
  },
  {
    call: beatGrids.correctOwnGrid,
    given: async () => ({
      upload_id: await anUpload(pool.ctx, admin),
      ...{ bpm: 12, first_downbeat_seconds: 900, cues: [{ kind: 'drop', at_seconds: 900 }] },
    }),
    validInput: { bpm: 124 },
    contract: ['bpm'],
    server: ['first_downbeat_seconds', 'cues'],
  },
  {
    call: helpdesk.submitTicket,
    given: async () => ({
      HelpdeskTickets: {
        ...{ department_id: 999, priority_id: 999, subject: '', details: '<p><br></p>', attachments: ['999999'] },
      },
    }),
    validInput: {
      HelpdeskTickets: {
        ...{ department_id: 999, priority_id: 999, subject: 'Hi', details: '<p><br></p>', attachments: ['999999'] },
      },
    },
    contract: ['HelpdeskTickets.subject'],
    server: [
      'HelpdeskTickets.details',
      'HelpdeskTickets.department_id',
      'HelpdeskTickets.priority_id',
      'HelpdeskTickets.attachments',
    ],
  },
  {
    call: helpdesk.replyToTicket,
    given: async () => ({ ticket_number: 0, details: '<p><br></p>', attachments: ['999999'] }),
    validInput: { ticket_number: 1 },
    contract: ['ticket_number'],
    server: ['details', 'attachments'],
  },
  {
    call: support.answerTicket,
    given: async () => ({ ticket_number: 0, details: '<p><br></p>', attachments: ['999999'], after_reply_id: 0 }),
    validInput: { ticket_number: 1 },
    contract: ['ticket_number'],
    server: ['details', 'attachments'],
  },
  {
    call: support.changeTicket,
    given: async () => ({
      ...{ ticket_number: await aTicket(pool, admin.token), status: 'lost' },
      ...{ department_id: 999, priority_id: 999, assigned_to: 999_999 },
    }),
    validInput: { status: 'open' },
    contract: ['status'],
    server: ['department_id', 'priority_id', 'assigned_to'],
  },
  {
    call: support.saveFaq,
    given: async () => ({ question: '', answer: '<p><br></p>' }),
    validInput: { question: 'How?' },
    contract: ['question'],
    server: ['answer'],
  },
  {
    call: support.saveSavedReply,
    given: async () => {
      const title = `Greeting ${Math.random()}`
      await pool.ask(support.saveSavedReply, { title, answer: 'Hi' }, admin.token)
      return { version: 1, title, answer: 'Hi {nobody}' }
    },
    validInput: { version: undefined },
    contract: ['version'],
    server: ['title', 'answer'],
  },
  {
    call: account.changePassword,
    given: async () => ({ current_password: 'not this one', password: 'password123', confirm_password: 'another one' }),
    validInput: { confirm_password: 'password123' },
    contract: ['confirm_password'],
    server: ['current_password', 'password'],
  },
  {
    call: account.updateProfile,
    given: async () => ({
      ...{
        firstname: '',
        lastname: 'Mix',
        email: 'new@example.test',
        password: 'not this one',
        street: 'Long Street 5',
      },
      ...{ city: 'Tema', postcode: '1', country_id: 'XX', region_id: '' },
    }),
    validInput: { firstname: 'Ada' },
    contract: ['firstname'],
    server: ['country_id', 'region_id', 'password'],
  },
  {
    call: checkout.payByCard,
    given: async () => ({
      ...{ subscription: await aPlan(pool.ctx), coupon: 'NOSUCH' },
      formData: cardForm('4242 4242 4242 4241', { cardholder_name: '', expire_date: '12/20', ccv: '1' }),
    }),
    validInput: { formData: cardForm('4242 4242 4242 4241', { expire_date: '12/20', ccv: '1' }) },
    contract: ['formData.cardholder_name'],
    server: ['coupon', 'formData.card_number', 'formData.expire_date', 'formData.ccv'],
  },
  {
    call: checkout.completeWallet,
    given: async () => ({ subscription: 999_999, coupon: 'NOSUCH', applePay: '' }),
    validInput: { applePay: 'token' },
    contract: ['applePay'],
    server: ['subscription', 'coupon'],
  },
  {
    call: checkout.validateCoupon,
    given: async () => ({ subscription_id: 'x', coupon_code: 'NOSUCH' }),
    validInput: async () => ({ subscription_id: await aPlan(pool.ctx) }),
    contract: ['subscription_id'],
    server: ['coupon_code'],
  },
  {
    call: plans.savePlan,
    given: async () => {
      const title = `Club ${Math.random()}`
      await aPlan(pool.ctx, { title })
      return { ...PLAN, title, price: '0', currency: 'JPY', interval: 'week' }
    },
    validInput: { interval: 'month' },
    contract: ['interval'],
    server: ['currency', 'price', 'title'],
  },
  {
    call: coupons.saveCoupon,
    given: async () => ({
      ...{ ...TERMS, code: await aCoupon(pool.ctx, { percent: 10 }), payments: 0, plan_ids: [999_999] },
      ...{ percent: null, amount: '0', currency: 'JPY', starts_at: '2026-12-24T00:00:00Z' },
      ends_at: '2026-12-01T00:00:00Z',
    }),
    validInput: { payments: 1 },
    contract: ['payments'],
    server: ['code', 'amount', 'currency', 'ends_at', 'plan_ids'],
  },
  {
    call: coupons.makeCoupons,
    given: async () => ({ ...TERMS, title: '', count: 1, percent: null, plan_ids: [999_999] }),
    validInput: { title: 'Winter' },
    contract: ['title'],
    server: ['percent', 'plan_ids'],
  },
  {
    call: subscriptions.endSubscription,
    given: async () => {
      const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
      const plan = await aPlan(pool.ctx)
      const { profile_id } = await payByCard(pool, member.token, { plan, card: CARDS.pays })
      return { subscription_id: profile_id, seen: 'active', reason: '', refund: '99.00' }
    },
    validInput: { reason: 'Asked for it' },
    contract: ['reason'],
    server: ['refund'],
  },
  {
    call: payments.refundPayment,
    given: async () => ({
      charge_id: await aCharge(pool.ctx, { customer_id: admin.customer_id }),
      ...{ amount: '99.00', reason: 'x'.repeat(201) },
    }),
    validInput: { reason: 'Asked for it' },
    contract: ['reason'],
    server: ['amount'],
  },
  {
    call: curation.saveList,
    given: async () => ({
      ...{ kind: 'spotlight', title: '', entity_ids: [999_999], publication: 'at' },
      ...{ curated_genre_id: 999_999, artwork_id: 999_999 },
    }),
    validInput: { title: 'Warm-up' },
    contract: ['title'],
    server: ['entity_ids', 'published_at', 'curated_genre_id', 'artwork_id'],
  },
  {
    call: curatedGenres.saveGenre,
    given: async () => ({ title: '', parent_id: 999_999 }),
    validInput: { title: 'Moods' },
    contract: ['title'],
    server: ['parent_id'],
  },
  {
    call: genreTree.saveGenre,
    given: async () => ({ name: '', parent_id: 999_999 }),
    validInput: { name: 'Nu disco' },
    contract: ['name'],
    server: ['parent_id'],
  },
  {
    call: trending.pinSong,
    given: async () => ({ entity_id: 999_999, rank: 0, until: YESTERDAY }),
    validInput: { rank: 1 },
    contract: ['rank'],
    server: ['entity_id', 'until'],
  },
  {
    call: announcements.saveAnnouncement,
    given: async () => ({ page_name: 'nowhere', message: '<p><br></p>', ended_at: YESTERDAY }),
    validInput: { page_name: 'mp3_home' },
    contract: ['page_name'],
    server: ['message', 'ended_at'],
  },
  {
    call: sitePages.savePage,
    given: async () => ({ slug: 'terms', title: '', version: 0, markdown: NESTED }),
    validInput: { title: 'Terms' },
    contract: ['title'],
    server: ['markdown'],
  },
  {
    call: openings.saveOpening,
    given: async () => ({ title: '', markdown: NESTED }),
    validInput: { title: 'Editor' },
    contract: ['title'],
    server: ['markdown'],
  },
  {
    call: imports.startImport,
    given: async () => ({ folder: 'music', pattern: '{artst}', song_section_id: 9 }),
    validInput: { song_section_id: 1 },
    contract: ['song_section_id'],
    server: ['folder', 'pattern'],
  },
  {
    call: settings.saveSettings,
    given: async () => ({ group: 'accent', version: 0, values: { accent: { night: 'red', day: '#ffffff' } } }),
    validInput: { values: { accent: { night: '#c8f135', day: '#ffffff' } } },
    contract: ['values.accent.night'],
    server: ['values.accent.day'],
  },
]

describe.each(ROWS.map((row) => [row.call.path, row] as const))('%s', (_path, row) => {
  test('reports errors of the contract and of the server at once', async () => {
    const options = await row.given()
    const first = (await pool.request(row.call, options, admin.token)).json() as ErrorBody
    expect(first.code).toBe('invalid_request')
    expect(Object.keys(first.fields ?? {}).sort()).toEqual([...row.contract, ...row.server].sort())
    const validInput = typeof row.validInput === 'function' ? await row.validInput() : row.validInput
    const second = (await pool.request(row.call, { ...options, ...validInput }, admin.token)).json() as ErrorBody
    expect(Object.keys(second.fields ?? {}).sort()).toEqual([...row.server].sort())
    for (const reply of [first, second]) {
      expect(reply.errors).toEqual(expect.arrayContaining(Object.values(reply.fields ?? {})))
      for (const text of errorTexts(reply)) expect(text).not.toMatch(RAW_WORDING)
    }
  })
})

test('every endpoint with its own checks is in this table, or has a reason why it needs no row', () => {
  /** One check for several endpoints, of which one is in the table; and passwords, which have their own tests. */
  const EQUAL_INPUTS = [
    ...[checkout.payByPaypal, checkout.payByWallet, checkout.payByTransfer, billing.updateCard],
    ...[joining.signUp, joining.resetPassword, imports.createUploadImport],
  ]
  const checked = allRoutes.flatMap(({ endpoint, alsoCheck }) => (alsoCheck ? [endpoint.path] : []))
  expect(checked.sort()).toEqual([...ROWS.map(({ call }) => call), ...EQUAL_INPUTS].map(({ path }) => path).sort())
})
