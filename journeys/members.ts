import { billing, checkout, joining, membership, staff } from '@dubplate/contract'
import type { Browser, Page } from '@playwright/test'
import { readMailTo } from './mail-server.ts'
import { callApi, expect, firstItem, otherBrowser, tokenOf } from './support.ts'

export type Account = { email: string; password: string; token: string; customer_id: number }

export const NEW_PASSWORD = 'violet tram 77 drummer'

/** The token of the mailed link that confirms this address. */
export async function confirmationOf(email: string): Promise<string> {
  const find = async () => /\/confirm#(\S+)/.exec((await readMailTo(email)).map(({ text }) => text).join('\n'))?.[1]
  await expect.poll(find, { timeout: 60_000 }).toMatch(/^\S{20,}$/)
  return (await find()) ?? ''
}

/** Somebody who has applied and confirmed the address, and waits for staff; answers with the address. */
export async function createApplicant(djName: string): Promise<string> {
  const email = `${crypto.randomUUID().slice(0, 8)}@account.test`
  const applicant = await callApi(joining.signUp, { dj_name: djName, email, password_hash: NEW_PASSWORD })
  await callApi(joining.submitApplication, { dj_website: 'https://mixes.example' }, applicant.token)
  await callApi(joining.confirmAddress, { token: await confirmationOf(email), password: NEW_PASSWORD })
  return email
}

/** A member of the story's own, approved by staff and without a plan: what it changes is nobody else's. */
export async function createMember(djName: string): Promise<Account> {
  const email = await createApplicant(djName)
  const staffToken = await tokenOf('staff@demo.test')
  const { applications } = await callApi(staff.getApplications, { search: email }, staffToken)
  const { customer_id, version } = firstItem(applications)
  await callApi(staff.decideApplication, { customer_id, version, decision: 'approve' }, staffToken)
  return { email, password: NEW_PASSWORD, token: await signInByApi(email), customer_id }
}

/** Cards of the sandbox, and what each does. */
export const CARDS = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  asks: '4000002500003155',
  failsOnRenewal: '4000000000000341',
}

export async function planNamed(title: string): Promise<billing.Plan> {
  const { plans } = await callApi(billing.getPlans, {})
  return firstItem(plans.filter((plan) => plan.title === title))
}

/** A member whose card the sandbox has charged by call. */
export async function createSubscriber(djName: string, card: string): Promise<Account> {
  const member = await createMember(djName)
  const { id } = await planNamed('Standard')
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
  (await callApi(membership.signIn, { email, password: NEW_PASSWORD })).token

/** Has the member signed in on a page, once: what the page does with its token afterwards stays. */
export async function openWithToken(page: Page, token: string, address: string): Promise<void> {
  await page.goto('/')
  await page.evaluate((it) => localStorage.setItem('dubplate.token', it), token)
  await page.goto(address)
}

/** The member in a browser of their own, in a session of its own. */
export async function signInElsewhere(browser: Browser, { email }: Account, address: string): Promise<Page> {
  const page = await otherBrowser(browser)
  await openWithToken(page, await signInByApi(email), address)
  return page
}
