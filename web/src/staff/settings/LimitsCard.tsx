import { settings } from '@dubplate/contract'
import { useRef } from 'react'
import { useFirstWrong } from '../../helpdesk/useFirstWrong.ts'
import { plural } from '../../platform/format.ts'
import { Field } from '../../uploads/Field.tsx'
import { type LimitName, limitComplaints } from './complaints.ts'
import { SettingCard } from './SettingCard.tsx'
import css from './Settings.module.css'
import { type Everything, useGroup } from './saving.ts'

const FIELDS: { name: LimitName; label: string; note: string }[] = [
  {
    name: 'download_limit',
    label: 'Downloads per version',
    note: 'How many times a member can download a version. Lowering it doesn’t affect past downloads.',
  },
  {
    name: 'upload_days',
    label: 'Upload lifetime (days)',
    note: 'Applies to songs saved or renewed from now on. Existing songs keep their expiry date.',
  },
  {
    name: 'rescue_days',
    label: 'Rescue period (days)',
    note: 'How long members can get expired songs they’ve downloaded before from Download Rescue.',
  },
]

const limitsInWords = ({ settings }: Everything): string =>
  `${plural(settings.download_limit.value, 'download')} per version, ${plural(settings.upload_days.value, 'day')} upload lifetime, ${plural(settings.rescue_days.value, 'day')} rescue period`

/** How often, and how long. */
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
    onRefused: useFirstWrong(box),
  })
  const { download_limit, upload_days, rescue_days } = all.settings
  return (
    <SettingCard
      form={form}
      box={box}
      title="Limits"
      what="Apply to future downloads and songs."
      standing={all.groups.limits}
      isSetHere={FIELDS.some(({ name }) => all.settings[name].is_set_here)}
      first={`${plural(download_limit.first, 'download')}, ${upload_days.first} and ${plural(rescue_days.first, 'day')}`}
      inWords={limitsInWords}
    >
      <div className={css.three}>
        {FIELDS.map(({ name, label, note }) => (
          <Field key={name} label={label} path={name} wrong={form.wrong(name)} note={note}>
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
