import { settings } from '@dubplate/contract'
import { format } from '../../platform/message.ts'
import * as texts from './texts.ts'

/**
 * The server's validation errors, by the path of the value. They are repeated here because the schemas would add to
 * what every sign-in loads.
 */
export type Complaints = Record<string, string | undefined>

const { LIMITS } = settings

const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}<>"]*$/u
const WEB_ADDRESS = /^(|https?:\/\/[a-z0-9[][^\s<>"]*)$/i
const MAIL_ADDRESS = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/

function wrongLine(text: string, empty: string): string | undefined {
  if (text.trim() === '') return empty
  return ONE_LINE.test(text.trim()) ? undefined : texts.dontUseLineBreaksAngle
}

/** Leaves out fields without an error. */
const those = (complaints: Complaints): Complaints =>
  Object.fromEntries(Object.entries(complaints).filter(([, complaint]) => complaint !== undefined))

export const nameComplaints = ({ pool_name }: { pool_name: string }): Complaints =>
  those({ pool_name: wrongLine(pool_name, texts.enterAName) })

export const storeComplaints = ({ store_url }: { store_url: string }): Complaints =>
  those({
    store_url: WEB_ADDRESS.test(store_url.trim()) ? undefined : texts.enterAFullLinkSuch,
  })

export const senderComplaints = ({ name, address }: { name: string; address: string }): Complaints =>
  those({
    'mail_from.name': wrongLine(name, texts.enterASenderName),
    'mail_from.address': MAIL_ADDRESS.test(address.trim()) ? undefined : texts.enterAnEmailAddressSuch,
  })

export type LimitName = keyof typeof LIMITS

const NOT_WHOLE = {
  download_limit: texts.downloadsMustBeAWhole,
  upload_days: texts.daysMustBeAWhole,
  rescue_days: texts.daysMustBeAWhole,
} as const

export function limitComplaints(typed: Record<LimitName, string>): Complaints {
  const complaintOf = (field: LimitName) => {
    const { least, most } = LIMITS[field]
    const number = /^\d{1,5}$/.test(typed[field].trim()) ? Number(typed[field]) : Number.NaN
    return number >= least && number <= most ? undefined : format(NOT_WHOLE[field], { least, most })
  }
  return those({
    download_limit: complaintOf('download_limit'),
    upload_days: complaintOf('upload_days'),
    rescue_days: complaintOf('rescue_days'),
  })
}
