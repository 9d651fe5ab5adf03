import { defineModule } from '../module.ts'
import { serveInvoices } from './invoice-links.ts'

export const invoices = defineModule({
  name: 'invoices',
  tables: ['invoice', 'invoice_number'],
  http: serveInvoices,
})
