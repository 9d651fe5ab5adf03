import type { AppContext } from '../app-context.ts'
import { type InvoiceSettings, invoiceSettingsFor } from '../platform/payment-config.ts'

/** The tools this room works with. */
export type BillingContext = Pick<AppContext, 'sql' | 'log' | 'config' | 'settings' | 'now' | 'gateways' | 'signing'>

/** Who invoices, and with which tax. */
export const invoicing = ({ config, settings }: Pick<BillingContext, 'config' | 'settings'>): InvoiceSettings =>
  invoiceSettingsFor(config.payments.invoice, settings.poolName)
