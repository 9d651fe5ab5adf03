import type { billing } from '@dubplate/contract'
import { format } from '../format/message.ts'
import css from './Billing.module.css'
import * as texts from './texts.ts'

type Features = Pick<
  billing.Plan,
  'monthly_downloads' | 'version_downloads' | 'has_crate_bundles' | 'has_top20_packs' | 'head_start_hours'
>

/** What members of a plan can do, built from what downloads enforce. */
export const PlanFeatures = (features: Features) => (
  <div className={css.features}>
    <ul>
      {describeFeatures(features).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </div>
)

function describeFeatures(features: Features): string[] {
  const { monthly_downloads, version_downloads, has_crate_bundles, has_top20_packs, head_start_hours } = features
  return [
    monthly_downloads === null ? texts.unlimitedDownloads : format(texts.downloadsAMonth, { count: monthly_downloads }),
    format(texts.downloadsOfEachVersion, { count: version_downloads }),
    ...(has_crate_bundles ? [texts.crateAsAZip] : []),
    ...(has_top20_packs ? [texts.top20sAsAZip] : []),
    ...(head_start_hours > 0 ? [describeHeadStart(head_start_hours)] : []),
  ]
}

const DAY_HOURS = 24

const describeHeadStart = (hours: number): string =>
  hours % DAY_HOURS === 0
    ? format(texts.newSongsDaysEarlier, { count: hours / DAY_HOURS })
    : format(texts.newSongsHoursEarlier, { count: hours })
