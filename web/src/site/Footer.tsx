import { Link, type LinkProps } from '@tanstack/react-router'
import { useIsSectionVisible, usePool } from '../platform/pool.ts'
import css from './Footer.module.css'
import { NewsletterBox } from './NewsletterBox.tsx'
import * as texts from './texts.ts'

const LINKS: { to: LinkProps['to']; text: string }[] = [
  { to: '/news', text: texts.whatsNews },
  { to: '/support/faqs', text: texts.helpDesk },
  { to: '/dj-software', text: texts.djSoftware },
  { to: '/contact', text: texts.contact },
  { to: '/career/listing', text: texts.careers },
  { to: '/terms', text: texts.terms },
  { to: '/privacy', text: texts.privacy },
]

/** The footer of every screen: the pages about the pool, and the newsletter form. */
export function Footer() {
  const { name } = usePool()
  const isShown = useIsSectionVisible()
  return (
    <div className={css.footer}>
      <div className={css.about}>
        <b>{name}</b>
        <nav aria-label={texts.about}>
          <ul>
            {LINKS.filter(({ to }) => isShown(to)).map(({ to, text }) => (
              <li key={to}>
                <Link to={to}>{text}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {isShown('newsletter') && <NewsletterBox />}
    </div>
  )
}
