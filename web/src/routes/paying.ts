import { createRoute } from '@tanstack/react-router'
import { flag, searchFields, words } from '../platform/search-fields.ts'
import { number, otherScreen, perhapsNumber, root } from './parts.ts'

const plans = createRoute({
  getParentRoute: () => root,
  path: '/subscription/plans',
  component: otherScreen('Plans'),
})

const choosePayment = createRoute({
  getParentRoute: () => root,
  path: '/subscription/choose-payment/{-$planId}',
  params: perhapsNumber('planId'),
  component: otherScreen('ChoosePayment'),
})

const mobileWallet = createRoute({
  getParentRoute: () => root,
  path: '/subscription/mobile-wallet/{-$planId}',
  params: perhapsNumber('planId'),
  component: otherScreen('MobileWallet'),
})

const confirmPayment = createRoute({
  getParentRoute: () => root,
  path: '/subscription/confirm-payment/{-$customerplan}',
  validateSearch: searchFields({ token: words, cancelled: flag }),
  component: otherScreen('ConfirmPayment'),
})

const cardFrame = createRoute({
  getParentRoute: () => root,
  path: '/subscription/card/$profileId',
  params: number('profileId'),
  component: otherScreen('CardFrame'),
})

const paymentSuccess = createRoute({
  getParentRoute: () => root,
  path: '/subscription/success/$profileId',
  params: number('profileId'),
  component: otherScreen('PaymentSuccess'),
})

const paymentFailed = createRoute({
  getParentRoute: () => root,
  path: '/subscription/failed',
  component: otherScreen('PaymentFailed'),
})

/** From the plans to what came of a payment. */
export const payingRoutes = [
  plans,
  choosePayment,
  mobileWallet,
  confirmPayment,
  cardFrame,
  paymentSuccess,
  paymentFailed,
] as const
