import { useRef } from 'react'
import forms from '../forms/Forms.module.css'
import { SettingCard } from './SettingCard.tsx'
import { type Everything, useGroup } from './saving.ts'
import * as texts from './texts.ts'

const inWords = (isOpen: boolean): string => (isOpen ? texts.openToVisitors : texts.membersOnly)

/** Whether visitors can find music here. */
export function VisitorsCard({ all }: { all: Everything }) {
  const { public_browsing } = all.settings
  const box = useRef<HTMLFormElement>(null)
  const form = useGroup(all, {
    group: 'visitors',
    entryOf: ({ settings }) => ({ public_browsing: settings.public_browsing.value }),
    valuesOf: ({ public_browsing }) => ({ public_browsing }),
  })
  return (
    <SettingCard
      form={form}
      box={box}
      title={texts.visitorAccess}
      what={texts.whenOffVisitorsMustSign}
      standing={all.groups.visitors}
      isSetHere={public_browsing.is_overridden}
      first={inWords(public_browsing.first)}
      inWords={({ settings }) => inWords(settings.public_browsing.value)}
    >
      <label className={forms.check}>
        <input
          type="checkbox"
          checked={form.typed.public_browsing}
          onChange={({ target }) => form.write({ public_browsing: target.checked })}
        />
        {texts.letVisitorsBrowseAndPlay}
      </label>
    </SettingCard>
  )
}
