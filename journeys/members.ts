import { billing, checkout, joining, membership, staff } from '@dubplate/contract'
import type { Browser, Page } from '@playwright/test'
import { mailsTo } from './mail-server.ts'
import { ask, expect, firstOf, otherBrowser, tokenOf } from './support.ts'

export type Account = { email: string; password: string; token: string; customer_id: number }

export const A_PASSWORD = 'violet tram 77 drummer'

/** The token of the mailed link that confirms this address. */
export async function confirmationOf(email: string): Promise<string> {
  const find = async () => /\/confirm#(\S+)/.exec((await mailsTo(email)).map(({ text }) => text).join('\n'))?.[1]
  await expect.poll(find, { timeout: 60_000 }).toMatch(/^\S{20,}$/)
  return (await find()) ?? ''
}

/** Somebody who has applied and confirmed the address, and waits for staff; answers with the address. */
export async function anApplicant(djName: string): Promise<string> {
  const email = `${crypto.randomUUID().slice(0, 8)}@account.test`
  const applicant = await ask(joining.signUp, { dj_name: djName, email, password_hash: A_PASSWORD })
  await ask(joining.submitApplication, { dj_website: 'https://mixes.example' }, applicant.token)
  await ask(joining.confirmAddress, { token: await confirmationOf(email), password: A_PASSWORD })
  return email
}

/** A member of the story's own, approved by staff and without a plan: what it changes is nobody else's. */
export async function aMember(djName: string): Promise<Account> {
  const email = await anApplicant(djName)
  const desk = await tokenOf('staff@demo.test')
  const { applications } = await ask(staff.getApplications, { search: email }, desk)
  const { customer_id, version } = firstOf(applications)
  await ask(staff.decideApplication, { customer_id, version, decision: 'approve' }, desk)
  return { email, password: A_PASSWORD, token: await signInByCall(email), customer_id }
}

/** Cards of the sandbox, and what each does. */
export const CARDS = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  asks: '4000002500003155',
  failsOnRenewal: '4000000000000341',
}

export async function planNamed(title: string): Promise<billing.Plan> {
  const { plans } = await ask(billing.getPlans, {})
  return firstOf(plans.filter((plan) => plan.title === title))
}

/** A member whose card the sandbox has charged by call. */
export async function aSubscriber(djName: string, card: string): Promise<Account> {
  const member = await aMember(djName)
  const { id } = await planNamed('Standard')
  const form = {
    cardholder_name: djName,
    card_number: card,
    card_type: 'Visa',
    expire_date: '12/30',
    ccv: '123',
  } as const
  await ask(checkout.payByCard, { formData: form, subscription: id }, member.token)
  return member
}

export const signInByCall = async (email: string) =>
  (await ask(membership.signIn, { email, password: A_PASSWORD })).token

/** Has the member signed in on a page, once: what the page does with its token afterwards stays. */
export async function enter(page: Page, token: string, address: string): Promise<void> {
  await page.goto('/')
  await page.evaluate((it) => localStorage.setItem('dubplate.token', it), token)
  await page.goto(address)
}

/** The member in a browser of their own, in a session of its own. */
export async function elsewhere(browser: Browser, { email }: Account, address: string): Promise<Page> {
  const page = await otherBrowser(browser)
  await enter(page, await signInByCall(email), address)
  return page
}
