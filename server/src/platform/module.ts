import { defineModule } from '../module.ts'
import { sweepMail } from './outbox.ts'
import { sweepRates } from './rate-counter.ts'

export const platform = defineModule({
  name: 'platform',
  tables: [
    'bounced_address',
    'migration',
    'outgoing_mail',
    'mail_hold',
    'rate_counter',
    'setting',
    'damaged_file',
    'worker_heartbeat',
  ],
  sweeps: [({ sql }) => sweepMail(sql), ({ sql }) => sweepRates(sql)],
})
