import { type InvoiceSettings, invoicedBy } from '../platform/payment-config.ts'
import type { World } from '../world.ts'

/** The tools this room works with. */
export type Paying = Pick<World, 'sql' | 'log' | 'config' | 'settings' | 'now' | 'gateways' | 'signing'>

/** Who invoices, and with which tax. */
export const invoicing = ({ config, settings }: Pick<Paying, 'config' | 'settings'>): InvoiceSettings =>
  invoicedBy(config.payments.invoice, settings.poolName)
