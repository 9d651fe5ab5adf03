import type { AppContext } from '../app-context.ts'
import { type InvoiceSettings, invoiceSettingsFor } from '../platform/payment-config.ts'

/** The services that the billing module uses. */
export type BillingContext = Pick<AppContext, 'sql' | 'log' | 'config' | 'settings' | 'now' | 'gateways' | 'signing'>

/** The issuer of invoices and the tax settings. */
export const invoicing = ({ config, settings }: Pick<BillingContext, 'config' | 'settings'>): InvoiceSettings =>
  invoiceSettingsFor(config.payments.invoice, settings.poolName)
