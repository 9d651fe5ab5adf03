import { settings } from '@dubplate/contract'
import { useId, useRef } from 'react'
import forms from '../Forms.module.css'
import { SettingCard } from './SettingCard.tsx'
import css from './Settings.module.css'
import { type Everything, useGroup } from './saving.ts'

type Section = settings.Section

const WORDS: Record<Section, { name: string; note: string }> = {
  charts: { name: 'Charts', note: 'The charts, and what is downloaded and trending on the start page' },
  new_releases: { name: 'New releases', note: 'Their page and their part of the start page' },
  spotlights: { name: 'Curated spotlights', note: 'Their pages, the slider and the blocks beside lists' },
  top20: { name: 'Monthly top 20', note: 'Its pages, its slider and its row among new releases' },
  moods: { name: 'Moods', note: 'Among the genres; songs keep theirs' },
  kuts: { name: 'Kuts', note: 'The lists of that section, for apps that ask for it' },
  merchandise: { name: 'Merchandise', note: 'On the start page; the link to the store is set elsewhere' },
  newsletter: { name: 'Newsletter box', note: 'At the foot; whoever is subscribed stays so, and can leave' },
  careers: { name: 'Careers', note: 'The page and its link at the foot' },
  uploads: { name: 'Uploads', note: 'New and changed songs of members; what they sent stays as long as it was to' },
}

export const hiddenInWords = (hidden: readonly Section[]): string =>
  hidden.length === 0 ? 'all of it' : `all but ${hidden.map((section) => WORDS[section].name.toLowerCase()).join(', ')}`

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
      title="Parts of the site"
      what="What is left out goes from every menu. Its addresses say so, and its calls refuse."
      standing={all.groups.sections}
      isSetHere={hidden.is_set_here}
      otherwise="As it came"
      first="all of it"
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
