import { useRef } from 'react'
import { useFocusFirstError } from '../../ui/useFocusFirstError.ts'
import { Field } from '../../uploads/Field.tsx'
import { storeComplaints } from './complaints.ts'
import { SettingCard } from './SettingCard.tsx'
import { type Everything, useGroup } from './saving.ts'
import * as texts from './texts.ts'

const inWords = (address: string): string => address || texts.noStoreLink

/** Where the pool's merchandise is sold. */
export function StoreCard({ all }: { all: Everything }) {
  const { store_url } = all.settings
  const box = useRef<HTMLFormElement>(null)
  const form = useGroup(all, {
    group: 'store',
    entryOf: ({ settings }) => ({ store_url: settings.store_url.value }),
    valuesOf: ({ store_url }) => ({ store_url }),
    complaintsOf: storeComplaints,
    onRefused: useFocusFirstError(box),
  })
  return (
    <SettingCard
      form={form}
      box={box}
      title={texts.store}
      what={texts.theStoreLinkInThe}
      standing={all.groups.store}
      isSetHere={store_url.is_overridden}
      first={inWords(store_url.first)}
      inWords={({ settings }) => inWords(settings.store_url.value)}
    >
      <Field
        label={texts.storeLink}
        path="store_url"
        fieldError={form.wrong('store_url')}
        note={texts.leaveEmptyToUseThe}
      >
        {(control) => (
          <input
            {...control}
            type="url"
            maxLength={500}
            autoComplete="off"
            placeholder="https://store.example/"
            value={form.typed.store_url}
            onChange={({ target }) => form.write({ store_url: target.value })}
          />
        )}
      </Field>
    </SettingCard>
  )
}
