import { downloadProfiles } from '@dubplate/contract'
import { on, type Route } from '../membership/caller.ts'
import { listProfiles, removeProfile, saveProfile } from './profiles.ts'

export const boothRoutes: Route[] = [
  on(downloadProfiles.getProfiles, async ({ member, sql }) => ({
    profiles: await listProfiles(sql, member.customer_id),
  })),
  on(downloadProfiles.saveProfile, async ({ input, member, ctx }) => ({
    profile: await saveProfile(ctx.sql, member.customer_id, input),
  })),
  on(downloadProfiles.removeProfile, async ({ input, member, ctx }) => ({
    profiles: await removeProfile(ctx.sql, member.customer_id, input.profile_id),
  })),
]
