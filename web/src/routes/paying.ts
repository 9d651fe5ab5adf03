import { createRoute } from '@tanstack/react-router'
import { booleanFlag, searchFields, trimmedText } from '../platform/search-fields.ts'
import { lazyScreen, number, optionalNumber, root } from './routeHelpers.ts'

const plans = createRoute({
  getParentRoute: () => root,
  path: '/subscription/plans',
  component: lazyScreen('Plans'),
})

const choosePayment = createRoute({
  getParentRoute: () => root,
  path: '/subscription/choose-payment/{-$planId}',
  params: optionalNumber('planId'),
  component: lazyScreen('ChoosePayment'),
})

const mobileWallet = createRoute({
  getParentRoute: () => root,
  path: '/subscription/mobile-wallet/{-$planId}',
  params: optionalNumber('planId'),
  component: lazyScreen('MobileWallet'),
})

const confirmPayment = createRoute({
  getParentRoute: () => root,
  path: '/subscription/confirm-payment/{-$customerplan}',
  validateSearch: searchFields({ token: trimmedText, cancelled: booleanFlag }),
  component: lazyScreen('ConfirmPayment'),
})

const cardFrame = createRoute({
  getParentRoute: () => root,
  path: '/subscription/card/$profileId',
  params: number('profileId'),
  component: lazyScreen('CardFrame'),
})

const paymentSuccess = createRoute({
  getParentRoute: () => root,
  path: '/subscription/success/$profileId',
  params: number('profileId'),
  component: lazyScreen('PaymentSuccess'),
})

const paymentFailed = createRoute({
  getParentRoute: () => root,
  path: '/subscription/failed',
  component: lazyScreen('PaymentFailed'),
})

/** From the plans to the result of a payment. */
export const payingRoutes = [
  plans,
  choosePayment,
  mobileWallet,
  confirmPayment,
  cardFrame,
  paymentSuccess,
  paymentFailed,
] as const
