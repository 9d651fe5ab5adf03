import { settings } from '@dubplate/contract'
import { useId, useRef } from 'react'
import forms from '../Forms.module.css'
import { SettingCard } from './SettingCard.tsx'
import css from './Settings.module.css'
import { type Everything, useGroup } from './saving.ts'

type Section = settings.Section

const WORDS: Record<Section, { name: string; note: string }> = {
  charts: { name: 'Charts', note: 'Charts page, plus top downloads and trending on the home page' },
  new_releases: { name: 'New releases', note: 'New releases page and its home page section' },
  spotlights: { name: 'Spotlights', note: 'Spotlight pages, the home page slider and related blocks' },
  top20: { name: 'Top 20', note: 'Top 20 pages, the home page slider and the row in new releases' },
  moods: { name: 'Moods', note: 'Moods in the genre menu. Songs keep their moods.' },
  kuts: { name: 'Kuts', note: 'Kuts lists, for apps that use them' },
  merchandise: { name: 'Merchandise', note: 'Merchandise on the home page. The store link is a separate setting.' },
  newsletter: {
    name: 'Newsletter sign-up',
    note: 'Newsletter form in the footer. Existing subscribers stay subscribed and can unsubscribe.',
  },
  careers: { name: 'Careers', note: 'Careers page and its footer link' },
  uploads: { name: 'Uploads', note: 'Uploading and editing songs. Songs already uploaded stay until they expire.' },
}

export const hiddenInWords = (hidden: readonly Section[]): string =>
  hidden.length === 0
    ? 'all sections'
    : `all except ${hidden.map((section) => WORDS[section].name.toLowerCase()).join(', ')}`

/** Which parts of the site there are. */
export function SectionsCard({ all }: { all: Everything }) {
  const { hidden } = all.settings
  const id = useId()
  const box = useRef<HTMLFormElement>(null)
  const form = useGroup(all, {
    group: 'sections',
    entryOf: ({ settings }) => ({ hidden: settings.hidden.value }),
    valuesOf: ({ hidden }) => ({ hidden }),
  })
  const show = (section: Section, isShown: boolean) => {
    const others = form.typed.hidden.filter((one) => one !== section)
    const chosen = isShown ? others : [...others, section]
    form.write({ hidden: settings.SECTIONS.filter((one) => chosen.includes(one)) })
  }
  return (
    <SettingCard
      form={form}
      box={box}
      title="Sections"
      what="Hidden sections disappear from menus and their pages return not found."
      standing={all.groups.sections}
      isSetHere={hidden.is_set_here}
      otherwise="Default"
      first="all sections"
      inWords={({ settings }) => hiddenInWords(settings.hidden.value)}
    >
      <ul className={css.sections}>
        {settings.SECTIONS.map((section) => (
          <li key={section}>
            <label className={forms.check}>
              <input
                type="checkbox"
                checked={!form.typed.hidden.includes(section)}
                aria-describedby={`${id}-${section}`}
                onChange={({ target }) => show(section, target.checked)}
              />
              {WORDS[section].name}
            </label>
            <small id={`${id}-${section}`}>{WORDS[section].note}</small>
          </li>
        ))}
      </ul>
    </SettingCard>
  )
}
