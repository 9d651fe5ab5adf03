import { account } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { clearBounces } from '../platform/bounces.ts'
import type { Call } from '../platform/serve.ts'
import { type Caller, on } from './caller.ts'
import { countries } from './countries.ts'
import { type DeletePicture, removePicture, uploadPicture } from './member-pictures.ts'
import { cancelAddressChange, checkProfile, updateProfile } from './own-profile.ts'
import { getProfile, pictureUrl } from './profile.ts'

/** A member's own profile. */
export const profileRoutes = (ctx: AppContext, deletePicture: DeletePicture): Call<Caller>[] => [
  on(account.getCountries, async () => ({ countries })),
  on(
    account.updateProfile,
    async ({ input, member }) => {
      await updateProfile(ctx, member, input)
      return { profile: await getProfile(ctx, member) }
    },
    { perMinute: 30, alsoCheck: (submitted, member) => checkProfile(ctx, member, submitted) },
  ),
  on(account.confirmEmail, async ({ member }) => {
    const { email } = await getProfile(ctx, member)
    await clearBounces(ctx.sql, email)
    return { profile: await getProfile(ctx, member) }
  }),
  on(account.cancelEmailChange, async ({ member }) => {
    await cancelAddressChange(ctx.sql, member)
    return { profile: await getProfile(ctx, member) }
  }),
  on(
    account.uploadPicture,
    async ({ member, request }) => ({
      profile_picture: pictureUrl(await uploadPicture({ ...ctx, deletePicture }, member, request)) ?? '',
    }),
    { perMinute: 10 },
  ),
  on(account.removePicture, async ({ member }) => {
    await removePicture({ ...ctx, deletePicture }, member)
    return {}
  }),
]
