import { account } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { clearBounces } from '../platform/bounces.ts'
import { on, type Route } from './caller.ts'
import { countries } from './countries.ts'
import type { AccountDeletionHooks } from './delete-account.ts'
import { removePicture, uploadPicture } from './member-pictures.ts'
import { cancelAddressChange, checkProfile, updateProfile } from './own-profile.ts'
import { getProfile, pictureUrl } from './profile.ts'

/** A member's own profile. */
export const profileRoutes = (deletePicture: AccountDeletionHooks['deletePicture']): Route[] => {
  const pictureContext = (ctx: AppContext) => ({
    ...ctx,
    deletePicture: (sha256: string) => deletePicture(ctx, sha256),
  })
  return [
    on(account.getCountries, async () => ({ countries })),
    on(
      account.updateProfile,
      async ({ input, member, ctx }) => {
        await updateProfile(ctx, member, input)
        return { profile: await getProfile(ctx, member) }
      },
      { perMinute: 30, alsoCheck: (submitted, { member, ctx }) => checkProfile(ctx, member, submitted) },
    ),
    on(account.confirmEmail, async ({ member, ctx, sql }) => {
      const { email } = await getProfile(ctx, member)
      await clearBounces(sql, email)
      return { profile: await getProfile(ctx, member) }
    }),
    on(account.cancelEmailChange, async ({ member, ctx, sql }) => {
      await cancelAddressChange(sql, member)
      return { profile: await getProfile(ctx, member) }
    }),
    on(
      account.uploadPicture,
      async ({ member, request, ctx }) => ({
        profile_picture: pictureUrl(await uploadPicture(pictureContext(ctx), member, request)) ?? '',
      }),
      { perMinute: 10 },
    ),
    on(account.removePicture, async ({ member, ctx }) => {
      await removePicture(pictureContext(ctx), member)
      return {}
    }),
  ]
}
