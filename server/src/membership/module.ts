import { defineModule } from '../module.ts'
import { accountRoutes } from './account-routes.ts'
import { serveExports } from './export.ts'
import { serveOutsideSignIn } from './external-sign-in.ts'
import { startMailSender } from './mail-sender.ts'
import { sweepLinks } from './mailed-links.ts'
import { membershipData } from './own-data.ts'
import { profileRoutes } from './profile-routes.ts'
import { membershipRoutes } from './routes.ts'
import { sweepSessions } from './session.ts'
import { sweepSignUps } from './sign-up.ts'
import { signUpRoutes } from './sign-up-routes.ts'

export const membership = defineModule({
  name: 'membership',
  tables: [
    'customer',
    'customer_group',
    'session',
    'dj_application',
    'sign_in_attempt',
    'sign_up',
    'mailed_link',
    'mail_request',
    'totp',
    'recovery_code',
    'external_identity',
  ],
  routes: (hooks) => [
    ...membershipRoutes,
    ...accountRoutes(hooks),
    ...signUpRoutes(hooks.ownData),
    ...profileRoutes(hooks.deletePicture),
  ],
  http: async (app, ctx, { ownData }) => {
    serveExports(app, ctx, ownData)
    await serveOutsideSignIn(app, ctx)
  },
  loops: [startMailSender],
  sweeps: [
    ({ sql, config }) => sweepSessions(sql, config.staffIdleHours),
    ({ sql }) => sweepSignUps(sql),
    ({ sql }) => sweepLinks(sql),
  ],
  ownData: membershipData,
})
