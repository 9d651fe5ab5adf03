import { useRef } from 'react'
import { useFocusFirstError } from '../../ui/useFocusFirstError.ts'
import { Field } from '../../uploads/Field.tsx'
import { nameComplaints } from './complaints.ts'
import { SettingCard } from './SettingCard.tsx'
import { type Everything, useGroup } from './saving.ts'
import * as texts from './texts.ts'

/** The pool's name. */
export function NameCard({ all }: { all: Everything }) {
  const { pool_name } = all.settings
  const box = useRef<HTMLFormElement>(null)
  const form = useGroup(all, {
    group: 'name',
    entryOf: ({ settings }) => ({ pool_name: settings.pool_name.value }),
    valuesOf: ({ pool_name }) => ({ pool_name }),
    complaintsOf: nameComplaints,
    onRefused: useFocusFirstError(box),
  })
  return (
    <SettingCard
      form={form}
      box={box}
      title={texts.name}
      what={texts.shownInTheHeaderIn}
      standing={all.groups.name}
      isSetHere={pool_name.is_overridden}
      first={`“${pool_name.first}”`}
      inWords={({ settings }) => settings.pool_name.value}
    >
      <Field label={texts.siteName} path="pool_name" fieldError={form.wrong('pool_name')}>
        {(control) => (
          <input
            {...control}
            maxLength={60}
            autoComplete="off"
            value={form.typed.pool_name}
            onChange={({ target }) => form.write({ pool_name: target.value })}
          />
        )}
      </Field>
    </SettingCard>
  )
}
