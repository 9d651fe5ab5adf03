import { Link } from '@tanstack/react-router'
import { plural } from '../../platform/format.ts'
import button from '../../ui/Button.module.css'
import forms from '../Forms.module.css'
import css from './Settings.module.css'
import type { Everything } from './saving.ts'

type Page = Everything['pages'][number]

const STATE: Record<Page['state'], string> = {
  not_written: 'Not written yet. Visitors see an empty page.',
  sample: 'Sample text. Replace it with your own.',
  written: 'Published',
}

/** How far the pages are that a pool of one's own has to write. */
export const PageStates = ({ all }: { all: Everything }) => (
  <section data-framed className={`${forms.form} ${css.card}`} aria-labelledby="page-states">
    <h2 id="page-states">Legal and info pages</h2>
    <ul className={css.pages}>
      {all.pages.map((page) => (
        <li key={page.slug}>
          <b>{page.title}</b>
          <span data-warn={page.state !== 'written' || page.gaps > 0 || undefined}>
            {STATE[page.state]}
            {page.gaps > 0 && `${plural(page.gaps, 'placeholder')} to fill in.`}
          </span>
          <Link
            to="/staff/pages"
            search={{ open: page.slug }}
            className={button.button}
            aria-label={`Edit ${page.title}`}
          >
            Edit
          </Link>
        </li>
      ))}
    </ul>
  </section>
)
