import { defineModule } from '../module.ts'
import { serveTicketFiles, sweepUnsentFiles } from './files.ts'
import { startInboundMail } from './inbound-listeners.ts'
import { sweepInboundMail } from './inbound-mail.ts'
import { serveInboundWebhook } from './inbound-webhook.ts'
import { helpdeskData } from './own-data.ts'
import { helpdeskRoutes } from './routes.ts'
import { serveTicketWatch } from './ticket-stream.ts'

export const helpdesk = defineModule({
  name: 'helpdesk',
  tables: ['department', 'priority', 'faq', 'ticket', 'reply', 'ticket_file', 'inbound_mail', 'saved_reply'],
  routes: helpdeskRoutes,
  http: (app, ctx) => {
    serveTicketFiles(app, ctx)
    serveTicketWatch(app, ctx)
    serveInboundWebhook(app, ctx)
  },
  loops: [startInboundMail],
  sweeps: [sweepUnsentFiles, ({ sql }) => sweepInboundMail(sql)],
  ownData: helpdeskData,
})
