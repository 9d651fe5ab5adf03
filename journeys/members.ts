import { billing, checkout, joining, membership, staff } from '@dubplate/contract'
import type { Browser, Page } from '@playwright/test'
import { getMailsTo } from './mail-server.ts'
import { callApi, expect, getFirst, getToken, openOtherBrowser } from './support.ts'

export type Account = { email: string; password: string; token: string; customer_id: number }

export const MEMBER_PASSWORD = 'violet tram 77 drummer'

/** Waits for the email that confirms this address, and returns the token of its link. */
async function getConfirmationToken(email: string): Promise<string> {
  const find = async () => /\/confirm#(\S+)/.exec((await getMailsTo(email)).map(({ text }) => text).join('\n'))?.[1]
  await expect.poll(find, { timeout: 60_000 }).toMatch(/^\S{20,}$/)
  return (await find()) ?? ''
}

/** Creates an applicant with a confirmed email address, whose application is pending. Returns the address. */
export async function createApplicant(djName: string): Promise<string> {
  const email = `${crypto.randomUUID().slice(0, 8)}@account.test`
  const applicant = await callApi(joining.signUp, { dj_name: djName, email, password_hash: MEMBER_PASSWORD })
  await callApi(joining.submitApplication, { dj_website: 'https://mixes.example' }, applicant.token)
  await callApi(joining.confirmAddress, { token: await getConfirmationToken(email), password: MEMBER_PASSWORD })
  return email
}

/** Creates an approved member without a plan, which no other test uses. */
export async function createMember(djName: string): Promise<Account> {
  const email = await createApplicant(djName)
  const staffToken = await getToken('staff@demo.test')
  const { applications } = await callApi(staff.getApplications, { search: email }, staffToken)
  const { customer_id, version } = getFirst(applications)
  await callApi(staff.decideApplication, { customer_id, version, decision: 'approve' }, staffToken)
  return { email, password: MEMBER_PASSWORD, token: await signInByApi(email), customer_id }
}

/** The test cards of the sandbox. */
export const CARDS = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  asks: '4000002500003155',
  failsOnRenewal: '4000000000000341',
}

async function findPlan(title: string): Promise<billing.Plan> {
  const { plans } = await callApi(billing.getPlans, {})
  return getFirst(plans.filter((plan) => plan.title === title))
}

/** Creates a member who has paid for Standard with this card. */
export async function createSubscriber(djName: string, card: string): Promise<Account> {
  const member = await createMember(djName)
  const { id } = await findPlan('Standard')
  const form = {
    cardholder_name: djName,
    card_number: card,
    card_type: 'Visa',
    expire_date: '12/30',
    ccv: '123',
  } as const
  await callApi(checkout.payByCard, { formData: form, subscription: id }, member.token)
  return member
}

export const signInByApi = async (email: string) =>
  (await callApi(membership.signIn, { email, password: MEMBER_PASSWORD })).token

/** Opens an address with this session. The page may renew or drop its token later, unlike with `signInAs`. */
export async function openSignedIn(page: Page, token: string, address: string): Promise<void> {
  await page.goto('/')
  await page.evaluate((it) => localStorage.setItem('dubplate.token', it), token)
  await page.goto(address)
}

/** Opens an address in another browser, with a new session of the member. */
export async function openInOtherBrowser(browser: Browser, { email }: Account, address: string): Promise<Page> {
  const page = await openOtherBrowser(browser)
  await openSignedIn(page, await signInByApi(email), address)
  return page
}
