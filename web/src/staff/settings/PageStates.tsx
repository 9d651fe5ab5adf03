import { Link } from '@tanstack/react-router'
import { format } from '../../platform/message.ts'
import button from '../../ui/Button.module.css'
import forms from '../forms/Forms.module.css'
import css from './Settings.module.css'
import type { Everything } from './saving.ts'
import * as texts from './texts.ts'

type Page = Everything['pages'][number]

const STATE: Record<Page['state'], string> = {
  not_written: texts.notWrittenYetVisitorsSee,
  sample: texts.sampleTextReplaceItWith,
  written: texts.published,
}

/** The state of the pages that an operator has to write. */
export const PageStates = ({ all }: { all: Everything }) => (
  <section data-framed className={`${forms.form} ${css.card}`} aria-labelledby="page-states">
    <h2 id="page-states">{texts.legalAndInfoPages}</h2>
    <ul className={css.pages}>
      {all.pages.map((page) => (
        <li key={page.slug}>
          <b>{page.title}</b>
          <span data-warn={page.state !== 'written' || page.gaps > 0 || undefined}>
            {STATE[page.state]}
            {page.gaps > 0 && ` · ${format(texts.placeholdersToFillIn, { gaps: page.gaps })}`}
          </span>
          <Link
            to="/staff/pages"
            search={{ open: page.slug }}
            className={button.button}
            aria-label={format(texts.editTitleLabel, { title: page.title })}
          >
            {texts.edit}
          </Link>
        </li>
      ))}
    </ul>
  </section>
)
