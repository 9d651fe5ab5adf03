import words from '../ui/Words.module.css'
import { Html } from './Html.tsx'
import css from './SiteText.module.css'

/** A text for reading, as staff wrote it. */
export const SiteText = ({ html }: { html: string }) => <Html html={html} className={`${words.words} ${css.text}`} />
