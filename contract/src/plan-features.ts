import * as z from 'zod/mini'
import { integerBetween } from './endpoint.ts'

/** What members of a plan can do. The lists of plans are built from it, and downloads enforce it. */

export const MAX_HEAD_START_HOURS = 720

const switches = {
  /** Counted downloads in a calendar month (UTC); null without a limit. */
  monthly_downloads: z.nullable(z.number()),
  /** Whether the crate and lists can be downloaded as zips. */
  has_crate_bundles: z.boolean(),
  /** Whether top 20s can be downloaded as zips. */
  has_top20_packs: z.boolean(),
  /** How much earlier than members of plans without a head start they can download new songs. */
  head_start_hours: z.number(),
}

/** As members see them. */
export const planFeatures = {
  ...switches,
  /** How many times each version can be downloaded. */
  version_downloads: z.number(),
}

/** As staff edit them. */
export const storedPlanFeatures = {
  ...switches,
  /** How many times each version can be downloaded; null for the pool's limit. */
  version_downloads: z.nullable(z.number()),
}

const features = z.object(planFeatures)
export type PlanFeatures = z.output<typeof features>

const storedFeatures = z.object(storedPlanFeatures)
export type StoredPlanFeatures = z.output<typeof storedFeatures>

const MONTHLY_RANGE = 'Enter a number from 1 to 100,000, or leave it empty.'
const VERSION_RANGE = 'Enter a number from 1 to 20, or leave it empty.'

/** What is left out does not limit members. */
export const planFeaturesInput = {
  monthly_downloads: z._default(z.nullable(integerBetween(1, 100_000, MONTHLY_RANGE)), null),
  version_downloads: z._default(z.nullable(integerBetween(1, 20, VERSION_RANGE)), null),
  has_crate_bundles: z._default(z.boolean(), true),
  has_top20_packs: z._default(z.boolean(), true),
  head_start_hours: z._default(
    integerBetween(0, MAX_HEAD_START_HOURS, `Enter hours from 0 to ${MAX_HEAD_START_HOURS}.`),
    0,
  ),
}
