import { settings } from '@dubplate/contract'
import { useId, useRef } from 'react'
import { formatList } from '../../platform/formatList.ts'
import { format } from '../../platform/message.ts'
import forms from '../forms/Forms.module.css'
import { SettingCard } from './SettingCard.tsx'
import css from './Settings.module.css'
import { type Everything, useGroup } from './saving.ts'
import * as texts from './texts.ts'

type Section = settings.Section

const WORDS: Record<Section, { name: string; note: string }> = {
  charts: { name: texts.charts, note: texts.chartsPagePlusTopDownloads },
  new_releases: { name: texts.newReleases, note: texts.newReleasesPageAndIts },
  spotlights: { name: texts.spotlights, note: texts.spotlightPagesTheHomePage },
  top20: { name: texts.top20, note: texts.top20PagesTheHome },
  moods: { name: texts.moods, note: texts.moodsInTheGenreMenu },
  kuts: { name: texts.kuts, note: texts.kutsListsForAppsThat },
  merchandise: { name: texts.merchandise, note: texts.merchandiseOnTheHomePage },
  newsletter: {
    name: texts.newsletterSignUp,
    note: texts.newsletterFormInTheFooter,
  },
  careers: { name: texts.careers, note: texts.careersPageAndItsFooter },
  uploads: { name: texts.uploads, note: texts.uploadingAndEditingSongsSongs },
}

export const hiddenInWords = (hidden: readonly Section[]): string =>
  hidden.length === 0
    ? texts.allSections
    : format(texts.allSectionsExcept, {
        sections: formatList(
          hidden.map((section) => WORDS[section].name),
          'conjunction',
        ),
      })

/** Sections of the site that can be turned off. */
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
      title={texts.sections}
      what={texts.hiddenSectionsDisappearFromMenus}
      standing={all.groups.sections}
      isSetHere={hidden.is_overridden}
      otherwise={texts.defaultLabel}
      first={texts.allSections}
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
