import { coupons } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { toast } from '../../ui/toast.ts'
import * as texts from './texts.ts'

export const askCouponsAnew = () => queryClient.invalidateQueries({ queryKey: [coupons.getCoupons.path] })

/** Loads the current version; undefined when the coupon has been deleted. */
export async function couponNow({ coupon_id, code }: coupons.Coupon): Promise<coupons.Coupon | undefined> {
  await askCouponsAnew()
  const { coupons: found } = await callApi(coupons.getCoupons, { search: code })
  return found.find((each) => each.coupon_id === coupon_id)
}

/** Throws an `ApiError` when the server rejects the change. */
export async function endCoupon({ coupon_id, version, code }: coupons.Coupon): Promise<void> {
  try {
    await callApi(coupons.endCoupon, { coupon_id, version })
    void toast({ message: format(texts.deactivated, { code }) })
  } finally {
    await askCouponsAnew()
  }
}

/** Throws an `ApiError` when the server rejects the change. */
export async function endPromotion({ promotion_id, title }: coupons.Promotion): Promise<void> {
  try {
    await callApi(coupons.endPromotion, { promotion_id })
    void toast({ message: format(texts.allCodesOfDeactivated, { title }) })
  } finally {
    await askCouponsAnew()
  }
}
