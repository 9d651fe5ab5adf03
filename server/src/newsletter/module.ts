import { defineModule } from '../module.ts'
import { sendDigests, sweepDigests } from './digests.ts'
import { sweepFollowedLists } from './followed-lists.ts'
import { serveOneClickUnsubscribe } from './one-click-unsubscribe.ts'
import { newsletterData } from './own-data.ts'
import { newsletterRoutes } from './routes.ts'
import { sweepUnconfirmed } from './subscribers.ts'

export const newsletter = defineModule({
  name: 'newsletter',
  tables: ['newsletter_subscriber', 'newsletter_digest', 'followed_genre', 'followed_name', 'followed_list'],
  routes: newsletterRoutes,
  http: serveOneClickUnsubscribe,
  jobs: [
    {
      task: 'send_digests',
      // Every hour, for weeks in which no process ran on Thursday: the digest determines the week.
      schedule: { times: '0 * * * *', about: 'Sends the weekly newsletter.' },
      run: (ctx) => sendDigests(ctx),
    },
  ],
  sweeps: [({ sql }) => sweepUnconfirmed(sql), ({ sql }) => sweepDigests(sql), ({ sql }) => sweepFollowedLists(sql)],
  ownData: newsletterData,
})
