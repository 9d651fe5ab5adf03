import type { membership } from '@dubplate/contract'
import * as texts from '../texts.ts'

/** Who a tab is for: all members, or only those with one payment status. */
type Payment = membership.Profile['payment_profile_status']

export type AccountTab = {
  to: string
  text: string
  /** Missing: shown for any payment status. */
  payment?: Payment
  /** Prefixes of further paths the tab belongs to. */
  also?: readonly string[]
  /** Only shown if the pool sends to cloud storage. */
  isCloud?: true
}

/** Every account tab, in order. */
const TABS = [
  { to: '/account/update', text: texts.editProfile },
  { to: '/account/change-password', text: texts.changePasswordTitle },
  { to: '/subscription/plans', text: texts.createSubscription, payment: 'unpaid' },
  { to: '/account/manage-subscription', text: texts.subscription, payment: 'paid' },
  { to: '/account/billing', text: texts.billingHistory, payment: 'paid' },
  { to: '/download-rescue', text: texts.downloadRescue, payment: 'paid' },
  { to: '/account/download-profiles', text: texts.downloadProfiles },
  { to: '/account/cloud', text: texts.cloudStorage, isCloud: true },
  { to: '/support/faqs', text: texts.helpDesk, also: ['/tickets/', '/ticket/'] },
  { to: '/account/security', text: texts.signInSecurity },
  { to: '/account/notices', text: texts.notifications },
  { to: '/account/display', text: texts.display },
  { to: '/account/muted', text: texts.muted },
  { to: '/account/data', text: texts.yourData },
] as const satisfies AccountTab[]

const isTabForPayment = (payment: Payment, { payment: own }: AccountTab) => own === undefined || own === payment

/** The tabs for a payment status: the same on every screen. */
export const tabsFor = (payment: Payment, { hasCloud }: { hasCloud: boolean }) =>
  TABS.filter((tab: AccountTab) => isTabForPayment(payment, tab) && (hasCloud || !tab.isCloud))

/** Whether a tab also belongs to the path `here`, in addition to its own path. */
export const isTabForPath = ({ also = [] }: AccountTab, here: string) => also.some((start) => here.startsWith(start))
