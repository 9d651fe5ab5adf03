import { account } from '@dubplate/contract'
import { clearBounces } from '../platform/bounces.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { type Asker, on } from './asker.ts'
import { countries } from './countries.ts'
import { checkProfile, updateProfile, withdrawAddress } from './own-profile.ts'
import { type ForgetPicture, removePicture, uploadPicture } from './pictures-of-members.ts'
import { pictureAddress, profileOf } from './profile.ts'

/** What members say of themselves. */
export const profileRoutes = (world: World, forgetPicture: ForgetPicture): Call<Asker>[] => [
  on(account.getCountries, async () => ({ countries })),
  on(
    account.updateProfile,
    async ({ input, member }) => {
      await updateProfile(world, member, input)
      return { profile: await profileOf(world, member) }
    },
    { perMinute: 30, alsoCheck: (given, member) => checkProfile(world, member, given) },
  ),
  on(account.confirmEmail, async ({ member }) => {
    const { email } = await profileOf(world, member)
    await clearBounces(world.sql, email)
    return { profile: await profileOf(world, member) }
  }),
  on(account.withdrawAddress, async ({ member }) => {
    await withdrawAddress(world.sql, member)
    return { profile: await profileOf(world, member) }
  }),
  on(
    account.uploadPicture,
    async ({ member, request }) => ({
      profile_picture: pictureAddress(await uploadPicture({ ...world, forgetPicture }, member, request)) ?? '',
    }),
    { perMinute: 10 },
  ),
  on(account.removePicture, async ({ member }) => {
    await removePicture({ ...world, forgetPicture }, member)
    return {}
  }),
]
