import words from '../ui/Words.module.css'
import { Html } from './Html.tsx'
import css from './SiteText.module.css'

/** A text written by staff. */
export const SiteText = ({ html }: { html: string }) => <Html html={html} className={`${words.words} ${css.text}`} />
