import { settings } from '@dubplate/contract'
import { useRef } from 'react'
import { format } from '../../platform/message.ts'
import { useFocusFirstError } from '../../ui/useFocusFirstError.ts'
import { Field } from '../../uploads/Field.tsx'
import { type LimitName, limitComplaints } from './complaints.ts'
import { SettingCard } from './SettingCard.tsx'
import css from './Settings.module.css'
import { type Everything, useGroup } from './saving.ts'
import * as texts from './texts.ts'

const FIELDS: { name: LimitName; label: string; note: string }[] = [
  {
    name: 'download_limit',
    label: texts.downloadsPerVersion,
    note: texts.howManyTimesAMember,
  },
  {
    name: 'upload_days',
    label: texts.uploadLifetimeDays,
    note: texts.appliesToSongsSavedOr,
  },
  {
    name: 'rescue_days',
    label: texts.rescuePeriodDays,
    note: texts.howLongMembersCanGet,
  },
]

const limitsInWords = ({ settings }: Everything): string =>
  format(texts.downloadsPerVersionDaysUpload, {
    downloads: settings.download_limit.value,
    days: settings.upload_days.value,
    rescue: settings.rescue_days.value,
  })

/** Limits and durations. */
export function LimitsCard({ all }: { all: Everything }) {
  const box = useRef<HTMLFormElement>(null)
  const form = useGroup(all, {
    group: 'limits',
    entryOf: ({ settings: { download_limit, upload_days, rescue_days } }) => ({
      download_limit: String(download_limit.value),
      upload_days: String(upload_days.value),
      rescue_days: String(rescue_days.value),
    }),
    valuesOf: (typed) => ({
      download_limit: typed.download_limit.trim(),
      upload_days: typed.upload_days.trim(),
      rescue_days: typed.rescue_days.trim(),
    }),
    complaintsOf: limitComplaints,
    onRefused: useFocusFirstError(box),
  })
  const { download_limit, upload_days, rescue_days } = all.settings
  return (
    <SettingCard
      form={form}
      box={box}
      title={texts.limits}
      what={texts.applyToFutureDownloadsAnd}
      standing={all.groups.limits}
      isSetHere={FIELDS.some(({ name }) => all.settings[name].is_overridden)}
      first={format(texts.downloadsAndDays, {
        downloads: download_limit.first,
        days: upload_days.first,
        rescue: rescue_days.first,
      })}
      inWords={limitsInWords}
    >
      <div className={css.three}>
        {FIELDS.map(({ name, label, note }) => (
          <Field key={name} label={label} path={name} fieldError={form.wrong(name)} note={note}>
            {(control) => (
              <input
                {...control}
                className={`${control.className} num`}
                inputMode="numeric"
                autoComplete="off"
                maxLength={String(settings.LIMITS[name].most).length}
                value={form.typed[name]}
                onChange={({ target }) => form.write({ [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </SettingCard>
  )
}
