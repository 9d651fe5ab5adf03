import type { membership } from '@dubplate/contract'

/** Whom a tab is for: everybody, or only members of one payment status. */
type Payment = membership.Profile['payment_profile_status']

export type AccountTab = {
  to: string
  text: string
  /** Missing: shown whatever was paid. */
  payment?: Payment
  /** Beginnings of the other addresses of which it is the tab too. */
  also?: readonly string[]
}

/** Every tab of the account, in its order. */
const TABS = [
  { to: '/account/update', text: 'Edit Profile' },
  { to: '/account/change-password', text: 'Change Password' },
  { to: '/subscription/plans', text: 'Create Subscription', payment: 'unpaid' },
  { to: '/account/manage-subscription', text: 'Subscription', payment: 'paid' },
  { to: '/account/billing', text: 'Billing History', payment: 'paid' },
  { to: '/download-rescue', text: 'Download Rescue', payment: 'paid' },
  { to: '/support/faqs', text: 'Help Desk', also: ['/tickets/', '/ticket/'] },
  { to: '/account/security', text: 'Sign-in & security' },
  { to: '/account/notices', text: 'Notifications' },
  { to: '/account/display', text: 'Display' },
  { to: '/account/data', text: 'Your data' },
] as const satisfies AccountTab[]

const isFor = (payment: Payment, { payment: own }: AccountTab) => own === undefined || own === payment

/** The tabs of a member of this payment status: the same on every screen. */
export const tabsFor = (payment: Payment) => TABS.filter((tab) => isFor(payment, tab))

/** Whether a tab is the one of the screen `here`, beside the screen it leads to. */
export const isTabOf = ({ also = [] }: AccountTab, here: string) => also.some((start) => here.startsWith(start))
